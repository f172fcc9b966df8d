import { SPECIFICATION } from '../specification.js'
import { VERDICTS } from '../verdict.js'

/** @typedef {import('../examine.js').Outcome} Outcome */

/** @param {string} verdict */
const signOf = verdict => VERDICTS[/** @type {keyof typeof VERDICTS} */ (verdict)]

/** BEYOND marks checks that stand for no sentence. */
const BEYOND = 'beyond the specification'

/** heading is what the terminal begins with. @param {string} address @param {string} version - of this tool */
export const heading = (address, version) =>
  `libp2p-loadtest ${version} · conform · ${address}\n${SPECIFICATION.title} · ${SPECIFICATION.url}\n`

/** outcomeText is a check on the terminal. @param {Outcome} outcome */
export function outcomeText({ id, title, sentence, verdict, found }) {
  const mark = sentence === null ? ` (${BEYOND})` : ''
  const head = `  ${signOf(verdict)} ${title}${mark}\n`
  if (verdict === 'pass') return head
  const why = verdict === 'fail' && sentence !== null ? `      ${sentence}\n` : ''
  return `${head}      ${verdict}, ${id}: ${found}\n${why}`
}

/** countsOf says how many checks came out how. @param {readonly Outcome[]} outcomes */
export const countsOf = outcomes =>
  Object.keys(VERDICTS)
    .map(verdict => `${outcomes.filter(outcome => outcome.verdict === verdict).length} ${verdict}`)
    .join(' · ')

/** leftText says what stays behind at the target. @param {number | null} left - registrations; null: not known */
export function leftText(left) {
  if (left === 0) return 'Nothing stays behind: what was registered was unregistered, and is found no more.'
  if (left === null)
    return 'Whether registrations stay behind could not be found out: those that do expire within 72 hours.'
  return `${left} registrations could not be taken back: they expire within 72 hours.`
}
