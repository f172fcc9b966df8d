import { withUnit } from '../result/thresholds/units.js'

/** @typedef {import('../result/types.js').ThresholdResult} ThresholdResult */

/** A figure this near to its limit is written with more digits, so that it does not read like the limit itself. */
const NEAR = 0.01

/** @param {number} actual @param {ThresholdResult} threshold */
function figure(actual, { limit, unit }) {
  if (actual === limit || Math.abs(actual - limit) > NEAR * limit) return withUnit(actual, unit)
  return `${Number(actual.toPrecision(6))}${unit.startsWith('/') ? '' : ' '}${unit}`.trimEnd()
}

/**
 * thresholdLine says what became of a threshold: `✖ DISCOVER.p99 < 50ms: 83.1 ms`.
 *
 * @param {ThresholdResult} threshold
 * @returns {string}
 */
export function thresholdLine(threshold) {
  const { text, actual, passed, reason } = threshold
  const said = [
    ...(actual === null ? [] : [figure(actual, threshold)]),
    ...(reason === undefined ? [] : [reason])
  ]
  return `${passed ? '✔' : '✖'} ${text}: ${said.join(', ')}`
}
