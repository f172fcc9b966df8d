import { isUpperBound, judge } from './judge.js'

/**
 * @typedef {import('../types.js').Figures} Figures
 * @typedef {import('../types.js').ThresholdResult} ThresholdResult
 * @typedef {import('../../plan/threshold.js').Threshold} Threshold
 * @typedef {import('../../plan/metric-names.js').Metrics} Metrics
 */

/**
 * Whether a threshold can be judged before the end: there are enough samples, and what is missing to a lower bound will not
 * come by itself.
 *
 * @param {Threshold} threshold
 * @param {Figures} figures
 * @param {Metrics} metrics
 */
function canBeJudged(threshold, figures, metrics) {
  const { grows = false, liveFrom = 0, read } = metrics[threshold.metric]
  if (grows && !isUpperBound(threshold)) return false
  const { value, samples } = read(figures)
  return value !== null && samples >= liveFrom
}

/** LiveThresholds judges the thresholds of a run while it goes on. */
export class LiveThresholds {
  #thresholds
  #metrics
  /** @type {Map<Threshold, number>} since when they have been failing, ms */
  #failing = new Map()

  /** @param {readonly Threshold[]} thresholds @param {Metrics} metrics - of the scenario */
  constructor(thresholds, metrics) {
    this.#thresholds = thresholds
    this.#metrics = metrics
  }

  /**
   * look judges what was measured so far.
   *
   * @param {Figures} figures
   * @param {number} nowMs
   * @returns {{ results: ThresholdResult[], brokeOff: ThresholdResult | null }} `results`: of those that can be judged;
   *   `brokeOff`: one with abortOnFail that has failed for its grace time
   */
  look(figures, nowMs) {
    const judged = this.#thresholds
      .filter(threshold => canBeJudged(threshold, figures, this.#metrics))
      .map(threshold => ({ threshold, result: judge(threshold, figures, this.#metrics) }))
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
    return threshold.abortOnFail && sinceMs !== undefined && nowMs - sinceMs >= threshold.graceMs
  }
}

/** @param {Threshold} threshold @param {ThresholdResult} result @returns {ThresholdResult} */
const brokenOff = ({ graceMs }, { reason, ...result }) => ({
  ...result,
  reason: [
    ...(reason === undefined ? [] : [reason]),
    `broke off the run${graceMs === 0 ? '' : ` after ${graceMs / 1000} s of failing`}`
  ].join('; ')
})
