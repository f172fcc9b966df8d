import { bytesIn } from '../kit/units.js'
import { milliseconds, SIZE_NOTE } from './values.js'

/**
 * @typedef {object} Range - both ends belong to it
 * @property {number} min
 * @property {number} max
 */

/** @param {unknown} value @param {(end: string) => number} read @returns {Range | undefined} */
function rangeOf(value, read) {
  if (value !== null && typeof value === 'object') {
    const { min, max, ...strangers } = /** @type {Record<string, unknown>} */ (value)
    if (Object.keys(strangers).length > 0) return undefined
    return { min: read(String(min)), max: read(String(max)) }
  }
  const [min, max = min, ...more] = String(value).trim().split(/ ?- ?/)
  return more.length === 0 ? { min: read(min), max: read(max) } : undefined
}

/**
 * @param {(end: string) => number} read
 * @param {{ least: number, most: number }} limits
 */
const rangeSchema =
  (read, { least, most }) =>
  /** @param {import('./values.js').Zod} z */
  z =>
    z.preprocess(
      value => rangeOf(value, read),
      z.object({ min: z.number().min(least), max: z.number().max(most) }).refine(({ min, max }) => min <= max)
    )

/**
 * byteRange takes a size, or a range of sizes.
 *
 * @param {{ least: number, most: number, why?: (most: number) => string | undefined }} limits - `why`: says which limit a size is above
 * @returns {import('./values.js').Kind & { write: (range: Range) => string }}
 */
export const byteRange = ({ why = () => undefined, ...limits }) => ({
  note: SIZE_NOTE,
  why: value => why(rangeOf(value, bytesIn)?.max ?? 0),
  allowed: `must be a size from ${limits.least} to ${limits.most} bytes, such as 1000, 64kB or 1MiB, or a range such as 8KiB-16KiB`,
  schema: rangeSchema(end => (Number.isInteger(bytesIn(end)) ? bytesIn(end) : Number.NaN), limits),
  write: ({ min, max }) => (min === max ? String(min) : `${min}-${max}`)
})

/**
 * timeRange takes a time, or a range of times, each with its unit.
 *
 * @param {{ least: number, most: number }} limits - ms
 * @returns {import('./values.js').Kind & { write: (range: Range) => string }}
 */
export const timeRange = limits => ({
  allowed: `must be a time with its unit from ${limits.least}ms to ${limits.most}ms, or a range such as 100ms-300ms`,
  schema: rangeSchema(milliseconds, limits),
  write: ({ min, max }) => (min === max ? `${min}ms` : `${min}ms-${max}ms`)
})
