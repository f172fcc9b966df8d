import { againMs } from '../../../measure/warm-up.js'
import { publishes } from './full-peers.js'

/** @typedef {import('../../../plan/plan.js').Plan} Plan */

/** Rough figures of a small machine, in ms: an estimate is there to choose, not to measure. */
const START = 2000
/** What a run takes that starts nothing: its page, mostly. */
const GO_ON = 400
const PER_CLIENT = 15
/** Full peers find and dial one another, and wait for a mesh. */
const JOINING = 5000
const PER_PEER = 100
const PER_REGISTRATION = 0.03
const WARMUP = 1.5
/** Operations a second of a small machine in the closed model. */
const OPERATIONS_PER_SECOND = 1000

/** What measuring the floor takes, see floor.js. */
const FLOOR = 4700
/** A shorter measurement than 5 s, less a gap between operations, has none: it would be held up for long beside what it takes. */
const HAS_FLOOR_MS = 4900

/**
 * hasFloor says whether a run measures the floor of this generator, too.
 *
 * @param {Pick<Plan, 'network'>} plan
 * @param {number} measuredMs
 */
export const hasFloor = ({ network }, measuredMs) => network !== 'namespaces' && measuredMs >= HAS_FLOOR_MS

/** @param {Plan} plan */
function measured({ durationMs, minDurationMs, benchmarkRuns, ratePerSecond }) {
  const sendingMs = (1000 * (benchmarkRuns ?? Infinity)) / (ratePerSecond ?? OPERATIONS_PER_SECOND)
  return Math.min(durationMs ?? Infinity, Math.max(sendingMs, minDurationMs))
}

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
  const { nClients, initialRegistrations, warmupMs } = plan
  if (goesOn) return fixedMs(plan, goesOn) + GO_ON
  const joining = publishes(plan) ? JOINING + nClients * PER_PEER : 0
  const start = START + nClients * PER_CLIENT + initialRegistrations * PER_REGISTRATION + joining
  const floor = hasFloor(plan, measured(plan)) ? FLOOR : 0
  return fixedMs(plan) + start + floor + warmupMs * (WARMUP - 1)
}
