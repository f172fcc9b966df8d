/** MISSING stands for a figure that cannot be given. */
export const MISSING = '–'

/**
 * decimal reads a decimal number, such as `12`, `0.5`, `-3` or `1e-05`.
 *
 * @param {string} text
 * @returns {number} NaN for anything else: nothing, hexadecimal digits, what is too large to be told from infinity
 */
export function decimal(text) {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}

/**
 * grouped writes a whole number with commas, in every locale.
 *
 * @param {number} n
 */
export const grouped = n => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',')

/** capital begins a text as a sentence begins. @param {string} text */
export const capital = text => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * counted writes how many there are of something.
 *
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (n, one, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`

/**
 * significant writes a number with three significant digits, from 1,000 on as a grouped whole number, and never with
 * more than three decimals: times in ms are counted in µs.
 *
 * @param {number} x - 0 or above
 * @param {(whole: number) => string} [whole] - how whole numbers are written
 */
export function significant(x, whole = grouped) {
  if (x >= 999.5) return whole(Math.round(x))
  const rounded = Number(x.toPrecision(3))
  const decimals = rounded >= 100 || rounded === 0 ? 0 : rounded >= 10 ? 1 : rounded >= 1 ? 2 : 3
  return rounded.toFixed(decimals)
}

/**
 * spell writes a length of time as people say it.
 *
 * @param {number} ms
 */
export function spell(ms) {
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}
