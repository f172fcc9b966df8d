import { medianInterval } from '../../../measure/median-interval.js'
import { handshakeTimes } from './handshake-times.js'

/**
 * @typedef {object} HandshakesTold - of one repeat
 * @property {number} due
 * @property {number} failed
 * @property {string | null} failure
 * @property {number} completed
 * @property {readonly import('./handshake-times.js').Shaken[]} times - of all, or of some of them
 * @property {number} elapsedMs
 * @property {number} activeMs - of that, the clients' event loop was busy
 * @property {number} cpuMicros - of the clients' process
 * @property {number | null} serverCpuMicros - null: not known
 */

/** Below this a round trip is the work of both ends rather than a way. */
const LEAST_ROUND_TRIP_MS = 5

/** @param {number} sum @param {number} count */
const each = (sum, count) => (count === 0 ? null : sum / 1000 / count)

/**
 * handshakeRow are the figures of the handshakes of a way.
 *
 * @param {string} way
 * @param {readonly HandshakesTold[]} told
 * @param {Pick<import('../perf-plan.js').PerfPlan, 'clients' | 'handshakeRatePerSecond' | 'handshakeForMs'>} plan
 * @param {number} [roundTripMs]
 */
export function handshakeRow(
  way,
  told,
  { clients, handshakeRatePerSecond, handshakeForMs },
  roundTripMs = 0
) {
  const sum = (/** @type {(one: HandshakesTold) => number} */ of) =>
    told.reduce((total, one) => total + of(one), 0)
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
      times === null || times.censored || roundTripMs < LEAST_ROUND_TRIP_MS
        ? null
        : times.median / roundTripMs,
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
