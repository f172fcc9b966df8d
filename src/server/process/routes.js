// Routes of the HTTP ports of a rendezvous server.
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage, ownCoreTime } from '../../measure/resources.js'
import { decodeRegisterBody, FrameDecoder } from '../../protocol/rendezvous.js'
import { readSignerUnverified } from '../../protocol/signed-record.js'
import { json } from '../http.js'
import { DEFAULT_TTL_SECONDS } from '../limits.js'
import { AddOutcome } from '../store/registration.js'

const PIECE_BYTES = 4096
/** Added to a store in one go, where it takes many. */
const MANY = 500

/**
 * @typedef {import('../store/registration.js').NewRegistration} NewRegistration
 *
 * @typedef {object} BulkResult
 * @property {number} added
 * @property {number} replaced
 * @property {number} refused - by a cap
 */

/**
 * addInBulk adds registrations without checking their signatures. It takes no more bytes than it can store meanwhile.
 *
 * @param {AsyncIterable<Uint8Array>} chunks - Register bodies as encodeRegisterBody makes them, each behind its length as a
 *   varint
 * @param {import('../store/registration.js').RegistrationStore} store
 * @param {number} maxBodyBytes
 * @returns {Promise<BulkResult>}
 * @throws {Error} for bytes that are no such bodies; what came before them is in the store
 */
async function addInBulk(chunks, store, maxBodyBytes) {
  const decoder = new FrameDecoder(maxBodyBytes)
  const result = { added: 0, replaced: 0, refused: 0 }
  /** @type {NewRegistration[]} */
  const waiting = []
  const addWaiting = async () => {
    const outcomes = (await store.addMany?.(waiting.splice(0))) ?? {}
    for (const [outcome, times] of Object.entries(outcomes)) count(result, outcome, times)
  }
  for await (const chunk of chunks) {
    for (const piece of pieces(chunk)) {
      for (const body of decoder.push(piece)) {
        const registration = readRegistration(body)
        if (store.addMany === undefined) count(result, await store.add(registration))
        else if (waiting.push(copied(registration)) === MANY) await addWaiting()
      }
    }
  }
  if (waiting.length > 0) await addWaiting()
  if (decoder.midFrame) throw new Error('the last registration is cut off')
  return result
}

/** @param {BulkResult} result @param {string} outcome - one of AddOutcome @param {number} [times] */
function count(result, outcome, times = 1) {
  if (outcome === AddOutcome.ADDED) result.added += times
  else if (outcome === AddOutcome.REPLACED) result.replaced += times
  else result.refused += times
}

/** The decoder uses its memory again. @param {NewRegistration} registration @returns {NewRegistration} */
const copied = ({ signedPeerRecord, ...rest }) => ({ ...rest, signedPeerRecord: signedPeerRecord.slice() })

/**
 * A large chunk decoded at once leaves hundreds of objects alive together: the garbage collector takes them for
 * long-lived ones, and the process keeps 30 MB more.
 *
 * @param {Uint8Array} chunk
 */
function* pieces(chunk) {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES)
}

/** @param {Uint8Array} body */
function readRegistration(body) {
  const {
    ns = '',
    signedPeerRecord = new Uint8Array(0),
    ttl = DEFAULT_TTL_SECONDS
  } = decodeRegisterBody(body)
  if (ns === '') throw new Error('a registration has no namespace')
  if (!ns.isWellFormed()) throw new Error('the namespace of a registration is not UTF-8')
  const peerId = readSignerUnverified(signedPeerRecord)
  return { peerId, ns, signedPeerRecord, ttlSeconds: ttl }
}

/**
 * readBody gives the body of a request piece by piece, up to a number of bytes.
 *
 * @param {AsyncIterable<Uint8Array>} request
 * @param {number} maxBytes
 * @throws {Error} for a longer one, when that many bytes were given out
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
 * publicRoutes are what every server shows on its second port. A server is healthy while its store serves all it should; one that keeps
 * registrations elsewhere says more.
 *
 * @param {Pick<import('../store/registration.js').RegistrationStore, 'health'>} store
 * @param {ReturnType<typeof import('./metrics.js').createMetrics>} metrics
 * @returns {Record<string, Handler>}
 */
export const publicRoutes = (store, metrics) => ({
  'GET /healthz': () => healthOf(store.health?.()),
  'GET /metrics': () => metrics.page()
})

/** @param {import('../store/registration.js').StoreHealth} [store] @returns {import('../http.js').Answer} */
function healthOf(store) {
  if (store === undefined) return { body: 'ok\n' }
  const { problem, durability, waiting, underWay, heldMs } = store
  const lines = [
    problem === undefined ? 'ok' : `store: ${problem}`,
    `durability: ${durability}`,
    `requests at the store: ${underWay}, waiting for a connection: ${waiting}`,
    `new registrations held back for: ${Math.round(heldMs)} ms`
  ]
  return { status: problem === undefined ? 200 : 503, body: `${lines.join('\n')}\n` }
}

/**
 * controlRoutes are what a load tester uses; whoever can reach them can add registrations in other peers' names.
 *
 * @param {object} parts
 * @param {import('../store/registration.js').RegistrationStore} parts.store
 * @param {number} parts.maxMessageBytes
 * @param {() => Promise<import('./metrics.js').ServerState>} parts.readState
 * @param {Durations} parts.durations
 * @param {import('../../libp2p/node-settings.js').Settings} parts.settings - of the node that runs, other than what libp2p takes by itself
 * @returns {Record<string, Handler>}
 */
export const controlRoutes = ({ store, maxMessageBytes, readState, durations, settings }) => ({
  'POST /control/watch': watched(),
  'POST /control/collect': async () => json(await inUse()),
  'POST /control/registrations': async request =>
    json(await addInBulk(readBody(request, MAX_BODY_BYTES), store, maxMessageBytes)),
  'GET /control/state': async () => {
    const { user, system } = process.cpuUsage()
    return json({
      ...(await readState()),
      store: store.health?.(),
      cpuMicros: user + system,
      rssBytes: process.memoryUsage.rss()
    })
  },
  'GET /control/settings': () => json(settings),
  'GET /control/durations': () => json(durations.counts()),
  'DELETE /control/durations': () => {
    durations.reset()
    return json({})
  }
})

/** What the server costs is watched from when somebody asks first. @returns {Handler} */
function watched() {
  /** @type {LoopWatch | undefined} */
  let watch
  return () => {
    watch ??= new LoopWatch()
    return json(watch.seen())
  }
}

/** Memory of buffers is given back behind a collection, by a thread of its own. */
const SWEPT_MS = 500

/** What is in use once garbage is collected. */
async function inUse() {
  for (let times = 0; times < 2; times++) {
    collectGarbage()
    await sleep(SWEPT_MS)
  }
  const { heapUsed, external } = process.memoryUsage()
  return { heapBytes: heapUsed, externalBytes: external }
}

const TICK_MS = 5
const TICKS_PER_SAMPLE = 20

/**
 * @typedef {object} Seen - since it was asked last
 * @property {number} longestTurnMs - CPU time
 * @property {number} rssBytes - at most
 * @property {number} cpuMs - since the process began
 */

/** What this thread has worked, or, where the system does not tell, all threads of the process, so that it may be too much. */
function cpuMsOfThread() {
  const time = ownCoreTime()
  if (time !== null) return time.onCore / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * LoopWatch sees what a server costs. The longest turn of the event loop is the CPU time of its thread between two ticks of a timer, which
 * a busy machine does not lengthen; it is too large by at most what is done in 5 ms. Nobody has it who did not ask for it: the ticks cost
 * something, too.
 */
export class LoopWatch {
  #longestTurnMs = 0
  #rssBytes = process.memoryUsage.rss()
  #before = cpuMsOfThread()
  #ticks = 0
  #timer = setInterval(() => this.#tick(), TICK_MS).unref()

  #tick() {
    const now = cpuMsOfThread()
    this.#longestTurnMs = Math.max(this.#longestTurnMs, now - this.#before)
    if (++this.#ticks % TICKS_PER_SAMPLE === 0) this.#sample()
    this.#before = now
  }

  #sample() {
    this.#rssBytes = Math.max(this.#rssBytes, process.memoryUsage.rss())
  }

  /** seen is what there was since it was asked last. @returns {Seen} */
  seen() {
    this.#tick()
    this.#sample()
    const { user, system } = process.cpuUsage()
    const seen = {
      longestTurnMs: this.#longestTurnMs,
      rssBytes: this.#rssBytes,
      cpuMs: (user + system) / 1000
    }
    this.#longestTurnMs = 0
    this.#rssBytes = 0
    this.#before = cpuMsOfThread()
    return seen
  }

  stop() {
    clearInterval(this.#timer)
  }
}
