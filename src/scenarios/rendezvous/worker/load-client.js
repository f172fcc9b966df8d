// One rendezvous client of a worker process: chooses its next operation, sends it over libp2p, and measures the reply.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { chooseClientAddress, dialSeparately } from '../../../client/dial.js'
import {
  isLateReply,
  PAGE_BOUNDS,
  PageFilter,
  readDiscoverReply,
  requestPages
} from '../../../client/discover-pages.js'
import { ClientError, ClientErrorCode, RendezvousError } from '../../../client/errors.js'
import { derivePrivateKey, Purpose } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { openSession, StreamPerRequest } from '../../../client/session.js'
import { makeTimeLimit } from '../../../kit/time.js'
import { findStackName } from '../../../libp2p/stacks.js'
import { makeClientNamespaces, RegistrationLedger } from '../../../load/registrations.js'
import { WireTimer } from '../../../measure/client-overhead.js'
import { startTiming } from '../../../measure/operations.js'
import { encodeDiscover, encodeRegister, encodeUnregister, Status } from '../../../protocol/rendezvous.js'
import { sealPeerRecord } from '../../../protocol/signed-record.js'

/**
 * @typedef {import('../../../client/session.js').Reply} Reply
 * @typedef {import('../../../measure/operations.js').Timing} Timing
 * @typedef {import('../../../load/registrations.js').MixedType} MixedType
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} LoadClientComponents
 * @property {Pick<ClientNode['node'], 'services' | 'stop' | 'getConnections'>} node
 * @property {Uint8Array} signedPeerRecord
 * @property {readonly import('@multiformats/multiaddr').Multiaddr[]} servers - its own first, the others in the order of failover
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {import('../options.js').Plan} plan
 * @property {import('../../../load/registrations.js').RunNamespaces} namespaces
 * @property {() => number} random
 * @property {import('../../../kit/time.js').Deadlines} deadlines
 * @property {import('../../../measure/operations.js').OperationRecorder} recorder
 * @property {import('../../../measure/operations.js').Meter} meter
 * @property {import('../../../measure/client-overhead.js').LoopTurns} turns
 * @property {import('../../../libp2p/node-settings.js').SettingsReader} settings - of the nodes of this process
 * @property {import('../../../measure/client-overhead.js').WireTimer} wire - of its connections
 * @property {import('./server-checks.js').ReplyChecks} checks
 * @property {{ all: number, own: readonly number[] }} [topics] - of a full peer: see makeClientNamespaces
 * @property {(dueNs: bigint) => Promise<void>} [publish] - of a full peer: publishes the next message
 * @property {() => Promise<void>} [backpressure] - of a full peer: waits until its process keeps up with what is published
 * @property {ClientObserver} [observer] - of a client that comes and goes
 *
 * @typedef {object} ClientObserver - is called with what a client learns from the server
 * @property {(reply: { ns: string, atNs: number, ttlSeconds: number, certain: boolean }) => void} registered - `certain` false: the client
 *   was killed before the reply
 * @property {(reply: { ns: string, sentNs: number, atNs: number, registrations: readonly import('../../../protocol/rendezvous.js').Register[] }) => void} discovered
 * @property {() => void} cutOff - an operation was under way when its client was killed
 */

/** After a lost connection a client waits this long before it dials again, so that it does not spin on errors. */
const RECONNECT_AFTER_MS = 100
/** Registrations of a page that a full peer discovers: a namespace may hold many of other peers. */
const PAGE = 1000

const now = process.hrtime.bigint

/** LoadClient is one libp2p peer that sends operations to the server under test and measures them. */
export class LoadClient {
  #c
  #ledger
  #streams
  #succeeded = 0
  #killing = new AbortController()
  /** With --cookies, the one of the last reply. @type {Map<string, Uint8Array>} by namespace */
  #cookies = new Map()

  /**
   * @param {number} index - among all clients of the run
   * @param {LoadClientComponents} components
   */
  constructor(index, components) {
    this.#c = components
    this.#streams = new ClientStreams(components)
    const { namespaces, plan, topics } = components
    this.#ledger = new RegistrationLedger(makeClientNamespaces(namespaces, plan.nNamespaces, index, topics))
  }

  /** namespacesUsed counts the namespaces that the client's registrations needed since the last restore. */
  get namespacesUsed() {
    return this.#ledger.used
  }

  /** takeSucceeded counts the operations with outcome OK since its last call. */
  takeSucceeded() {
    const count = this.#succeeded
    this.#succeeded = 0
    return count
  }

  /** connect opens the connection that operations use. @param {AbortSignal} signal */
  async connect(signal) {
    if (!this.#c.plan.connectionPerOperation) await this.#streams.connect(signal)
  }

  /** connectMeasured opens it as an operation of its own, CONNECT. @param {AbortSignal} signal */
  async connectMeasured(signal) {
    await this.#measuredConnect(this.#dueNow, () => this.#streams.connect(signal))
  }

  /** killed aborts when the client is killed. */
  get killed() {
    return this.#killing.signal
  }

  /** kill ends the client at once: connections are cut, and nothing is unregistered. */
  kill() {
    const error = new Error('the client was killed')
    this.#killing.abort(error)
    for (const connection of this.#c.node.getConnections()) connection.abort(error)
    // nothing waits for the end of the node
    Promise.resolve(this.#c.node.stop()).catch(() => {})
  }

  /**
   * renew renews the client's registrations; if it has none, it registers in so many namespaces. Measured as REGISTER.
   *
   * @param {number} namespaces
   * @returns {Promise<string[]>} outcomes
   */
  renew(namespaces) {
    return Promise.all(
      this.#toRenew(namespaces).map(ns => this.#operate({ type: 'REGISTER', ns, sent: false }, this.#dueNow))
    )
  }

  /** discoverIn discovers one namespace; measured as DISCOVER. @param {string} ns */
  async discoverIn(ns) {
    await this.#operate({ type: 'DISCOVER', ns, sent: false }, this.#dueNow)
  }

  /**
   * renewUntimed does the same, not measured.
   *
   * @param {number} namespaces
   * @throws {ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  async renewUntimed(namespaces) {
    const what = 'a registration of a client that comes and goes'
    await this.#registerUntimed(() => this.#toRenew(namespaces), what)
  }

  /** @param {() => readonly string[]} namespaces - asked for once there is a connection @param {string} what */
  async #registerUntimed(namespaces, what) {
    await this.#streams.untimed(async (session, signal) => {
      for (const ns of namespaces()) {
        const { message } = await this.#register(ns, session, signal)
        requireOk(message.registerResponse, what)
      }
    })
  }

  /** The due time of an operation beside the load; the closed model has none. */
  get #dueNow() {
    return this.#c.plan.ratePerSecond == null ? null : now()
  }

  /** @param {number} namespaces */
  #toRenew(namespaces) {
    if (this.#ledger.size > 0) return this.#ledger.all()
    return Array.from({ length: namespaces }, () => this.#ledger.fresh())
  }

  /**
   * prepare makes the registrations that later operations remove; not measured.
   *
   * @param {number} registrations
   */
  async prepare(registrations) {
    if (registrations === 0) return
    await this.#streams.untimed(async (session, signal) => {
      for (let done = 0; done < registrations; done += UNTIMED_BATCH) {
        const batch = Array.from({ length: Math.min(UNTIMED_BATCH, registrations - done) }, () =>
          this.#register(this.#ledger.fresh(), session, signal)
        )
        for (const { message } of await Promise.all(batch))
          requireOk(message.registerResponse, `a registration, of ${registrations} that a client needs`)
      }
    })
  }

  /** registerTopics registers the client in its topics, unless it has registrations; not measured. */
  async registerTopics() {
    if (this.#ledger.size > 0) return
    for (let i = 0; i < (this.#c.topics?.own.length ?? 0); i++) await this.registerNext()
  }

  /**
   * registerNext registers the client in its next namespace, which is the first of its topics at first; not measured.
   *
   * @throws {ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  async registerNext() {
    await this.#registerUntimed(() => [this.#ledger.fresh()], 'a registration of a full peer')
  }

  /**
   * discoverAll discovers a namespace, page by page, within PAGE_BOUNDS; not measured.
   *
   * @param {string} ns
   * @param {(page: import('../../../protocol/rendezvous.js').Register[]) => Promise<void>} onPage
   * @throws {ClientError} what a stream and its requests throw, a refusal, and TOO_MUCH
   */
  async discoverAll(ns, onPage) {
    await this.#streams.untimed(async (session, signal) => {
      /** @param {Uint8Array} [cookie] */
      const askFor = async cookie => {
        const request = encodeDiscover({ ns, limit: PAGE, cookie })
        const { message, byteLength } = await session.request(request, { signal })
        return { ...readDiscoverReply(message), byteLength }
      }
      const how = { screen: new PageFilter({ ns, limit: PAGE }), bounds: PAGE_BOUNDS }
      for await (const { fitting } of requestPages(askFor, how)) await onPage(fitting)
    }, PAGE_BOUNDS.maxMs)
  }

  /** prepareRefresh makes the registration that later operations refresh; not measured. If the server refuses it, it refuses them too, which their outcomes say. */
  async prepareRefresh() {
    if (this.#ledger.size > 0) return
    const ns = this.#ledger.fresh()
    await this.#streams.untimed((session, signal) => this.#register(ns, session, signal)).catch(() => {})
  }

  /** registered lists the registrations of this client that the server has confirmed. */
  registered() {
    return this.#ledger.confirmed()
  }

  /** restore unregisters everything this client registered; not measured. On failure the ledger keeps its registrations. */
  async restore() {
    if (this.#ledger.size === 0) return
    await this.#streams.untimed(async (session, signal) => {
      const namespaces = this.#ledger.all()
      for (let done = 0; done < namespaces.length; done += UNTIMED_BATCH) {
        const batch = namespaces.slice(done, done + UNTIMED_BATCH)
        await session.requestBehind(batch.map(encodeUnregistration), encodeConfirmation(batch[0]), { signal })
      }
    })
    this.#ledger.releaseAll()
  }

  /**
   * perform sends one operation and records how it went.
   *
   * @param {MixedType} type
   * @param {bigint | null} dueNs - null: due now
   */
  async perform(type, dueNs) {
    if (type === 'PUBLISH') return this.#publish(dueNs)
    await this.#operate(chooseOperation(type, this.#ledger, this.#c), dueNs)
    if (this.killed.aborted || this.#streams.connected || this.#c.plan.connectionPerOperation) return
    await sleep(RECONNECT_AFTER_MS)
  }

  /** @param {Operation} operation @param {bigint | null} dueNs @returns {Promise<string>} outcome */
  async #operate(operation, dueNs) {
    const { deadlines, recorder, observer, plan } = this.#c
    const timing = startTiming(operation.type, dueNs)
    const guard = deadlines.guard()
    const { type, ns = '' } = operation
    let outcome
    try {
      outcome = await this.#withStream(operation, timing, guard.signal)
      if (type === 'UNREGISTER') this.#ledger.markRemoved(ns, plan.registerMode === 'refresh')
    } catch (error) {
      timing.repliedNs = now()
      outcome = this.#outcomeOf(error)
      revertOperation(operation, this.#ledger)
    } finally {
      guard.release()
    }
    if (this.killed.aborted) {
      // the operation of a killed client counts in no figure of the server, but it may have registered the client
      const { ttlSeconds } = plan
      const atNs = Number(timing.repliedNs)
      observer?.cutOff()
      if (type === 'REGISTER' && operation.sent)
        observer?.registered({ ns, atNs, ttlSeconds, certain: false })
      return 'INTERRUPTED'
    }
    recorder.record(timing, outcome)
    if (outcome === 'OK') this.#succeeded++
    return outcome
  }

  /** PUBLISH ends when the library has taken the message; deliveries are measured separately. @param {bigint | null} dueNs */
  async #publish(dueNs) {
    const { recorder, publish, backpressure } = this.#c
    if (publish === undefined) throw new Error('a client that is no full peer cannot publish')
    // in the closed model nothing else limits how fast a client publishes
    if (dueNs === null) await backpressure?.()
    const timing = startTiming('PUBLISH', dueNs)
    let outcome = 'OK'
    try {
      await publish(dueNs ?? timing.sentNs)
    } catch (error) {
      const hasNoPeers = /NoPeersSubscribedToTopic/.test(/** @type {Error} */ (error).message)
      outcome = hasNoPeers ? 'NO_PEERS' : 'FAILED'
    }
    timing.repliedNs = now()
    recorder.record(timing, outcome)
    if (outcome === 'OK') this.#succeeded++
  }

  /**
   * drop records an operation that was due, but never sent, because too many were in flight.
   *
   * @param {MixedType} type
   * @param {bigint} dueNs
   */
  drop(type, dueNs) {
    this.#c.recorder.dropped(startTiming(type, dueNs))
  }

  /**
   * walkPages discovers a whole namespace, page by page; not measured.
   *
   * @returns {Promise<import('../../../protocol/rendezvous.js').Register[]>} of up to MAX_PAGES pages
   * @throws {ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  walkPages() {
    const { namespaces, plan } = this.#c
    const ns = namespaces.planned(0)
    return this.#streams.untimed((session, signal) =>
      discoverPageByPage(session, { ns, limit: plan.discoverLimit, signal })
    )
  }

  async close() {
    await this.#c.node.stop()
  }

  /** With --failover, operations under way at a server that is gone have an outcome of their own. @param {unknown} error */
  #outcomeOf(error) {
    const { code } = /** @type {{ code?: string }} */ (error)
    const { failover, connectionPerOperation } = this.#c.plan
    const broken = code === ClientErrorCode.RESET || code === ClientErrorCode.ENDED
    const isUnreachable = broken && !connectionPerOperation && !this.#streams.connected
    return failover && (isUnreachable || code === ClientErrorCode.LOST)
      ? 'SERVER_GONE'
      : this.#c.checks.outcomeOf(error)
  }

  /** @param {Operation} operation @param {Timing} timing @param {AbortSignal} signal */
  async #withStream(operation, timing, signal) {
    const { plan } = this.#c
    if (plan.connectionPerOperation) return this.#onNewConnection(operation, timing, signal)
    if (!plan.streamPerOperation)
      return this.#exchange(operation, timing, await this.#streams.shared(signal), signal)
    const wasConnected = this.#streams.connected
    const connection = await this.#streams.connect(signal)
    // to wait for a server that is away is no overhead of the client
    const beganNs = wasConnected ? timing.sentNs : now()
    const session = await this.#openMeasured(connection, timing, { beganNs, signal })
    return this.#exchangeAndClose(operation, timing, session, signal)
  }

  /**
   * Opening a stream is part of its operation.
   *
   * @param {Connection} connection
   * @param {Timing} timing
   * @param {{ beganNs: bigint, signal: AbortSignal }} when - `beganNs`: the client's work on it began
   */
  async #openMeasured(connection, timing, { beganNs, signal }) {
    const { wire } = this.#c
    const stage = wire.begin(beganNs)
    const session = await this.#streams.open(connection, signal)
    timing.overheadNs += wire.end(stage, now())
    return session
  }

  /** @param {Operation} operation @param {Timing} timing @param {AbortSignal} signal */
  async #onNewConnection(operation, timing, signal) {
    const connection = await this.#measuredConnect(timing.dueNs, () => this.#streams.dial(signal))
    try {
      timing.sentNs = now()
      const session = await this.#openMeasured(connection, timing, { beganNs: timing.sentNs, signal })
      return await this.#exchangeAndClose(operation, timing, session, signal)
    } finally {
      await connection.close({ signal }).catch(error => connection.abort(error))
    }
  }

  /**
   * @param {bigint | null} dueNs
   * @param {() => Promise<Connection>} connect
   */
  async #measuredConnect(dueNs, connect) {
    const { recorder, turns, checks } = this.#c
    const timing = startTiming('CONNECT', dueNs)
    try {
      const connection = await connect()
      timing.repliedNs = now()
      timing.overheadNs = turns.event(timing.repliedNs).total
      recorder.record(timing, 'OK')
      return connection
    } catch (error) {
      timing.repliedNs = now()
      recorder.record(timing, checks.outcomeOf(error))
      throw error
    }
  }

  /** @param {Operation} operation @param {Timing} timing @param {RequestSession} session @param {AbortSignal} signal */
  async #exchangeAndClose(operation, timing, session, signal) {
    try {
      return await this.#exchange(operation, timing, session, signal)
    } finally {
      // the reply is there: how the stream ends is no part of the operation
      session.close({ signal }).catch(() => {})
    }
  }

  /** @param {Operation} operation @param {Timing} timing @param {RequestSession} session @param {AbortSignal} signal */
  async #exchange(operation, timing, session, signal) {
    const { wire, meter, checks } = this.#c
    const { type } = operation
    const stage = wire.begin(now())
    operation.sent = true
    const { message, byteLength } = await this.#send(operation, session, signal)
    timing.repliedNs = now()
    timing.overheadNs += wire.end(stage, timing.repliedNs)
    meter.reply(type, byteLength)
    if (isLateReply(message)) meter.limited()
    const outcome = checks.outcomeOfReply(type, message)
    if (type === 'DISCOVER') this.#discovered(operation, timing, { message, outcome })
    return outcome
  }

  /** @param {Operation} operation @param {Timing} timing @param {{ message: import('../../../protocol/rendezvous.js').Message, outcome: string }} reply */
  #discovered({ ns = '' }, { sentNs, repliedNs }, { message, outcome }) {
    const { plan, observer } = this.#c
    if (outcome === 'E_INVALID_COOKIE') this.#cookies.delete(ns)
    if (outcome !== 'OK' || observer === undefined || this.killed.aborted) return
    const { registrations = [], cookie } = message.discoverResponse ?? {}
    if (plan.cookies && cookie !== undefined) this.#cookies.set(ns, cookie)
    observer.discovered({ ns, sentNs: Number(sentNs), atNs: Number(repliedNs), registrations })
  }

  /** @param {Operation} operation @param {RequestSession} session @param {AbortSignal} signal @returns {Promise<Reply>} */
  async #send({ type, ns }, session, signal) {
    if (ns === undefined) throw new Error('nothing is left to unregister')
    if (type === 'REGISTER') return this.#register(ns, session, signal)
    const limit = this.#c.plan.discoverLimit
    if (type === 'DISCOVER')
      return session.request(encodeDiscover({ ns, limit, cookie: this.#cookies.get(ns) }), { signal })
    return session.requestBehind([encodeUnregistration(ns)], encodeConfirmation(ns), { signal })
  }

  /** @param {string} ns @param {RequestSession} session @param {AbortSignal} signal */
  async #register(ns, session, signal) {
    const sentMs = Number(now()) / 1e6
    const reply = await session.request(encodeRegistration(ns, this.#c), { signal })
    const { plan, observer } = this.#c
    const { status, ttl: ttlSeconds = plan.ttlSeconds } = reply.message.registerResponse ?? {}
    if (status !== Status.OK) return reply
    this.#ledger.confirm(ns, sentMs + 1000 * Math.min(ttlSeconds, plan.ttlSeconds))
    if (!this.killed.aborted) observer?.registered({ ns, atNs: Number(now()), ttlSeconds, certain: true })
    return reply
  }
}

/**
 * @typedef {Pick<LoadClientComponents, 'namespaces' | 'plan' | 'random'>} Drawing
 *
 * @typedef {object} Operation - of one client, before it is sent
 * @property {Exclude<MixedType, 'PUBLISH'>} type
 * @property {string | undefined} ns - undefined: nothing is left to unregister
 * @property {boolean} sent
 */

/**
 * chooseOperation makes the next operation of a client, when it is due: the k-th operation of a client is the same however long those before it
 * take. A mix that draws an UNREGISTER while nothing is registered swaps it with the next REGISTER.
 *
 * @param {Exclude<MixedType, 'PUBLISH'>} drawn
 * @param {RegistrationLedger} ledger
 * @param {Drawing} drawing
 * @returns {Operation}
 */
export function chooseOperation(drawn, ledger, drawing) {
  const { benchmarkType, registerMode, nNamespaces, discoverInexistentNamespaces } = drawing.plan
  if (drawn === 'DISCOVER') {
    const index = Math.floor(drawing.random() * nNamespaces)
    const ns = drawing.namespaces[discoverInexistentNamespaces ? 'inexistent' : 'planned'](index)
    return { type: drawn, ns, sent: false }
  }
  if (benchmarkType === 'UNREGISTER') return { type: drawn, ns: ledger.release(), sent: false }
  if (removesNow(drawn, ledger)) return { type: 'UNREGISTER', ns: ledger.release(), sent: false }
  const refreshed = registerMode === 'refresh' ? ledger.next() : undefined
  return { type: 'REGISTER', ns: refreshed ?? ledger.fresh(), sent: false }
}

/** @param {MixedType} drawn - REGISTER or UNREGISTER @param {RegistrationLedger} ledger */
function removesNow(drawn, ledger) {
  if (drawn === 'UNREGISTER' && ledger.size === 0) ledger.owed++
  else if (drawn === 'REGISTER' && ledger.owed > 0 && ledger.size > 0) {
    ledger.owed--
    return true
  } else return drawn === 'UNREGISTER'
  return false
}

/**
 * revertOperation corrects the ledger for an operation that failed: it changed nothing, or that is not known.
 *
 * @param {Operation} operation
 * @param {RegistrationLedger} ledger
 */
export function revertOperation({ type, ns, sent }, ledger) {
  if (ns === undefined) return
  if (type === 'UNREGISTER') ledger.hold(ns)
  if (type === 'REGISTER' && !sent) ledger.unused(ns)
}

/** encodeRegistration encodes a REGISTER. @param {string} ns @param {Pick<LoadClientComponents, 'signedPeerRecord' | 'plan'>} client */
export const encodeRegistration = (ns, { signedPeerRecord, plan }) =>
  encodeRegister({ ns, signedPeerRecord, ttl: plan.ttlSeconds })

/** encodeUnregistration encodes an UNREGISTER. @param {string} ns */
export const encodeUnregistration = ns => encodeUnregister({ ns })

/** encodeConfirmation encodes the DISCOVER that is sent behind an UNREGISTER, which has no reply of its own. @param {string} ns */
export const encodeConfirmation = ns => encodeDiscover({ ns, limit: 1 })

/**
 * @typedef {import('../../../client/session.js').Session} Session
 * @typedef {Session | StreamPerRequest} RequestSession
 *
 * @typedef {Pick<LoadClientComponents, 'node' | 'servers' | 'severalPerStream' | 'plan' | 'meter' | 'checks'>}
 *   StreamComponents
 */

/** Requests outside the measurement are sent this many at a time. */
const UNTIMED_BATCH = 32

const NOT_MEASURED_TIMEOUT_MS = 30_000

/** Failures to connect that no other server would avoid. @type {readonly unknown[]} */
const OUR_OWN = [ClientErrorCode.LOCAL_PORTS_EXHAUSTED, ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE]

/** ClientStreams holds a client's connection to its server, with the streams on it. */
class ClientStreams {
  #c
  /** Index of the server that it dials. */
  #at = 0
  /** @type {number | null} index of the server of its last connection */
  #last = null
  /** @type {Connection | null} */
  #connection = null
  /** @type {Promise<Connection> | null} */
  #dialing = null
  /** @type {Promise<Session> | null} */
  #session = null

  /** @param {StreamComponents} components */
  constructor(components) {
    this.#c = components
  }

  /** connected says whether the connection that operations share is open. */
  get connected() {
    return this.#connection?.status === 'open'
  }

  /**
   * dial opens another connection: to the last server or, if that cannot be reached, to the next one.
   *
   * @param {AbortSignal} signal
   * @param {boolean} [anywhere] - whether other servers may be dialled
   * @returns {Promise<Connection>}
   */
  async dial(signal, anywhere = this.#c.plan.failover) {
    const { node, servers, meter } = this.#c
    for (let others = anywhere ? servers.length - 1 : 0; ; others--) {
      const at = this.#at
      try {
        const connection = await dialSeparately(node, servers[at], { signal })
        if (this.#last !== null && this.#last !== at) meter.failover()
        this.#last = at
        return connection
      } catch (error) {
        // another operation may have changed the server meanwhile
        if (anywhere && this.#at === at && !OUR_OWN.includes(codeOf(error)))
          this.#at = (at + 1) % servers.length
        if (others === 0 || signal.aborted || OUR_OWN.includes(codeOf(error))) throw error
      }
    }
  }

  /**
   * connect gives the connection that operations share, and dials again after it was lost.
   *
   * @param {AbortSignal} signal
   * @param {boolean} [anywhere] - as of `dial`
   */
  async connect(signal, anywhere) {
    if (this.#connection?.status === 'open') return this.#connection
    if (this.#connection !== null && this.#dialing === null) this.#c.meter.reconnect()
    this.#dialing ??= this.dial(signal, anywhere).finally(() => {
      this.#dialing = null
    })
    this.#connection = await this.#dialing
    return this.#connection
  }

  /** shared gives the stream that operations share, and opens another after it was lost. @param {AbortSignal} signal */
  async shared(signal) {
    const open = await this.#session?.catch(() => null)
    if (open != null && !open.closed) return open
    this.#session = this.connect(signal).then(connection => this.#openSession(connection, { signal }))
    return this.#session
  }

  /**
   * open opens a stream, or makes an opener of one stream for each request, if the server serves no more on one.
   *
   * @param {Connection} connection
   * @param {AbortSignal} signal
   * @returns {Promise<RequestSession>}
   */
  async open(connection, signal) {
    if (!this.#c.severalPerStream) return new StreamPerRequest(connection, this.#openSession)
    return this.#openSession(connection, { signal })
  }

  /**
   * untimed makes an exchange that is not measured, with any server that can be reached.
   *
   * @template T
   * @param {(session: RequestSession, signal: AbortSignal) => Promise<T>} exchange
   * @param {number} [maxMs]
   */
  async untimed(exchange, maxMs = NOT_MEASURED_TIMEOUT_MS) {
    const signal = makeTimeLimit(maxMs)
    setMaxListeners(UNTIMED_BATCH * 4, signal)
    const connection = await this.connect(signal, true)
    const session = await this.open(connection, signal)
    const result = await exchange(session, signal)
    await session.close({ signal })
    if (this.#c.plan.connectionPerOperation) await connection.close({ signal })
    return result
  }

  /**
   * Opens a stream. A connection on which no stream can be opened is aborted, whatever its status: if a server closes a connection during
   * its setup, as after a restart, the muxer may be closed while libp2p still calls the connection open.
   *
   * @param {Connection} connection
   * @param {{ signal?: AbortSignal }} options
   */
  #openSession = async (connection, { signal }) => {
    try {
      return await openSession(connection, { signal, onUnasked: () => this.#c.checks.unasked() })
    } catch (error) {
      if (codeOf(error) === ClientErrorCode.STREAM_FAILED) connection.abort(/** @type {Error} */ (error))
      throw error
    }
  }
}

/** @param {unknown} error */
const codeOf = error => /** @type {ClientError} */ (error).code

/** A namespace can be large: the check of its pages is bounded. */
const MAX_PAGES = 50
const MAX_REGISTRATIONS = 100_000

/**
 * discoverPageByPage discovers a whole namespace, page by page, until one is empty or has no cookie.
 *
 * @param {RequestSession} requests
 * @param {{ ns: string, limit: number, signal: AbortSignal }} options
 * @returns {Promise<import('../../../protocol/rendezvous.js').Register[]>} of up to MAX_PAGES pages
 * @throws {ClientError} what requests throw, and a status other than OK as its name
 */
export async function discoverPageByPage(requests, { ns, limit, signal }) {
  /** @type {import('../../../protocol/rendezvous.js').Register[]} */
  const discovered = []
  /** @type {Uint8Array | undefined} */
  let cookie
  for (let page = 0; page < MAX_PAGES; page++) {
    const { message } = await requests.request(encodeDiscover({ ns, limit, cookie }), { signal })
    requireOk(message.discoverResponse, 'a DISCOVER')
    const { registrations = [], cookie: next } = message.discoverResponse ?? {}
    if (registrations.length === 0 || discovered.length > MAX_REGISTRATIONS) break
    discovered.push(...registrations)
    // without a cookie the first page would come again
    if (next === undefined || next.length === 0) break
    cookie = next
  }
  return discovered
}

/**
 * requireOk throws unless the server answered OK.
 *
 * @param {{ status: number, statusText?: string } | undefined} response
 * @param {string} what
 * @throws {ClientError} with the status as its code
 */
export function requireOk(response, what) {
  if (response === undefined)
    throw new ClientError(
      ClientErrorCode.UNEXPECTED_REPLY,
      `${what} was answered with another kind of message`
    )
  if (response.status === Status.OK) return
  const { code, message } = new RendezvousError(what, response)
  const isCapped = CAPPED.has(response.status) && !OF_STORE.test(response.statusText ?? '')
  const hint = isCapped ? CAP_HINT : response.status === Status.E_INVALID_TTL ? TTL_HINT : ''
  throw new ClientError(code, `${message}${hint}`)
}

/** Statuses of a server whose caps are reached. @type {Set<number>} */
const CAPPED = new Set([Status.E_NOT_AUTHORIZED, Status.E_UNAVAILABLE])
/** Our server answers so if its store fails, which is no cap. */
const OF_STORE = /^the store (is|has) /
const TTL_HINT = '; give a --ttl that the server allows'
const CAP_HINT = '; if the server limits registrations per peer, use more --nClients'

/** Port in the addresses of clients; nobody dials it. */
const PORT = 4001

/**
 * @typedef {object} ClientNode
 * @property {Awaited<ReturnType<typeof createClientNode>>} node - started
 * @property {WireTimer} wire - of its connections
 * @property {Uint8Array} signedPeerRecord - made once, as by a peer whose addresses do not change
 */

/**
 * startClientNode starts the libp2p node of one peer. Its identity comes from the plan's seed and its index.
 *
 * @param {number} index - among all peers of the run
 * @param {object} of
 * @param {Pick<import('../options.js').Plan, 'seed' | 'stack' | 'stock' | 'recordDomain'>} of.plan
 * @param {import('@multiformats/multiaddr').Multiaddr} of.server
 * @param {import('../../../measure/client-overhead.js').LoopTurns} of.turns - of the event loop
 * @param {import('../../../libp2p/node-settings.js').SettingsReader} of.settings - of the nodes of this process
 * @returns {Promise<ClientNode>}
 */
export async function startClientNode(index, { plan, server, turns, settings }) {
  const privateKey = await derivePrivateKey(plan.seed, Purpose.CLIENT, index)
  const localAddress = chooseClientAddress(server, index, process.platform)
  const wire = new WireTimer(turns)
  const stack = findStackName(plan.stack, index)
  const node = await createClientNode({ privateKey, localAddress, wire, stack, stock: plan.stock })
  await settings.read(node, { stack })
  const signedPeerRecord = await sealPeerRecord({
    privateKey,
    addresses: [multiaddr(`/ip4/${localAddress ?? '127.0.0.1'}/tcp/${PORT}`)],
    seq: 1,
    domain: plan.recordDomain
  })
  await node.start()
  return { node, signedPeerRecord, wire }
}

/**
 * startClient starts one client.
 *
 * @param {number} index - among all clients of the run
 * @param {Omit<LoadClientComponents, 'node' | 'signedPeerRecord' | 'wire'>} components
 */
export const startClient = async (index, components) =>
  new LoadClient(index, {
    ...components,
    ...(await startClientNode(index, { ...components, server: components.servers[0] }))
  })
