import { studentT } from '../../src/studies/statistics.js'

/** FLAT is the exponent below which a figure is said not to grow. */
export const FLAT = 0.05

/**
 * exponentOf finds b where y grows as x^b: the slope of a line through their logarithms, by least squares, with its 95 % interval by Student's
 * distribution (N. Draper, H. Smith, Applied Regression Analysis, 1.4).
 *
 * @param {readonly (readonly [x: number, y: number])[]} points - at least three, above 0
 * @returns {{ exponent: number, low: number, high: number }}
 */
export function exponentOf(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)])
  const mean = (/** @type {number} */ place) => logs.reduce((sum, log) => sum + log[place], 0) / logs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const spread = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const exponent = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
  const left = logs.reduce((sum, [x, y]) => sum + (y - meanY - exponent * (x - meanX)) ** 2, 0)
  const freedom = logs.length - 2
  const half = studentT(freedom) * Math.sqrt(left / freedom / spread)
  return { exponent, low: exponent - half, high: exponent + half }
}

/** growthWords says what an exponent means. @param {{ low: number, high: number }} exponent */
export function growthWords({ low, high }) {
  if (high < FLAT) return low > -FLAT ? 'flat' : 'falls or flat'
  return low > FLAT ? 'grows' : 'open'
}
