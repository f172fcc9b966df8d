import { roundsOf } from './rounds.js'

/** Starting the processes. */
const START_MS = 1500
/** Nodes, servers and connections of a way, made for each repeat. */
const OPEN_MS = 150
/** Round trips until a connection stands and is measured, and until the window of a stream has grown. */
const ROUND_TRIPS = 10
/** What two processes make of a file and move in a ms, checked and stored, on two cores. */
const BYTES_PER_MS = 40_000

/**
 * estimateMs is about how long a run takes.
 *
 * @param {import('../transfer-plan.js').TransferPlan} plan
 * @returns {number}
 */
export function estimateMs(plan) {
  const bytes = plan.sizeBytes * plan.concurrency * plan.requestors
  const moveMs = bytes / BYTES_PER_MS
  const perRound = roundsOf(plan).map(
    ({ latencyMs, bytesPerSecond }) =>
      OPEN_MS +
      2 * latencyMs * ROUND_TRIPS +
      Math.max(moveMs, bytesPerSecond === null ? 0 : (bytes / bytesPerSecond) * 1000)
  )
  const perSquare = perRound.reduce((sum, ms) => sum + ms, 0)
  const warmUpMs = plan.ways.length * (OPEN_MS + moveMs)
  return START_MS + moveMs + warmUpMs + plan.ways.length * plan.repeats * perSquare
}
