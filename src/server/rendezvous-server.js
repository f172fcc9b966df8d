import { BYTES, FUNCTION, MILLISECONDS, optionProblems, shown, wholeNumber } from '../kit/option-kinds.js'
import { isMultiaddr } from '../plan/addresses.js'
import { Cookies } from '../protocol/cookie.js'
import { LATE_TEXT, PROTOCOL } from '../protocol/status.js'
import { Callers } from './callers.js'
import { CheckedRecords } from './checked-records.js'
import { LIMITS } from './limits.js'
import { isNetwork, ServerOptionsError } from './options.js'
import { waitFor } from './reply-delay.js'
import { readRequest, serveRequest } from './requests.js'
import { defaultStoreBytes } from './store/default-store-bytes.js'
import { MemoryStore } from './store/memory-store.js'
import { StreamSession } from './stream-session.js'
import { Turns } from './turns.js'

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
 * @property {(address: string) => void} [onLate] - a request waits because more came from there than may come
 * @property {(error: unknown, operation: string) => void} [onFailure] - a request failed for a reason that is ours
 * @property {(stream: Stream, caller: import('./callers.js').CallerState) => void} [onStream] - a stream has this protocol
 *
 * @typedef {Partial<Limits> & Observer & {
 *   store?: RegistrationStore,
 *   cookieKey?: Uint8Array,
 *   unlimitedFrom?: readonly string[],
 *   loopTime?: import('./loop-time.js').LoopTime,
 *   now?: () => number,
 *   replyDelayMs?: number
 * }} RendezvousServerInit - `store`: where registrations are kept, default in memory; it applies the caps itself.
 *   `cookieKey`: secret that authenticates cookies, default the store's, or random.
 *   `unlimitedFrom`: networks, as multiaddrs, whose addresses have no limits of their own, default none. `loopTime`: shared with what is done for a connection
 *   before there is a request. `now`: ms on a clock that never steps back. `replyDelayMs`: every reply waits for this long, for tests of whoever
 *   measures the server
 *
 * @typedef {object} RendezvousServerComponents
 * @property {Pick<import('@libp2p/interface-internal').Registrar, 'handle' | 'unhandle'>} registrar
 */

// of streams of one connection that take nothing, while none takes anything: then it is the connection
const MAX_STALLS = 3
// a reply that was made for nothing counts as so many more: who reads nothing is served less
const UNTAKEN_COUNTS = 4

/**
 * rendezvousServer is the server side of `/rendezvous/1.0.0` as a libp2p service.
 *
 * @param {RendezvousServerInit} [init]
 * @returns {(components: RendezvousServerComponents) => RendezvousServer}
 * @throws {ServerOptionsError} with all problems
 */
export function rendezvousServer(init = {}) {
  const problems = [...optionProblems(init, INIT), ...ttlProblems(init)]
  if (problems.length > 0) throw new ServerOptionsError(problems)
  return components => new RendezvousServer(components, init)
}

const LIMIT = wholeNumber(0, { endless: true })

/** @type {Readonly<Record<string, import('../kit/option-kinds.js').OptionKind>>} */
const INIT = {
  ...Object.fromEntries(Object.keys(LIMITS).map(name => [name, LIMIT])),
  store: { allowed: 'must be a store of registrations', fits: value => typeof value?.page === 'function' },
  cookieKey: BYTES,
  unlimitedFrom: {
    allowed: "must be an array of networks as multiaddrs, such as ['/ip4/10.0.0.0/ipcidr/8']",
    fits: value => Array.isArray(value) && value.every(text => isMultiaddr(text) && isNetwork(text))
  },
  loopTime: { allowed: 'must be a LoopTime', fits: value => typeof value?.of === 'function' },
  now: FUNCTION,
  replyDelayMs: MILLISECONDS,
  onOperation: FUNCTION,
  onRefused: FUNCTION,
  onLate: FUNCTION,
  onFailure: FUNCTION,
  onStream: FUNCTION
}

/** @param {RendezvousServerInit | null} init */
function ttlProblems(init) {
  const { minTtlSeconds = LIMITS.minTtlSeconds, maxTtlSeconds = LIMITS.maxTtlSeconds } = init ?? {}
  if (!(minTtlSeconds > maxTtlSeconds)) return []
  const allowed = `must be at most maxTtlSeconds, which is ${maxTtlSeconds}`
  return [{ flag: 'minTtlSeconds', value: shown(minTtlSeconds), allowed }]
}

/** RendezvousServer answers REGISTER, UNREGISTER and DISCOVER; made by `rendezvousServer`. */
export class RendezvousServer {
  #registrar
  #limits
  #store
  #context
  #observer
  #callers
  #turns = new Turns()
  #now
  #replyDelayMs
  /** @type {Set<Stream>} */
  #streams = new Set()

  /** @param {RendezvousServerComponents} components @param {RendezvousServerInit} init */
  constructor({ registrar }, init) {
    const {
      store,
      cookieKey = store?.cookieKey,
      unlimitedFrom,
      loopTime,
      now = () => performance.now(),
      replyDelayMs = 0
    } = init
    this.#registrar = registrar
    this.#limits = pickLimits(init)
    this.#callers = new Callers(this.#limits, { unlimitedFrom, now, loopTime })
    this.#store = store ?? new MemoryStore({ maxStoreBytes: defaultStoreBytes(), ...this.#limits, now })
    this.#observer = init
    this.#now = now
    this.#replyDelayMs = replyDelayMs
    this.#context = {
      store: this.#store,
      checkedRecords: new CheckedRecords(),
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

  /** waitingBytes are those of requests and replies that wait. */
  get waitingBytes() {
    return this.#callers.waitingBytes
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
    const caller = this.#callers.of(connection)
    this.#observer.onStream?.(stream, caller)
    if (stream.status !== 'open') return
    this.#streams.add(stream)
    new StreamSession(stream, {
      answer: (frame, send, late) => this.#answer(frame, send, { caller, late: this.#isLate(caller, late) }),
      turn: () => this.#turns.take(caller),
      done: () => this.#turns.done(),
      late: () => lateness(caller.rates, stream),
      onLate: () => this.#observer.onLate?.(caller.address),
      accounts: caller.accounts,
      maxMessageBytes: this.#limits.maxMessageBytes,
      idleTimeoutMs: this.#limits.streamIdleTimeoutMs,
      stallTimeoutMs: this.#limits.stallTimeoutMs,
      onRefused: error => {
        this.#observer.onRefused?.(error)
        if (isStall(error) && ++caller.stalls >= MAX_STALLS) connection.abort(error)
      },
      onTaken: () => {
        caller.stalls = 0
      },
      onUntaken: bytes => caller.rates.replyBytes.take(UNTAKEN_COUNTS * bytes),
      onEnd: () => this.#streams.delete(stream)
    })
  }

  /**
   * A request may have waited here, or with what its connection sends before that is a request.
   *
   * @param {import('./callers.js').CallerState} caller
   * @param {boolean} late - here
   */
  #isLate(caller, late) {
    const held = caller.held
    caller.held = false
    if (held && !late) this.#observer.onLate?.(caller.address)
    return held || late
  }

  /**
   * @param {Uint8Array} frame
   * @param {(frame: import('./stream-session.js').Reply) => Promise<void>} send
   * @param {{ caller: import('./callers.js').CallerState, late: boolean }} of - `late`: it waited for a limit
   */
  async #answer(frame, send, { caller, late }) {
    const { rates } = caller
    rates.requests.take()
    rates.requestBytes.take(frame.length)
    rates.loop.begin()
    const request = readRequest(frame)
    const began = this.#now()
    const { operation, status, frame: encode } = await serveRequest(request, caller, this.#context)
    if (this.#replyDelayMs > 0) await waitFor(this.#replyDelayMs, this.#now)
    const reply = encode?.(late ? LATE_TEXT : undefined)
    rates.replyBytes.take(reply?.length ?? 0)
    const sent = reply === undefined ? undefined : send(reply)
    this.#turns.done()
    this.#observer.onOperation?.(operation, status, this.#now() - began)
    await sent
  }
}

/** @param {import('./callers.js').CallerRates} rates @param {Stream} stream */
function lateness({ requests, requestBytes, replyBytes, loop }, stream) {
  return requests.wait(stream) ?? requestBytes.wait(stream) ?? replyBytes.wait(stream) ?? loop.wait(stream)
}

/** @param {Error & { code?: string }} error */
const isStall = ({ code }) => code === 'ERR_REPLY_NOT_TAKEN'

/** pickLimits takes the limits out of options, those that are missing by default. @param {Partial<Limits>} init @returns {Limits} */
export const pickLimits = init =>
  /** @type {Limits} */ (
    Object.fromEntries(
      Object.entries(LIMITS).map(([name, value]) => [name, init[/** @type {keyof Limits} */ (name)] ?? value])
    )
  )
