/**
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} SlopeChange - where a line bends
 * @property {number} at - x
 * @property {number} before - y per x
 * @property {number} after
 */

/** A smaller change of a slope is of no interest, however clear it is. */
const LEAST_CHANGE = 0.1
/** Each side has this share of the points, and so many of them. */
const LEAST_SHARE = 0.1
const LEAST_POINTS = 3
/** Two lines must fit so many times as well as one. */
const BETTER = 4

/**
 * slopeChange finds where points that grow along a line begin to grow along another one: the two lines that lie nearest to them, by
 * least squares, with the place where they change over. It is none where their slopes are within a tenth, or where two lines
 * leave more than a quarter of what one line leaves.
 *
 * @param {readonly Point[]} points - ascending in x
 * @param {number} [fewest] - points that each of the lines has at least
 * @returns {SlopeChange | null}
 */
export function slopeChange(points, fewest = LEAST_POINTS) {
  const least = Math.max(fewest, Math.ceil(LEAST_SHARE * points.length))
  if (points.length < 2 * least) return null
  const sums = runningSums(points)
  const whole = lineOf(sums, 0, points.length)
  let best = null
  for (let split = least; split <= points.length - least; split++) {
    const [before, after] = [lineOf(sums, 0, split), lineOf(sums, split, points.length)]
    const left = before.left + after.left
    if (best === null || left < best.left) best = { split, left, before, after }
  }
  if (best === null || whole.left < BETTER * best.left) return null
  const [before, after] = [best.before.slope, best.after.slope]
  if (Math.abs(after - before) <= LEAST_CHANGE * Math.max(Math.abs(before), Math.abs(after))) return null
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
