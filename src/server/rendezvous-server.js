import { Cookies } from '../protocol/cookie.js'
import { PROTOCOL } from '../protocol/status.js'
import { LIMITS } from './limits.js'
import { waitFor } from './reply-delay.js'
import { readRequest, serveRequest } from './requests.js'
import { MemoryStore } from './store/memory-store.js'
import { StreamSession } from './stream-session.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./limits.js').Limits} Limits
 * @typedef {import('./store/registration-store.js').RegistrationStore} RegistrationStore
 *
 * @typedef {object} Observer - is told what happens
 * @property {(operation: string, status: number, durationMs: number) => void} [onOperation] - from the decoded request
 *   to the reply handed over to libp2p
 * @property {(error: Error) => void} [onRefused] - a stream was reset because of what the other side did
 * @property {(error: unknown, operation: string) => void} [onFailure] - a request failed for a reason that is ours
 *
 * @typedef {Partial<Limits> & Observer & {
 *   store?: RegistrationStore,
 *   cookieKey?: Uint8Array,
 *   now?: () => number,
 *   replyDelayMs?: number
 * }} RendezvousServerInit - `store`: where registrations are kept, default in memory; it applies the caps itself.
 *   `cookieKey`: secret that authenticates cookies, default random; needed with a store that outlives the process.
 *   `now`: ms on a clock that never steps back. `replyDelayMs`: every reply waits for this long, for tests of whoever measures
 *   the server
 *
 * @typedef {object} RendezvousServerComponents
 * @property {Pick<import('@libp2p/interface-internal').Registrar, 'handle' | 'unhandle'>} registrar
 */

/**
 * rendezvousServer is the server side of `/rendezvous/1.0.0` as a libp2p service.
 *
 * @param {RendezvousServerInit} [init]
 * @returns {(components: RendezvousServerComponents) => RendezvousServer}
 */
export const rendezvousServer =
  (init = {}) =>
  components =>
    new RendezvousServer(components, init)

/** RendezvousServer answers REGISTER, UNREGISTER and DISCOVER; made by `rendezvousServer`. */
export class RendezvousServer {
  #registrar
  #limits
  #store
  #context
  #observer
  #now
  #replyDelayMs
  /** @type {Set<Stream>} */
  #streams = new Set()

  /** @param {RendezvousServerComponents} components @param {RendezvousServerInit} init */
  constructor({ registrar }, { store, cookieKey, now = () => performance.now(), replyDelayMs = 0, ...init }) {
    this.#registrar = registrar
    this.#limits = pickLimits(init)
    this.#store = store ?? new MemoryStore({ ...this.#limits, now })
    this.#observer = init
    this.#now = now
    this.#replyDelayMs = replyDelayMs
    this.#context = {
      store: this.#store,
      cookies: new Cookies(cookieKey),
      limits: this.#limits,
      onFailure: init.onFailure ?? (() => {})
    }
  }

  get [Symbol.toStringTag]() {
    return 'libp2p-loadtest/rendezvous-server'
  }

  /** store is where the registrations are. */
  get store() {
    return this.#store
  }

  /** streams is how many streams are open. */
  get streams() {
    return this.#streams.size
  }

  async start() {
    await this.#store.start()
    await this.#registrar.handle(PROTOCOL, this.#serve, { maxInboundStreams: this.#limits.maxStreams })
  }

  async stop() {
    await this.#registrar.unhandle(PROTOCOL)
    for (const stream of this.#streams) stream.abort(new Error('server stops'))
    await this.#store.stop()
  }

  /** @param {Stream} stream @param {Connection} connection */
  #serve = (stream, connection) => {
    if (stream.status !== 'open') return
    const peerId = connection.remotePeer.toMultihash().bytes
    this.#streams.add(stream)
    new StreamSession(stream, {
      answer: (frame, send) => this.#answer(frame, send, peerId),
      maxMessageBytes: this.#limits.maxMessageBytes,
      idleTimeoutMs: this.#limits.streamIdleTimeoutMs,
      onRefused: error => this.#observer.onRefused?.(error),
      onEnd: () => this.#streams.delete(stream)
    })
  }

  /** @param {Uint8Array} frame @param {(frame: Uint8Array) => Promise<void>} send @param {Uint8Array} peerId */
  async #answer(frame, send, peerId) {
    const request = readRequest(frame)
    const began = this.#now()
    const { operation, status, frame: reply } = await serveRequest(request, peerId, this.#context)
    if (this.#replyDelayMs > 0) await waitFor(this.#replyDelayMs, this.#now)
    const sent = reply === undefined ? undefined : send(reply)
    this.#observer.onOperation?.(operation, status, this.#now() - began)
    await sent
  }
}

/** @param {Partial<Limits>} init @returns {Limits} */
const pickLimits = init =>
  /** @type {Limits} */ (
    Object.fromEntries(
      Object.entries(LIMITS).map(([name, value]) => [name, init[/** @type {keyof Limits} */ (name)] ?? value])
    )
  )
