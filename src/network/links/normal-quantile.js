import { exponential } from './exponential.js'

/** Beyond it a normal variate comes once in 16,000 draws: the distribution ends there. */
const MOST_DEVIATIONS = 4
const STEPS_PER_DEVIATION = 64
/** 1 / √(2π) */
const DENSITY_AT_0 = 0.3989422804014327

/** Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …). @param {number} z */
function cumulative(z) {
  let term = z
  let sum = z
  for (let odd = 3; term > 1e-17 * sum; odd += 2) {
    term *= (z * z) / odd
    sum += term
  }
  return 0.5 + DENSITY_AT_0 * exponential((-z * z) / 2) * sum
}

/** Φ at 0, 1/64, 2/64 … 4; below 0 the distribution is its mirror image. */
const UPPER_HALF = Float64Array.from({ length: MOST_DEVIATIONS * STEPS_PER_DEVIATION + 1 }, (_, step) =>
  cumulative(step / STEPS_PER_DEVIATION)
)

/** @param {number} probability - from ½ to below the last of the table @returns {number} the step whose Φ is at or just below it */
function stepBelow(probability) {
  let [low, high] = [0, UPPER_HALF.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (UPPER_HALF[middle] <= probability) low = middle
    else high = middle
  }
  return low
}

/** @param {number} probability - at least ½ */
function upperQuantile(probability) {
  if (probability >= UPPER_HALF[UPPER_HALF.length - 1]) return MOST_DEVIATIONS
  const step = stepBelow(probability)
  const [below, above] = [UPPER_HALF[step], UPPER_HALF[step + 1]]
  return (step + (probability - below) / (above - below)) / STEPS_PER_DEVIATION
}

/**
 * normalQuantile is the inverse of the standard normal distribution, from a table with linear interpolation: error at most 2e-4 within
 * three standard deviations. It ends at ±4, so that a single draw cannot make a link absurd.
 *
 * @param {number} probability - from 0 to 1
 * @returns {number} standard deviations from the mean, −4 to 4
 */
export const normalQuantile = probability =>
  probability < 0.5 ? -upperQuantile(1 - probability) : upperQuantile(probability)
