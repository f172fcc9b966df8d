import { KINDS } from '../../rendezvous/plan/hostile-kinds.js'

/**
 * @typedef {object} Case - one kind of abuse at one rate
 * @property {string} name - `frames`, `frames×10`
 * @property {string} kind
 * @property {number} times - its own rate
 */

/** MOST_TIMES its rate is more than one process can send of any kind. */
export const MOST_TIMES = 100

/** The sign that stands in names; others are easier to type. */
const TIMES = '×'
const FORM = /^([a-z]+)(?: ?[×x*] ?([1-9]\d{0,5}))?$/i

/** nameOf is what a case is called. @param {string} kind @param {number} times */
export const nameOf = (kind, times) => (times === 1 ? kind : `${kind}${TIMES}${times}`)

/** @param {string} text @returns {{ kind: string, times: number } | null} null: it is no case */
function read(text) {
  const [, kind = '', times] = FORM.exec(text.trim()) ?? []
  if (!Object.hasOwn(KINDS, kind.toLowerCase())) return null
  return { kind: kind.toLowerCase(), times: Number(times ?? 1) }
}

/** isAsked says whether a text names a kind of abuse, with or without times. @param {string} text */
export function isAsked(text) {
  const asked = read(text)
  return asked !== null && asked.times <= MOST_TIMES
}

/**
 * askedIn are the kinds that a list names, as they stand in plans. What is none stays as it is.
 *
 * @param {unknown} value - as typed, or a list
 * @returns {string[]}
 */
export function askedIn(value) {
  const words = (Array.isArray(value) ? value : String(value).split(',')).map(word => String(word).trim())
  const all = words.flatMap(word => (word.toLowerCase() === 'all' ? Object.keys(KINDS) : word))
  const names = all.map(word => {
    const asked = read(word)
    if (asked === null) return word
    return nameOf(asked.kind, asked.times)
  })
  return [...new Set(names)]
}

/**
 * casesOf are the cases of a plan.
 *
 * @param {{ kinds: readonly string[] }} plan
 * @returns {Case[]}
 */
export function casesOf({ kinds }) {
  const cases = kinds.flatMap(text => {
    const asked = read(text)
    if (asked === null) return []
    return [{ name: nameOf(asked.kind, asked.times), ...asked }]
  })
  return [...new Map(cases.map(each => [each.name, each])).values()]
}

/** kindOf is the kind that a part of a plan's list names. @param {string} text */
export const kindOf = text => read(text)?.kind ?? ''
