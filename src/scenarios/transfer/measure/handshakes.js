import { largestOf, sumOf } from '../../../kit/lists.js'
import { medianInterval } from '../../../measure/median-interval.js'
import { Overheads } from '../../../measure/overhead.js'
import { CENSORED_TOLERANCE } from '../../../measure/summary.js'
import { generatorLimited } from '../../generator-limited.js'

/**
 * quantile is the value below which a share of sorted ones lies, between two neighbours in proportion.
 *
 * @param {readonly number[]} sorted - ascending, at least one
 * @param {number} share - 0 to 1
 */
function quantile(sorted, share) {
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  return sorted[below] + (at - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below])
}

/**
 * quartiles sum up samples, as box plots show them.
 *
 * @param {readonly number[]} values
 * @returns {{ count: number, min: number, q1: number, median: number, q3: number, max: number } | null} null: there are none
 */
export function quartiles(values) {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => quantile(sorted, share)
  return { count: values.length, min: at(0), q1: at(0.25), median: at(0.5), q3: at(0.75), max: at(1) }
}

/**
 * @typedef {[ms: number, lateMs: number, done: boolean]} Shaken - a handshake: from when it was due until it was done or had failed, and how
 *   late it began
 * @typedef {NonNullable<import('../transfer-plan.js').HandshakeRow['times']>} HandshakeTimes
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

/**
 * handshakeWarnings say where the client had too large a part in handshakes.
 *
 * @param {readonly import('../transfer-plan.js').HandshakeRow[]} rows
 * @returns {import('../../../result/types.js').Warning[]}
 */
export const handshakeWarnings = rows =>
  generatorLimited({
    health: [{ worker: 0, utilization: largestOf(rows, ({ utilization = 0 }) => utilization) }],
    times: rows.flatMap(({ way, times }) =>
      times === null ? [] : [[`handshakes of ${way}`, { p50: medianOf(times) }]]
    )
  })

/**
 * @typedef {object} HandshakesTold - of one repeat
 * @property {number} due
 * @property {number} failed
 * @property {string | null} failure
 * @property {number} completed
 * @property {readonly Shaken[]} times - of all, or of some of them
 * @property {number} elapsedMs
 * @property {number} activeMs - of that, the clients' event loop was busy
 * @property {number} cpuMicros - of the clients' process
 * @property {number | null} serverCpuMicros - null: not known
 */

/** Below this a round trip is the work of both ends rather than a way. */
const MIN_ROUND_TRIP_MS = 5

/** @param {number} sum @param {number} count */
const each = (sum, count) => (count === 0 ? null : sum / 1000 / count)

/**
 * handshakeRow are the figures of the handshakes of a way.
 *
 * @param {string} way
 * @param {readonly HandshakesTold[]} told
 * @param {Pick<import('../transfer-plan.js').TransferPlan, 'clients' | 'handshakeRatePerSecond' | 'handshakeForMs'>} plan
 * @param {number} [roundTripMs]
 */
export function handshakeRow(
  way,
  told,
  { clients, handshakeRatePerSecond, handshakeForMs },
  roundTripMs = 0
) {
  const sum = (/** @type {(one: HandshakesTold) => number} */ of) => sumOf(told, of)
  const times = handshakeTimes(told.flatMap(one => one.times))
  const completed = sum(one => one.completed)
  const serverKnown = told.every(({ serverCpuMicros }) => serverCpuMicros !== null)
  return {
    way,
    duePerSecond: clients * handshakeRatePerSecond,
    due: sum(({ due }) => due),
    failed: sum(({ failed }) => failed),
    failure: told.find(({ failure }) => failure !== null)?.failure ?? null,
    perSecond:
      completed === 0
        ? null
        : medianInterval(told.map(one => (1000 * one.completed) / Math.max(one.elapsedMs, handshakeForMs))),
    times,
    // of a lower bound it is not known
    roundTrips:
      times === null || times.censored || roundTripMs < MIN_ROUND_TRIP_MS ? null : times.median / roundTripMs,
    utilization: sum(({ activeMs }) => activeMs) / sum(({ elapsedMs }) => elapsedMs),
    cpuMsEach: {
      client: each(
        sum(({ cpuMicros }) => cpuMicros),
        completed
      ),
      server: serverKnown
        ? each(
            sum(({ serverCpuMicros }) => serverCpuMicros ?? 0),
            completed
          )
        : null
    }
  }
}
