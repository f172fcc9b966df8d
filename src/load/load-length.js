import { dueIn } from './offered-load.js'
import { rolesOf } from './roles.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 *
 * @typedef {object} LoadLength - how much load is generated: it ends with the operations or the duration, whichever comes first
 * @property {number | null} operations - of all workers together; null: no limit
 * @property {number | null} durationMs - no operation begins after it; null: no limit
 * @property {number} minDurationMs - more operations follow until so much time has passed
 */

/** A stretch of the warm-up that changes registrations has so many operations at least. */
const WARM_UP_OPERATIONS = 1000

/** What is left of a stretch of the warm-up is not worth further load below this. */
const SHORTEST_MS = 50

/**
 * changesState says whether the operations of a plan leave other registrations behind than they found. A mix that refreshes
 * registers again what it unregistered.
 *
 * @param {Pick<Plan, 'benchmarkType' | 'registerMode'>} plan
 */
export const changesState = ({ benchmarkType, registerMode }) =>
  benchmarkType === 'UNREGISTER' || (benchmarkType !== 'DISCOVER' && registerMode === 'new')

/**
 * mostOperations is how many operations can change the registrations of all clients before a server's cap on the registrations of
 * one peer is reached.
 *
 * @param {Pick<Plan, 'nClients' | 'maxPeerRegistrations'>} plan
 */
export const mostOperations = ({ nClients, maxPeerRegistrations }) => nClients * maxPeerRegistrations

/**
 * measuredLength is how much load the measurement has. In the open model the number of operations follows from the schedule.
 *
 * @param {Plan} plan
 * @returns {LoadLength}
 */
export function measuredLength(plan) {
  const { benchmarkRuns, durationMs, minDurationMs, ratePerSecond } = plan
  // of each role as many operations as are due by the end
  if (ratePerSecond === null || rolesOf(plan).length > 0)
    return { operations: benchmarkRuns, durationMs, minDurationMs }
  const due = durationMs === null ? Infinity : Math.max(1, dueIn({ ...plan, ratePerSecond }))
  const least = (ratePerSecond * minDurationMs) / 1000
  const operations = Math.min(due, Math.max(benchmarkRuns ?? Infinity, Math.ceil(least)))
  return { operations, durationMs: null, minDurationMs: 0 }
}

/**
 * warmUpLength is how much load the rest of a stretch of the warm-up has.
 *
 * @param {Plan} plan
 * @param {number} leftMs - of the stretch
 * @returns {LoadLength | null} null: it is over
 */
export function warmUpLength(plan, leftMs) {
  if (leftMs < SHORTEST_MS) return null
  const enough = Math.max(plan.benchmarkRuns ?? Infinity, WARM_UP_OPERATIONS)
  const operations = changesState(plan) ? Math.min(mostOperations(plan), enough) : null
  return { operations, durationMs: leftMs, minDurationMs: 0 }
}
