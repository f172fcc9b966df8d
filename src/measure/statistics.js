// Statistics that assume no shape of a distribution: exact tests, intervals, robust slopes.
import { computeSum, groupBy, median } from '../kit/collections.js'

/**
 * estimateHodgesLehmann estimates the centre of values that scatter evenly around it: the median of the means of all pairs, each
 * value paired with itself too (J. L. Hodges, E. L. Lehmann, Ann. Math. Statist. 34 (1963) 598–611). One value far out moves
 * it little.
 *
 * @param {readonly number[]} values - at least one
 * @returns {number}
 */
export const estimateHodgesLehmann = values =>
  median(values.flatMap((value, place) => values.slice(place).map(other => (value + other) / 2)))

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
 * testSignFlip is the exact test of R. A. Fisher (The Design of Experiments, 1935, §21) for paired differences: if nothing but
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
export function testSignFlip(lows, highs = lows) {
  const lowMeans = computeSubsetMeans(lows)
  const highMeans = highs === lows ? lowMeans : computeSubsetMeans(highs)
  const all = 2 ** lows.length
  const above = (1 + lowMeans.filter(mean => mean <= EPSILON).length) / all
  const below = (1 + highMeans.filter(mean => mean >= -EPSILON).length) / all
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

/** MAX_EXACT_VALUES is how many values can be looked at exactly: 2^20 subsets take a tenth of a second. */
export const MAX_EXACT_VALUES = 20

/**
 * computeSubsetMeans gives the mean of every non-empty subset of some values, ascending. They are where the exact sign-flip test of
 * the mean changes its answer (J. A. Hartigan, Using subsample values as typical values, JASA 64 (1969) 1303–1317).
 *
 * @param {readonly number[]} values - at most 20; infinite ones of one sign only
 * @returns {Float64Array} 2^n − 1 means
 * @throws {RangeError} for more values
 */
export function computeSubsetMeans(values) {
  const n = values.length
  if (n > MAX_EXACT_VALUES) throw new RangeError(`at most ${MAX_EXACT_VALUES} values, not ${n}`)
  const sums = new Float64Array(2 ** n)
  const sizes = new Uint8Array(2 ** n)
  for (let place = 0; place < n; place++) {
    const half = 2 ** place
    for (let subset = 0; subset < half; subset++) {
      sums[half + subset] = sums[subset] + values[place]
      sizes[half + subset] = sizes[subset] + 1
    }
  }
  return sums
    .subarray(1)
    .map((sum, place) => sum / sizes[place + 1])
    .sort()
}

/** MIN_FOR_INTERVAL values are needed: five lie all on one side of the median with a chance of 2 / 2^5, 6.25 %. */
export const MIN_FOR_INTERVAL = 6

/**
 * @typedef {object} MedianInterval
 * @property {number | null} median - null: there are no values
 * @property {number | null} low - of the 95 % interval; null: too few values
 * @property {number | null} high
 */

/**
 * computeMedianInterval is the median of values, and the interval that holds the median of all there could be with 95 % confidence, whatever
 * their distribution. It is the sign test's: between the k-th values from either end, with k the largest for which
 * 2 · P(B < k) ≤ 0.05, B of n tosses of a fair coin (M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods, 3.6).
 *
 * @param {readonly number[]} values
 * @returns {MedianInterval}
 */
export function computeMedianInterval(values) {
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

/** The standard normal distribution has 95 % within so many standard deviations. */
const Z_95 = 1.959964

/**
 * computeShareInterval gives what a count among a random sample says of the share in all, with 95 % confidence. Where nothing was found it is
 * the exact upper bound, 1 − 0.05^(1/n), which the rule of three (3/n) stands for; otherwise Wilson's interval (E. B. Wilson, JASA 22,
 * 1927), which holds for small counts too.
 *
 * @param {number} count - found
 * @param {number} of - sample size, > 0
 * @returns {{ low: number, high: number }} shares, 0 to 1
 */
export function computeShareInterval(count, of) {
  if (count === 0) return { low: 0, high: 1 - 0.05 ** (1 / of) }
  const share = count / of
  const z2 = Z_95 ** 2 / of
  const middle = share + z2 / 2
  const half = Math.sqrt(z2 * (share * (1 - share) + z2 / 4))
  return { low: Math.max(0, (middle - half) / (1 + z2)), high: Math.min(1, (middle + half) / (1 + z2)) }
}

/**
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} Slope
 * @property {number} slope - y per x
 * @property {number} low - of its confidence interval
 * @property {number} high
 */

/**
 * estimateTheilSen gives the slope of points: the median of the slopes of all pairs (Theil 1950, Sen 1968), which one outlier in four does not
 * move. Its confidence interval is that of Kendall's statistic S (Sen 1968; Gilbert 1987, 16.5): the slopes at places
 * (N − z·√Var S) ÷ 2 and (N + z·√Var S) ÷ 2 + 1 of the N in order. Values that follow one another are often alike, which makes
 * Var S larger: it is corrected by the autocorrelation of the ranks of the residuals (Hamed and Rao 1998), but never made smaller.
 *
 * @param {readonly Point[]} points - evenly spaced for the correction
 * @param {object} [options]
 * @param {number} [options.z] - normal quantile of the interval
 * @param {boolean} [options.independent] - values know nothing of each other: no correction
 * @returns {Slope | null} null: fewer than 4 points, or all at one x
 */
export function estimateTheilSen(points, { z = Z_95, independent = false } = {}) {
  const slopes = points
    .flatMap((a, i) => points.slice(i + 1).flatMap(b => (a.x === b.x ? [] : [(b.y - a.y) / (b.x - a.x)])))
    .sort((a, b) => a - b)
  if (points.length < 4 || slopes.length === 0) return null
  const slope = median(slopes)
  const correction = independent ? 1 : autocorrelationFactor(points.map(({ x, y }) => y - slope * x))
  const width = z * Math.sqrt(varianceOfS(points) * correction)
  const last = slopes.length - 1
  return {
    slope,
    low: slopes[Math.max(0, Math.round((slopes.length - width) / 2) - 1)],
    high: slopes[Math.min(last, Math.round((slopes.length + width) / 2))]
  }
}

/** The variance of Kendall's statistic, with ties in x and in y. @param {readonly Point[]} points */
function varianceOfS(points) {
  const n = points.length
  const term = (/** @type {number} */ t) => t * (t - 1) * (2 * t + 5)
  const ties = (/** @type {'x' | 'y'} */ key) =>
    computeSum(
      groupBy(points, point => point[key]),
      ([, equal]) => term(equal.length)
    )
  return (term(n) - ties('x') - ties('y')) / 18
}

/** @param {number[]} values @returns {number[]} their places in order, the mean one for equal ones */
function ranksOf(values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  const ranks = Array(values.length).fill(0)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to + 1 < order.length && values[order[to + 1]] === values[order[from]]) to++
    for (let place = from; place <= to; place++) ranks[order[place]] = (from + to) / 2
    from = to + 1
  }
  return ranks
}

/** @param {number[]} residuals in the order of time @returns {number} ≥ 1, what the variance of S is multiplied by */
function autocorrelationFactor(residuals) {
  const n = residuals.length
  const ranks = ranksOf(residuals)
  const mean = (n - 1) / 2
  const power = computeSum(ranks, rank => (rank - mean) ** 2)
  if (power === 0) return 1
  const significant = Z_95 / Math.sqrt(n)
  let sum = 0
  for (let lag = 1; lag < n - 2; lag++) {
    let product = 0
    for (let i = 0; i + lag < n; i++) product += (ranks[i] - mean) * (ranks[i + lag] - mean)
    const correlation = product / power
    if (Math.abs(correlation) > significant) sum += (n - lag) * (n - lag - 1) * (n - lag - 2) * correlation
  }
  return Math.max(1, 1 + (2 * sum) / (n * (n - 1) * (n - 2)))
}

/**
 * @typedef {object} SlopeChange - where a line bends
 * @property {number} at - x
 * @property {number} before - y per x
 * @property {number} after
 */

/** A smaller change of a slope is of no interest, however clear it is. */
const MIN_CHANGE = 0.1
/** Each side has at least this share of the points, and so many of them. */
const MIN_SHARE = 0.1
const MIN_POINTS = 3
/** Two lines must fit so many times as well as one. */
const BETTER = 4

/**
 * findSlopeChange finds where points that grow along a line begin to grow along another one: the two lines that lie nearest to them, by
 * least squares, with the place where they change over. It is none where their slopes are within a tenth, or where two lines
 * leave more than a quarter of what one line leaves.
 *
 * @param {readonly Point[]} points - ascending in x
 * @param {number} [fewest] - points that each of the lines has at least
 * @returns {SlopeChange | null}
 */
export function findSlopeChange(points, fewest = MIN_POINTS) {
  const minPoints = Math.max(fewest, Math.ceil(MIN_SHARE * points.length))
  if (points.length < 2 * minPoints) return null
  const sums = runningSums(points)
  const whole = lineOf(sums, 0, points.length)
  let best = null
  for (let split = minPoints; split <= points.length - minPoints; split++) {
    const [before, after] = [lineOf(sums, 0, split), lineOf(sums, split, points.length)]
    const left = before.left + after.left
    if (best === null || left < best.left) best = { split, left, before, after }
  }
  if (best === null || whole.left < BETTER * best.left) return null
  const [before, after] = [best.before.slope, best.after.slope]
  if (Math.abs(after - before) <= MIN_CHANGE * Math.max(Math.abs(before), Math.abs(after))) return null
  return { at: points[best.split].x, before, after }
}

/** @param {readonly Point[]} points @returns {number[][]} of n points: their number, and sums of x, y, x², xy and y² */
function runningSums(points) {
  // near 0, so that squares keep their digits
  const [x0, y0] = [points[0].x, points[0].y]
  const sums = [[0, 0, 0, 0, 0, 0]]
  for (const point of points) {
    const [x, y] = [point.x - x0, point.y - y0]
    const last = sums[sums.length - 1]
    sums.push([1, x, y, x * x, x * y, y * y].map((value, i) => last[i] + value))
  }
  return sums
}

/** @param {number[][]} sums @param {number} from @param {number} to @returns {{ slope: number, left: number }} `left`: sum of squares off the line */
function lineOf(sums, from, to) {
  const [n, x, y, xx, xy, yy] = sums[to].map((value, i) => value - sums[from][i])
  const [sxx, sxy, syy] = [xx - (x * x) / n, xy - (x * y) / n, yy - (y * y) / n]
  if (sxx <= 0) return { slope: 0, left: Math.max(0, syy) }
  return { slope: sxy / sxx, left: Math.max(0, syy - (sxy * sxy) / sxx) }
}

/**
 * computeJainIndex says how evenly something was given out: (Σx)² ÷ (n · Σx²), from 1/n, one has everything, to 1, all have as much (R. Jain,
 * D. Chiu, W. Hawe, A quantitative measure of fairness and discrimination, DEC-TR-301, 1984).
 *
 * @param {readonly number[]} values - what each got, ≥ 0
 * @returns {number | null} null: there is nobody; 1 where nobody got anything
 */
export function computeJainIndex(values) {
  if (values.length === 0) return null
  const squares = computeSum(values, value => value * value)
  return squares === 0 ? 1 : computeSum(values) ** 2 / (values.length * squares)
}
