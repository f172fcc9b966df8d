import { hash } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { BYTES, FUNCTION, MILLISECONDS, optionProblems, shown, wholeNumber } from '../kit/option-problems.js'
import { isMultiaddr } from '../plan/addresses.js'
import { LATE_TEXT, PROTOCOL } from '../protocol/rendezvous.js'
import { addressOf, groupOf, isOneOf, networkOf, networks } from './admission/address-groups.js'
import { Account, LoopTime, Rate, Rates, Turns, UNTIMED } from './admission/fair-share.js'
import { LIMITS } from './limits.js'
import { isNetwork, ServerOptionsError } from './options.js'
import { Cookies, readRequest, serveRequest } from './rendezvous/requests.js'
import { StreamSession } from './rendezvous/stream-session.js'
import { MemoryStore } from './store/memory-store.js'
import { defaultStoreBytes } from './store.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} Accounts
 * @property {Account} requests - bytes of requests that wait
 * @property {Account} replies - bytes of replies that wait
 *
 * @typedef {object} CallerRates
 * @property {Pick<Rate, 'take' | 'wait'>} requests
 * @property {Pick<Rate, 'take' | 'wait'>} requestBytes - with those of its neighbours
 * @property {Pick<Rate, 'take' | 'wait'>} replyBytes
 * @property {import('./admission/fair-share.js').LoopShare} loop
 *
 * @typedef {import('./admission/fair-share.js').Caller & {
 *   peerId: Uint8Array,
 *   limitedGroup?: string,
 *   accounts: Accounts,
 *   rates: CallerRates,
 *   held: boolean,
 *   stalls: number
 * }} CallerState - `peerId`: multihash bytes. `held`: what its connection sent had to wait for a limit since its last request. `limitedGroup`: the group, unless its limits are lifted. `stalls`: streams that took nothing since one of the connection took something
 *
 * @typedef {object} Place - an address from which there are connections
 * @property {Accounts} accounts
 * @property {number} connections
 */

// what may come at once, in time
const REQUESTS_AHEAD_MS = 100
const REQUEST_BYTES_AHEAD_MS = 2000
const REPLIES_AHEAD_MS = 4000

/** It is asked several times for each request. */
const ANY = { take: () => {}, wait: () => undefined }
/** @type {CallerRates} */
const UNBOUNDED = { requests: ANY, requestBytes: ANY, replyBytes: ANY, loop: UNTIMED }

/**
 * Callers knows who is behind each connection, and what is held for them.
 */
class Callers {
  #limits
  #unlimited
  #all
  #rates
  #loopTime
  /** @type {WeakMap<Connection, CallerState>} */
  #known = new WeakMap()
  /** @type {Map<string, Place>} */
  #places = new Map()

  /**
   * @param {import('./limits.js').Limits} limits
   * @param {object} [parts]
   * @param {readonly string[]} [parts.unlimitedFrom] - networks as multiaddrs, whose addresses have no limit of their own
   * @param {() => number} [parts.now] - ms
   * @param {LoopTime} [parts.loopTime]
   */
  constructor(limits, { unlimitedFrom = [], now, loopTime } = {}) {
    this.#limits = limits
    this.#unlimited = networks(unlimitedFrom)
    this.#loopTime = loopTime ?? new LoopTime(limits.maxGroupLoopMsPerSecond, { now })
    this.#all = {
      requests: new Account(limits.maxWaitingBytes),
      replies: new Account(limits.maxWaitingBytes)
    }
    const rates = (/** @type {number} */ perSecond, /** @type {number} */ aheadMs) =>
      new Rates(() => new Rate(perSecond, aheadMs, now))
    this.#rates = {
      requests: rates(limits.maxAddressRequestsPerSecond, REQUESTS_AHEAD_MS),
      requestBytes: rates(limits.maxGroupRequestBytesPerSecond, REQUEST_BYTES_AHEAD_MS),
      replyBytes: rates(limits.maxAddressReplyBytesPerSecond, REPLIES_AHEAD_MS)
    }
  }

  /** waitingBytes are those of requests and replies that wait, in all. */
  get waitingBytes() {
    return this.#all.requests.bytes + this.#all.replies.bytes
  }

  /** of is who is behind a connection. @param {Connection} connection @returns {CallerState} */
  of(connection) {
    const known = this.#known.get(connection)
    if (known !== undefined) return known
    const address = addressOf(connection.remoteAddr)
    const network = networkOf(address)
    const unlimited = isOneOf(this.#unlimited, address)
    const { accounts } = this.#enter(network, unlimited, connection)
    const { maxConnectionWaitingBytes, maxConnectionReplyBytes } = this.#limits
    const caller = {
      group: groupOf(network),
      address: network,
      peer: String(connection.remotePeer),
      peerId: connection.remotePeer.toMultihash().bytes,
      limitedGroup: unlimited ? undefined : groupOf(network),
      accounts: {
        requests: new Account(maxConnectionWaitingBytes, accounts.requests),
        // pages are dear to make, and two at a time are as many as a connection that is read needs
        replies: new Account(
          unlimited ? maxConnectionWaitingBytes : maxConnectionReplyBytes,
          accounts.replies
        )
      },
      rates: unlimited ? UNBOUNDED : this.#ratesOf(network, connection),
      held: false,
      stalls: 0
    }
    this.#known.set(connection, caller)
    return caller
  }

  /** @param {string} network @param {boolean} unlimited @param {Connection} connection */
  #enter(network, unlimited, connection) {
    const place = this.#places.get(network) ?? { accounts: this.#accountsOf(unlimited), connections: 0 }
    this.#places.set(network, place)
    place.connections++
    const leave = () => {
      if (--place.connections === 0) this.#places.delete(network)
    }
    connection.addEventListener('close', leave, { once: true })
    return place
  }

  /** @param {boolean} unlimited @returns {Accounts} */
  #accountsOf(unlimited) {
    const limit = unlimited ? Infinity : this.#limits.maxAddressWaitingBytes
    return {
      requests: new Account(limit, this.#all.requests),
      replies: new Account(limit, this.#all.replies)
    }
  }

  /** @param {string} network @param {Connection} connection @returns {CallerRates} */
  #ratesOf(network, connection) {
    const { requests, requestBytes, replyBytes } = this.#rates
    const group = groupOf(network)
    return {
      requests: requests.of(network, connection),
      requestBytes: requestBytes.of(group, connection),
      replyBytes: replyBytes.of(network, connection),
      loop: this.#loopTime.of('requests', group, connection)
    }
  }
}

const PEERS_KEPT = 20_000

/**
 * CheckedRecords remembers of each peer the signed record that was found right last. A peer whose addresses stay as they are registers with
 * the same bytes again, in other namespaces and before its ttl ends, and a signature that fits once fits always.
 */
export class CheckedRecords {
  #most
  /** digest of the record by peer, the longest known first @type {Map<string, string>} */
  #digests = new Map()

  /** @param {number} [most] - peers that are remembered */
  constructor(most = PEERS_KEPT) {
    this.#most = most
  }

  /** has says whether this record of the peer was checked. @param {Uint8Array} peerId - multihash bytes @param {Uint8Array} signedRecord */
  has(peerId, signedRecord) {
    const digest = this.#digests.get(nameOf(peerId))
    return digest !== undefined && digest === digestOf(signedRecord)
  }

  /** add takes a record whose signature fits. @param {Uint8Array} peerId - multihash bytes @param {Uint8Array} signedRecord */
  add(peerId, signedRecord) {
    const peer = nameOf(peerId)
    this.#digests.delete(peer)
    if (this.#digests.size >= this.#most) this.#digests.delete(this.#digests.keys().next().value ?? '')
    this.#digests.set(peer, digestOf(signedRecord))
  }
}

/** @param {Uint8Array} peerId */
const nameOf = ({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length).toString('latin1')

/** @param {Uint8Array} bytes */
const digestOf = bytes => hash('sha256', bytes, 'base64')

/** Timers wait whole milliseconds, and some of them more: the rest of the time goes by turning the event loop. */
const TIMER_LATE_MS = 2

/**
 * waitFor lets a time pass, exact to a turn of the event loop.
 *
 * @param {number} ms
 * @param {() => number} now - ms
 */
export async function waitFor(ms, now) {
  const until = now() + ms
  if (ms > TIMER_LATE_MS) await sleep(ms - TIMER_LATE_MS)
  while (now() < until) await turn()
}

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./limits.js').Limits} Limits
 * @typedef {import('./store/registration.js').RegistrationStore} RegistrationStore
 *
 * @typedef {object} Observer - is told what happens
 * @property {(operation: string, status: number, durationMs: number) => void} [onOperation] - from the decoded request
 *   to the reply handed over to libp2p
 * @property {(error: Error) => void} [onRefused] - a stream was reset because of what the other side did
 * @property {(address: string) => void} [onLate] - a request waits because more came from there than may come
 * @property {(error: unknown, operation: string) => void} [onFailure] - a request failed for a reason that is ours
 * @property {(stream: Stream, caller: CallerState) => void} [onStream] - a stream has this protocol
 *
 * @typedef {Partial<Limits> & Observer & {
 *   store?: RegistrationStore,
 *   cookieKey?: Uint8Array,
 *   unlimitedFrom?: readonly string[],
 *   loopTime?: import('./admission/fair-share.js').LoopTime,
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

/** @type {Readonly<Record<string, import('../kit/option-problems.js').OptionKind>>} */
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
   * @param {CallerState} caller
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
   * @param {(frame: import('./rendezvous/stream-session.js').Reply) => Promise<void>} send
   * @param {{ caller: CallerState, late: boolean }} of - `late`: it waited for a limit
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

/** @param {CallerRates} rates @param {Stream} stream */
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
