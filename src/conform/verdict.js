import { Status } from '../protocol/status.js'

/**
 * @typedef {object} Verdict - what became of a check
 * @property {string} verdict - one of VERDICTS
 * @property {string} found - what the target did, or why nothing was tried; may be empty where it passed
 */

/** VERDICTS there are, with their signs on a terminal. */
export const VERDICTS = { pass: '✔', fail: '✘', differs: '≠', 'not tested': '–' }

/** @param {string} verdict @returns {(found?: string) => Verdict} */
const verdictOf =
  verdict =>
  (found = '') => ({ verdict, found })

/** pass: as the specification has it. */
export const pass = verdictOf('pass')
/** fail: against the specification, or the target answers no more. */
export const fail = verdictOf('fail')
/** differs: otherwise than recommended, or than most do, which the specification allows. */
export const differs = verdictOf('differs')
/** untested: it could not be tried. */
export const untested = verdictOf('not tested')

/** Untestable is thrown where what a check needs first did not come about. */
export class Untestable extends Error {
  name = 'Untestable'
}

/**
 * refusal judges what should have been refused.
 *
 * @param {import('./questions.js').Answer} answer
 * @param {(keyof typeof Status)[]} expected - statuses that the specification has for it; with another one, or a stream that ends
 *   without any, it differs
 * @param {(found: string) => Verdict} [accepted] - when it is not refused
 * @returns {Verdict}
 */
export function refusal(answer, expected, accepted = fail) {
  if (answer.ok) return accepted(`accepted: ${answer.says}`)
  if (answer.how === 'silent') return fail(`answered by ${answer.says}`)
  const fits = answer.status !== undefined && expected.some(name => Status[name] === answer.status)
  return (fits ? pass : differs)(`refused by ${answer.says}`)
}

/** @param {boolean} fits @param {string} found @param {(found: string) => Verdict} [otherwise] */
export const holds = (fits, found, otherwise = fail) => (fits ? pass() : otherwise(found))

const MOST_NAMED = 10

/** listed names peers, in the order of their names. @param {readonly string[]} names */
export const listed = names =>
  names.length === 0
    ? 'nobody'
    : [...[...names].sort().slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ')

/** same says whether the same are named as often. @param {readonly string[]} found @param {string} expected - joined by spaces */
export const same = (found, expected) => [...found].sort().join(' ') === expected
