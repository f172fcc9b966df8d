import { estimateHodgesLehmann, MAX_EXACT_VALUES, testSignFlip } from '../../src/measure/statistics.js'
import { SIGNIFICANCE_LEVEL } from '../../src/studies/compare/comparison.js'
import { adjustByHolm, findDetectableChange } from '../../src/studies/statistics.js'

/**
 * @typedef {object} Ratio - of today's to the other side's
 * @property {number} ratio - Hodges–Lehmann estimate over pairs
 * @property {number} p - two-sided
 * @property {{ low: number, high: number }} interval - 95 %, exact sign-flip test; 0 and Infinity: too few pairs
 * @property {import('../../src/studies/statistics.js').DetectableChange | null} seen - null: nothing bounds the interval
 */

/** What is to show: less is of no interest. */
const WANTED = 0.05

/**
 * ratioOf is how many times as much a figure is today, by pairs of runs that took turns.
 *
 * @param {readonly (readonly [before: number, today: number])[]} pairs - above 0
 * @returns {Ratio}
 */
export function ratioOf(pairs) {
  const logs = pairs.map(([before, today]) => Math.log(today / before))
  const {
    p,
    interval: { low, high }
  } = testSignFlip(logs)
  const interval = { low: Math.exp(low), high: Math.exp(high) }
  return {
    ratio: Math.exp(estimateHodgesLehmann(logs)),
    p,
    interval,
    seen: findDetectableChange(interval, pairs.length, { wanted: WANTED, maxPairs: MAX_EXACT_VALUES })
  }
}

/**
 * shownChanged says which of several figures changed: p below 0.05 after Holm over all of them, so that no figure seems to change by chance in
 * 95 of 100 comparisons.
 *
 * @param {readonly Ratio[]} ratios
 * @returns {boolean[]}
 */
export const shownChanged = ratios =>
  adjustByHolm(ratios.map(({ p }) => p)).map(adjusted => adjusted < SIGNIFICANCE_LEVEL)
