import { sumOf } from '../kit/lists.js'

/**
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} Slope
 * @property {number} slope - y per x
 * @property {number} low - of its confidence interval
 * @property {number} high
 */

/** The interval holds the true slope in 95 of 100 cases. */
export const Z_95 = 1.959964

/**
 * theilSen gives the slope of points: the median of the slopes of all pairs (Theil 1950, Sen 1968), which one outlier in four does not
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
export function theilSen(points, { z = Z_95, independent = false } = {}) {
  const slopes = pairSlopes(points)
  if (points.length < 4 || slopes.length === 0) return null
  const slope = middle(slopes)
  const correction = independent ? 1 : autocorrelationFactor(points.map(({ x, y }) => y - slope * x))
  const width = z * Math.sqrt(varianceOfS(points) * correction)
  const last = slopes.length - 1
  return {
    slope,
    low: slopes[Math.max(0, Math.round((slopes.length - width) / 2) - 1)],
    high: slopes[Math.min(last, Math.round((slopes.length + width) / 2))]
  }
}

/** @param {readonly Point[]} points @returns {number[]} ascending */
function pairSlopes(points) {
  const slopes = points.flatMap((a, i) =>
    points.slice(i + 1).flatMap(b => (a.x === b.x ? [] : [(b.y - a.y) / (b.x - a.x)]))
  )
  return slopes.sort((a, b) => a - b)
}

/** @param {number[]} ascending */
function middle(ascending) {
  const half = ascending.length >> 1
  return ascending.length % 2 === 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2
}

/** Of Kendall's statistic, with ties in x and in y. @param {readonly Point[]} points */
function varianceOfS(points) {
  const n = points.length
  const term = (/** @type {number} */ t) => t * (t - 1) * (2 * t + 5)
  const ties = (/** @type {number[]} */ values) => sumOf(tied(values), t => term(t))
  return (term(n) - ties(points.map(({ x }) => x)) - ties(points.map(({ y }) => y))) / 18
}

/** @param {number[]} values @returns {number[]} how many have each value */
function tied(values) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts.values()]
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
  const power = sumOf(ranks, rank => (rank - mean) ** 2)
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
