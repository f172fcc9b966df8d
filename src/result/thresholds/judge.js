import { conditionOf } from '../../plan/threshold.js'

/**
 * @typedef {import('../types.js').ThresholdResult} ThresholdResult
 * @typedef {import('../../plan/threshold.js').Threshold} Threshold
 * @typedef {import('../../plan/threshold.js').Condition} Condition
 * @typedef {import('../../measure/figure.js').Figure} Figure
 */

/** @type {Record<Condition['operator'], (value: number, limit: number) => boolean>} */
const MEETS = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit
}

/**
 * isUpperBound says whether a condition keeps a figure from being too large.
 *
 * @param {Condition} condition
 */
export const isUpperBound = ({ operator }) => operator.startsWith('<')

/**
 * judge holds a metric against its threshold. Only what is shown passes: a metric without a figure fails, and so does one
 * that is known only to be at least as large as a figure below its upper bound.
 *
 * @param {Threshold} threshold
 * @param {import('../../measure/figure.js').Outcome} outcome - so far
 * @param {readonly Figure[]} figures - of the scenario
 * @returns {ThresholdResult}
 */
export function judge(threshold, outcome, figures) {
  const { text } = threshold
  const condition = conditionOf(threshold, figures)
  const { figure, operator, limit, unit } = condition
  const { value, missing, atLeast } = figure.read(outcome)
  const met = value !== null && MEETS[operator](value, limit)
  const reasons = [missing, atLeast].filter(reason => reason !== undefined)
  return {
    text,
    metric: figure.name,
    operator,
    limit,
    unit,
    actual: value,
    passed: met && !(isUpperBound(condition) && atLeast !== undefined),
    ...(reasons.length !== 0 && { reason: reasons.join('; ') })
  }
}

/**
 * judgeAll judges the thresholds of a run. One that broke it off has failed, whatever was measured after it was judged.
 *
 * @param {readonly Threshold[]} thresholds
 * @param {import('../../measure/figure.js').Outcome} outcome - so far
 * @param {readonly Figure[]} figures - of the scenario
 * @param {ThresholdResult | null} [brokeOff]
 * @returns {ThresholdResult[]}
 */
export const judgeAll = (thresholds, outcome, figures, brokeOff = null) =>
  thresholds.map(threshold =>
    threshold.text === brokeOff?.text ? brokeOff : judge(threshold, outcome, figures)
  )

/**
 * failedThresholds are those of a result that did not pass.
 *
 * @param {{ outcome: { thresholds?: ThresholdResult[] } }} result - also of a version without thresholds
 */
export const failedThresholds = ({ outcome }) => (outcome.thresholds ?? []).filter(({ passed }) => !passed)
