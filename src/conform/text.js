import { SPECIFICATION } from './specification.js'
import { VERDICTS } from './verdict.js'

/** @typedef {import('./examine.js').Outcome} Outcome */

/** @param {string} verdict */
const signOf = verdict => VERDICTS[/** @type {keyof typeof VERDICTS} */ (verdict)]

/** BEYOND marks checks that stand for no sentence. */
const BEYOND = 'beyond'

/** heading is what the terminal begins with. @param {string} address @param {string} version - of this tool */
export const heading = (address, version) =>
  `libp2p-loadtest ${version} · conform · ${address}\n${SPECIFICATION.title} · ${SPECIFICATION.url}\n(${BEYOND}): in no sentence of it\n`

/** outcomeText is a check on the terminal. @param {Outcome} outcome */
export function outcomeText({ id, title, sentence, verdict, found }) {
  const mark = sentence === null ? ` (${BEYOND})` : ''
  const head = `  ${signOf(verdict)} ${title}${mark}\n`
  if (verdict === 'pass') return head
  const why = verdict === 'fail' && sentence !== null ? `      ${sentence}\n` : ''
  return `${head}      ${verdict}, ${id}: ${found}\n${why}`
}
