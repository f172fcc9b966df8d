import { ENDED } from '../report/ci/checks.js'

/**
 * @typedef {import('./describe.js').Document} Document
 * @typedef {import('./examine.js').Outcome} Outcome
 * @typedef {import('../report/ci/checks.js').Check} Check
 * @typedef {import('../report/ci/checks.js').Checked} Checked
 *
 * @typedef {Pick<Document, 'address' | 'startedAt'>} About
 */

/** What is allowed to differ passes, and is said all the same. @type {Readonly<Record<string, Check['verdict']>>} */
const VERDICTS = { pass: 'pass', fail: 'fail', differs: 'pass', 'not tested': 'not tested' }

/** @param {Outcome} outcome @returns {Check} */
const checkOf = ({ id, group, title, verdict, found, sentence, ms }) => ({
  group,
  name: `${id}: ${title}`,
  verdict: VERDICTS[verdict],
  found: verdict === 'differs' ? `differs: ${found}` : found,
  because: sentence ?? 'beyond the specification',
  ms
})

/** @param {About} about @param {Check[]} checks @returns {Checked} */
const checked = ({ address, startedAt }, checks) => ({ kind: 'conform', name: address, startedAt, checks })

/** @param {unknown} error @returns {Check} */
const brokenOff = error => ({
  group: 'target',
  name: ENDED,
  verdict: 'error',
  found: error instanceof Error ? error.message : String(error)
})

/**
 * conformChecks are those of an examination, as CI servers are told them.
 *
 * @param {About & { outcomes?: readonly Outcome[] }} about - `outcomes`: none where the target could not be reached
 * @param {unknown} [error] - why it came to no end
 */
export const conformChecks = ({ outcomes = [], ...about }, error) =>
  checked(about, [...outcomes.map(checkOf), ...(error === undefined ? [] : [brokenOff(error)])])
