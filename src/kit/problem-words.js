import { closest, distance } from 'fastest-levenshtein'

/**
 * problemWords says in a line what is wrong with options.
 *
 * @param {readonly { flag: string, value?: unknown, allowed: string }[]} problems
 */
export const problemWords = problems =>
  problems.map(({ flag, value, allowed }) => [flag, value, allowed].filter(Boolean).join(' ')).join('; ')

/**
 * nearWord names the known word that an unknown one is spelled like.
 *
 * @param {string} word
 * @param {readonly string[]} words - that are known
 * @param {number} [least] - letters that may differ in a word of more than three
 * @returns {string | null} null: none is near
 */
export function nearWord(word, words, least = 2) {
  if (words.length === 0 || word.length < 2) return null
  const small = word.toLowerCase()
  const known = words.map(each => each.toLowerCase())
  // two letters that changed places are two differences, and the likeliest of those
  const near = known.find(each => sorted(each) === sorted(small)) ?? closest(small, known)
  if (distance(small, near) > Math.max(word.length > 3 ? least : 1, near.length / 3)) return null
  return words.find(each => each.toLowerCase() === near) ?? null
}

/** The letters of a word in order. @param {string} word */
const sorted = word => [...word].sort().join('')

/**
 * unknownKey finds a key of a mapping that is not known, and says which one was meant, or which there are.
 *
 * @param {object} mapping
 * @param {readonly string[]} keys - that are known
 * @returns {string | null} null: all are known
 */
export function unknownKey(mapping, keys) {
  const stranger = Object.keys(mapping).find(key => !keys.includes(key))
  if (stranger === undefined) return null
  const near = nearWord(stranger, keys)
  return `has the unknown key "${stranger}"${near === null ? `: must be one of ${keys.join(', ')}` : `; did you mean ${near}?`}`
}
