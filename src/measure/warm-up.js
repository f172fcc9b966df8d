import { largestOf, present, sumOf } from '../kit/lists.js'
import { driftOf } from './stationarity.js'

/** LONGEST: a warm-up lasts at most so many times as long as was asked for. */
const LONGEST = 5

const SECOND_MS = 1000

/** againMs is how long it takes to come to another rate where all is warm. @param {{ warmupMs: number }} plan */
export const againMs = ({ warmupMs }) => Math.min(SECOND_MS, warmupMs)

/** Three stretches make a warm-up that is shorter than three seconds. */
const STRETCHES = 3
const SHORTEST_STRETCH_MS = 50
/** Times are counted in µs. */
const LEAST_MS = 0.001

/** So many operations compile what they run through, on both sides: with fewer, each takes up to ten times the CPU. */
const COMPILED_OPERATIONS = 5000

/**
 * @typedef {import('../result/types.js').WarmUp} WarmUp
 *
 * @typedef {object} Stretch - a second of a warm-up, or less of a short one
 * @property {number} operations
 * @property {Readonly<Record<string, [number, number][]>>} times - by type of operation: µs and count
 */

/** stretchMs is how long a stretch of a warm-up of some length is. @param {number} warmupMs */
export const stretchMs = warmupMs => Math.max(SHORTEST_STRETCH_MS, Math.min(SECOND_MS, warmupMs / STRETCHES))

/**
 * lastDrifts are those of the last three stretches, by the rule that measurements go by, of each type of operation.
 *
 * @param {readonly Stretch[]} stretches
 */
function lastDrifts(stretches) {
  const last = stretches.slice(-STRETCHES)
  if (last.length < STRETCHES) return []
  const types = [...new Set(last.flatMap(({ times }) => Object.keys(times)))]
  return present(
    types.map(type => driftOf(last.map(({ times }, second) => ({ second, histogram: times[type] ?? [] }))))
  )
}

/**
 * warmUpIsOver says whether a warm-up has lasted long enough: as long as was asked for, and until p50 has settled over its last three stretches;
 * at full load also until code is compiled; at most five times as long. Where all is warm and but the rate is another, it lasts as long as was
 * asked for.
 *
 * @param {{ warmupMs: number, ms: number, stretches: readonly Stretch[], again?: boolean, fullLoad?: boolean }} soFar - `ms`: it has lasted;
 *   `again`: all is warm; `fullLoad`: as many operations are sent as can be
 */
export function warmUpIsOver({ warmupMs, ms, stretches, again = false, fullLoad = false }) {
  if (ms < warmupMs) return false
  if (again || ms >= LONGEST * warmupMs) return true
  if (fullLoad && operationsIn(stretches) < COMPILED_OPERATIONS) return false
  return stretches.length >= STRETCHES && lastDrifts(stretches).every(({ settled }) => settled)
}

/** @param {readonly Stretch[]} stretches */
const operationsIn = stretches => sumOf(stretches, ({ operations }) => operations)

/**
 * warmUpResult is what a result says of a warm-up that is over.
 *
 * @param {{ ms: number, stretches: readonly Stretch[] }} soFar
 * @returns {WarmUp | null} null: there was none
 */
export function warmUpResult({ ms, stretches }) {
  if (stretches.length === 0) return null
  const drifts = lastDrifts(stretches)
  return {
    durationMs: ms,
    operations: operationsIn(stretches),
    lastMove:
      drifts.length === 0
        ? null
        : largestOf(
            drifts,
            ({ firstMs, lastMs }) => Math.abs(lastMs - firstMs) / Math.max(firstMs, LEAST_MS)
          ),
    settled: drifts.length > 0 && drifts.every(({ settled }) => settled)
  }
}
