/** @typedef {import('../../../plan/values.js').Kind} Kind */

/** @param {unknown} value @param {RegExp} form @returns {string[]} its groups */
const partsOf = (value, form) => form.exec(String(value).trim())?.slice(1) ?? []

/** Rounding of hundredths must not show. @param {number} x */
const clean = x => Number(x.toPrecision(12))

/**
 * lossPercentage takes a part of a hundred, with or without its sign, and gives a share from 0 to below 1: of all nothing would be left.
 *
 * @returns {Kind & { write: (share: number) => string }}
 */
export const lossPercentage = () => ({
  allowed: 'must be a percentage from 0 to below 100, such as 0.1%',
  schema: z =>
    z.preprocess(value => {
      const [number] = partsOf(value, /^(\d*\.?\d+) ?%?$/)
      return number === undefined ? Number.NaN : clean(Number(number) / 100)
    }, z.number().min(0).lt(1)),
  write: share => `${clean(share * 100)}%`
})

/** Bytes of a unit; a byte has 8 bits, and a megabyte is 1,000,000 bytes, as networks count. */
const UNITS = new Map(
  Object.entries({ kb: 1e3, mb: 1e6, gb: 1e9, kbit: 1e3 / 8, mbit: 1e6 / 8, gbit: 1e9 / 8 })
)

/**
 * bandwidth takes bytes or bits a second and gives bytes a second. A bare number is refused: megabytes and megabits are too easily
 * taken for one another.
 *
 * @returns {Kind & { write: (bytesPerSecond: number) => string }}
 */
export const bandwidth = () => ({
  allowed: 'must be a bandwidth with its unit from 1kB/s to 100GB/s, such as 10MB/s or 80Mbit/s',
  schema: z =>
    z.preprocess(value => {
      const [number, unit = ''] = partsOf(value, /^(\d*\.?\d+) ?([kmg](?:b|bit))\/s$/i)
      return clean(Number(number) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN))
    }, z.number().min(1e3).max(1e11)),
  write: bytesPerSecond => `${bytesPerSecond / 1e6}MB/s`
})
