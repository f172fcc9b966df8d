// Formats numbers with units: counts, durations, rates, sizes. Parses sizes, bandwidths, percentages (durations:
// plan/values.js) and limits of thresholds.
/** MISSING_TEXT stands for a figure that cannot be given. */
export const MISSING_TEXT = '–'

/**
 * parseDecimal reads a decimal number, such as `12`, `0.5`, `-3` or `1e-05`.
 *
 * @param {string} text
 * @returns {number} NaN for anything else: nothing, hexadecimal digits, what is too large to be told from infinity
 */
export function parseDecimal(text) {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}

/**
 * formatWhole writes a whole number with commas, in every locale.
 *
 * @param {number} n
 */
export const formatWhole = n => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',')

/** roundUpStep is the next of 1, 2, 5, 10, 20 … (and 0.5, 0.2 …): a step of an axis or a width of bins that reads well. @param {number} x - above 0 */
export function roundUpStep(x) {
  const decade = 10 ** Math.floor(Math.log10(x))
  return decade * ([1, 2, 5].find(factor => factor * decade >= x * 0.999) ?? 10)
}

/** capitalize begins a text as a sentence begins. @param {string} text */
export const capitalize = text => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * formatCount writes how many there are of something.
 *
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export const formatCount = (n, one, many = `${one}s`) => `${formatWhole(n)} ${n === 1 ? one : many}`

/**
 * formatSignificant writes a number with three significant digits, from 1,000 on as a grouped whole number, and never with
 * more than three decimals: times in ms are counted in µs.
 *
 * @param {number} x - 0 or above
 * @param {(whole: number) => string} [whole] - how whole numbers are written
 */
export function formatSignificant(x, whole = formatWhole) {
  if (x >= 999.5) return whole(Math.round(x))
  const rounded = Number(x.toPrecision(3))
  const decimals = rounded >= 100 || rounded === 0 ? 0 : rounded >= 10 ? 1 : rounded >= 1 ? 2 : 3
  return rounded.toFixed(decimals)
}

/**
 * formatDuration writes a length of time as people say it.
 *
 * @param {number} ms
 */
export function formatDuration(ms) {
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}

/** formatRate writes a rate as it would be typed. @param {number} rate */
export const formatRate = rate => (Number.isInteger(rate) ? formatWhole(rate) : formatSignificant(rate))

/**
 * @typedef {'time' | 'rate' | 'share' | 'memory' | 'number'} Quantity
 *
 * @typedef {object} Units
 * @property {string} own - the one that limits and figures are kept in; empty: a bare number
 * @property {Readonly<Record<string, number>>} known - how many of the own one each is; in small letters
 */

/**
 * BYTES of each unit of a size, in small letters: 1kB is 1,000 bytes and 1KiB is 1,024, as in tables and on networks.
 *
 * @type {Readonly<Record<string, number>>}
 */
const BYTES = {
  b: 1,
  ...{ k: 1e3, m: 1e6, g: 1e9, t: 1e12 },
  ...{ kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  ...{ kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 }
}

/** The largest first, so that what is written is short. */
const WRITTEN = ['TiB', 'TB', 'GiB', 'GB', 'MiB', 'MB', 'KiB', 'kB']

/**
 * parseBytes reads a size.
 *
 * @param {string} text - `1MiB`, `10M`, `64 kB`, `1048576`
 * @returns {number} bytes; NaN for what is none
 */
export function parseBytes(text) {
  const [, number, unit = 'b'] = /^(\d*\.?\d+) ?([a-z]+)?$/i.exec(text.trim()) ?? []
  const each = BYTES[unit.toLowerCase()] ?? Number.NaN
  // 1.1 kB are 1100 bytes, not 1100.0000000000002
  return each === 1 ? Number(number) : Number((Number(number) * each).toPrecision(15))
}

/**
 * parseBandwidth reads a bandwidth. A bare number is none: megabytes and megabits are too easily taken for one another.
 *
 * @param {string} text - `10MB/s`, `80 Mbit/s`, `50 Mbit`
 * @returns {number} bytes a second, from 1 kB/s to 100 GB/s; NaN for anything else
 */
export function parseBandwidth(text) {
  const [, size, unit = ''] = /^(\d*\.?\d+ ?[kmg]i?)(b\/s|bit(?:\/s)?)$/i.exec(text.trim()) ?? []
  const bytes = parseBytes(`${size}b`) / (/^bit/i.test(unit) ? 8 : 1)
  return bytes >= 1e3 && bytes <= 1e11 ? bytes : Number.NaN
}

/**
 * parsePercentage reads a percentage.
 *
 * @param {string} text - `20%`, `0.1 %`
 * @returns {number} 0.2; NaN for what is none
 */
export function parsePercentage(text) {
  const [, percent] = /^(\d*\.?\d+) ?%$/.exec(text.trim()) ?? []
  return Number((Number(percent) / 100).toPrecision(12))
}

/**
 * formatSize writes bytes so that they can be read again.
 *
 * @param {number} bytes
 */
export function formatSize(bytes) {
  const unit = WRITTEN.find(each => bytes > 0 && bytes % BYTES[each.toLowerCase()] === 0)
  return unit === undefined ? String(bytes) : `${bytes / BYTES[unit.toLowerCase()]}${unit}`
}

/** @param {string} unit - of a size, in small letters */
const inMegabytes = unit => [unit, BYTES[unit] / 1e6]

/**
 * UNITS of what thresholds can be set on. Memory is in MB of 1,000,000 bytes, as in the table.
 *
 * @type {Readonly<Record<Quantity, Units>>}
 */
export const UNITS = {
  time: { own: 'ms', known: { us: 0.001, µs: 0.001, ms: 1, s: 1000, min: 60_000 } },
  rate: { own: '/s', known: { '/s': 1, '/min': 1 / 60, '/h': 1 / 3600 } },
  share: { own: '%', known: { '%': 1 } },
  memory: { own: 'MB', known: Object.fromEntries(['kb', 'mb', 'gb', 'kib', 'mib', 'gib'].map(inMegabytes)) },
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
 * findUnitProblem says what is wrong with the unit of a limit.
 *
 * @param {Quantity} quantity
 * @param {string} unit - as written
 * @returns {string | null}
 */
export function findUnitProblem(quantity, unit) {
  if (Object.hasOwn(UNITS[quantity].known, unit.toLowerCase())) return null
  if (quantity === 'number') return `takes no unit, not ${unit}`
  return `needs its limit in ${SPELT[quantity]}${unit === '' ? '' : `, not ${unit}`}`
}

/**
 * convertToOwnUnit turns a limit into the unit that figures are kept in.
 *
 * @param {Quantity} quantity
 * @param {number} value
 * @param {string} unit - one that is known
 */
export const convertToOwnUnit = (quantity, value, unit) =>
  // 1.1 s are 1100 ms, not 1100.0000000000002
  Number((value * UNITS[quantity].known[unit.toLowerCase()]).toPrecision(12))

/**
 * formatWithUnit writes a figure for people.
 *
 * @param {number} value
 * @param {string} unit - an own one
 */
export const formatWithUnit = (value, unit) =>
  unit === '' ? formatWhole(value) : `${formatSignificant(value)}${unit.startsWith('/') ? '' : ' '}${unit}`
