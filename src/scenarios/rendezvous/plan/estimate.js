/** Rough figures of a small machine, in ms: an estimate is there to choose, not to measure. */
const START = 3000
const PER_CLIENT = 15
const PER_REGISTRATION = 0.03
const WARMUP = 1.5
/** The shortest that is asked for latency. */
const LATENCY = 5000
/** What a round registers is taken back, or registered before. */
const ROUNDS = { REGISTER: 1.6, UNREGISTER: 1.8, MIXED: 1.3, DISCOVER: 1.1 }

/**
 * estimateMs says about how long a run takes in all, with identities from the cache.
 *
 * @param {import('../../../plan/plan.js').Plan} plan
 * @returns {number} ms
 */
export function estimateMs({
  nClients,
  initialRegistrations,
  warmupMs,
  latencyRate,
  minDurationMs,
  durationMs,
  benchmarkType
}) {
  const measured = durationMs ?? minDurationMs
  return (
    START +
    nClients * PER_CLIENT +
    initialRegistrations * PER_REGISTRATION +
    warmupMs * WARMUP +
    measured * ROUNDS[benchmarkType] +
    (latencyRate === null ? 0 : warmupMs * WARMUP + LATENCY * ROUNDS[benchmarkType])
  )
}
