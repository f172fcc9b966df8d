import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeLimit } from '../../../kit/time-limit.js'

/**
 * @typedef {import('./ways/types.js').WayClient} WayClient
 *
 * @typedef {object} Handshakes - of one repeat
 * @property {number} due
 * @property {number} failed
 * @property {string | null} failure - why the first one that failed did
 * @property {number} completed
 * @property {readonly import('../measure/handshake-times.js').Shaken[]} times - of each, in the order in which they were due
 * @property {number} elapsedMs - until the last one ended
 * @property {number} activeMs - of that, the event loop was busy
 */

/**
 * handshakes has each client open connections at a rate, as the specification's second benchmark asks for (libp2p/specs perf/perf.md), and
 * close each when it is set up. They are due on a schedule, whatever became of those before; those of different clients take turns.
 *
 * @param {WayClient[]} clients
 * @param {{ handshakeRatePerSecond: number, handshakeForMs: number, timeoutMs: number }} how
 * @returns {Promise<Handshakes>}
 */
export async function handshakes(clients, { handshakeRatePerSecond, handshakeForMs, timeoutMs }) {
  const perSecond = handshakeRatePerSecond * clients.length
  const due = Math.max(1, Math.floor((perSecond * handshakeForMs) / 1000))
  const [startMs, before] = [performance.now(), performance.eventLoopUtilization()]
  /** @type {import('../measure/handshake-times.js').Shaken[]} */
  const times = []
  /** @type {string[]} */
  const failures = []
  const shake = async (/** @type {number} */ index) => {
    const dueMs = startMs + (index * 1000) / perSecond
    await sleep(Math.max(0, dueMs - performance.now()))
    const lateMs = performance.now() - dueMs
    let link
    try {
      link = await clients[index % clients.length].connect(timeLimit(timeoutMs))
    } catch (error) {
      times[index] = [performance.now() - dueMs, lateMs, false]
      failures.push(/** @type {Error} */ (error).message)
      return
    }
    times[index] = [performance.now() - dueMs, lateMs, true]
    try {
      await link.close()
    } catch {} // it was set up, however it ends
  }
  await Promise.all(Array.from({ length: due }, (_, index) => shake(index)))
  return {
    due,
    failed: failures.length,
    failure: failures[0] ?? null,
    completed: due - failures.length,
    times,
    elapsedMs: performance.now() - startMs,
    activeMs: performance.eventLoopUtilization(before).active
  }
}
