/**
 * @typedef {{ x: number, yes: boolean }} Trial - what came of a trial at x
 * @typedef {{ intercept: number, slope: number }} Line - of the logarithm of the odds over x
 */

const MOST_STEPS = 50
/** Steps smaller than this change no figure that is shown. */
const SMALL = 1e-8
/** A step further than this overshoots. */
const MOST_CHANGE = 5

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
 * firthLogistic fits the logarithm of the odds of yes as a straight line of x, with the penalty of D. Firth (Biometrika 80 (1993) 27–38;
 * for logistic regression G. Heinze, M. Schemper, Statist. Med. 21 (2002) 2409–2419): the estimates stay finite where all yes lie on one
 * side of all no, as they do where a system changes its answer within a step.
 *
 * @param {readonly Trial[]} trials - at two values of x at least; x near 0 within a few units
 * @returns {Line}
 */
export function firthLogistic(trials) {
  let line = { intercept: 0, slope: 0 }
  for (let step = 0; step < MOST_STEPS; step++) {
    const { intercept, slope } = stepFrom(trials, line)
    const size = Math.hypot(intercept, slope)
    if (!Number.isFinite(size)) break
    const share = Math.min(1, MOST_CHANGE / size)
    line = { intercept: line.intercept + share * intercept, slope: line.slope + share * slope }
    if (size < SMALL) break
  }
  return line
}
