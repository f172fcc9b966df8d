// Checks the options that a program passed to a function, and words the error messages, with the likely spelling of
// unknown names.
import { closest, distance } from 'fastest-levenshtein'

/**
 * formatProblems says in a line what is wrong with options.
 *
 * @param {readonly { flag: string, value?: unknown, allowed: string }[]} problems
 */
export const formatProblems = problems =>
  problems.map(({ flag, value, allowed }) => [flag, value, allowed].filter(Boolean).join(' ')).join('; ')

/**
 * findNearWord names the known word that an unknown one is spelled like.
 *
 * @param {string} word
 * @param {readonly string[]} words - that are known
 * @param {number} [maxDistance] - letters that may differ in a word of more than three
 * @returns {string | null} null: none is near
 */
export function findNearWord(word, words, maxDistance = 2) {
  if (words.length === 0 || word.length < 2) return null
  const small = word.toLowerCase()
  const known = words.map(each => each.toLowerCase())
  // two letters that changed places are two differences, and the likeliest of those
  const near = known.find(each => sorted(each) === sorted(small)) ?? closest(small, known)
  if (distance(small, near) > Math.max(word.length > 3 ? maxDistance : 1, near.length / 3)) return null
  return words.find(each => each.toLowerCase() === near) ?? null
}

/** The letters of a word in order. @param {string} word */
const sorted = word => [...word].sort().join('')

/**
 * describeUnknownKey finds a key of a mapping that is not known, and says which one was meant, or which there are.
 *
 * @param {object} mapping
 * @param {readonly string[]} keys - that are known
 * @returns {string | null} null: all are known
 */
export function describeUnknownKey(mapping, keys) {
  const unknown = Object.keys(mapping).find(key => !keys.includes(key))
  if (unknown === undefined) return null
  const near = findNearWord(unknown, keys)
  return `has the unknown key "${unknown}"${near === null ? `: must be one of ${keys.join(', ')}` : `; did you mean ${near}?`}`
}

/**
 * @typedef {object} OptionKind - what a program may give as an option
 * @property {string} allowed - in words
 * @property {(value: any) => boolean} fits
 *
 * @typedef {object} Problem - one thing that keeps a program or a run from starting; reads as a sentence: flag, value, allowed
 * @property {string} flag - `--nClients`; for a configuration file `load.yaml: nClients`; empty where no flag is meant
 * @property {string} value - as given, but for passwords; empty for a flag without one
 * @property {string} allowed - what is allowed instead, or what to change
 */

/** The longest that Node's timers can wait. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * wholeNumberKind takes a count.
 *
 * @param {number} min
 * @param {{ unit?: string, endless?: boolean }} [more] - `endless`: Infinity too
 * @returns {OptionKind}
 */
export const wholeNumberKind = (min, { unit = '', endless = false } = {}) => ({
  allowed: `must be a whole number${unit && ` of ${unit}`} from ${min} to 2^53 - 1${endless ? ', or Infinity' : ''}`,
  fits: value => (Number.isSafeInteger(value) && value >= min) || (endless && value === Infinity)
})

/** MILLISECONDS_KIND are a time to wait. @type {OptionKind} */
export const MILLISECONDS_KIND = {
  allowed: `must be a number of milliseconds from 0 to ${LONGEST_MS}`,
  fits: value => typeof value === 'number' && value >= 0 && value <= LONGEST_MS
}

/** BOOLEAN_KIND @type {OptionKind} */
export const BOOLEAN_KIND = { allowed: 'must be true or false', fits: value => typeof value === 'boolean' }

/** BYTES_KIND @type {OptionKind} */
export const BYTES_KIND = { allowed: 'must be a Uint8Array', fits: value => value instanceof Uint8Array }

/** SIGNAL_KIND @type {OptionKind} */
export const SIGNAL_KIND = { allowed: 'must be an AbortSignal', fits: value => value instanceof AbortSignal }

/** FUNCTION_KIND @type {OptionKind} */
export const FUNCTION_KIND = { allowed: 'must be a function', fits: value => typeof value === 'function' }

/**
 * findOptionProblems says what is wrong with the options that a program gave: one that is not known, or of another kind.
 *
 * @param {unknown} options
 * @param {Readonly<Record<string, OptionKind>>} kinds
 * @returns {Problem[]}
 */
export function findOptionProblems(options, kinds) {
  const names = fewOf(Object.keys(kinds))
  if (options === null || typeof options !== 'object')
    return [{ flag: 'options', value: describeValue(options), allowed: `must be an object with ${names}` }]
  const unknown = Object.keys(options).filter(name => !Object.hasOwn(kinds, name))
  const unfit = Object.entries(options).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(kinds, name) && !kinds[name].fits(value)
  )
  return [
    ...(unknown.length === 0
      ? []
      : [{ flag: fewOf(unknown), value: '', allowed: `is not an option; the options are ${names}` }]),
    ...unfit.map(([flag, value]) => ({ flag, value: describeValue(value), allowed: kinds[flag].allowed }))
  ]
}

const MAX_NAMED = 8
const MAX_SHOWN = 60

/** @param {string[]} names */
function fewOf(names) {
  const left = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

/** describeValue is a value in few words, whatever it is. @param {unknown} value */
export function describeValue(value) {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
