import { CODE_P2P } from '@multiformats/multiaddr'
import { timeLimit } from '../kit/time-limit.js'
import { encodeDiscover, encodeRegister } from '../protocol/messages.js'
import { RecordDomain, sealPeerRecord } from '../protocol/signed-record.js'
import { checkArguments } from './call-arguments.js'
import { dialError } from './dial.js'
import { discoverPages, PAGE_BOUNDS, tooMuch } from './discover-pages.js'
import { openRegistrations } from './discovered.js'
import { PageScreen } from './page-screen.js'
import { discoverReply, registerReply } from './replies.js'
import { openSession } from './session.js'
import { TimeBound } from './time-bound.js'
import { sendUnregister } from './unregister.js'

export { ClientError, ClientErrorCode, RendezvousError } from './errors.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 * @typedef {import('./discovered.js').Discovered} Discovered
 * @typedef {import('./discovered.js').Rejected} Rejected
 * @typedef {import('./session.js').Session} Session
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
 * @property {Discovered[]} registrations
 * @property {Rejected[]} rejected - registrations whose signed record is not valid, those of another namespace, beyond the limit, or
 *   given before
 * @property {Uint8Array} [cookie] - asks, in a later discover, for what came after this page
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
    return registerReply((await this.#ask(server, request, signal)).message).ttl ?? ttlSeconds
  }

  /**
   * unregister takes this node's registration back. The protocol has no reply to it: the promise resolves when the
   * server has ended the stream, as servers do that are done, or after `unregisterWaitMs`.
   *
   * @param {PeerId | Multiaddr} server
   * @param {string} ns
   * @param {{ signal?: AbortSignal }} [options]
   */
  async unregister(server, ns, options = {}) {
    checkArguments('unregister', options, { server, ns })
    const deadline = options.signal ?? timeLimit(this.#timeoutMs)
    const connection = await this.#connect(server, deadline)
    await sendUnregister(connection, ns, { signal: deadline, waitMs: this.#unregisterWaitMs })
  }

  /**
   * discover asks once for registrations.
   *
   * @param {PeerId | Multiaddr} server
   * @param {DiscoverQuery & { limit?: number, cookie?: Uint8Array }} [query] - `cookie` of an earlier page: only what
   *   was registered after it
   * @returns {Promise<DiscoverPage>}
   */
  async discover(server, query = {}) {
    checkArguments('discover', query, { server })
    const { ns, limit, cookie, verify = true, signal } = query
    const page = await this.#askForPage(server, { ns, limit, cookie }, signal)
    const { fitting, rejected } = new PageScreen({ ns, limit }).sift(page.registrations)
    const opened = await openRegistrations(fitting, { ns, verify })
    return { ...opened, rejected: [...rejected, ...opened.rejected], cookie: page.cookie }
  }

  /**
   * discoverAll asks page by page until there is nothing more. It ends at any server: pages, registrations, bytes and time are
   * bounded, by default as PAGE_BOUNDS say.
   *
   * @param {PeerId | Multiaddr} server
   * @param {DiscoverQuery & { pageLimit?: number } & Partial<PageBounds>} [query] - the signal covers all pages, the default timeout each
   * @returns {AsyncGenerator<DiscoverPage, void, void>}
   * @throws {ClientError} also TOO_MUCH, for what is beyond the bounds; pages until then were yielded
   */
  async *discoverAll(server, query = {}) {
    checkArguments('discoverAll', query, { server })
    const { ns, pageLimit, verify = true, signal, ...given } = query
    const bounds = { ...PAGE_BOUNDS, ...given }
    const time = new TimeBound(bounds.maxMs, { signal, over: () => tooMuch('maxMs', bounds.maxMs) })
    const askFor = (/** @type {Uint8Array | undefined} */ cookie) =>
      time.within(this.#timeoutMs, until => this.#askForPage(server, { ns, limit: pageLimit, cookie }, until))
    const screen = new PageScreen({ ns, limit: pageLimit })
    for await (const { fitting, rejected, cookie } of discoverPages(askFor, { screen, bounds })) {
      const opened = await time.within(bounds.maxMs, until =>
        openRegistrations(fitting, { ns, verify, signal: until })
      )
      yield { ...opened, rejected: [...rejected, ...opened.rejected], cookie }
    }
  }

  /**
   * @param {PeerId | Multiaddr} server
   * @param {import('../protocol/messages.js').Discover} query
   * @param {AbortSignal} [signal]
   */
  async #askForPage(server, query, signal) {
    const { message, byteLength } = await this.#ask(server, encodeDiscover(query), signal)
    return { ...discoverReply(message), byteLength }
  }

  /**
   * One request on a stream of its own.
   *
   * @param {PeerId | Multiaddr} server
   * @param {Uint8Array} request
   * @param {AbortSignal} [signal]
   */
  async #ask(server, request, signal) {
    const deadline = signal ?? timeLimit(this.#timeoutMs)
    const connection = await this.#connect(server, deadline)
    const session = await openSession(connection, { signal: deadline, maxReplyBytes: this.#maxReplyBytes })
    const reply = await session.request(request, { signal: deadline })
    // the reply is there: how the stream ends does not matter any more
    session.close({ signal: deadline }).catch(() => {})
    return reply
  }

  /** @param {PeerId | Multiaddr} server @param {AbortSignal} signal */
  async #connect(server, signal) {
    try {
      return await this.#components.connectionManager.openConnection(server, { signal })
    } catch (error) {
      throw dialError(error, server, signal)
    }
  }

  #ownRecord() {
    const { privateKey, addressManager } = this.#components
    return sealPeerRecord({
      privateKey,
      // the record names the peer already
      addresses: addressManager.getAddresses().map(address => address.decapsulateCode(CODE_P2P)),
      seq: this.#nextSeq(),
      domain: this.#recordDomain
    })
  }

  /** Grows from record to record, also over restarts of the node. */
  #nextSeq() {
    this.#seq = Math.max(Date.now(), this.#seq + 1)
    return this.#seq
  }
}
