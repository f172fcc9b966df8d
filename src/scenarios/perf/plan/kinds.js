import { bytesIn } from '../../../kit/units.js'

/**
 * @typedef {import('../../../plan/values.js').Kind} Kind
 * @typedef {Kind & { write: (value: any) => string }} Written
 */

/** @param {unknown} value */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(',')).map(part => String(part).trim())

/**
 * several takes some of a few words, joined by commas, each once, and gives them in the order in which they are listed here.
 *
 * @param {readonly string[]} words
 * @param {{ orNone?: boolean }} [how] - `none` is allowed, for no word
 * @returns {Written}
 */
export const several = (words, { orNone = false } = {}) => ({
  allowed: `must be ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')}, or several joined by a comma${orNone ? ', or none' : ''}`,
  write: (/** @type {string[]} */ chosen) => (chosen.length === 0 ? 'none' : chosen.join(',')),
  schema: z =>
    z.preprocess(
      value => (orNone && String(value) === 'none' ? [] : inOrderOf(words, parts(value))),
      z
        .array(z.enum(words))
        .min(orNone ? 0 : 1)
        .refine(chosen => new Set(chosen).size === chosen.length)
    )
})

/** What is none of the words comes last, to be refused. @param {readonly string[]} words @param {string[]} chosen */
const inOrderOf = (words, chosen) => [
  ...words.flatMap(word => chosen.filter(each => each === word)),
  ...chosen.filter(each => !words.includes(each))
]

/**
 * counts takes whole numbers joined by commas, each once, and gives them in ascending order.
 *
 * @param {{ min: number, max: number, example: string }} range
 * @returns {Written}
 */
export const counts = ({ min, max, example }) => ({
  allowed: `must be whole numbers from ${min} to ${max}, joined by commas, such as ${example}`,
  write: (/** @type {number[]} */ numbers) => numbers.join(','),
  schema: z =>
    z.preprocess(
      value =>
        [...new Set(parts(value))]
          .map(part => (/^\d+$/.test(part) ? Number(part) : Number.NaN))
          .sort((a, b) => a - b),
      z.array(z.int().min(min).max(max)).min(1)
    )
})

/** @param {unknown} value @returns {number} bytes per second; NaN for what is no rate of bytes */
function bytesPerSecond(value) {
  const [, size] = /^(.*b)(?: ?\/ ?s)?$/i.exec(String(value).trim()) ?? []
  return bytesIn(size ?? '')
}

const NONE = 'none'

/**
 * bandwidth takes a rate of bytes with its unit, or none, which is 0 here: null would be no answer.
 *
 * @param {{ min: string, max: string }} range
 * @returns {Written}
 */
export const bandwidth = ({ min, max }) => ({
  allowed: `must be a rate of bytes with its unit from ${min} to ${max}, such as 10MB/s (a million bytes each) or 512KiB/s, or none`,
  write: (/** @type {number} */ value) => (value === 0 ? NONE : `${value}B/s`),
  schema: z =>
    z.preprocess(
      value => (value === NONE ? 0 : bytesPerSecond(value)),
      z.union([z.literal(0), z.number().min(bytesPerSecond(min)).max(bytesPerSecond(max))])
    )
})
