// A rendezvous client for programs: register, discover, unregister.

import { setImmediate } from 'node:timers/promises'
import { publicKeyFromProtobuf } from '@libp2p/crypto/keys'
import { isPeerId } from '@libp2p/interface'
import { peerIdFromPublicKey } from '@libp2p/peer-id'
import { CODE_P2P, isMultiaddr, multiaddr } from '@multiformats/multiaddr'
import {
  BOOLEAN_KIND,
  BYTES_KIND,
  describeValue,
  findOptionProblems,
  formatProblems,
  MILLISECONDS_KIND,
  SIGNAL_KIND,
  wholeNumberKind
} from '../kit/option-problems.js'
import { makeTimeLimit } from '../kit/time.js'
import { encodeDiscover, encodeRegister } from '../protocol/rendezvous.js'
import {
  openSignedRecord,
  RecordDomain,
  readSignedRecordUnverified,
  sealPeerRecord
} from '../protocol/signed-record.js'
import { makeDialError } from './dial.js'
import {
  makeTooMuchError,
  PAGE_BOUNDS,
  PageFilter,
  readDiscoverReply,
  readRegisterReply,
  requestPages
} from './discover-pages.js'
import { ClientError, ClientErrorCode, makeAbortError } from './errors.js'
import { openSession, sendUnregister } from './session.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 * @typedef {import('./discover-pages.js').PageBounds} PageBounds
 *
 * @typedef {object} RendezvousClientInit
 * @property {string} [recordDomain] - under which our own peer record is sealed, one of RecordDomain; rust servers want
 *   `libp2p-routing-state`
 * @property {number} [timeoutMs] - for an operation without a signal of its own; default 30,000
 * @property {number} [unregisterWaitMs] - for the server to end the stream after UNREGISTER; default 1,000
 * @property {number} [maxReplyBytes] - default 4 MiB
 *
 * @typedef {object} RendezvousClientComponents
 * @property {import('@libp2p/interface').PrivateKey} privateKey
 * @property {Pick<import('@libp2p/interface-internal').AddressManager, 'getAddresses'>} addressManager
 * @property {Pick<import('@libp2p/interface-internal').ConnectionManager, 'openConnection'>} connectionManager
 *
 * @typedef {object} DiscoverQuery
 * @property {string} [ns] - absent: all namespaces, where the server supports it
 * @property {boolean} [verify] - check the peers' signatures; default true
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} DiscoverPage
 * @property {DiscoveredRegistration[]} registrations
 * @property {RejectedRegistration[]} rejected - registrations whose signed record is not valid, those of another namespace, beyond the limit, or
 *   listed before
 * @property {Uint8Array} [cookie] - for a later discover: lists only registrations made after this page
 */

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_UNREGISTER_WAIT_MS = 1000

/**
 * rendezvousClient makes the rendezvous client service for a libp2p node.
 *
 * @example
 * const node = await createLibp2p({ …, services: { rendezvous: rendezvousClient() } })
 * await node.services.rendezvous.register(server, 'my-app')
 * for await (const { registrations } of node.services.rendezvous.discoverAll(server, { ns: 'my-app' })) …
 *
 * @param {RendezvousClientInit} [init]
 * @returns {(components: RendezvousClientComponents) => RendezvousClient}
 * @throws {ClientError} BAD_ARGUMENT
 */
export const rendezvousClient = (init = {}) => {
  checkArguments('rendezvousClient', init)
  return components => new RendezvousClient(components, init)
}

/**
 * RendezvousClient registers its node at rendezvous servers and discovers others. Each operation uses a stream of its
 * own. All methods throw a ClientError (BAD_ARGUMENT before anything is sent), or a RendezvousError (a kind of ClientError) when the server refused.
 */
export class RendezvousClient {
  #components
  #recordDomain
  #timeoutMs
  #unregisterWaitMs
  #maxReplyBytes
  #seq = 0

  /**
   * @param {RendezvousClientComponents} components
   * @param {RendezvousClientInit} init
   */
  constructor(components, init) {
    this.#components = components
    this.#recordDomain = init.recordDomain ?? RecordDomain.PEER_RECORD
    this.#timeoutMs = init.timeoutMs ?? DEFAULT_TIMEOUT_MS
    this.#unregisterWaitMs = init.unregisterWaitMs ?? DEFAULT_UNREGISTER_WAIT_MS
    this.#maxReplyBytes = init.maxReplyBytes
  }

  get [Symbol.toStringTag]() {
    return 'libp2p-loadtest/rendezvous-client'
  }

  /**
   * register registers this node, with its present addresses, or renews its registration.
   *
   * @param {PeerId | Multiaddr} server
   * @param {string} ns
   * @param {{ ttlSeconds?: number, signal?: AbortSignal }} [options] - `ttlSeconds` absent: the server's default
   * @returns {Promise<number | undefined>} granted time to live in seconds; undefined when the server does not say
   */
  async register(server, ns, options = {}) {
    checkArguments('register', options, { server, ns })
    const { ttlSeconds, signal } = options
    const signedPeerRecord = await this.#ownRecord()
    const request = encodeRegister({ ns, signedPeerRecord, ttl: ttlSeconds })
    return readRegisterReply((await this.#ask(server, request, signal)).message).ttl ?? ttlSeconds
  }

  /**
   * unregister removes this node's registration. The protocol has no reply to it: the promise resolves when the server has ended the
   * stream, as servers do afterwards, or after `unregisterWaitMs`.
   *
   * @param {PeerId | Multiaddr} server
   * @param {string} ns
   * @param {{ signal?: AbortSignal }} [options]
   */
  async unregister(server, ns, options = {}) {
    checkArguments('unregister', options, { server, ns })
    const deadline = options.signal ?? makeTimeLimit(this.#timeoutMs)
    const connection = await this.#connect(server, deadline)
    await sendUnregister(connection, ns, { signal: deadline, waitMs: this.#unregisterWaitMs })
  }

  /**
   * discover requests one page of registrations.
   *
   * @param {PeerId | Multiaddr} server
   * @param {DiscoverQuery & { limit?: number, cookie?: Uint8Array }} [query] - `cookie` of an earlier page: only
   *   registrations made after it
   * @returns {Promise<DiscoverPage>}
   */
  async discover(server, query = {}) {
    checkArguments('discover', query, { server })
    const { ns, limit, cookie, verify = true, signal } = query
    const page = await this.#askForPage(server, { ns, limit, cookie }, signal)
    const { fitting, rejected } = new PageFilter({ ns, limit }).sift(page.registrations)
    const opened = await openRegistrations(fitting, { ns, verify })
    return { ...opened, rejected: [...rejected, ...opened.rejected], cookie: page.cookie }
  }

  /**
   * discoverAll requests page after page until there are no more registrations. It ends at any server: pages, registrations, bytes and
   * time are bounded, by default by PAGE_BOUNDS.
   *
   * @param {PeerId | Multiaddr} server
   * @param {DiscoverQuery & { pageLimit?: number } & Partial<PageBounds>} [query] - the signal covers all pages, the default timeout each
   * @returns {AsyncGenerator<DiscoverPage, void, void>}
   * @throws {ClientError} also TOO_MUCH, beyond the bounds; earlier pages were yielded
   */
  async *discoverAll(server, query = {}) {
    checkArguments('discoverAll', query, { server })
    const { ns, pageLimit, verify = true, signal, ...ownBounds } = query
    const bounds = { ...PAGE_BOUNDS, ...ownBounds }
    const within = boundTime(bounds.maxMs, signal, () => makeTooMuchError('maxMs', bounds.maxMs))
    const askFor = (/** @type {Uint8Array | undefined} */ cookie) =>
      within(this.#timeoutMs, until => this.#askForPage(server, { ns, limit: pageLimit, cookie }, until))
    const screen = new PageFilter({ ns, limit: pageLimit })
    for await (const { fitting, rejected, cookie } of requestPages(askFor, { screen, bounds })) {
      const opened = await within(bounds.maxMs, until =>
        openRegistrations(fitting, { ns, verify, signal: until })
      )
      yield { ...opened, rejected: [...rejected, ...opened.rejected], cookie }
    }
  }

  /**
   * @param {PeerId | Multiaddr} server
   * @param {import('../protocol/rendezvous.js').Discover} query
   * @param {AbortSignal} [signal]
   */
  async #askForPage(server, query, signal) {
    const { message, byteLength } = await this.#ask(server, encodeDiscover(query), signal)
    return { ...readDiscoverReply(message), byteLength }
  }

  /**
   * Sends one request on a stream of its own.
   *
   * @param {PeerId | Multiaddr} server
   * @param {Uint8Array} request
   * @param {AbortSignal} [signal]
   */
  async #ask(server, request, signal) {
    const deadline = signal ?? makeTimeLimit(this.#timeoutMs)
    const connection = await this.#connect(server, deadline)
    const session = await openSession(connection, { signal: deadline, maxReplyBytes: this.#maxReplyBytes })
    const reply = await session.request(request, { signal: deadline })
    // after the reply it does not matter how the stream ends
    session.close({ signal: deadline }).catch(() => {})
    return reply
  }

  /** @param {PeerId | Multiaddr} server @param {AbortSignal} signal */
  async #connect(server, signal) {
    try {
      return await this.#components.connectionManager.openConnection(server, { signal })
    } catch (error) {
      throw makeDialError(error, server, signal)
    }
  }

  #ownRecord() {
    const { privateKey, addressManager } = this.#components
    // grows from record to record, also over restarts of the node
    this.#seq = Math.max(Date.now(), this.#seq + 1)
    return sealPeerRecord({
      privateKey,
      // the record contains the peer id already
      addresses: addressManager.getAddresses().map(address => address.decapsulateCode(CODE_P2P)),
      seq: this.#seq,
      domain: this.#recordDomain
    })
  }
}

/** @typedef {import('../kit/option-problems.js').OptionKind} OptionKind */

const COUNT = wholeNumberKind(1)
const BOUND = wholeNumberKind(1, { endless: true })

const domains = Object.values(RecordDomain)

/** @type {OptionKind} */
const NAMESPACE = {
  allowed: 'must be a string, without lone surrogates: they cannot be written in UTF-8',
  fits: value => typeof value === 'string' && value.isWellFormed()
}

const QUERY = { ns: NAMESPACE, verify: BOOLEAN_KIND, signal: SIGNAL_KIND }

/** The options of each call. @type {Readonly<Record<string, Readonly<Record<string, OptionKind>>>>} */
const OPTIONS = {
  rendezvousClient: {
    recordDomain: { allowed: `must be ${domains.join(' or ')}`, fits: value => domains.includes(value) },
    timeoutMs: MILLISECONDS_KIND,
    unregisterWaitMs: MILLISECONDS_KIND,
    maxReplyBytes: COUNT
  },
  register: { ttlSeconds: wholeNumberKind(0, { unit: 'seconds' }), signal: SIGNAL_KIND },
  unregister: { signal: SIGNAL_KIND },
  discover: { ...QUERY, limit: COUNT, cookie: BYTES_KIND },
  discoverAll: {
    ...QUERY,
    pageLimit: COUNT,
    maxPages: BOUND,
    maxRegistrations: BOUND,
    maxBytes: BOUND,
    maxMs: MILLISECONDS_KIND
  }
}

/**
 * checkArguments validates the arguments of a call, before anything is sent.
 *
 * @param {string} call - one of OPTIONS
 * @param {unknown} options
 * @param {{ server?: unknown, ns?: unknown }} [more] - arguments before the options, where the call has them
 * @throws {ClientError} BAD_ARGUMENT
 */
function checkArguments(call, options, more = {}) {
  const { server, ns } = more
  const problems = findOptionProblems(options, OPTIONS[call])
  if ('server' in more && !isMultiaddr(server) && !isPeerId(server))
    problems.unshift({ flag: 'server', value: describeValue(server), allowed: SERVER })
  if ('ns' in more && !NAMESPACE.fits(ns))
    problems.push({ flag: 'ns', value: describeValue(ns), allowed: NAMESPACE.allowed })
  if (problems.length > 0)
    throw new ClientError(ClientErrorCode.BAD_ARGUMENT, `${call}: ${formatProblems(problems)}`)
}

const SERVER = "must be a Multiaddr or a PeerId, such as multiaddr('/ip4/127.0.0.1/tcp/8000/p2p/12D3KooW…')"

/**
 * @typedef {object} DiscoveredRegistration - a registration of a peer
 * @property {string} ns
 * @property {PeerId} peerId
 * @property {Multiaddr[]} addresses - as signed by the peer; those of an unknown kind are left out
 * @property {Uint8Array} signedPeerRecord - marshalled envelope
 * @property {number} [ttlSeconds] - as the server says: what was granted, or what is left of it
 *
 * @typedef {object} RejectedRegistration - a registration that is not valid
 * @property {string} ns
 * @property {unknown} reason - usually an InvalidSignedRecordError
 *
 * @typedef {{ registrations: DiscoveredRegistration[], rejected: RejectedRegistration[] }} OpenedRegistrations
 */

/** Registrations opened in one turn of the event loop. */
const PER_TURN = 50

/**
 * openRegistrations decodes the registrations of a DISCOVER reply. A server could invent registrations, so the signature of every peer is
 * checked unless the caller says otherwise.
 *
 * @param {import('../protocol/rendezvous.js').Register[]} registers
 * @param {{ ns?: string, verify: boolean, signal?: AbortSignal }} options - `ns` of the request: some servers leave it out
 *   of the reply
 * @returns {Promise<OpenedRegistrations>}
 * @throws {ClientError} TIMEOUT, ABORTED
 */
export async function openRegistrations(registers, { ns = '', verify, signal }) {
  /** @type {OpenedRegistrations} */
  const opened = { registrations: [], rejected: [] }
  for (const [place, register] of registers.entries()) {
    // otherwise all signatures would be checked in one turn of the event loop, and no signal could abort that
    if (place % PER_TURN === PER_TURN - 1) await setImmediate()
    if (signal?.aborted) throw makeAbortError(signal, 'checking registrations')
    const itsNs = register.ns || ns
    try {
      opened.registrations.push(await openRegistration(register, itsNs, verify))
    } catch (reason) {
      opened.rejected.push({ ns: itsNs, reason })
    }
  }
  return opened
}

/**
 * @param {import('../protocol/rendezvous.js').Register} register
 * @param {string} ns
 * @param {boolean} verify
 * @returns {Promise<DiscoveredRegistration>}
 */
async function openRegistration({ signedPeerRecord = new Uint8Array(0), ttl }, ns, verify) {
  const record = verify
    ? await openSignedRecord(signedPeerRecord)
    : readSignedRecordUnverified(signedPeerRecord)
  return {
    ns,
    peerId: peerIdFromPublicKey(publicKeyFromProtobuf(record.publicKey)),
    addresses: record.addresses.flatMap(parseKnownAddress),
    signedPeerRecord,
    ttlSeconds: ttl
  }
}

/** @param {Uint8Array} bytes */
function parseKnownAddress(bytes) {
  try {
    return [multiaddr(bytes)]
  } catch {
    return []
  }
}

/**
 * boundTime bounds the total time of several steps. It returns a function that runs a step, and aborts it when no time is left.
 *
 * @param {number} maxMs
 * @param {AbortSignal | undefined} signal - of the caller, in place of a bound for each step
 * @param {() => Error} makeError - for no time left
 * @returns {<T>(stepMs: number, step: (until: AbortSignal) => Promise<T>) => Promise<T>}
 */
function boundTime(maxMs, signal, makeError) {
  let leftMs = maxMs
  return async (stepMs, step) => {
    if (leftMs <= 0) throw makeError()
    const beganMs = performance.now()
    const timer = makeTimeLimit(Math.ceil(signal === undefined ? Math.min(stepMs, leftMs) : leftMs))
    try {
      return await step(signal === undefined ? timer : AbortSignal.any([signal, timer]))
    } catch (error) {
      if (signal?.aborted || performance.now() - beganMs < leftMs) throw error
      throw makeError()
    } finally {
      leftMs -= performance.now() - beganMs
    }
  }
}
