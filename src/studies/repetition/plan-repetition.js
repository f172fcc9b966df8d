import { newHead } from '../study-document.js'

/**
 * planRepetition makes the document of a plan that is run several times, or names all that is wrong.
 *
 * @param {object} what
 * @param {Readonly<import('../../plan/plan.js').AnyPlan>} what.plan
 * @param {Readonly<import('../../plan/plan.js').Output>} what.output
 * @param {import('../../scenarios/scenario.js').Scenario} what.scenario - of the plan
 * @param {Date} now
 * @returns {import('../study-door.js').MadeStudy<import('./repetition-document.js').RepetitionDocument>}
 */
export function planRepetition({ plan, output, scenario }, now) {
  const { runs, failOn, baseline, prometheusPort } = output
  const problems = [
    ...(scenario.compared === null
      ? [
          {
            flag: '--runs',
            value: String(runs),
            allowed: `must be 1: runs of ${plan.scenario} cannot be compared`
          }
        ]
      : []),
    ...(prometheusPort === null
      ? []
      : [
          {
            flag: '--prometheus',
            value: String(prometheusPort),
            allowed: 'needs a single run: runs follow one another'
          }
        ])
  ]
  if (problems.length > 0) return { problems }
  const document = {
    ...newHead('', now),
    plan,
    failOn: (failOn ?? []).map(({ text }) => text),
    baseline,
    held: null,
    runs: Array(runs).fill(null)
  }
  return { planned: { document, folder: null, name: `runs-${plan.scenario}-${plan.seed}`, output } }
}
