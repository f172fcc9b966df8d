import { computeSum } from '../../src/kit/collections.js'
import { studentT } from '../../src/studies/statistics.js'

/**
 * @typedef {'agrees' | 'differs' | 'undecided'} Equivalence
 *
 * @typedef {object} Equivalent - what a comparison for equivalence came to
 * @property {Equivalence} verdict
 * @property {number | null} ratio - geometric mean; null: one side is 0 where the other is not
 * @property {{ low: number, high: number } | null} interval - 90 %, of the ratio; null: as above
 * @property {number | null} more - pairs that would probably decide it; null: it is decided, or more than a thousand would be needed
 */

/** MIN_PAIRS that may agree: an interval of fewer says little of how far the next one would be off. */
export const MIN_PAIRS = 10
const MAX_PAIRS = 1000

/** Two one-sided tests at 5 % are an interval of 90 % (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987) 657–680). */
const CONFIDENCE = 0.9

/** @param {number} n @param {number} deviation */
const half = (n, deviation) => (studentT(n - 1, CONFIDENCE) * deviation) / Math.sqrt(n)

/** @param {{ low: number, high: number }} interval @param {{ low: number, high: number }} margin @param {number} n @returns {Equivalence} */
function verdictOf({ low, high }, margin, n) {
  if (low > margin.high || high < margin.low) return 'differs'
  return low >= margin.low && high <= margin.high && n >= MIN_PAIRS ? 'agrees' : 'undecided'
}

/** Pairs that would decide it if they scatter as these do. @param {number} centre @param {number} deviation @param {{ low: number, high: number }} margin @param {number} n */
function moreNeeded(centre, deviation, margin, n) {
  const isDecided = (/** @type {number} */ all) => {
    const width = half(all, deviation)
    const interval = { low: Math.exp(centre - width), high: Math.exp(centre + width) }
    return verdictOf(interval, margin, all) !== 'undecided'
  }
  // what so many pairs decide, more pairs decide too
  let [open, decided] = [Math.max(n, MIN_PAIRS - 1), MAX_PAIRS]
  if (!isDecided(decided)) return null
  while (decided - open > 1) {
    const middle = Math.floor((open + decided) / 2)
    if (isDecided(middle)) decided = middle
    else open = middle
  }
  return decided - n
}

/**
 * equivalence decides whether two things are the same within a margin, by pairs of what was measured of both: they agree when the 90 %
 * interval of their ratio (Student's, of logarithms) lies inside the margin, differ when it lies outside, and are undecided else.
 *
 * @param {readonly (readonly [base: number, candidate: number])[]} pairs - at least 2; values ≥ 0
 * @param {{ low: number, high: number }} margin - of the ratio, fixed beforehand: 0.95 and 1.05
 * @returns {Equivalent}
 */
export function equivalence(pairs, margin) {
  const n = pairs.length
  const logs = pairs.map(([base, candidate]) => (base === candidate ? 0 : Math.log(candidate / base)))
  if (!logs.every(Number.isFinite)) {
    const none = logs.some(Number.isFinite)
    return { verdict: none ? 'undecided' : 'differs', ratio: null, interval: null, more: null }
  }
  const centre = computeSum(logs) / n
  const deviation = Math.sqrt(computeSum(logs, log => (log - centre) ** 2) / (n - 1))
  const width = half(n, deviation)
  const interval = { low: Math.exp(centre - width), high: Math.exp(centre + width) }
  const verdict = verdictOf(interval, margin, n)
  const more = verdict === 'undecided' ? moreNeeded(centre, deviation, margin, n) : null
  return { verdict, ratio: Math.exp(centre), interval, more }
}
