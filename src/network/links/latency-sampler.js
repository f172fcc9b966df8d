import { logarithm } from '../../kit/logarithm.js'
import { exponential } from './exponential.js'
import { normalQuantile } from './normal-quantile.js'

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
