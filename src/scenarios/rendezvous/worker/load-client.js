// One client of a load worker: its node, its streams, its operations.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor, dialApart } from '../../../client/dial.js'
import {
  discoverPages,
  discoverReply,
  PAGE_BOUNDS,
  PageScreen,
  saysLate
} from '../../../client/discover-pages.js'
import { ClientError, ClientErrorCode, RendezvousError } from '../../../client/errors.js'
import { Purpose, privateKeyOf } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { openSession, StreamPerRequest } from '../../../client/session.js'
import { timeLimit } from '../../../kit/time.js'
import { stackNameOf } from '../../../libp2p/stacks.js'
import { clientNamespaces, RegistrationLedger } from '../../../load/registrations.js'
import { WireWatch } from '../../../measure/client-overhead.js'
import { timingOf } from '../../../measure/operations.js'
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
 * @property {readonly import('@multiformats/multiaddr').Multiaddr[]} servers - its own first, the others in the order in which it goes to them
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {import('../options.js').Plan} plan
 * @property {import('../../../load/registrations.js').Namespaces} namespaces
 * @property {() => number} random
 * @property {import('../../../kit/time.js').Deadlines} deadlines
 * @property {import('../../../measure/operations.js').OperationRecorder} recorder
 * @property {import('../../../measure/operations.js').Meter} meter
 * @property {import('../../../measure/client-overhead.js').Turns} turns
 * @property {import('../../../libp2p/node-settings.js').SettingsReader} settings - of the nodes of this process
 * @property {import('../../../measure/client-overhead.js').WireWatch} wire - of its connections
 * @property {import('./server-checks.js').ReplyChecks} checks
 * @property {{ all: number, own: readonly number[] }} [topics] - of a full peer: see clientNamespaces
 * @property {(dueNs: bigint) => Promise<void>} [publish] - of a full peer: publishes the next message
 * @property {() => Promise<void>} [backpressure] - of a full peer: waits until its process keeps up with what is published
 * @property {ClientObserver} [observer] - of a client that comes and goes
 *
 * @typedef {object} ClientObserver - hears what a client learns from the server
 * @property {(reply: { ns: string, atNs: number, ttlSeconds: number, certain: boolean }) => void} registered - `certain` false: the client
 *   was killed before the reply
 * @property {(reply: { ns: string, sentNs: number, atNs: number, registrations: readonly import('../../../protocol/rendezvous.js').Register[] }) => void} discovered
 * @property {() => void} cutOff - an operation was under way when its client was killed
 */

/** After a lost connection a client waits this long before it dials again, so that it does not spin on errors. */
const RECONNECT_AFTER_MS = 100
/** So many registrations of a page a full peer asks for: a namespace may be full of others. */
const PAGE = 1000

const now = process.hrtime.bigint

/** @param {unknown} error - of gossipsub */
const notPublished = error =>
  /NoPeersSubscribedToTopic/.test(/** @type {Error} */ (error).message) ? 'NO_PEERS' : 'FAILED'

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
    this.#ledger = new RegistrationLedger(clientNamespaces(namespaces, plan.nNamespaces, index, topics))
  }

  /** namespacesUsed is how many namespaces the client's registrations needed since the last restore. */
  get namespacesUsed() {
    return this.#ledger.used
  }

  /** takeSucceeded is how many operations came to OK since this was last asked. */
  takeSucceeded() {
    const count = this.#succeeded
    this.#succeeded = 0
    return count
  }

  /** connect opens the connection that operations use. @param {AbortSignal} signal */
  async connect(signal) {
    if (!this.#c.plan.connectionPerOperation) await this.#streams.connect(signal)
  }

  /** connectMeasured does so as an operation of its own. @param {AbortSignal} signal */
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
    // nobody waits for what is left of it
    Promise.resolve(this.#c.node.stop()).catch(() => {})
  }

  /**
   * renew registers it in so many namespaces or, where it is registered, renews that; measured as REGISTER.
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
   * @throws {import('../../../client/errors.js').ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  async renewUntimed(namespaces) {
    await this.#streams.untimed(async (session, signal) => {
      for (const ns of this.#toRenew(namespaces)) {
        const { message } = await this.#register(ns, session, signal)
        requireOk(message.registerResponse, 'a registration of a client that comes and goes')
      }
    })
  }

  /** When an operation beside the load is due: the closed model knows no such time. */
  get #dueNow() {
    return this.#c.plan.ratePerSecond == null ? null : now()
  }

  /** @param {number} namespaces */
  #toRenew(namespaces) {
    if (this.#ledger.held > 0) return this.#ledger.all()
    return Array.from({ length: namespaces }, () => this.#ledger.fresh())
  }

  /**
   * prepare registers what later operations remove; not measured.
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

  /** registerTopics registers it in its topics, where it is registered nowhere; not measured. */
  async registerTopics() {
    if (this.#ledger.held > 0) return
    for (let i = 0; i < (this.#c.topics?.own.length ?? 0); i++) await this.registerNext()
  }

  /**
   * registerNext registers it where it registers next, in the first of its topics first; not measured.
   *
   * @throws {import('../../../client/errors.js').ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  async registerNext() {
    await this.#streams.untimed(async (session, signal) => {
      const { message } = await this.#register(this.#ledger.fresh(), session, signal)
      requireOk(message.registerResponse, 'a registration of a full peer')
    })
  }

  /**
   * discoverAll discovers a namespace, page by page, within PAGE_BOUNDS; not measured.
   *
   * @param {string} ns
   * @param {(page: import('../../../protocol/rendezvous.js').Register[]) => Promise<void>} onPage
   * @throws {import('../../../client/errors.js').ClientError} what a stream and its requests throw, a refusal, and TOO_MUCH
   */
  async discoverAll(ns, onPage) {
    await this.#streams.untimed(async (session, signal) => {
      /** @param {Uint8Array} [cookie] */
      const askFor = async cookie => {
        const { message, byteLength } = await session.request(encodeDiscover({ ns, limit: PAGE, cookie }), {
          signal
        })
        return { ...discoverReply(message), byteLength }
      }
      const how = { screen: new PageScreen({ ns, limit: PAGE }), bounds: PAGE_BOUNDS }
      for await (const { fitting } of discoverPages(askFor, how)) await onPage(fitting)
    }, PAGE_BOUNDS.maxMs)
  }

  /** prepareRefresh registers what later operations refresh; not measured. Where it is refused, so are they, which is an outcome of theirs. */
  async prepareRefresh() {
    if (this.#ledger.held > 0) return
    const ns = this.#ledger.fresh()
    const registering = this.#streams.untimed(async (session, signal) => {
      await this.#register(ns, session, signal)
    })
    await registering.catch(() => {})
  }

  /** registered is what the server must hold of this client, by what it said. */
  registered() {
    return this.#ledger.confirmed()
  }

  /** restore unregisters everything this client registered; not measured. What it could not stays in the ledger. */
  async restore() {
    if (this.#ledger.held === 0) return
    await this.#streams.untimed(async (session, signal) => {
      const held = this.#ledger.all()
      for (let done = 0; done < held.length; done += UNTIMED_BATCH) {
        const batch = held.slice(done, done + UNTIMED_BATCH)
        await session.requestBehind(batch.map(unregisterIn), confirm(batch[0]), { signal })
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
    await this.#operate(chosen(type, this.#ledger, this.#c), dueNs)
    if (this.killed.aborted || this.#streams.connected || this.#c.plan.connectionPerOperation) return
    await sleep(RECONNECT_AFTER_MS)
  }

  /** @param {Operation} operation @param {bigint | null} dueNs @returns {Promise<string>} outcome */
  async #operate(operation, dueNs) {
    const { deadlines, recorder } = this.#c
    const timing = timingOf(operation.type, dueNs)
    const guard = deadlines.guard()
    let outcome
    try {
      outcome = await this.#withStream(operation, timing, guard.signal)
      this.#noteRemoved(operation)
    } catch (error) {
      timing.repliedNs = now()
      outcome = this.#outcomeOf(error)
      takeBack(operation, this.#ledger)
    } finally {
      guard.release()
    }
    if (this.killed.aborted) {
      this.#cutOff(operation, timing)
      return 'INTERRUPTED'
    }
    recorder.record(timing, outcome)
    if (outcome === 'OK') this.#succeeded++
    return outcome
  }

  /** What a killed client was doing is no figure of the server. @param {Operation} operation @param {Timing} timing */
  #cutOff({ type, ns = '', sent }, { repliedNs }) {
    const { observer, plan } = this.#c
    observer?.cutOff()
    if (type !== 'REGISTER' || !sent) return
    observer?.registered({ ns, atNs: Number(repliedNs), ttlSeconds: plan.ttlSeconds, certain: false })
  }

  /** It ends when the library has handed the message over: what becomes of it then are deliveries. @param {bigint | null} dueNs */
  async #publish(dueNs) {
    const { recorder, publish, backpressure } = this.#c
    if (publish === undefined) throw new Error('a client that is no full peer cannot publish')
    // in the closed model nothing else would hold back who publishes and publishes
    if (dueNs === null) await backpressure?.()
    const timing = timingOf('PUBLISH', dueNs)
    let outcome = 'OK'
    try {
      await publish(dueNs ?? timing.sentNs)
    } catch (error) {
      outcome = notPublished(error)
    }
    timing.repliedNs = now()
    recorder.record(timing, outcome)
    if (outcome === 'OK') this.#succeeded++
  }

  /**
   * drop records an operation that was due but never sent, as many as may be are in flight already.
   *
   * @param {MixedType} type
   * @param {bigint} dueNs
   */
  drop(type, dueNs) {
    this.#c.recorder.dropped(timingOf(type, dueNs))
  }

  /**
   * walkPages discovers a whole namespace, page by page; not measured.
   *
   * @returns {Promise<import('../../../protocol/rendezvous.js').Register[]>} of up to MAX_PAGES pages
   * @throws {import('../../../client/errors.js').ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  async walkPages() {
    /** @type {import('../../../protocol/rendezvous.js').Register[]} */
    let found = []
    const { namespaces, plan } = this.#c
    const ns = namespaces.planned(0)
    await this.#streams.untimed(async (session, signal) => {
      found = await walkPages(session, { ns, limit: plan.discoverLimit, signal })
    })
    return found
  }

  async close() {
    await this.#c.node.stop()
  }

  /** @param {Operation} operation - that was answered */
  #noteRemoved({ type, ns }) {
    if (type === 'UNREGISTER' && ns !== undefined)
      this.#ledger.gone(ns, this.#c.plan.registerMode === 'refresh')
  }

  /** What was under way at a server that went is told apart from what found none. @param {unknown} error */
  #outcomeOf(error) {
    const { code } = /** @type {{ code?: string }} */ (error)
    const { failover, connectionPerOperation } = this.#c.plan
    const broken = code === ClientErrorCode.RESET || code === ClientErrorCode.ENDED
    const gone = broken && !connectionPerOperation && !this.#streams.connected
    return failover && (gone || code === ClientErrorCode.LOST)
      ? 'SERVER_GONE'
      : this.#c.checks.outcomeOf(error)
  }

  /** @param {Operation} operation @param {Timing} timing @param {AbortSignal} signal */
  async #withStream(operation, timing, signal) {
    const { plan } = this.#c
    if (plan.connectionPerOperation) return this.#onNewConnection(operation, timing, signal)
    if (!plan.streamPerOperation)
      return this.#exchange(operation, timing, await this.#streams.shared(signal), signal)
    const session = await this.#openMeasured(await this.#streams.connect(signal), timing, signal)
    return this.#exchangeAndClose(operation, timing, session, signal)
  }

  /** Opening a stream is part of its operation. @param {Connection} connection @param {Timing} timing @param {AbortSignal} signal */
  async #openMeasured(connection, timing, signal) {
    const { wire } = this.#c
    const stage = wire.begin(timing.sentNs)
    const session = await this.#streams.open(connection, signal)
    timing.overheadNs += wire.end(stage, now())
    return session
  }

  /** @param {Operation} operation @param {Timing} timing @param {AbortSignal} signal */
  async #onNewConnection(operation, timing, signal) {
    const connection = await this.#measuredConnect(timing.dueNs, () => this.#streams.dial(signal))
    try {
      timing.sentNs = now()
      const session = await this.#openMeasured(connection, timing, signal)
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
    const timing = timingOf('CONNECT', dueNs)
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

  /** @param {Operation} operation @param {Timing} timing @param {Requests} session @param {AbortSignal} signal */
  async #exchangeAndClose(operation, timing, session, signal) {
    try {
      return await this.#exchange(operation, timing, session, signal)
    } finally {
      // the reply is there: how the stream ends is no part of the operation
      session.close({ signal }).catch(() => {})
    }
  }

  /** @param {Operation} operation @param {Timing} timing @param {Requests} session @param {AbortSignal} signal */
  async #exchange(operation, timing, session, signal) {
    const { wire } = this.#c
    const { type } = operation
    const stage = wire.begin(now())
    operation.sent = true
    const { message, byteLength } = await this.#send(operation, session, signal)
    timing.repliedNs = now()
    timing.overheadNs += wire.end(stage, timing.repliedNs)
    this.#c.meter.reply(type, byteLength)
    if (saysLate(message)) this.#c.meter.limited()
    const outcome = this.#c.checks.outcomeOfReply(type, message)
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

  /** @param {Operation} operation @param {Requests} session @param {AbortSignal} signal @returns {Promise<Reply>} */
  async #send({ type, ns }, session, signal) {
    if (ns === undefined) throw new Error('nothing is left to unregister')
    if (type === 'REGISTER') return this.#register(ns, session, signal)
    if (type === 'DISCOVER') return session.request(discovery(ns, this.#c, this.#cookies.get(ns)), { signal })
    return session.requestBehind([unregisterIn(ns)], confirm(ns), { signal })
  }

  /** @param {string} ns @param {Requests} session @param {AbortSignal} signal */
  async #register(ns, session, signal) {
    const sentMs = Number(now()) / 1e6
    const reply = await session.request(registration(ns, this.#c), { signal })
    const { status, ttl = Infinity } = reply.message.registerResponse ?? {}
    if (status !== Status.OK) return reply
    const { plan, observer } = this.#c
    this.#ledger.confirm(ns, sentMs + 1000 * Math.min(ttl, plan.ttlSeconds))
    if (observer === undefined || this.killed.aborted) return reply
    const ttlSeconds = reply.message.registerResponse?.ttl ?? plan.ttlSeconds
    observer.registered({ ns, atNs: Number(now()), ttlSeconds, certain: true })
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
 * chosen says what the next operation of a client is about. It is asked when one is due: the k-th operation of a client is the same
 * however long those before it take. A mix that draws an UNREGISTER while nothing is registered swaps it with the next REGISTER.
 *
 * @param {Exclude<MixedType, 'PUBLISH'>} drawn
 * @param {RegistrationLedger} ledger
 * @param {Drawing} drawing
 * @returns {Operation}
 */
export function chosen(drawn, ledger, drawing) {
  if (drawn === 'DISCOVER') return { type: drawn, ns: discovered(drawing), sent: false }
  const { benchmarkType, registerMode } = drawing.plan
  if (benchmarkType === 'UNREGISTER') return { type: drawn, ns: ledger.release(), sent: false }
  if (removesNow(drawn, ledger)) return { type: 'UNREGISTER', ns: ledger.release(), sent: false }
  const refreshed = registerMode === 'refresh' ? ledger.next() : undefined
  return { type: 'REGISTER', ns: refreshed ?? ledger.fresh(), sent: false }
}

/** @param {MixedType} drawn - REGISTER or UNREGISTER @param {RegistrationLedger} ledger */
function removesNow(drawn, ledger) {
  if (drawn === 'UNREGISTER' && ledger.held === 0) ledger.owed++
  else if (drawn === 'REGISTER' && ledger.owed > 0 && ledger.held > 0) {
    ledger.owed--
    return true
  } else return drawn === 'UNREGISTER'
  return false
}

/** One of the namespaces at random. @param {Drawing} drawing */
function discovered({ namespaces, plan, random }) {
  const index = Math.floor(random() * plan.nNamespaces)
  return plan.discoverInexistentNamespaces ? namespaces.inexistent(index) : namespaces.planned(index)
}

/**
 * takeBack notes that an operation failed: it changed nothing, or nobody knows.
 *
 * @param {Operation} operation
 * @param {RegistrationLedger} ledger
 */
export function takeBack({ type, ns, sent }, ledger) {
  if (ns === undefined) return
  if (type === 'UNREGISTER') ledger.hold(ns)
  if (type === 'REGISTER' && !sent) ledger.unused(ns)
}

/** registration of a client in a namespace. @param {string} ns @param {Pick<LoadClientComponents, 'signedPeerRecord' | 'plan'>} client */
export const registration = (ns, { signedPeerRecord, plan }) =>
  encodeRegister({ ns, signedPeerRecord, ttl: plan.ttlSeconds })

/** discovery in a namespace. @param {string} ns @param {Pick<LoadClientComponents, 'plan'>} client @param {Uint8Array} [cookie] - of the reply before */
const discovery = (ns, { plan }, cookie) => encodeDiscover({ ns, limit: plan.discoverLimit, cookie })

/** unregisterIn takes a registration back. @param {string} ns */
export const unregisterIn = ns => encodeUnregister({ ns })

/** confirm asks for the reply that UNREGISTER has not: that to a DISCOVER sent behind it confirms it. @param {string} ns */
export const confirm = ns => encodeDiscover({ ns, limit: 1 })

/**
 * @typedef {import('../../../client/session.js').Session} Session
 * @typedef {Session | StreamPerRequest} Requests
 *
 * @typedef {Pick<LoadClientComponents, 'node' | 'servers' | 'severalPerStream' | 'plan' | 'meter' | 'checks'>}
 *   StreamComponents
 */

/** UNTIMED_BATCH: requests outside the measurement go out this many at a time. */
const UNTIMED_BATCH = 32

const NOT_MEASURED_TIMEOUT_MS = 30_000

/** Why a connection could not be opened, whatever server is dialled. @type {readonly unknown[]} */
const OUR_OWN = [ClientErrorCode.LOCAL_PORTS_EXHAUSTED, ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE]

/** ClientStreams are a client's connection to its server, and the streams that it opens on it. */
class ClientStreams {
  #c
  /** Which of its servers it goes to. */
  #at = 0
  /** @type {number | null} the one it had a connection to last */
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

  /** connected tells whether the connection that operations share is open. */
  get connected() {
    return this.#connection?.status === 'open'
  }

  /**
   * dial opens another connection: to the server the client had last or, where that cannot be reached and others may be, to the next one.
   *
   * @param {AbortSignal} signal
   * @param {boolean} [anywhere] - others may be
   * @returns {Promise<Connection>}
   */
  async dial(signal, anywhere = this.#c.plan.failover) {
    const { node, servers, meter } = this.#c
    for (let others = anywhere ? servers.length - 1 : 0; ; others--) {
      const at = this.#at
      try {
        const connection = await dialApart(node, servers[at], { signal })
        if (this.#last !== null && this.#last !== at) meter.failover()
        this.#last = at
        return connection
      } catch (error) {
        // another operation may have gone on to the next one meanwhile
        if (anywhere && this.#at === at && !OUR_OWN.includes(codeOf(error)))
          this.#at = (at + 1) % servers.length
        if (others === 0 || signal.aborted || OUR_OWN.includes(codeOf(error))) throw error
      }
    }
  }

  /**
   * connect gives the connection that operations share, dialled again when it was lost.
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

  /** shared is the stream that operations share, opened again when it was lost. @param {AbortSignal} signal */
  async shared(signal) {
    const open = await this.#session?.catch(() => null)
    if (open != null && !open.closed) return open
    this.#session = this.connect(signal).then(connection => this.#openSession(connection, { signal }))
    return this.#session
  }

  /**
   * open opens a stream, or what opens one for each request where the server wants that.
   *
   * @param {Connection} connection
   * @param {AbortSignal} signal
   * @returns {Promise<Requests>}
   */
  async open(connection, signal) {
    if (!this.#c.severalPerStream) return new StreamPerRequest(connection, this.#openSession)
    return this.#openSession(connection, { signal })
  }

  /**
   * untimed has an exchange that is not measured, with any server that is there.
   *
   * @param {(session: Requests, signal: AbortSignal) => Promise<void>} exchange
   * @param {number} [mostMs] - that it may take
   */
  async untimed(exchange, mostMs = NOT_MEASURED_TIMEOUT_MS) {
    const signal = timeLimit(mostMs)
    setMaxListeners(UNTIMED_BATCH * 4, signal)
    const connection = await this.connect(signal, true)
    const session = await this.open(connection, signal)
    await exchange(session, signal)
    await session.close({ signal })
    if (this.#c.plan.connectionPerOperation) await connection.close({ signal })
  }

  /** @param {Connection} connection @param {{ signal?: AbortSignal }} options */
  #openSession = (connection, { signal }) =>
    openUsable(connection, { signal, onUnasked: () => this.#c.checks.unasked() })
}

/**
 * Opens a stream. A connection that takes none any more is given up, whatever libp2p calls it: where a server closes one while it is
 * set up, as in the rush after a restart, its muxer may be closed and the connection said to be open.
 *
 * @param {Connection} connection
 * @param {{ signal?: AbortSignal, onUnasked: () => void }} options
 */
async function openUsable(connection, options) {
  try {
    return await openSession(connection, options)
  } catch (error) {
    if (codeOf(error) === ClientErrorCode.STREAM_FAILED) connection.abort(/** @type {Error} */ (error))
    throw error
  }
}

/** @param {unknown} error */
const codeOf = error => /** @type {import('../../../client/errors.js').ClientError} */ (error).code

/** A whole namespace can be large: the check of its pages ends here. */
const MAX_PAGES = 50
const MAX_REGISTRATIONS = 100_000

/**
 * walkPages discovers a whole namespace, page by page, until one is empty or has no cookie.
 *
 * @param {Requests} requests
 * @param {{ ns: string, limit: number, signal: AbortSignal }} options
 * @returns {Promise<import('../../../protocol/rendezvous.js').Register[]>} of up to MAX_PAGES pages
 * @throws {import('../../../client/errors.js').ClientError} what requests throw, and a status other than OK as its name
 */
export async function walkPages(requests, { ns, limit, signal }) {
  /** @type {import('../../../protocol/rendezvous.js').Register[]} */
  const found = []
  /** @type {Uint8Array | undefined} */
  let cookie
  for (let page = 0; page < MAX_PAGES; page++) {
    const { message } = await requests.request(encodeDiscover({ ns, limit, cookie }), { signal })
    requireOk(message.discoverResponse, 'a DISCOVER')
    const { registrations = [], cookie: next } = message.discoverResponse ?? {}
    if (registrations.length === 0 || found.length > MAX_REGISTRATIONS) break
    found.push(...registrations)
    // without one the first page would come again
    if (next === undefined || next.length === 0) break
    cookie = next
  }
  return found
}

/**
 * requireOk throws what a server answered instead of OK.
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

/** What servers answer above their caps. @type {Set<number>} */
const CAPPED = new Set([Status.E_NOT_AUTHORIZED, Status.E_UNAVAILABLE])
/** Our server says so of what keeps its registrations: no cap. */
const OF_STORE = /^the store (is|has) /
const TTL_HINT = '; give a --ttl that the server allows'
const CAP_HINT = '; where the server caps what one peer may hold, more --nClients hold fewer each'

/** Nobody dials it: peers only say that they are there. */
const PORT = 4001

/**
 * @typedef {object} ClientNode
 * @property {Awaited<ReturnType<typeof createClientNode>>} node - started
 * @property {WireWatch} wire - of its connections
 * @property {Uint8Array} signedPeerRecord - made once, as a peer does whose addresses do not change
 */

/**
 * startClientNode starts the libp2p node of one peer. Its identity comes from the plan's seed and its index.
 *
 * @param {number} index - among all peers of the run
 * @param {object} of
 * @param {Pick<import('../options.js').Plan, 'seed' | 'stack' | 'stock' | 'recordDomain'>} of.plan
 * @param {import('@multiformats/multiaddr').Multiaddr} of.server
 * @param {import('../../../measure/client-overhead.js').Turns} of.turns - of the event loop
 * @param {import('../../../libp2p/node-settings.js').SettingsReader} of.settings - of the nodes of this process
 * @returns {Promise<ClientNode>}
 */
export async function startClientNode(index, { plan, server, turns, settings }) {
  const privateKey = await privateKeyOf(plan.seed, Purpose.CLIENT, index)
  const localAddress = clientAddressFor(server, index, process.platform)
  const wire = new WireWatch(turns)
  const stack = stackNameOf(plan.stack, index)
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
