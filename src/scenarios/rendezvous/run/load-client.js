import { setTimeout as sleep } from 'node:timers/promises'
import { discoverPages, PAGE_BOUNDS } from '../../../client/discover-pages.js'
import { ClientErrorCode } from '../../../client/errors.js'
import { PageScreen } from '../../../client/page-screen.js'
import { discoverReply, saysLate } from '../../../client/replies.js'
import { clientNamespaces, RegistrationLedger } from '../../../load/registration-ledger.js'
import { timingOf } from '../../../measure/operation-recorder.js'
import { encodeDiscover } from '../../../protocol/messages.js'
import { Status } from '../../../protocol/status.js'
import { chosen, takeBack } from './client-operation.js'
import { confirm, discovery, registration, unregisterIn } from './client-requests.js'
import { ClientStreams, UNTIMED_BATCH } from './client-streams.js'
import { requireOk } from './require-ok.js'
import { walkPages } from './walk-pages.js'

/**
 * @typedef {import('../../../client/session.js').Reply} Reply
 * @typedef {import('../../../measure/operation-recorder.js').Timing} Timing
 * @typedef {import('../../../load/mix.js').MixedType} MixedType
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {import('./client-streams.js').Requests} Requests
 * @typedef {import('./client-operation.js').Operation} Operation
 *
 * @typedef {object} LoadClientComponents
 * @property {Pick<import('./client-node.js').ClientNode['node'], 'services' | 'stop' | 'getConnections'>} node
 * @property {Uint8Array} signedPeerRecord
 * @property {readonly import('@multiformats/multiaddr').Multiaddr[]} servers - its own first, the others in the order in which it goes to them
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {import('../../../plan/plan.js').Plan} plan
 * @property {import('../../../plan/namespaces.js').Namespaces} namespaces
 * @property {() => number} random
 * @property {import('../../../load/deadlines.js').Deadlines} deadlines
 * @property {import('../../../measure/operation-recorder.js').OperationRecorder} recorder
 * @property {import('../../../measure/meter.js').Meter} meter
 * @property {import('../../../measure/turns.js').Turns} turns
 * @property {import('../../../libp2p/node-settings.js').SettingsReader} settings - of the nodes of this process
 * @property {import('../../../measure/wire-watch.js').WireWatch} wire - of its connections
 * @property {import('./reply-checks.js').ReplyChecks} checks
 * @property {{ all: number, own: readonly number[] }} [topics] - of a full peer: see clientNamespaces
 * @property {(dueNs: bigint) => Promise<void>} [publish] - of a full peer: publishes the next message
 * @property {() => Promise<void>} [backpressure] - of a full peer: waits until its process keeps up with what is published
 * @property {ClientObserver} [observer] - of a client that comes and goes
 *
 * @typedef {object} ClientObserver - hears what a client learns from the server
 * @property {(reply: { ns: string, atNs: number, ttlSeconds: number, certain: boolean }) => void} registered - `certain` false: the client
 *   was killed before the reply
 * @property {(reply: { ns: string, sentNs: number, atNs: number, registrations: readonly import('../../../protocol/messages.js').Register[] }) => void} discovered
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
   * @param {(page: import('../../../protocol/messages.js').Register[]) => Promise<void>} onPage
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
   * @returns {Promise<import('../../../protocol/messages.js').Register[]>} of up to MAX_PAGES pages
   * @throws {import('../../../client/errors.js').ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  async walkPages() {
    /** @type {import('../../../protocol/messages.js').Register[]} */
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

  /** @param {Operation} operation @param {Timing} timing @param {{ message: import('../../../protocol/messages.js').Message, outcome: string }} reply */
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
