import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { within } from '../kit/time-limit.js'
import { clientAddressFor } from './client-address.js'
import { ClientErrorCode } from './errors.js'
import { createClientNode } from './node.js'
import { registrantAddress, registrantKey } from './registrant-records.js'
import { rendezvousClient } from './rendezvous-client.js'

/**
 * @typedef {import('./rendezvous-client.js').RendezvousClient} RendezvousClient
 *
 * @typedef {object} OverWireOptions
 * @property {import('@multiformats/multiaddr').Multiaddr} server
 * @property {number} seed - of the plan
 * @property {number} count - registrants 0 to count − 1
 * @property {(index: number) => string} namespaceOf
 * @property {string} [recordDomain] - one of RecordDomain
 * @property {number} [concurrency] - registrants under way at a time; default 8
 * @property {boolean} [stock] - their nodes are libp2p as published; default false
 * @property {number} [timeoutMs] - for one registrant, all attempts; default 30,000
 * @property {(done: number, total: number) => void} [onProgress]
 * @property {AbortSignal} [signal]
 */

// libp2p for JavaScript takes 10 connections at a time unless told otherwise
const DEFAULT_CONCURRENCY = 8
const DEFAULT_TIMEOUT_MS = 30_000
const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 4000]

/**
 * registerOverWire registers registrants at any rendezvous server, each as a libp2p node of its own that connects,
 * registers and leaves. It stops at the first that fails: registrants before and about it may be registered by then, and
 * unregisterOverWire with the same options takes back whatever is there.
 *
 * @param {OverWireOptions & { ttlSeconds?: number }} options
 * @returns {Promise<number>} the least time to live that was granted, in seconds; Infinity where the server did not say
 * @throws {import('./errors.js').ClientError} with the index of the registrant in its message; or the signal's reason
 */
export async function registerOverWire({ ttlSeconds, ...options }) {
  let leastTtl = Infinity
  await forEachRegistrant(options, async (client, index, signal) => {
    const granted = await client.register(options.server, options.namespaceOf(index), { ttlSeconds, signal })
    leastTtl = Math.min(leastTtl, granted ?? leastTtl)
  })
  return leastTtl
}

/**
 * unregisterOverWire takes registrations back, connecting as each of the peers again. Those that were not there do no
 * harm.
 *
 * @param {OverWireOptions} options
 * @throws {import('./errors.js').ClientError} as registerOverWire
 */
export const unregisterOverWire = options =>
  forEachRegistrant(options, (client, index, signal) =>
    client.unregister(options.server, options.namespaceOf(index), { signal })
  )

/**
 * @param {OverWireOptions} options
 * @param {(client: RendezvousClient, index: number, signal: AbortSignal) => Promise<unknown>} operate
 */
async function forEachRegistrant(options, operate) {
  const { count, concurrency = DEFAULT_CONCURRENCY, onProgress = () => {}, signal } = options
  const failed = new AbortController()
  const stop = signal == null ? failed.signal : AbortSignal.any([signal, failed.signal])
  const indexes = range(count)
  let done = 0
  const work = async () => {
    for (const index of indexes) {
      await asRegistrant(options, index, stop, operate)
      onProgress(++done, count)
    }
  }
  const workAndReport = () => work().catch(error => failed.abort(error))
  await Promise.all(Array.from({ length: concurrency }, workAndReport))
  signal?.throwIfAborted()
  failed.signal.throwIfAborted()
}

/**
 * @param {OverWireOptions} options
 * @param {number} index
 * @param {AbortSignal} stop
 * @param {(client: RendezvousClient, index: number, signal: AbortSignal) => Promise<unknown>} operate
 */
async function asRegistrant(
  { server, seed, recordDomain, stock, timeoutMs = DEFAULT_TIMEOUT_MS },
  index,
  stop,
  operate
) {
  const signal = within(stop, timeoutMs)
  const node = await createClientNode({
    privateKey: await registrantKey(seed, index),
    localAddress: clientAddressFor(server, index, process.platform),
    announce: [`${multiaddr(registrantAddress(index))}`],
    services: { rendezvous: rendezvousClient({ recordDomain }) },
    stock
  })
  await node.start()
  try {
    await withRetries(() => operate(node.services.rendezvous, index, signal), signal)
  } catch (error) {
    throw stop.aborted ? stop.reason : naming(error, index)
  } finally {
    await node.stop()
  }
}

/**
 * Servers with libp2p's defaults drop connections when many come from one host within a second: those are tried again.
 * A server that refuses, or does not listen, is not.
 *
 * @param {() => Promise<unknown>} attempt
 * @param {AbortSignal} signal
 */
async function withRetries(attempt, signal) {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isDropped(error) || signal.aborted) throw error
      // not all together again
      const jitteredMs = delayMs * (0.5 + Math.random())
      await sleep(jitteredMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
  return attempt()
}

/** @type {Set<unknown>} */
const DROPPED = new Set([ClientErrorCode.CONNECTION_DROPPED, ClientErrorCode.LOST, ClientErrorCode.RESET])

/** @param {unknown} error */
const isDropped = error => DROPPED.has(/** @type {{ code?: unknown }} */ (error)?.code)

/** @param {any} error @param {number} index */
function naming(error, index) {
  error.message = `registrant ${index}: ${error.message}`
  return error
}

/** @param {number} count */
function* range(count) {
  for (let index = 0; index < count; index++) yield index
}
