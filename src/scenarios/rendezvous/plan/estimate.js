import { againMs } from '../../../load/warm-up.js'

/** @typedef {import('../../../plan/plan.js').Plan} Plan */

/** Rough figures of a small machine, in ms: an estimate is there to choose, not to measure. */
const START = 2000
/** What a run takes that starts nothing: its page, mostly. */
const GO_ON = 400
const PER_CLIENT = 15
const PER_REGISTRATION = 0.03
const WARMUP = 1.5
/** What a round registers is taken back, or registered before. */
const ROUNDS = { REGISTER: 1.6, UNREGISTER: 1.8, MIXED: 1.3, DISCOVER: 1.1 }

/** @param {Plan} plan */
const measured = ({ durationMs, minDurationMs }) => durationMs ?? minDurationMs

/**
 * fixedMs is what a run takes on any machine.
 *
 * @param {Plan} plan
 * @param {boolean} [goesOn] - with what the run before has left up
 */
export const fixedMs = (plan, goesOn = false) => measured(plan) + (goesOn ? againMs(plan) : plan.warmupMs)

/**
 * estimateMs says about how long a run takes in all, with identities from the cache.
 *
 * @param {Plan} plan
 * @param {boolean} [goesOn] - with what the run before has left up
 * @returns {number} ms
 */
export function estimateMs(plan, goesOn = false) {
  const { nClients, initialRegistrations, warmupMs, ratePerSecond, benchmarkType } = plan
  // an open model has one round
  const rounds = ratePerSecond === null ? measured(plan) * (ROUNDS[benchmarkType] - 1) : 0
  if (goesOn) return fixedMs(plan, goesOn) + GO_ON + rounds
  const start = START + nClients * PER_CLIENT + initialRegistrations * PER_REGISTRATION
  return fixedMs(plan) + start + warmupMs * (WARMUP - 1) + rounds
}
