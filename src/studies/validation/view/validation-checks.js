import { conditionTitle, counterSentences, measureTitle, moreRuns } from './validation-tables.js'

/**
 * @typedef {import('../../../report/ci/checks.js').Check} Check
 * @typedef {import('../result/validation-document.js').ValidationVerdict} ValidationVerdict
 */

/** @param {ValidationVerdict['measures'][number]} measure */
function foundOf(measure) {
  const { verdict, ratio, interval } = measure
  const figures =
    ratio === null || interval === null
      ? 'no ratio'
      : `ratio ${ratio.toFixed(3)}, ${interval.low.toFixed(3)} … ${interval.high.toFixed(3)}`
  return verdict === 'undecided' ? `${figures}, undecided: ${moreRuns(measure)}` : `${figures}, ${verdict}`
}

/** @param {boolean} met @returns {Check['verdict']} what is open is not passed here, whatever is allowed of rules */
const passOrFail = met => (met ? 'pass' : 'fail')

/**
 * validationChecks are what a simulated network was held to.
 *
 * @param {ValidationVerdict | null} verdict
 * @returns {Check[]}
 */
export function validationChecks(verdict) {
  if (verdict === null)
    return [{ group: 'measures', name: 'agree', verdict: 'fail', found: 'too few runs are complete' }]
  return [
    ...verdict.measures.map(measure => ({
      group: 'measures',
      name: measureTitle(measure.name),
      verdict: passOrFail(measure.verdict === 'agrees'),
      found: foundOf(measure)
    })),
    ...verdict.conditions.map(({ name, met }) => ({
      group: 'conditions',
      name: conditionTitle(name),
      verdict: passOrFail(met),
      found: met ? '' : 'not met'
    })),
    ...verdict.counter.map(check => ({
      group: 'counter-checks',
      name: `${check.what} is noticed`,
      verdict: passOrFail(check.verdict === 'differs'),
      found: counterSentences([check])[0]
    }))
  ]
}

/**
 * caseChecks are what the cases of a list came to.
 *
 * @param {readonly import('../result/cases-document.js').CaseRecord[]} cases
 * @returns {Check[]}
 */
export const caseChecks = cases =>
  cases.map(({ name, verdict, reason }) => ({
    group: 'cases',
    name,
    verdict: verdict === null ? 'undecided' : passOrFail(verdict.passed === true),
    found:
      reason?.message ??
      (verdict === null
        ? 'too few runs are complete'
        : verdict.measures
            .filter(({ verdict }) => verdict !== 'agrees')
            .map(({ name, verdict }) => `${measureTitle(name)} ${verdict}`)
            .join('; '))
  }))
