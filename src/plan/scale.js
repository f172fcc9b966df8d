/**
 * @typedef {import('./plan.js').AnyPlan} AnyPlan
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {import('./gossip/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./arrivals-option.js').Arrivals} Arrivals
 *
 * @typedef {object} Scales - what of a plan is run; each above 0 and at most 1
 * @property {number} [scale] - this share of its operations or messages, and of its time
 * @property {number} [scaleTime] - this share of its time alone
 * @property {number} [scaleRate] - this share of its rate; of every node's own intervals, so many times as long ones
 *
 * @typedef {Required<Scales>} AllScales
 */

const SHORTEST_MS = 100

/** What is waited for at most is no shorter than this, unless the case has it so. */
const SHORTEST_WAIT_MS = 10_000

/** Rates and times do not get the digits that a division leaves. @param {number} x */
const clean = x => Number(x.toPrecision(12))

/** @param {number | null} ms @param {number} share */
const shorter = (ms, share) => (ms === null ? null : Math.max(SHORTEST_MS, Math.ceil(ms * share)))

/** @param {number | null} count @param {number} share @param {number} least */
const fewer = (count, share, least) =>
  count === null ? null : Math.max(Math.min(least, count), Math.ceil(clean(count * share)))

/** @param {number | null} rate @param {number} share */
const slower = (rate, share) => (rate === null ? null : clean(rate * share))

/** What a shape of arrivals says of rates and times. @param {Arrivals} arrivals @param {{ rate: number, time: number }} shares */
function scaledArrivals(arrivals, { rate, time }) {
  if (typeof arrivals === 'string') return arrivals
  const { shape } = arrivals
  if (shape === 'ramp') return Object.freeze({ ...arrivals, toPerSecond: clean(arrivals.toPerSecond * rate) })
  if (shape === 'steps') {
    const ratesPerSecond = Object.freeze(arrivals.ratesPerSecond.map(each => clean(each * rate)))
    return Object.freeze({ ...arrivals, ratesPerSecond })
  }
  if (shape === 'sine') return Object.freeze({ ...arrivals, periodMs: shorter(arrivals.periodMs, time) })
  return Object.freeze({ ...arrivals, speed: clean(arrivals.speed * rate) })
}

/**
 * Never another concurrency: every client still has an operation.
 *
 * @param {Plan} plan
 * @param {AllScales} scales
 * @returns {Partial<Plan>}
 */
function ofRendezvous(
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

/** Networks are cut off in the same part of a shorter time. @param {GossipPlan['partitions']} cuts @param {number} share */
const scaledCuts = (cuts, share) =>
  Object.freeze(
    cuts.map(cut => ({ ...cut, fromMs: clean(cut.fromMs * share), toMs: clean(cut.toMs * share) }))
  )

/**
 * The mesh takes the time it takes: warm-up has no other limit. Messages by number are time, at their rate.
 *
 * @param {GossipPlan} plan
 * @param {AllScales} scales
 * @returns {Partial<GossipPlan>}
 */
function ofGossip(
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

/** What scales a plan, by scenario. @type {Readonly<Record<string, (plan: any, scales: AllScales) => Record<string, any>>>} */
const SCALED = Object.freeze({
  rendezvous: ofRendezvous,
  gossip: ofGossip,
  profile: ofGossip,
  rotation: ofGossip,
  'rotation-rendezvous': ofRendezvous
})

/** @param {string} planKey */
const optionOf = planKey => (planKey === 'partitions' ? 'partition' : planKey.replace(/(Ms|PerSecond)$/, ''))

/**
 * scalePlan gives a plan with fewer operations or messages, less time, or a lower rate.
 *
 * @template {AnyPlan} P
 * @param {Readonly<P>} plan
 * @param {Scales} scales
 * @param {Set<string>} [kept] - options that stay as they are, because somebody gave them on the command line
 * @returns {Readonly<P>}
 */
export function scalePlan(plan, { scale = 1, scaleTime = 1, scaleRate = 1 }, kept = new Set()) {
  const scaled = SCALED[plan.scenario](plan, { scale, scaleTime, scaleRate })
  const changed = Object.entries(scaled).filter(([key]) => !kept.has(optionOf(key)))
  return Object.freeze({ ...plan, ...Object.fromEntries(changed) })
}
