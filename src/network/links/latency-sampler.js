import { logarithm } from '../../kit/logarithm.js'
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

/**
 * @typedef {{ kind: 'constant', ms: number }} ConstantLatency
 * @typedef {{ kind: 'uniform', minMs: number, maxMs: number }} UniformLatency
 * @typedef {{ kind: 'normal' | 'lognormal', meanMs: number, sdMs: number }} BellLatency - mean and standard deviation of the latency
 *   itself, for `lognormal` too
 * @typedef {ConstantLatency | UniformLatency | BellLatency} DrawnLatency
 * @typedef {(random: () => number) => number} Sampler - ns, whole, at least 0
 */

const NS_PER_MS = 1e6

/** @param {number} ms */
const toNs = ms => Math.max(0, Math.round(ms * NS_PER_MS))

/**
 * logNormal scales the quantile so that mean and standard deviation of the variate are the ones asked for: with
 * v = 1 + sd²/mean² it is mean/√v · e^(z·√ln v).
 *
 * @param {BellLatency} spec
 * @returns {Sampler}
 */
function logNormal({ meanMs, sdMs }) {
  const relative = sdMs / meanMs
  const spread = 1 + relative * relative
  const median = meanMs / Math.sqrt(spread)
  const sigma = Math.sqrt(logarithm(spread))
  return random => toNs(median * exponential(sigma * normalQuantile(random())))
}

/**
 * latencySampler makes what draws the latency of one link. Each draw takes one random number.
 *
 * @param {DrawnLatency} spec
 * @returns {Sampler}
 */
export function latencySampler(spec) {
  switch (spec.kind) {
    case 'constant':
      return () => toNs(spec.ms)
    case 'uniform':
      return random => toNs(spec.minMs + random() * (spec.maxMs - spec.minMs))
    case 'normal':
      return random => toNs(spec.meanMs + spec.sdMs * normalQuantile(random()))
    case 'lognormal':
      return logNormal(spec)
  }
}
