import { ENDED } from '../../report/ci/checks.js'

/**
 * @typedef {import('../document.js').Document} Document
 * @typedef {import('../examine.js').Outcome} Outcome
 * @typedef {import('../../report/ci/checks.js').Check} Check
 * @typedef {import('../../report/ci/checks.js').Checked} Checked
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

/** conformChecks are those of an examination, as CI servers are told them. @param {Document} document */
export const conformChecks = document => checked(document, document.outcomes.map(checkOf))

/**
 * unreachable says that there was none.
 *
 * @param {About} about
 * @param {unknown} error - why
 */
export const unreachable = (about, error) =>
  checked(about, [
    {
      group: 'target',
      name: ENDED,
      verdict: 'error',
      found: error instanceof Error ? error.message : String(error)
    }
  ])
