import { subsetMeans } from './subset-means.js'

/**
 * @typedef {object} Interval
 * @property {number} low - −Infinity where nothing bounds it
 * @property {number} high
 *
 * @typedef {object} SignFlip
 * @property {number} p - two-sided, of the hypothesis that the values scatter evenly around 0
 * @property {Interval} interval - every centre that the test does not reject, at 95 %
 * @property {(confidence: number) => Interval} intervalAt - the same at another confidence
 */

/** Means that ought to be equal differ by rounding. */
const EPSILON = 1e-12

const CONFIDENCE = 0.95

/**
 * How many of the means lie below a centre or at it, or above it or at it.
 *
 * @param {Float64Array} means
 */
const atMost0 = means => means.filter(mean => mean <= EPSILON).length

/** @param {Float64Array} means */
const atLeast0 = means => means.filter(mean => mean >= -EPSILON).length

/**
 * signFlip is the exact test of R. A. Fisher (The Design of Experiments, 1935, §21) for paired differences: if nothing but
 * chance told the two sides of a pair apart, every difference could as well have had the other sign. Of all 2^n ways to
 * set the signs, p is the share whose sum is as far from 0 as the one that was seen. Flipping a subset changes the sum to
 * the other side of centre c just when the mean of that subset is on the other side of c; so the means of all subsets give
 * the test for every centre at once, and those it does not reject are an exact interval.
 *
 * A value that is only known to be at least (or at most) something has two bounds. p and interval then are the widest that
 * the bounds allow.
 *
 * @param {readonly number[]} lows - lower bound of each difference, −Infinity where there is none
 * @param {readonly number[]} [highs] - upper bound of each; default: the same
 * @returns {SignFlip}
 */
export function signFlip(lows, highs = lows) {
  const lowMeans = subsetMeans(lows)
  const highMeans = highs === lows ? lowMeans : subsetMeans(highs)
  const all = 2 ** lows.length
  const above = (1 + atMost0(lowMeans)) / all
  const below = (1 + atLeast0(highMeans)) / all
  /** @param {number} confidence */
  const intervalAt = confidence => {
    // a limit is the mean from which on more than this share of the ways is at least as extreme
    const rank = Math.floor(((1 - confidence) / 2) * all)
    return {
      low: rank < 1 ? -Infinity : lowMeans[rank - 1],
      high: rank < 1 ? Infinity : highMeans[highMeans.length - rank]
    }
  }
  return { p: Math.min(1, 2 * Math.min(above, below)), interval: intervalAt(CONFIDENCE), intervalAt }
}
