import { sumOf } from '../../../kit/lists.js'

/**
 * @typedef {object} Line - y = intercept + slope · x
 * @property {number} slope
 * @property {number} intercept
 * @property {number[]} residuals - measured less fitted, of each point
 * @property {number} rms - root of the mean square of the residuals
 * @property {number | null} r2 - share of the variance of y that the line explains; null: y does not vary
 */

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {readonly number[]} values */
const squares = values => sumOf(values, value => value * value)

/**
 * leastSquares fits a line to points so that the squares of what is left are least (A.-M. Legendre, 1805).
 *
 * @param {readonly { x: number, y: number }[]} points - of at least two different x
 * @returns {Line}
 */
export function leastSquares(points) {
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const slope =
    sumOf(points, ({ x, y }) => (x - meanX) * (y - meanY)) / squares(points.map(({ x }) => x - meanX))
  const intercept = meanY - slope * meanX
  const residuals = points.map(({ x, y }) => y - (intercept + slope * x))
  const [left, all] = [squares(residuals), squares(points.map(({ y }) => y - meanY))]
  return {
    slope,
    intercept,
    residuals,
    rms: Math.sqrt(left / points.length),
    r2: all === 0 ? null : 1 - left / all
  }
}
