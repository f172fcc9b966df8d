// HTTP routes of a rendezvous server: public ones such as /healthz, and control routes with which a load tester adds
// registrations or reads counters.
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '../../measure/resources.js'
import { decodeRegisterBody, FrameDecoder } from '../../protocol/rendezvous.js'
import { readSignerUnverified } from '../../protocol/signed-record.js'
import { makeJsonAnswer } from '../http.js'
import { DEFAULT_TTL_SECONDS } from '../limits.js'
import { AddOutcome } from '../store/registration.js'

const PIECE_BYTES = 4096
/** Registrations in one call of a store's addMany. */
const BATCH = 500

import { ResourceMonitor } from '../resource-monitor.js'

/**
 * @typedef {import('../store/registration.js').NewRegistration} NewRegistration
 *
 * @typedef {object} BulkResult
 * @property {number} added
 * @property {number} replaced
 * @property {number} refused - by a cap
 */

/**
 * addInBulk adds registrations without checking their signatures. It reads bytes only as fast as it can store them.
 *
 * @param {AsyncIterable<Uint8Array>} chunks - Register bodies as encodeRegisterBody makes them, each with its length before it as a varint
 * @param {import('../store/registration.js').RegistrationStore} store
 * @param {number} maxBodyBytes
 * @returns {Promise<BulkResult>}
 * @throws {Error} for other bytes; registrations before them are in the store
 */
async function addInBulk(chunks, store, maxBodyBytes) {
  const decoder = new FrameDecoder(maxBodyBytes)
  const result = { added: 0, replaced: 0, refused: 0 }
  const count = (/** @type {string} */ outcome, times = 1) => {
    if (outcome === AddOutcome.ADDED) result.added += times
    else if (outcome === AddOutcome.REPLACED) result.replaced += times
    else result.refused += times
  }
  /** @type {NewRegistration[]} */
  const batch = []
  const addBatch = async () => {
    const outcomes = (await store.addMany?.(batch.splice(0))) ?? {}
    for (const [outcome, times] of Object.entries(outcomes)) count(outcome, times)
  }
  for await (const chunk of chunks) {
    // A large chunk decoded at once leaves hundreds of objects alive together: the garbage collector takes them for long-lived objects, and
    // the process keeps 30 MB more.
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      for (const body of decoder.push(chunk.subarray(at, at + PIECE_BYTES))) {
        const registration = readRegistration(body)
        if (store.addMany === undefined) {
          count(await store.add(registration))
          continue
        }
        // the decoder reuses its memory
        batch.push({ ...registration, signedPeerRecord: registration.signedPeerRecord.slice() })
        if (batch.length === BATCH) await addBatch()
      }
    }
  }
  if (batch.length > 0) await addBatch()
  if (decoder.midFrame) throw new Error('the last registration is cut off')
  return result
}

/** @param {Uint8Array} body */
function readRegistration(body) {
  const { ns = '', signedPeerRecord = new Uint8Array(0), ttl } = decodeRegisterBody(body)
  if (ns === '') throw new Error('a registration has no namespace')
  if (!ns.isWellFormed()) throw new Error('the namespace of a registration is not UTF-8')
  const peerId = readSignerUnverified(signedPeerRecord)
  return { peerId, ns, signedPeerRecord, ttlSeconds: ttl ?? DEFAULT_TTL_SECONDS }
}

/**
 * readBody yields the body of a request piece by piece, up to a number of bytes.
 *
 * @param {AsyncIterable<Uint8Array>} request
 * @param {number} maxBytes
 * @throws {Error} for a longer body, after at most that many bytes
 */
export async function* readBody(request, maxBytes) {
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`a body has at most ${maxBytes} bytes`)
    yield chunk
  }
}

/**
 * @typedef {import('../http.js').Handler} Handler
 * @typedef {ReturnType<typeof import('./metrics.js').createDurations>} Durations
 */

// a million registrations of 4 kB
const MAX_BODY_BYTES = 4 * 2 ** 30

/**
 * makePublicRoutes are the routes of every server. A server is healthy while its store has no problem; for a store outside the process the
 * answer has more lines.
 *
 * @param {Pick<import('../store/registration.js').RegistrationStore, 'health'>} store
 * @param {ReturnType<typeof import('./metrics.js').createMetrics>} metrics
 * @returns {Record<string, Handler>}
 */
export const makePublicRoutes = (store, metrics) => ({
  'GET /healthz': () => describeHealth(store.health?.()),
  'GET /metrics': () => metrics.page()
})

/** @param {import('../store/registration.js').StoreHealth} [store] @returns {import('../http.js').Answer} */
function describeHealth(store) {
  if (store === undefined) return { body: 'ok\n' }
  const { problem, durability, waiting, underWay, blockedMs } = store
  const lines = [
    problem === undefined ? 'ok' : `store: ${problem}`,
    `durability: ${durability}`,
    `requests at the store: ${underWay}, waiting for a connection: ${waiting}`,
    `new registrations held back for: ${Math.round(blockedMs)} ms`
  ]
  return { status: problem === undefined ? 200 : 503, body: `${lines.join('\n')}\n` }
}

/**
 * makeControlRoutes are the routes for a load tester. A client that can reach them can add registrations in the name of any peer.
 *
 * @param {object} parts
 * @param {import('../store/registration.js').RegistrationStore} parts.store
 * @param {number} parts.maxMessageBytes
 * @param {() => Promise<import('./metrics.js').ServerState>} parts.readState
 * @param {Durations} parts.durations
 * @param {import('../../libp2p/node-settings.js').LibrarySettings} parts.settings - of the node, as far as they differ from libp2p's defaults
 * @returns {Record<string, Handler>}
 */
export function makeControlRoutes({ store, maxMessageBytes, readState, durations, settings }) {
  /** made by the first request for it @type {ResourceMonitor | undefined} */
  let watch
  return {
    'POST /control/watch': () => {
      watch ??= new ResourceMonitor()
      return makeJsonAnswer(watch.takeUsage())
    },
    'POST /control/collect': async () => {
      for (let times = 0; times < 2; times++) {
        collectGarbage()
        await sleep(SWEEP_MS)
      }
      const { heapUsed, external } = process.memoryUsage()
      return makeJsonAnswer({ heapBytes: heapUsed, externalBytes: external })
    },
    'POST /control/registrations': async request =>
      makeJsonAnswer(await addInBulk(readBody(request, MAX_BODY_BYTES), store, maxMessageBytes)),
    'GET /control/state': async () => {
      const { user, system } = process.cpuUsage()
      const rssBytes = process.memoryUsage.rss()
      return makeJsonAnswer({
        ...(await readState()),
        store: store.health?.(),
        cpuMicros: user + system,
        rssBytes
      })
    },
    'GET /control/settings': () => makeJsonAnswer(settings),
    'GET /control/durations': () => makeJsonAnswer(durations.counts()),
    'DELETE /control/durations': () => {
      durations.reset()
      return makeJsonAnswer({})
    }
  }
}

/** Memory of buffers is freed after a collection, by another thread. */
const SWEEP_MS = 500
