/**
 * @typedef {import('../../../plan/values.js').Kind} Kind
 */

const [KILO, KIBI] = [1000, 1024]

/** How many bytes each unit is: those of the source, whose `10M` are 10,000,000 bytes. @type {Readonly<Record<string, number>>} */
const UNITS = {
  b: 1,
  k: KILO,
  kb: KILO,
  m: KILO ** 2,
  mb: KILO ** 2,
  g: KILO ** 3,
  gb: KILO ** 3,
  kib: KIBI,
  mib: KIBI ** 2,
  gib: KIBI ** 3
}

/** The longest first, so that what is written is short. */
const WRITTEN = ['GiB', 'GB', 'MiB', 'MB', 'KiB', 'kB']

/**
 * bytesOf reads an amount of bytes.
 *
 * @param {string} string - `1MiB`, `10M`, `512kb`, `1048576`
 * @returns {number} NaN for what is none
 */
export function bytesOf(string) {
  const [, number, unit = 'b'] = /^(\d*\.?\d+) ?([a-z]+)?$/i.exec(string.trim()) ?? []
  const bytes = Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  return Number.isInteger(bytes) ? bytes : Number.NaN
}

/**
 * amountText writes bytes so that they can be read again.
 *
 * @param {number} bytes
 */
export function amountText(bytes) {
  const unit = WRITTEN.find(each => bytes > 0 && bytes % UNITS[each.toLowerCase()] === 0)
  return unit === undefined ? String(bytes) : `${bytes / UNITS[unit.toLowerCase()]}${unit}`
}

/**
 * amount takes an amount of bytes: 1MB is 1,000,000 bytes, 1MiB is 1,048,576, and a bare number is bytes.
 *
 * @param {{ min: string, max: string }} range
 * @returns {Kind & { write: (bytes: number) => string }}
 */
export const amount = ({ min, max }) => ({
  allowed: `must be an amount of bytes from ${min} to ${max}, such as 1MiB or 500MB`,
  schema: z => z.preprocess(value => bytesOf(String(value)), z.int().min(bytesOf(min)).max(bytesOf(max))),
  write: amountText
})
