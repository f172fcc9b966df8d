import { grouped, significant } from './numbers.js'

/**
 * @typedef {'time' | 'rate' | 'share' | 'memory' | 'number'} Quantity
 *
 * @typedef {object} Units
 * @property {string} own - the one that limits and figures are kept in; empty: a bare number
 * @property {Readonly<Record<string, number>>} known - how many of the own one each is; in small letters
 */

/**
 * UNITS of what thresholds can be set on. Memory is in MB of 1,000,000 bytes, as in the table.
 *
 * @type {Readonly<Record<Quantity, Units>>}
 */
export const UNITS = {
  time: { own: 'ms', known: { us: 0.001, µs: 0.001, ms: 1, s: 1000, min: 60_000 } },
  rate: { own: '/s', known: { '/s': 1, '/min': 1 / 60, '/h': 1 / 3600 } },
  share: { own: '%', known: { '%': 1 } },
  memory: { own: 'MB', known: { kb: 1e-3, mb: 1, gb: 1000, kib: 0.001024, mib: 1.048576, gib: 1073.741824 } },
  number: { own: '', known: { '': 1 } }
}

/** How the units are written. @type {Readonly<Record<Quantity, string>>} */
const SPELT = {
  time: 'us, ms, s or min',
  rate: '/s, /min or /h',
  share: '%',
  memory: 'kB, MB, GB, KiB, MiB or GiB',
  number: 'no unit'
}

/**
 * unitProblem says what is wrong with the unit of a limit.
 *
 * @param {Quantity} quantity
 * @param {string} unit - as written
 * @returns {string | null}
 */
export function unitProblem(quantity, unit) {
  if (Object.hasOwn(UNITS[quantity].known, unit.toLowerCase())) return null
  if (quantity === 'number') return `takes no unit, not ${unit}`
  return `needs its limit in ${SPELT[quantity]}${unit === '' ? '' : `, not ${unit}`}`
}

/**
 * inOwnUnit turns a limit into the unit that figures are kept in.
 *
 * @param {Quantity} quantity
 * @param {number} value
 * @param {string} unit - one that is known
 */
export const inOwnUnit = (quantity, value, unit) =>
  // 1.1 s are 1100 ms, not 1100.0000000000002
  Number((value * UNITS[quantity].known[unit.toLowerCase()]).toPrecision(12))

/**
 * withUnit writes a figure for people.
 *
 * @param {number} value
 * @param {string} unit - an own one
 */
export const withUnit = (value, unit) =>
  unit === '' ? grouped(value) : `${significant(value)}${unit.startsWith('/') ? '' : ' '}${unit}`
