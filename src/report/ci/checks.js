/**
 * @typedef {'pass' | 'fail' | 'error' | 'undecided' | 'not tested'} CheckVerdict - `error`: what was to be held to something came to no end
 *
 * @typedef {object} Check - something that was held to what it should be
 * @property {string} group - the same in every run of a plan: CI servers tell by it, and by the name, what became of a check over time
 * @property {string} name - `DISCOVER.p99 < 50ms`
 * @property {CheckVerdict} verdict
 * @property {string} found - what it was, or why there is no verdict; may be empty where it passed
 * @property {string} [because] - the sentence it stands for
 * @property {number} [ms] - that it took
 *
 * @typedef {object} Checked - what a run, a study or an examination was held to
 * @property {string} kind - `rendezvous`, `ab`, `conform`
 * @property {string} name - of the run, the study or the target
 * @property {string} startedAt - ISO 8601
 * @property {readonly Check[]} checks
 * @property {boolean} [allowUndecided] - what is left open is no failure
 * @property {() => string} [figures] - markdown: what was measured
 */

/** ENDED is the name of the check that each run has: it came to its end. */
export const ENDED = 'comes to its end'

/**
 * isMet says whether a check is no failure.
 *
 * @param {Check} check
 * @param {Pick<Checked, 'allowUndecided'>} checked - it is one of
 */
export const isMet = ({ verdict }, { allowUndecided = false }) =>
  verdict === 'pass' || verdict === 'not tested' || (verdict === 'undecided' && allowUndecided)

/** unmet are the checks that failed. @param {Checked} checked */
export const unmet = checked => checked.checks.filter(check => !isMet(check, checked))

/**
 * isHeld says whether anything was asked for beside that it comes to its end, or whether it did not.
 *
 * @param {Checked} checked
 */
export const isHeld = checked =>
  checked.checks.some(({ name }) => name !== ENDED) || unmet(checked).length > 0
