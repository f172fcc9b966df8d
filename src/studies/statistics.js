// Statistical methods with which studies decide: significance tests, confidence intervals, regressions.
import { computeSum } from '../kit/collections.js'

/**
 * @typedef {import('../plan/fail-rules.js').RuleVerdict} NonInferiorityVerdict
 *
 * @typedef {object} NonInferiorityResult - what is less the better, held against what it was
 * @property {NonInferiorityVerdict} verdict
 * @property {number | null} ratio - geometric mean, now ÷ before; null: one of them is 0
 * @property {{ low: number, high: number } | null} interval - 90 %, of the ratio; null: too few runs to tell
 */

/** Its ends are limits of two one-sided tests at 5 % (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987) 657–680). */
const CONFIDENCE = 0.9

/** mean is the arithmetic mean. @param {readonly number[]} values */
export const mean = values => computeSum(values) / values.length

/** The sum of squared deviations from the mean. @param {readonly number[]} values */
function squaredDeviations(values) {
  const centre = mean(values)
  return computeSum(values, value => (value - centre) ** 2)
}

/**
 * @typedef {object} FittedLine - y = intercept + slope · x
 * @property {number} slope
 * @property {number} intercept
 * @property {number[]} residuals - of each point, measured minus fitted
 * @property {number} rms - root mean square of the residuals
 * @property {number | null} r2 - share of the variance of y that the line explains; null: y does not vary
 */

/**
 * fitLeastSquares fits a line to points by the method of least squares (A.-M. Legendre, 1805).
 *
 * @param {readonly { x: number, y: number }[]} points - with at least two different x
 * @returns {FittedLine}
 */
export function fitLeastSquares(points) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [meanX, meanY] = [mean(xs), mean(ys)]
  const slope = computeSum(points, ({ x, y }) => (x - meanX) * (y - meanY)) / squaredDeviations(xs)
  const intercept = meanY - slope * meanX
  const residuals = points.map(({ x, y }) => y - (intercept + slope * x))
  const [unexplained, total] = [computeSum(residuals, each => each * each), squaredDeviations(ys)]
  const r2 = total === 0 ? null : 1 - unexplained / total
  return { slope, intercept, residuals, rms: Math.sqrt(unexplained / points.length), r2 }
}

/**
 * measureScatter is how far runs of the same thing lie apart: the standard deviation of logarithms within groups of them.
 *
 * @param {readonly (readonly number[])[]} groups - of values above 0
 * @returns {{ deviation: number, freedom: number } | null} null: no group has two
 */
export function measureScatter(groups) {
  const freedom = computeSum(groups, group => Math.max(0, group.length - 1))
  if (freedom === 0) return null
  const all = computeSum(groups, group => (group.length === 0 ? 0 : squaredDeviations(group.map(Math.log))))
  return { deviation: Math.sqrt(all / freedom), freedom }
}

/**
 * testNonInferiority decides whether something has not become worse, by runs of then and now that took no turns: it has where the whole 90 %
 * interval of their ratio (Student's, of logarithms) lies above the margin, it has not where the interval lies below it.
 *
 * @param {readonly number[]} before - a figure of each run; less is better
 * @param {readonly number[]} now
 * @param {object} how
 * @param {number} how.maxRatio - ratio that is no worse yet: 1.1
 * @param {{ deviation: number, freedom: number } | null} [how.scatter] - of runs; default: that of these
 * @returns {NonInferiorityResult}
 */
export function testNonInferiority(before, now, { maxRatio, scatter = measureScatter([before, now]) }) {
  const known = before.length > 0 && now.length > 0 && [...before, ...now].every(value => value > 0)
  if (!known) return { verdict: 'UNDECIDED', ratio: null, interval: null }
  const centre = mean(now.map(Math.log)) - mean(before.map(Math.log))
  const ratio = Math.exp(centre)
  if (scatter === null) return { verdict: 'UNDECIDED', ratio, interval: null }
  const width =
    studentT(scatter.freedom, CONFIDENCE) * scatter.deviation * Math.sqrt(1 / before.length + 1 / now.length)
  const interval = { low: Math.exp(centre - width), high: Math.exp(centre + width) }
  const verdict = interval.low > maxRatio ? 'FAIL' : interval.high <= maxRatio ? 'PASS' : 'UNDECIDED'
  return { verdict, ratio, interval }
}

/**
 * @typedef {object} DetectableChange - what a comparison could have seen
 * @property {number} change - the smallest that shows, as a share: 0.09 is 9 %
 * @property {number} pairs - it was seen with
 * @property {{ pairs: number, change: number } | null} more - pairs that would show a smaller one; null: none that can be looked at
 */

/** How wide an interval is, as pairs scatter by 1. @param {number} pairs */
const halfWidth = pairs => studentT(pairs - 1) / Math.sqrt(pairs)

/**
 * estimateDetectableChange is about the change that so many pairs show, where the logarithms of their ratios scatter by so much: half the width of
 * Student's interval.
 *
 * @param {number} pairs - at least 2
 * @param {number} scatter - standard deviation
 * @returns {number} as a share
 */
export const estimateDetectableChange = (pairs, scatter) => Math.expm1(halfWidth(pairs) * scatter)

/**
 * findDetectableChange says what an interval could have shown: a change smaller than half its width leaves no change at all inside. With more pairs
 * it becomes narrower as Student's interval does, t(n − 1) ÷ √n.
 *
 * @param {{ low: number, high: number }} interval - of a ratio
 * @param {number} pairs - at least 2
 * @param {{ wanted: number, maxPairs: number }} of - `wanted`: change that is to show, as a share; `maxPairs`: pairs there can be
 * @returns {DetectableChange | null} null: nothing bounds the interval
 */
export function findDetectableChange({ low, high }, pairs, { wanted, maxPairs }) {
  if (!(low > 0) || !Number.isFinite(high)) return null
  const scatter = Math.log(high / low) / 2 / halfWidth(pairs)
  const change = estimateDetectableChange(pairs, scatter)
  if (change <= wanted || pairs >= maxPairs) return { change, pairs, more: null }
  let enough = pairs + 1
  while (enough < maxPairs && estimateDetectableChange(enough, scatter) > wanted) enough++
  return { change, pairs, more: { pairs: enough, change: estimateDetectableChange(enough, scatter) } }
}

/**
 * Share of Student's distribution between −t and t (M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
 *
 * @param {number} t
 * @param {number} freedom - degrees of freedom, a whole number ≥ 1
 */
function between(t, freedom) {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const odd = freedom % 2 === 1
  let term = odd ? Math.cos(angle) : 1
  let sum = freedom === 1 ? 0 : term
  for (let place = odd ? 3 : 2; place < freedom; place += 2) {
    term *= (Math.cos(angle) ** 2 * (place - 1)) / place
    sum += term
  }
  return odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum
}

/**
 * studentT is the value that Student's distribution is within, to either side of 0, with a confidence.
 *
 * @param {number} freedom - degrees of freedom, a whole number ≥ 1
 * @param {number} [confidence] - above 0, below 1
 * @returns {number}
 */
export function studentT(freedom, confidence = 0.95) {
  let [low, high] = [0, 1e4]
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (between(middle, freedom) < confidence) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * adjustByHolm adjusts the p values of several tests, so that the chance of finding anything at all where there is nothing stays
 * below the level that the adjusted values are held against (S. Holm, Scand. J. Statist. 6 (1979) 65–70).
 *
 * @param {readonly number[]} ps
 * @returns {number[]} in the same order
 */
export function adjustByHolm(ps) {
  const ascending = ps.map((p, place) => ({ p, place })).toSorted((a, b) => a.p - b.p)
  /** @type {number[]} */
  const adjusted = new Array(ps.length)
  let min = 0
  for (const [rank, { p, place }] of ascending.entries()) {
    min = Math.max(min, Math.min(1, (ps.length - rank) * p))
    adjusted[place] = min
  }
  return adjusted
}

/**
 * @typedef {{ x: number, yes: boolean }} Trial - what came of a trial at x
 * @typedef {{ intercept: number, slope: number }} Line - of the logarithm of the odds over x
 */

const MAX_STEPS = 50
/** Steps smaller than this change no figure that is shown. */
const SMALL = 1e-8
/** A step further than this overshoots. */
const MAX_CHANGE = 5

/** @param {Line} line @param {number} x */
const shareAt = ({ intercept, slope }, x) => 1 / (1 + Math.exp(-(intercept + slope * x)))

/**
 * Fisher's information, 2 × 2, in the order intercept, slope.
 *
 * @param {readonly { x: number, weight: number }[]} points
 */
function information(points) {
  let [a, b, d] = [0, 0, 0]
  for (const { x, weight } of points) {
    a += weight
    b += weight * x
    d += weight * x * x
  }
  return { a, b, d, determinant: a * d - b * b }
}

/** @param {readonly Trial[]} trials @param {Line} line @returns {Line} the step to a better one */
function stepFrom(trials, line) {
  const points = trials.map(({ x, yes }) => {
    const share = shareAt(line, x)
    return { x, yes, share, weight: share * (1 - share) }
  })
  const { a, b, d, determinant } = information(points)
  let [ofIntercept, ofSlope] = [0, 0]
  for (const { x, yes, share, weight } of points) {
    const leverage = (weight * (d - 2 * b * x + a * x * x)) / determinant
    const score = Number(yes) - share + leverage * (0.5 - share)
    ofIntercept += score
    ofSlope += score * x
  }
  return {
    intercept: (d * ofIntercept - b * ofSlope) / determinant,
    slope: (a * ofSlope - b * ofIntercept) / determinant
  }
}

/**
 * fitFirthLogistic fits the logarithm of the odds of yes as a straight line of x, with the penalty of D. Firth (Biometrika 80 (1993) 27–38;
 * for logistic regression G. Heinze, M. Schemper, Statist. Med. 21 (2002) 2409–2419): the estimates stay finite where all yes lie on one
 * side of all no, as they do where a system changes its answer within a step.
 *
 * @param {readonly Trial[]} trials - at two values of x at least; x near 0 within a few units
 * @returns {Line}
 */
export function fitFirthLogistic(trials) {
  let line = { intercept: 0, slope: 0 }
  for (let step = 0; step < MAX_STEPS; step++) {
    const { intercept, slope } = stepFrom(trials, line)
    const size = Math.hypot(intercept, slope)
    if (!Number.isFinite(size)) break
    const share = Math.min(1, MAX_CHANGE / size)
    line = { intercept: line.intercept + share * intercept, slope: line.slope + share * slope }
    if (size < SMALL) break
  }
  return line
}
