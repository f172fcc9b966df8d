import '../../../src/kit/runtime.js'
import { makeZerosLog, makeZerosOutcome } from '../../../src/scenarios/transfer/run/transfer-run.js'
import { validPlanOf } from '../../scenarios.js'

/** LIBP2P is the way over libp2p of the results here. */
export const LIBP2P = 'libp2p-3 noise yamux'

/** FREE is a network that takes no time. */
export const FREE = { latencyMs: 0, bytesPerSecond: null }

/** aTransfer is of a second. @param {object} [more] */
const aTransfer = more => ({
  ...{ round: FREE, way: LIBP2P, direction: 'upload', streams: 1, repeat: 0, bytes: 1e6, totalMs: 1000 },
  ...{ firstByteMs: null, bytesPerSecond: 1e6, steadyBytesPerSecond: null },
  ...{ clientCpuMs: 100, serverCpuMs: 200, clientRssBytes: 5e7, serverRssBytes: 6e7 },
  ...more
})

/**
 * aZerosResult is made of what each repeat moved.
 *
 * @param {Record<string, unknown>} options
 * @param {{ transfers?: object[], roundTrips?: Record<string, number>, exchanges?: [string, object[]][], handshakes?: [string, object[]][] }} [measured]
 */
export function aZerosResult(
  options,
  { transfers = [], roundTrips = {}, exchanges = [], handshakes = [] } = {}
) {
  const plan = validPlanOf('perf', options)
  const log = makeZerosLog(FREE)
  Object.assign(log, { roundTrips, transfers: transfers.map(aTransfer) })
  for (const [way, all] of exchanges) log.exchanges.set(way, /** @type {any} */ (all))
  for (const [way, all] of handshakes) log.handshakes.set(way, /** @type {any} */ (all))
  const measured = makeZerosOutcome(plan, [log], { settings: {}, measuredMs: 0 })
  const outcome = { ...measured, thresholds: [] }
  const result = { id: 'run', status: 'complete', scenario: 'transfer', plan, outcome }
  return /** @type {any} */ (result)
}

/** took is a handshake that was sent on time, and done. @param {number} ms @returns {import('../../../src/scenarios/transfer/figures.js').HandshakeTime} */
export const took = ms => [ms, 0, true]

/** shaken is a repeat of handshakes of 20 ms. @param {object} [more] */
export const shaken = more => ({
  ...{ due: 10, failed: 0, failure: null, completed: 10, times: [took(20), took(20)] },
  ...{ elapsedMs: 1000, activeMs: 100, cpuMicros: 50_000, serverCpuMicros: 30_000 },
  ...more
})
