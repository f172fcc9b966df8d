import { setTimeout as sleep } from 'node:timers/promises'
import { Distribution } from '../measure/distribution.js'
import { hostFacts } from '../measure/host.js'
import { watchHiccups } from './hiccups.js'

/** WATCHED_MS is how long a machine is watched: p99 of late timers needs 1,000 sleeps of 15 ms. */
export const WATCHED_MS = 16_000

/**
 * @typedef {object} WatchedHost
 * @property {import('../measure/host.js').Host} host
 * @property {import('../result/types.js').Summary} hiccups - by how much short sleeps were too long
 */

/**
 * watchedHost says what this machine is like, after it was watched for a time.
 *
 * @param {number} [ms]
 * @param {AbortSignal} [signal]
 * @returns {Promise<WatchedHost>}
 */
export async function watchedHost(ms = WATCHED_MS, signal) {
  const late = new Distribution()
  const watch = watchHiccups(data => late.known.merge(data))
  try {
    await watch.begun
    await sleep(ms, undefined, { signal })
  } finally {
    await watch.stop()
  }
  return { host: hostFacts(), hiccups: late.knownSummary() }
}
