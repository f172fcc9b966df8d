// The rendezvous server as a libp2p service, which answers REGISTER, UNREGISTER and DISCOVER. It limits each client and
// caches verified peer records.
import { hash } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import {
  BYTES_KIND,
  describeValue,
  FUNCTION_KIND,
  findOptionProblems,
  MILLISECONDS_KIND,
  wholeNumberKind
} from '../kit/option-problems.js'
import { isMultiaddr } from '../plan/addresses.js'
import { LATE_TEXT, PROTOCOL } from '../protocol/rendezvous.js'
import {
  getAddressGroup,
  getHostNetwork,
  isInNetworks,
  makeNetworkList,
  readIpAddress
} from './admission/address-groups.js'
import {
  ByteAccount,
  LoopTimeLimiter,
  RateLimiter,
  RateLimiters,
  RequestScheduler,
  UNLIMITED_SHARE
} from './admission/fair-share.js'
import { LIMITS, pickLimits } from './limits.js'
import { isNetwork, ServerOptionsError } from './options.js'
import { Cookies, readRequest, serveRequest } from './rendezvous/requests.js'
import { StreamSession } from './rendezvous/stream-session.js'
import { MemoryStore } from './store/memory-store.js'
import { computeDefaultStoreBytes } from './store.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} Accounts
 * @property {ByteAccount} requests - bytes of requests that wait
 * @property {ByteAccount} replies - bytes of replies that wait
 *
 * @typedef {object} CallerRates
 * @property {Pick<RateLimiter, 'take' | 'wait'>} requests
 * @property {Pick<RateLimiter, 'take' | 'wait'>} requestBytes - with those of its neighbours
 * @property {Pick<RateLimiter, 'take' | 'wait'>} replyBytes
 * @property {import('./admission/fair-share.js').LoopShare} loop
 *
 * @typedef {import('./admission/fair-share.js').Caller & {
 *   peerId: Uint8Array,
 *   limitedGroup?: string,
 *   accounts: Accounts,
 *   rates: CallerRates,
 *   wasDelayed: boolean,
 *   stalls: number
 * }} CallerState - `peerId`: multihash bytes. `limitedGroup`: its group of addresses, if it has limits. `held`: bytes of its connection had
 *   to wait for a limit since its last request. `stalls`: streams whose client took nothing since a stream of the connection took something
 *
 * @typedef {object} AddressState - of an address with connections
 * @property {Accounts} accounts
 * @property {number} connections
 */

// a burst may use the rate of so many ms at once
const REQUESTS_AHEAD_MS = 100
const REQUEST_BYTES_AHEAD_MS = 2000
const REPLIES_AHEAD_MS = 4000

const NO_LIMIT = { take: () => {}, wait: () => undefined }
/** @type {CallerRates} */
const UNBOUNDED = { requests: NO_LIMIT, requestBytes: NO_LIMIT, replyBytes: NO_LIMIT, loop: UNLIMITED_SHARE }

/** CallerRegistry holds the client of each connection, with its counters and limits. */
class CallerRegistry {
  #limits
  #unlimited
  #all
  #rates
  #loopTime
  /** @type {WeakMap<Connection, CallerState>} */
  #callers = new WeakMap()
  /** @type {Map<string, AddressState>} */
  #addresses = new Map()

  /**
   * @param {import('./limits.js').Limits} limits
   * @param {object} parts
   * @param {readonly string[]} [parts.unlimitedFrom] - networks, as multiaddrs, whose addresses have no limits of their own
   * @param {() => number} parts.now - ms
   * @param {LoopTimeLimiter} [parts.loopTime]
   */
  constructor(
    limits,
    { unlimitedFrom = [], now, loopTime = new LoopTimeLimiter(limits.maxGroupLoopMsPerSecond, { now }) }
  ) {
    this.#limits = limits
    this.#unlimited = makeNetworkList(unlimitedFrom)
    this.#loopTime = loopTime
    const { maxWaitingBytes } = limits
    this.#all = { requests: new ByteAccount(maxWaitingBytes), replies: new ByteAccount(maxWaitingBytes) }
    const rates = (/** @type {number} */ perSecond, /** @type {number} */ aheadMs) =>
      new RateLimiters(() => new RateLimiter(perSecond, aheadMs, now))
    this.#rates = {
      requests: rates(limits.maxAddressRequestsPerSecond, REQUESTS_AHEAD_MS),
      requestBytes: rates(limits.maxGroupRequestBytesPerSecond, REQUEST_BYTES_AHEAD_MS),
      replyBytes: rates(limits.maxAddressReplyBytesPerSecond, REPLIES_AHEAD_MS)
    }
  }

  /** waitingBytes are the bytes of waiting requests and replies, in all. */
  get waitingBytes() {
    return this.#all.requests.bytes + this.#all.replies.bytes
  }

  /** of gives the client of a connection. @param {Connection} connection @returns {CallerState} */
  of(connection) {
    const known = this.#callers.get(connection)
    if (known !== undefined) return known
    const host = readIpAddress(connection.remoteAddr)
    const address = getHostNetwork(host)
    const group = getAddressGroup(address)
    const unlimited = isInNetworks(this.#unlimited, host)
    const accounts = this.#addConnection(address, unlimited, connection)
    const { maxConnectionWaitingBytes, maxConnectionReplyBytes } = this.#limits
    // pages are expensive to make, and a connection that is read needs no more than two at a time
    const maxReplyBytes = unlimited ? maxConnectionWaitingBytes : maxConnectionReplyBytes
    const { requests, requestBytes, replyBytes } = this.#rates
    const caller = {
      group,
      address,
      peer: String(connection.remotePeer),
      peerId: connection.remotePeer.toMultihash().bytes,
      limitedGroup: unlimited ? undefined : group,
      accounts: {
        requests: new ByteAccount(maxConnectionWaitingBytes, accounts.requests),
        replies: new ByteAccount(maxReplyBytes, accounts.replies)
      },
      rates: unlimited
        ? UNBOUNDED
        : {
            requests: requests.of(address, connection),
            requestBytes: requestBytes.of(group, connection),
            replyBytes: replyBytes.of(address, connection),
            loop: this.#loopTime.of('requests', group, connection)
          },
      wasDelayed: false,
      stalls: 0
    }
    this.#callers.set(connection, caller)
    return caller
  }

  /** @param {string} address @param {boolean} unlimited @param {Connection} connection @returns {Accounts} of the address */
  #addConnection(address, unlimited, connection) {
    const limit = unlimited ? Infinity : this.#limits.maxAddressWaitingBytes
    const state = this.#addresses.get(address) ?? {
      accounts: {
        requests: new ByteAccount(limit, this.#all.requests),
        replies: new ByteAccount(limit, this.#all.replies)
      },
      connections: 0
    }
    this.#addresses.set(address, state)
    state.connections++
    const removeConnection = () => {
      if (--state.connections === 0) this.#addresses.delete(address)
    }
    connection.addEventListener('close', removeConnection, { once: true })
    return state.accounts
  }
}

const MAX_CHECKED_PEERS = 20_000

/**
 * VerifiedRecords remembers, of each peer, the last signed record whose signature was valid. A peer with unchanged addresses sends the same
 * bytes again, in other namespaces and before its ttl ends; a signature that was valid once stays valid.
 */
export class VerifiedRecords {
  #maxPeers
  /** digest of the record by peer, the oldest first @type {Map<string, string>} */
  #digests = new Map()

  /** @param {number} [maxPeers] - peers that are remembered */
  constructor(maxPeers = MAX_CHECKED_PEERS) {
    this.#maxPeers = maxPeers
  }

  /** has says whether this record of the peer was checked. @param {Uint8Array} peerId - multihash bytes @param {Uint8Array} signedRecord */
  has(peerId, signedRecord) {
    const digest = this.#digests.get(keyOf(peerId))
    return digest !== undefined && digest === digestOf(signedRecord)
  }

  /** add remembers a record with a valid signature. @param {Uint8Array} peerId - multihash bytes @param {Uint8Array} signedRecord */
  add(peerId, signedRecord) {
    const peer = keyOf(peerId)
    this.#digests.delete(peer)
    if (this.#digests.size >= this.#maxPeers) this.#digests.delete(this.#digests.keys().next().value ?? '')
    this.#digests.set(peer, digestOf(signedRecord))
  }
}

/** @param {Uint8Array} peerId */
const keyOf = ({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length).toString('latin1')

/** @param {Uint8Array} bytes */
const digestOf = bytes => hash('sha256', bytes, 'base64')

/** Timers wait whole milliseconds, and may be late: the rest of the time passes in turns of the event loop. */
const TIMER_LATE_MS = 2

/**
 * waitExactly waits, exact to a turn of the event loop.
 *
 * @param {number} ms
 * @param {() => number} now - ms
 */
export async function waitExactly(ms, now) {
  const until = now() + ms
  if (ms > TIMER_LATE_MS) await sleep(ms - TIMER_LATE_MS)
  while (now() < until) await turn()
}

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./limits.js').Limits} Limits
 * @typedef {import('./store/registration.js').RegistrationStore} RegistrationStore
 *
 * @typedef {object} Observer - callbacks for events of the server
 * @property {(operation: string, status: number, durationMs: number) => void} [onOperation] - a request was served; the duration is from
 *   the decoded request to the reply passed to libp2p
 * @property {(error: Error) => void} [onRefused] - a stream was reset because of what the client did
 * @property {(address: string) => void} [onLate] - a request waits because its address is over a limit
 * @property {(error: unknown, operation: string) => void} [onFailure] - a request failed because of an error of the server
 * @property {(stream: Stream, caller: CallerState) => void} [onStream] - a stream has this protocol
 *
 * @typedef {Partial<Limits> & Observer & {
 *   store?: RegistrationStore,
 *   cookieKey?: Uint8Array,
 *   unlimitedFrom?: readonly string[],
 *   loopTime?: import('./admission/fair-share.js').LoopTimeLimiter,
 *   now?: () => number,
 *   replyDelayMs?: number
 * }} RendezvousServerInit - `store`: where registrations are kept, default in memory; it applies the caps itself.
 *   `cookieKey`: secret that authenticates cookies, default the store's, or random.
 *   `unlimitedFrom`: networks, as multiaddrs, whose addresses have no limits of their own, default none. `loopTime`: shared with the guard,
 *   which counts the work for connections in it. `now`: ms on a clock that never steps back. `replyDelayMs`: every reply waits for this
 *   long, for tests of programs that measure the server
 *
 * @typedef {object} RendezvousServerComponents
 * @property {Pick<import('@libp2p/interface-internal').Registrar, 'handle' | 'unhandle'>} registrar
 */

// so many stalled streams, while no stream of the connection takes anything, mean that the whole connection stalls
const MAX_STALLS = 3
// the bytes of a reply that was not taken count so many times more: a client that reads nothing is served less
const UNTAKEN_WEIGHT = 4

/**
 * rendezvousServer is the server side of `/rendezvous/1.0.0` as a libp2p service.
 *
 * @param {RendezvousServerInit} [init]
 * @returns {(components: RendezvousServerComponents) => RendezvousServer}
 * @throws {ServerOptionsError} with all problems
 */
export function rendezvousServer(init = {}) {
  const problems = findOptionProblems(init, INIT)
  const { minTtlSeconds = LIMITS.minTtlSeconds, maxTtlSeconds = LIMITS.maxTtlSeconds } = init ?? {}
  if (minTtlSeconds > maxTtlSeconds) {
    const allowed = `must be at most maxTtlSeconds, which is ${maxTtlSeconds}`
    problems.push({ flag: 'minTtlSeconds', value: describeValue(minTtlSeconds), allowed })
  }
  if (problems.length > 0) throw new ServerOptionsError(problems)
  return components => new RendezvousServer(components, init)
}

const LIMIT = wholeNumberKind(0, { endless: true })

/** @type {Readonly<Record<string, import('../kit/option-problems.js').OptionKind>>} */
const INIT = {
  ...Object.fromEntries(Object.keys(LIMITS).map(name => [name, LIMIT])),
  store: { allowed: 'must be a store of registrations', fits: value => typeof value?.page === 'function' },
  cookieKey: BYTES_KIND,
  unlimitedFrom: {
    allowed: "must be an array of networks as multiaddrs, such as ['/ip4/10.0.0.0/ipcidr/8']",
    fits: value => Array.isArray(value) && value.every(text => isMultiaddr(text) && isNetwork(text))
  },
  loopTime: { allowed: 'must be a LoopTime', fits: value => typeof value?.of === 'function' },
  now: FUNCTION_KIND,
  replyDelayMs: MILLISECONDS_KIND,
  onOperation: FUNCTION_KIND,
  onRefused: FUNCTION_KIND,
  onLate: FUNCTION_KIND,
  onFailure: FUNCTION_KIND,
  onStream: FUNCTION_KIND
}

/** RendezvousServer answers REGISTER, UNREGISTER and DISCOVER; made by `rendezvousServer`. */
export class RendezvousServer {
  #registrar
  #limits
  #store
  #context
  #observer
  #callers
  #turns = new RequestScheduler()
  #now
  #replyDelayMs
  /** @type {Set<Stream>} */
  #streams = new Set()

  /** @param {RendezvousServerComponents} components @param {RendezvousServerInit} init */
  constructor({ registrar }, init) {
    const { store, cookieKey = store?.cookieKey, now = () => performance.now() } = init
    this.#registrar = registrar
    this.#limits = pickLimits(LIMITS, init)
    this.#callers = new CallerRegistry(this.#limits, { ...init, now })
    this.#store =
      store ?? new MemoryStore({ maxStoreBytes: computeDefaultStoreBytes(), ...this.#limits, now })
    this.#observer = init
    this.#now = now
    this.#replyDelayMs = init.replyDelayMs ?? 0
    this.#context = {
      store: this.#store,
      checkedRecords: new VerifiedRecords(),
      cookies: new Cookies(cookieKey),
      limits: this.#limits,
      onFailure: init.onFailure ?? (() => {})
    }
  }

  get [Symbol.toStringTag]() {
    return 'libp2p-loadtest/rendezvous-server'
  }

  /** store holds the registrations. */
  get store() {
    return this.#store
  }

  /** waitingBytes are the bytes of waiting requests and replies. */
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
      answer: (frame, send, late) => this.#answer(frame, send, { caller, late }),
      turn: () => this.#turns.take(caller),
      done: () => this.#turns.done(),
      late: () => {
        const { requests, requestBytes, replyBytes, loop } = caller.rates
        return (
          requests.wait(stream) ?? requestBytes.wait(stream) ?? replyBytes.wait(stream) ?? loop.wait(stream)
        )
      },
      onLate: () => this.#observer.onLate?.(caller.address),
      accounts: caller.accounts,
      maxMessageBytes: this.#limits.maxMessageBytes,
      idleTimeoutMs: this.#limits.streamIdleTimeoutMs,
      stallTimeoutMs: this.#limits.stallTimeoutMs,
      onRefused: error => {
        this.#observer.onRefused?.(error)
        const { code } = /** @type {Error & { code?: string }} */ (error)
        if (code === 'ERR_REPLY_NOT_TAKEN' && ++caller.stalls >= MAX_STALLS) connection.abort(error)
      },
      onTaken: () => {
        caller.stalls = 0
      },
      onUntaken: bytes => caller.rates.replyBytes.take(UNTAKEN_WEIGHT * bytes),
      onEnd: () => this.#streams.delete(stream)
    })
  }

  /**
   * A request may have waited for a limit as a request, or before, among the undecoded bytes of its connection.
   *
   * @param {Uint8Array} frame
   * @param {(frame: import('./rendezvous/stream-session.js').Reply) => Promise<void>} send
   * @param {{ caller: CallerState, late: boolean }} of - `late`: it waited as a request
   */
  async #answer(frame, send, { caller, late }) {
    const { rates, wasDelayed } = caller
    caller.wasDelayed = false
    if (wasDelayed && !late) this.#observer.onLate?.(caller.address)
    rates.requests.take()
    rates.requestBytes.take(frame.length)
    rates.loop.begin()
    const request = readRequest(frame)
    const began = this.#now()
    const { operation, status, frame: encode } = await serveRequest(request, caller, this.#context)
    if (this.#replyDelayMs > 0) await waitExactly(this.#replyDelayMs, this.#now)
    const reply = encode?.(wasDelayed || late ? LATE_TEXT : undefined)
    rates.replyBytes.take(reply?.length ?? 0)
    const sent = reply === undefined ? undefined : send(reply)
    this.#turns.done()
    this.#observer.onOperation?.(operation, status, this.#now() - began)
    await sent
  }
}
