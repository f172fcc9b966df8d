import { Overheads } from '../../../measure/overhead.js'
import { CENSORED_TOLERANCE } from '../../../measure/summary.js'
import { quartiles } from './quartiles.js'

/**
 * @typedef {[ms: number, lateMs: number, done: boolean]} Shaken - a handshake: from when it was due until it was done or had failed, and how
 *   late it began
 * @typedef {NonNullable<import('../perf-types.js').HandshakeRow['times']>} HandshakeTimes
 */

/** Timers come as late as this: it says nothing of how busy the client was. */
const TIMER_SLACK_MS = 1.5

/** @param {readonly Shaken[]} shaken @param {(one: Shaken) => number} ms */
const medianBy = (shaken, ms) => Number(quartiles(shaken.map(ms))?.median)

/**
 * handshakeTimes sum up handshakes. One that failed counts with the time until it did, for it would have taken longer; a median that would
 * change if it had taken for ever is a lower bound. Its client overhead is how late the handshakes around it began.
 *
 * @param {readonly Shaken[]} shaken
 * @returns {HandshakeTimes | null} ms; null: none was done
 */
export function handshakeTimes(shaken) {
  if (!shaken.some(([, , done]) => done)) return null
  const times = /** @type {NonNullable<ReturnType<typeof quartiles>>} */ (quartiles(shaken.map(([ms]) => ms)))
  const ifNeverDone = medianBy(shaken, ([ms, , done]) => (done ? ms : Number.MAX_VALUE))
  const overheads = new Overheads()
  for (const [ms, lateMs] of shaken)
    overheads.record(1000 * ms, 1000 * Math.min(ms, Math.max(0, lateMs - TIMER_SLACK_MS)))
  return {
    ...times,
    censored: ifNeverDone > times.median * (1 + CENSORED_TOLERANCE),
    overheadMs: Number(overheads.near(1000 * times.median)) / 1000
  }
}

/**
 * medianOf is the median of handshakes as other times have a percentile. In results from before failed ones counted none is a lower bound.
 *
 * @param {HandshakeTimes} times
 */
export const medianOf = ({ median: ms, censored = false, overheadMs }) => ({
  ms,
  censored,
  ...(overheadMs !== undefined && { overheadMs })
})
