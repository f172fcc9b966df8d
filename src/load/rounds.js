import { dueIn } from './offered-load.js'
import { rolesOf } from './roles.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../scenarios/rendezvous/run/load-worker.js').Round} Round
 */

/** Without a number of operations, rounds that change the server's state are undone after so many a client. */
const LARGEST_CLIENT_ROUND = 1000

/** What is left of a duration is not worth a further round below this. */
const SHORTEST_ROUND_MS = 50

/** A warm-up round that changes the server's state has so many at least, for the little that a smaller one would measure. */
const WARMUP_OPERATIONS = 1000

/** changesState says whether the operations of a plan leave other registrations behind than they found. @param {Plan} plan */
export const changesState = ({ benchmarkType, registerMode, ...plan }) =>
  benchmarkType !== 'DISCOVER' &&
  !(registerMode === 'refresh' && (benchmarkType === 'REGISTER' || rolesOf(plan).length > 0))

/**
 * measureRound gives the next round of the measure phase. Every round begins with the same registrations; short plans repeat
 * until `minDurationMs` is reached, plans with a duration until that is over.
 *
 * @param {Plan} plan
 * @param {number} measuredMs - so far
 * @returns {Round | null} null: enough
 */
export function measureRound(plan, measuredMs) {
  const { benchmarkRuns, durationMs, minDurationMs, ratePerSecond } = plan
  if (benchmarkRuns != null) {
    return measuredMs === 0 || measuredMs < minDurationMs
      ? { operations: benchmarkRuns, durationMs: null }
      : null
  }
  const leftMs = (durationMs ?? 0) - measuredMs
  if (ratePerSecond != null) {
    // of each role as many as are due by the end
    if (rolesOf(plan).length > 0) return measuredMs === 0 ? { operations: null, durationMs } : null
    const operations = dueIn({ ...plan, ratePerSecond })
    return measuredMs === 0 ? { operations: Math.max(1, operations), durationMs: null } : null
  }
  if (leftMs < SHORTEST_ROUND_MS) return null
  return { operations: changesState(plan) ? stateRound(plan) : null, durationMs: leftMs }
}

/**
 * warmupRound gives the next round of a stretch of the warm-up.
 *
 * @param {Plan} plan
 * @param {number} leftMs - of the stretch
 * @returns {Round | null} null: it is over
 */
export function warmupRound(plan, leftMs) {
  if (leftMs < SHORTEST_ROUND_MS) return null
  const most = Math.max(plan.benchmarkRuns ?? Infinity, WARMUP_OPERATIONS)
  return { operations: changesState(plan) ? Math.min(stateRound(plan), most) : null, durationMs: leftMs }
}

/** stateRound is how many operations a round has at most that leaves other registrations behind. @param {Plan} plan */
export const stateRound = ({ nClients, maxPeerRegistrations }) =>
  nClients * Math.min(LARGEST_CLIENT_ROUND, maxPeerRegistrations)
