import { median } from '../kit/median.js'

/** FEWEST_FOR_INTERVAL values are needed: five lie all on one side of the median with a chance of 2 / 2^5, 6.25 %. */
export const FEWEST_FOR_INTERVAL = 6

const CONFIDENCE = 0.95

/**
 * @typedef {object} MedianInterval
 * @property {number | null} median - null: there are no values
 * @property {number | null} low - of the 95 % interval; null: too few values
 * @property {number | null} high
 */

/**
 * medianInterval is the median of values, and the interval that holds the median of all there could be with 95 % confidence, whatever
 * their distribution. It is the sign test's: between the k-th values from either end, with k the largest for which
 * 2 · P(B < k) ≤ 0.05, B of n tosses of a fair coin (M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods, 3.6).
 *
 * @param {readonly number[]} values
 * @returns {MedianInterval}
 */
export function medianInterval(values) {
  if (values.length === 0) return { median: null, low: null, high: null }
  const sorted = values.toSorted((a, b) => a - b)
  const k = rankOf(sorted.length)
  const bounds = k === 0 ? { low: null, high: null } : { low: sorted[k - 1], high: sorted[sorted.length - k] }
  return { median: median(sorted), ...bounds }
}

/** @param {number} n @returns {number} k; 0: there is none */
function rankOf(n) {
  let k = 0
  let term = 0.5 ** n
  for (let below = term; 2 * below <= 1 - CONFIDENCE; below += term) {
    k++
    term *= (n - k + 1) / k
  }
  return k
}
