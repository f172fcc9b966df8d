import { hodgesLehmann, MAX_EXACT_VALUES, signFlip } from '../../src/measure/statistics.js'
import { LEVEL } from '../../src/studies/compare/comparison.js'
import { holm, seenIn } from '../../src/studies/statistics.js'

/**
 * @typedef {object} Ratio - of today's to the other side's
 * @property {number} ratio - Hodges–Lehmann estimate over pairs
 * @property {number} p - two-sided
 * @property {{ low: number, high: number }} interval - 95 %, exact sign-flip test; 0 and Infinity: too few pairs
 * @property {import('../../src/studies/statistics.js').Seen | null} seen - null: nothing bounds the interval
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
  } = signFlip(logs)
  const interval = { low: Math.exp(low), high: Math.exp(high) }
  return {
    ratio: Math.exp(hodgesLehmann(logs)),
    p,
    interval,
    seen: seenIn(interval, pairs.length, { wanted: WANTED, most: MAX_EXACT_VALUES })
  }
}

/**
 * shownChanged says which of several figures changed: p below 0.05 after Holm over all of them, so that no figure seems to change by chance in
 * 95 of 100 comparisons.
 *
 * @param {readonly Ratio[]} ratios
 * @returns {boolean[]}
 */
export const shownChanged = ratios => holm(ratios.map(({ p }) => p)).map(adjusted => adjusted < LEVEL)
