import { fewer, scaledArrivals, shorter, slower } from '../../../plan/scale.js'

/** @typedef {import('../../../plan/plan.js').Plan} Plan */

/**
 * scaled is what of a plan changes with its size. Never another concurrency: every client still has an operation.
 *
 * @param {Plan} plan
 * @param {import('../../../plan/scale.js').AllScales} scales
 * @param {Set<string>} [kept] - options that stay as they are
 * @returns {Partial<Plan>}
 */
export function scaled(plan, { scale, ...scales }, kept = new Set()) {
  const { benchmarkRuns, durationMs, minDurationMs, nClients, ratePerSecond, arrivals } = plan
  const time = scale * scales.scaleTime
  const least = kept.has('minDuration') ? minDurationMs : Math.ceil(minDurationMs * time)
  const lasts = kept.has('duration') ? durationMs : shorter(durationMs, time)
  return {
    benchmarkRuns: fewer(benchmarkRuns, scale, nClients),
    durationMs: lasts,
    minDurationMs: least,
    ratePerSecond: slower(ratePerSecond, scales.scaleRate),
    providerRatePerSecond: slower(plan.providerRatePerSecond ?? null, scales.scaleRate),
    discovererRatePerSecond: slower(plan.discovererRatePerSecond ?? null, scales.scaleRate),
    arrivals: scaledArrivals(arrivals, { rate: scales.scaleRate, time })
  }
}
