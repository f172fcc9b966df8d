import { conditionOf } from '../../plan/threshold.js'
import { isUpperBound, judge } from './judge.js'

/**
 * @typedef {import('../types.js').ThresholdResult} ThresholdResult
 * @typedef {import('../../plan/threshold.js').Threshold} Threshold
 * @typedef {import('../../measure/figure.js').Figure} Figure
 */

/**
 * Whether a threshold can be judged before the end: there are enough samples, and what is missing to a lower bound will not
 * come by itself.
 *
 * @param {Threshold} threshold
 * @param {import('../../measure/figure.js').Outcome} outcome
 * @param {readonly Figure[]} figures
 */
function canBeJudged(threshold, outcome, figures) {
  const condition = conditionOf(threshold, figures)
  const { grows = false, live = 0, read } = condition.figure
  if (grows && !isUpperBound(condition)) return false
  const { value, samples } = read(outcome)
  return value !== null && samples >= live
}

/** LiveThresholds judges the thresholds of a run while it goes on. */
export class LiveThresholds {
  #thresholds
  #figures
  /** @type {Map<Threshold, number>} since when they have been failing, ms */
  #failing = new Map()

  /** @param {readonly Threshold[]} thresholds @param {readonly Figure[]} figures - of the scenario */
  constructor(thresholds, figures) {
    this.#thresholds = thresholds
    this.#figures = figures
  }

  /**
   * look judges what was measured so far.
   *
   * @param {import('../../measure/figure.js').Outcome} outcome - so far
   * @param {number} nowMs
   * @returns {{ results: ThresholdResult[], brokeOff: ThresholdResult | null }} `results`: of those that can be judged;
   *   `brokeOff`: one with abortOnFail that has failed for its grace time
   */
  look(outcome, nowMs) {
    const judged = this.#thresholds
      .filter(threshold => canBeJudged(threshold, outcome, this.#figures))
      .map(threshold => ({ threshold, result: judge(threshold, outcome, this.#figures) }))
    this.#failing = new Map(
      judged
        .filter(({ result }) => !result.passed)
        .map(({ threshold }) => [threshold, this.#failing.get(threshold) ?? nowMs])
    )
    const last = judged.find(({ threshold }) => this.#isOver(threshold, nowMs))
    return {
      results: judged.map(({ result }) => result),
      brokeOff: last === undefined ? null : brokenOff(last.threshold, last.result)
    }
  }

  /** @param {Threshold} threshold @param {number} nowMs */
  #isOver(threshold, nowMs) {
    const sinceMs = this.#failing.get(threshold)
    return (
      threshold.abortOnFail === true && sinceMs !== undefined && nowMs - sinceMs >= Number(threshold.graceMs)
    )
  }
}

/** @param {Threshold} threshold @param {ThresholdResult} result @returns {ThresholdResult} */
const brokenOff = ({ graceMs = 0 }, { reason, ...result }) => ({
  ...result,
  reason: [
    ...(reason === undefined ? [] : [reason]),
    `broke off the run${graceMs === 0 ? '' : ` after ${graceMs / 1000} s of failing`}`
  ].join('; ')
})
