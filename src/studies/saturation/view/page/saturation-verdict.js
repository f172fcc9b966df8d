import { counted } from '../../../../kit/numbers.js'
import { isAmber } from '../../search/estimate.js'

/**
 * @typedef {import('../../result/saturation-document.js').Head} Head
 * @typedef {import('../../result/trial.js').AnyTrial} Trial
 * @typedef {import('../../result/trial.js').Found} Found
 * @typedef {import('../../../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 */

/**
 * completeness says whether all trials were run.
 *
 * @param {Head} document
 * @param {readonly Trial[]} trials
 * @returns {Statement[]}
 */
export function completeness({ status, reason }, trials) {
  const done = trials.filter(trial => trial.status === 'complete').length
  if (status === 'complete') return [{ tone: 'good', text: `Complete: ${counted(done, 'run')}.` }]
  return [
    {
      tone: 'bad',
      text: `Partial: ${counted(done, 'run')} came to ${done === 1 ? 'its' : 'their'} end${reason === null ? '' : `; ${reason.message}`}.`
    }
  ]
}

/**
 * doubts say which trials have doubtful figures.
 *
 * @param {readonly Trial[]} trials
 * @param {Pick<Face, 'doubt'>} face
 * @returns {Statement[]}
 */
export function doubts(trials, { doubt }) {
  const doubtful = trials.filter(({ point }) => point?.doubtful === true).length
  if (doubtful === 0) return []
  return [
    {
      tone: 'mind',
      text: `${counted(doubtful, 'run holds', 'runs hold')} doubtful figures: ${doubt}.`
    }
  ]
}

/**
 * searchStatements say what the answer of a search is worth.
 *
 * @param {Found | null} found
 * @param {Pick<Face, 'boundStatement'>} face
 * @returns {Statement[]}
 */
export function searchStatements(found, { boundStatement }) {
  if (found === null)
    return [{ tone: 'bad', text: 'The search did not come to its end: it found no largest rate.' }]
  if (found.generatorBound) return [{ tone: 'mind', text: boundStatement }]
  if (found.estimate !== null)
    return isAmber(found.estimate)
      ? [
          {
            tone: 'mind',
            text: 'The interval is wider than ± 10 %, or blocks of trials contradict one another.'
          }
        ]
      : [{ tone: 'good', text: 'The interval counts blocks of trials, and is within ± 10 %.' }]
  if (!found.closed)
    return [{ tone: 'mind', text: 'The repeats contradict one another: the interval is not confirmed.' }]
  if (found.below === null || found.above === null) return []
  return [{ tone: 'good', text: 'The interval is confirmed by repeats below and above.' }]
}
