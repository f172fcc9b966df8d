/** @typedef {import('./plan.js').Plan} Plan */

/** Rough figures of a small machine, in ms: an estimate is there to choose, not to measure. */
const START = 3000
const PER_CLIENT = 15
const PER_REGISTRATION = 0.03
const WARMUP = 1.5
/** What a round registers is taken back, or registered before. */
const ROUNDS = Object.freeze({ REGISTER: 1.6, UNREGISTER: 1.8, MIXED: 1.3, DISCOVER: 1.1 })

/**
 * estimateMs says about how long a run takes in all, with identities from the cache.
 *
 * @param {Plan} plan
 * @returns {number} ms
 */
export function estimateMs({
  nClients,
  initialRegistrations,
  warmupMs,
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
    measured * ROUNDS[benchmarkType]
  )
}

/**
 * remainingMs says how long what is left takes, going by how long the rows so far took beside their estimates.
 *
 * @param {{ estimateMs: number, tookMs: number }[]} done
 * @param {number[]} left - estimates
 * @returns {number} ms
 */
export function remainingMs(done, left) {
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, n) => total + n, 0)
  const pace =
    done.length === 0 ? 1 : sum(done.map(({ tookMs }) => tookMs)) / sum(done.map(row => row.estimateMs))
  return sum(left) * pace
}
