import { bytesIn, sizeText } from '../../../kit/units.js'
import { milliseconds } from '../../../plan/values.js'

/**
 * @typedef {import('../../../plan/values.js').Kind} Kind
 * @typedef {import('../../../plan/values.js').Zod} Zod
 */

/** @param {unknown} value @returns {string[]} the parts of a list, as typed or as in YAML */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(','))
    .map(part => String(part).trim())
    .filter(part => part !== '')

/** NONE is how an empty list is typed. */
const NONE = 'none'

/** @param {unknown} value */
const readParts = value => (value === NONE ? [] : parts(value))

/** @param {readonly unknown[]} list */
const isSet = list => new Set(list).size === list.length

/**
 * listOf takes several values joined by commas, each once.
 *
 * @param {object} of
 * @param {string} of.allowed
 * @param {(part: string) => unknown} of.read
 * @param {(value: any) => string} of.write
 * @param {(z: Zod) => import('zod').ZodType} of.item
 * @returns {Kind & { write: (list: readonly any[]) => string }}
 */
const listOf = ({ allowed, read, write, item }) => ({
  allowed,
  schema: z => z.preprocess(value => readParts(value).map(read), z.array(item(z)).max(64).refine(isSet)),
  write: list => (list.length === 0 ? NONE : list.map(write).join(','))
})

/** latencies takes one-way latencies. @param {{ max: string }} range */
export const latencies = ({ max }) =>
  listOf({
    allowed: `must be times with their unit above 0 up to ${max}, each once, joined by commas, such as 100ms,200ms; or none`,
    read: milliseconds,
    write: ms => `${ms}ms`,
    item: z => z.number().positive().max(milliseconds(max))
  })

/** bandwidths takes amounts of bytes per second. @param {{ min: string, max: string }} range */
export const bandwidths = ({ min, max }) =>
  listOf({
    allowed: `must be bytes per second from ${min} to ${max}, each once, joined by commas, such as 10M,1M,512kb; or none`,
    read: bytesIn,
    write: sizeText,
    item: z => z.int().min(bytesIn(min)).max(bytesIn(max))
  })

/**
 * someOf takes some of a few words, each once.
 *
 * @param {readonly string[]} words
 * @param {(word: string) => string | null} refused - why one cannot be used here
 * @returns {Kind & { write: (list: readonly string[]) => string }}
 */
export function someOf(words, refused) {
  const allowed = `must be some of ${words.join(', ')}, each once, joined by commas`
  const schema = (/** @type {Zod} */ z) => z.preprocess(parts, z.array(z.enum(words)).min(1).refine(isSet))
  return {
    allowed,
    schema,
    read: (raw, z) => {
      const { success, data } = schema(z).safeParse(raw)
      if (!success) return { allowed }
      const why = /** @type {string[]} */ (data).map(refused).filter(each => each !== null)
      return why.length === 0 ? { value: data } : { allowed: why.join('; ') }
    },
    write: list => list.join(',')
  }
}
