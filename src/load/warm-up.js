import { present, sumOf } from '../kit/lists.js'

/** A median that moves by less than this share from one stretch to the next has settled. */
const MOVES = 0.05

/** LONGEST: a warm-up lasts at most so many times as long as was asked for. */
const LONGEST = 5

const SECOND_MS = 1000

/** againMs is how long it takes to come to another rate where all is warm. @param {{ warmupMs: number }} plan */
export const againMs = ({ warmupMs }) => Math.min(SECOND_MS, warmupMs)

/** Three stretches make a warm-up that is shorter than three seconds. */
const STRETCHES = 3
const SHORTEST_STRETCH_MS = 50

/** Quantile of the standard normal distribution for an interval of 95 %. */
const Z = 1.96

/**
 * @typedef {object} Median - of the response times of a stretch
 * @property {number} p50Ms
 * @property {number} lowMs - of its 95 % interval
 * @property {number} highMs
 *
 * @typedef {import('../result/types.js').WarmUp} WarmUp
 *
 * @typedef {object} Stretch - a second of a warm-up, or less of a short one
 * @property {number} operations
 * @property {Readonly<Record<string, Median>>} medians - by type of operation
 */

/** stretchMs is how long a stretch of a warm-up of some length is. @param {number} warmupMs */
export const stretchMs = warmupMs => Math.max(SHORTEST_STRETCH_MS, Math.min(SECOND_MS, warmupMs / STRETCHES))

/**
 * medianOf reads the median of a distribution, with the interval between the order statistics n / 2 ± 1.96 · √n / 2, which holds
 * the true one with 95 % confidence (the normal approximation of the sign test's).
 *
 * @param {{ count: number, quantile: (share: number) => number }} times - in µs
 * @returns {Median}
 */
export function medianOf(times) {
  const half = Z / (2 * Math.sqrt(times.count))
  const ms = (/** @type {number} */ share) => times.quantile(Math.min(1, Math.max(0, share))) / 1000
  return { p50Ms: ms(0.5), lowMs: ms(0.5 - half), highMs: ms(0.5 + half) }
}

/** A move that chance can explain is looked for over so many stretches: a steady one shows over two where it does not over one. */
const LOOKED_BACK = 2

/** @param {Median} before @param {Median} after */
const byChance = (before, after) => before.lowMs <= after.highMs && after.lowMs <= before.highMs

/** @param {readonly Median[]} earlier - the latest first @param {Median} after */
function movedFrom(earlier, after) {
  for (const before of earlier) {
    const share = Math.abs(after.p50Ms - before.p50Ms) / before.p50Ms
    if (!byChance(before, after)) return share
    if (share < MOVES) return 0
  }
  return 0
}

/**
 * lastMove says by which share of itself a median moved from the last stretch but one to the last, of the type of operation that
 * moved most. A difference that chance alone explains, where so few operations were made, is none, unless the stretch before shows it.
 *
 * @param {readonly Stretch[]} stretches
 * @returns {number | null} null: there are no two
 */
export function lastMove(stretches) {
  const [after, ...earlier] = stretches.slice(-1 - LOOKED_BACK).reverse()
  if (earlier.length === 0) return null
  const moves = Object.entries(after.medians).map(([type, median]) =>
    movedFrom(present(earlier.map(({ medians }) => medians[type])), median)
  )
  return Math.max(0, ...moves)
}

/** settled says whether medians had come to rest. @param {readonly Stretch[]} stretches */
export const settled = stretches => (lastMove(stretches) ?? Infinity) < MOVES

/**
 * warmUpIsOver says whether a warm-up has lasted long enough: as long as was asked for, and until p50 of successive stretches moves
 * by less than 5 %; at most five times as long. Where all is warm and but the rate is another, it lasts as long as was asked for.
 *
 * @param {{ warmupMs: number, ms: number, stretches: readonly Stretch[], again?: boolean }} soFar - `ms`: it has lasted; `again`: all is
 *   warm
 */
export const warmUpIsOver = ({ warmupMs, ms, stretches, again = false }) =>
  ms >= LONGEST * warmupMs || (ms >= warmupMs && (again || settled(stretches)))

/**
 * warmUpResult is what a result says of a warm-up that is over.
 *
 * @param {{ ms: number, stretches: readonly Stretch[] }} soFar
 * @returns {WarmUp | null} null: there was none
 */
export const warmUpResult = ({ ms, stretches }) =>
  stretches.length === 0
    ? null
    : {
        durationMs: ms,
        operations: sumOf(stretches, ({ operations }) => operations),
        lastMove: lastMove(stretches),
        settled: settled(stretches)
      }
