import { clean, fewer, scaledArrivals, shorter, slower } from '../../../plan/scale.js'

/** @typedef {import('./gossip-plan.js').GossipPlan} GossipPlan */

/** What is waited for at most is no shorter than this, unless the case has it so. */
const SHORTEST_WAIT_MS = 10_000

/** Networks are cut off in the same part of a shorter time. @param {GossipPlan['partitions']} cuts @param {number} share */
const scaledCuts = (cuts, share) =>
  Object.freeze(
    cuts.map(cut => ({ ...cut, fromMs: clean(cut.fromMs * share), toMs: clean(cut.toMs * share) }))
  )

/**
 * scaled is what of a plan changes with its size. The mesh takes the time it takes: warm-up has no other limit. Messages by number are time, at their rate.
 *
 * @param {GossipPlan} plan
 * @param {import('../../../plan/scale.js').AllScales} scales
 * @returns {Partial<GossipPlan>}
 */
export function scaled(
  { messages, durationMs, cooldownMs, ratePerSecond, arrivals, intervalMs, publishers, partitions },
  { scale, ...scales }
) {
  const time = scale * scales.scaleTime
  const { min, max } = intervalMs
  const longer = (/** @type {number} */ ms) => clean(ms / scales.scaleRate)
  return {
    messages: fewer(messages, time, 1),
    durationMs: shorter(durationMs, time),
    cooldownMs: Math.max(Math.min(cooldownMs, SHORTEST_WAIT_MS), Math.ceil(cooldownMs * time)),
    ratePerSecond: slower(ratePerSecond, scales.scaleRate),
    arrivals: scaledArrivals(arrivals, { rate: scales.scaleRate, time }),
    partitions: scaledCuts(partitions, time),
    intervalMs: publishers === 'every' ? Object.freeze({ min: longer(min), max: longer(max) }) : intervalMs
  }
}
