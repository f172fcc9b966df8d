import { fewer, scaledArrivals, shorter, slower } from '../../../plan/scale.js'

/** @typedef {import('../../../plan/plan.js').Plan} Plan */

/**
 * scaled is what of a plan changes with its size. Never another concurrency: every client still has an operation.
 *
 * @param {Plan} plan
 * @param {import('../../../plan/scale.js').AllScales} scales
 * @returns {Partial<Plan>}
 */
export function scaled(
  { benchmarkRuns, durationMs, minDurationMs, nClients, ratePerSecond, arrivals },
  { scale, ...scales }
) {
  const time = scale * scales.scaleTime
  return {
    benchmarkRuns: fewer(benchmarkRuns, scale, nClients),
    durationMs: shorter(durationMs, time),
    minDurationMs: Math.ceil(minDurationMs * time),
    ratePerSecond: slower(ratePerSecond, scales.scaleRate),
    arrivals: scaledArrivals(arrivals, { rate: scales.scaleRate, time })
  }
}
