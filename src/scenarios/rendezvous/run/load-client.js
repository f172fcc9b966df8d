import { setTimeout as sleep } from 'node:timers/promises'
import { clientNamespaces, RegistrationLedger } from '../../../load/registration-ledger.js'
import { addWait, timingOf } from '../../../measure/operation-recorder.js'
import { Status } from '../../../protocol/status.js'
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
 *
 * @typedef {object} LoadClientComponents
 * @property {import('@libp2p/interface').Libp2p} node
 * @property {Uint8Array} signedPeerRecord
 * @property {import('@multiformats/multiaddr').Multiaddr} server
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {import('../../../plan/plan.js').Plan} plan
 * @property {import('../../../plan/namespaces.js').Namespaces} namespaces
 * @property {() => number} random
 * @property {import('../../../load/deadlines.js').Deadlines} deadlines
 * @property {import('../../../measure/operation-recorder.js').OperationRecorder} recorder
 * @property {import('../../../measure/meter.js').Meter} meter
 * @property {import('../../../measure/turns.js').Turns} turns
 * @property {import('../../../measure/wire-watch.js').WireWatch} wire - of its connections
 * @property {import('./reply-checks.js').ReplyChecks} checks
 */

/** After a lost connection a client waits this long before it dials again, so that it does not spin on errors. */
const RECONNECT_AFTER_MS = 100

const now = process.hrtime.bigint

/** LoadClient is one libp2p peer that sends operations to the server under test and measures them. */
export class LoadClient {
  #c
  #ledger
  #streams

  /**
   * @param {number} index - among all clients of the run
   * @param {LoadClientComponents} components
   */
  constructor(index, components) {
    this.#c = components
    this.#streams = new ClientStreams(components)
    const { namespaces, plan } = components
    this.#ledger = new RegistrationLedger(clientNamespaces(namespaces, plan.nNamespaces, index))
  }

  /** namespacesUsed is how many namespaces the client's registrations needed since the last restore. */
  get namespacesUsed() {
    return this.#ledger.used
  }

  /** connect opens the connection that operations use. @param {AbortSignal} signal */
  async connect(signal) {
    if (!this.#c.plan.connectionPerOperation) await this.#streams.connect(signal)
  }

  /**
   * prepare registers what later operations remove or refresh; not measured.
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
    const { deadlines, recorder, turns } = this.#c
    const timing = timingOf(type, dueNs)
    if (dueNs !== null) timing.machineNs = turns.stretch(Number(timing.sentNs - dueNs))
    const guard = deadlines.guard()
    let outcome
    try {
      outcome = await this.#withStream(type, timing, guard.signal)
    } catch (error) {
      timing.repliedNs = now()
      outcome = this.#c.checks.outcomeOf(error)
    } finally {
      guard.release()
    }
    recorder.record(timing, outcome)
    if (!this.#streams.connected && !this.#c.plan.connectionPerOperation) await sleep(RECONNECT_AFTER_MS)
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

  /** @param {MixedType} type @param {Timing} timing @param {AbortSignal} signal */
  async #withStream(type, timing, signal) {
    const { plan } = this.#c
    if (plan.connectionPerOperation) return this.#onNewConnection(type, timing, signal)
    if (!plan.streamPerOperation)
      return this.#exchange(type, timing, await this.#streams.shared(signal), signal)
    const session = await this.#openMeasured(await this.#streams.connect(signal), timing, signal)
    return this.#exchangeAndClose(type, timing, session, signal)
  }

  /** Opening a stream is part of its operation. @param {Connection} connection @param {Timing} timing @param {AbortSignal} signal */
  async #openMeasured(connection, timing, signal) {
    const { wire } = this.#c
    const stage = wire.begin(timing.sentNs)
    const session = await this.#streams.open(connection, signal)
    wire.end(stage, now(), timing)
    return session
  }

  /** @param {MixedType} type @param {Timing} timing @param {AbortSignal} signal */
  async #onNewConnection(type, timing, signal) {
    const connection = await this.#measuredConnect(timing.dueNs, () => this.#streams.dial(signal))
    try {
      timing.sentNs = now()
      const session = await this.#openMeasured(connection, timing, signal)
      return await this.#exchangeAndClose(type, timing, session, signal)
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
      addWait(timing, turns.event(timing.repliedNs))
      recorder.record(timing, 'OK')
      return connection
    } catch (error) {
      timing.repliedNs = now()
      recorder.record(timing, checks.outcomeOf(error))
      throw error
    }
  }

  /** @param {MixedType} type @param {Timing} timing @param {Requests} session @param {AbortSignal} signal */
  async #exchangeAndClose(type, timing, session, signal) {
    try {
      return await this.#exchange(type, timing, session, signal)
    } finally {
      // the reply is there: how the stream ends is no part of the operation
      session.close({ signal }).catch(() => {})
    }
  }

  /** @param {MixedType} type @param {Timing} timing @param {Requests} session @param {AbortSignal} signal */
  async #exchange(type, timing, session, signal) {
    const { wire } = this.#c
    const stage = wire.begin(now())
    const { message, byteLength } = await this.#send(type, session, signal)
    timing.repliedNs = now()
    wire.end(stage, timing.repliedNs, timing)
    this.#c.meter.reply(type, byteLength)
    return this.#c.checks.outcomeOfReply(type, message)
  }

  /** @param {MixedType} type @param {Requests} session @param {AbortSignal} signal @returns {Promise<Reply>} */
  #send(type, session, signal) {
    if (type === 'REGISTER') return this.#register(this.#namespaceToRegister(), session, signal)
    if (type === 'DISCOVER') return session.request(discovery(this.#c), { signal })
    return this.#unregister(session, signal)
  }

  /** @param {string} ns @param {Requests} session @param {AbortSignal} signal */
  async #register(ns, session, signal) {
    const sentMs = Number(now()) / 1e6
    const reply = await session.request(registration(ns, this.#c), { signal })
    const { status, ttl = Infinity } = reply.message.registerResponse ?? {}
    if (status === Status.OK) this.#ledger.confirm(ns, sentMs + 1000 * Math.min(ttl, this.#c.plan.ttlSeconds))
    return reply
  }

  /** @param {Requests} session @param {AbortSignal} signal */
  async #unregister(session, signal) {
    const ns = this.#ledger.release()
    if (ns == null) throw new Error('nothing is left to unregister: the round was prepared with too few')
    try {
      return await session.requestBehind([unregisterIn(ns)], confirm(ns), { signal })
    } catch (error) {
      this.#ledger.hold(ns)
      throw error
    }
  }

  #namespaceToRegister() {
    const refresh = this.#c.plan.registerMode === 'refresh' ? this.#ledger.any() : undefined
    return refresh ?? this.#ledger.fresh()
  }
}
