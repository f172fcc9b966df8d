import { present } from '../kit/lists.js'
import { withUnit } from '../kit/units.js'
import { failedThresholds } from '../result/thresholds/judge.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').ThresholdResult} ThresholdResult
 */

/** A figure this near to its limit is written with more digits, so that it does not read like the limit itself. */
const NEAR = 0.01

/** @param {number} actual @param {ThresholdResult} threshold */
function figure(actual, { limit, unit }) {
  if (actual === limit || Math.abs(actual - limit) > NEAR * limit) return withUnit(actual, unit)
  return `${Number(actual.toPrecision(6))}${unit.startsWith('/') ? '' : ' '}${unit}`.trimEnd()
}

/**
 * thresholdFound says what a threshold was held against: `83.1 ms`.
 *
 * @param {ThresholdResult} threshold
 * @returns {string}
 */
export function thresholdFound(threshold) {
  const { actual, reason } = threshold
  return present([actual !== null && figure(actual, threshold), reason]).join(', ')
}

/**
 * thresholdLine says what became of a threshold: `✖ DISCOVER.p99 < 50ms: 83.1 ms`.
 *
 * @param {ThresholdResult} threshold
 * @returns {string}
 */
export const thresholdLine = threshold =>
  `${threshold.passed ? '✔' : '✖'} ${threshold.text}: ${thresholdFound(threshold)}`

/**
 * thresholdVerdict says whether all thresholds of a run hold.
 *
 * @param {{ outcome: Pick<AnyResult['outcome'], 'thresholds'> }} result - also of a version without thresholds
 * @returns {'PASS' | 'FAIL' | null} null: none was set
 */
export function thresholdVerdict(result) {
  if ((result.outcome.thresholds ?? []).length === 0) return null
  return failedThresholds(result).length === 0 ? 'PASS' : 'FAIL'
}

/**
 * failedTexts names the thresholds of a run that failed.
 *
 * @param {{ outcome: Pick<AnyResult['outcome'], 'thresholds'> }} result
 */
export const failedTexts = result =>
  failedThresholds(result)
    .map(({ text }) => text)
    .join('; ')
