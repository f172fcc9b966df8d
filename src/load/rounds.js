import { dueIn } from './offered-load.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../scenarios/rendezvous/run/load-worker.js').Round} Round
 */

/** Without a number of operations, rounds that change the server's state are undone after so many a client. */
const LARGEST_CLIENT_ROUND = 1000

/** What is left of a duration is not worth a further round below this. */
const SHORTEST_ROUND_MS = 50

/** A warm-up round of a plan that has no size of its own. */
const WARMUP_OPERATIONS = 1000

/** changesState says whether the operations of a plan leave other registrations behind than they found. @param {Plan} plan */
export const changesState = ({ benchmarkType, registerMode }) =>
  benchmarkType !== 'DISCOVER' && !(benchmarkType === 'REGISTER' && registerMode === 'refresh')

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
    const operations = dueIn({ ...plan, ratePerSecond })
    return measuredMs === 0 ? { operations: Math.max(1, operations), durationMs: null } : null
  }
  if (leftMs < SHORTEST_ROUND_MS) return null
  return { operations: changesState(plan) ? stateRound(plan) : null, durationMs: leftMs }
}

/**
 * warmupRound gives the next round of the warm-up: until both its time and 1,000 operations per worker are reached, and no
 * longer than five times its time.
 *
 * @param {Plan} plan
 * @param {{ ms: number, operations: number }} done
 * @returns {Round | null} null: enough
 */
export function warmupRound(plan, { ms, operations }) {
  const { warmupMs, workers, benchmarkRuns } = plan
  const leftMs = 5 * warmupMs - ms
  if (leftMs <= 0 || (ms >= warmupMs && operations >= WARMUP_OPERATIONS * workers)) return null
  const size = changesState(plan) ? stateRound(plan) : WARMUP_OPERATIONS * workers
  return {
    operations: Math.min(size, Math.max(benchmarkRuns ?? size, WARMUP_OPERATIONS)),
    durationMs: leftMs
  }
}

/** REWARM_MS is the time to come to another rate, where all is warm. */
export const REWARM_MS = 1000

/**
 * rewarmRound gives the round that takes server and clients, which are warm, from one rate to another.
 *
 * @param {Plan} plan
 * @param {{ ms: number }} done
 * @returns {Round | null} null: enough
 */
export function rewarmRound(plan, { ms }) {
  const durationMs = Math.min(REWARM_MS, plan.warmupMs) - ms
  if (durationMs < SHORTEST_ROUND_MS) return null
  return { operations: changesState(plan) ? stateRound(plan) : null, durationMs }
}

/** @param {Plan} plan */
const stateRound = ({ nClients, maxPeerRegistrations }) =>
  nClients * Math.min(LARGEST_CLIENT_ROUND, maxPeerRegistrations)
