import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { dial } from '../../../client/dial.js'
import { ClientError, ClientErrorCode, RendezvousError } from '../../../client/errors.js'
import { openSession } from '../../../client/session.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { timeLimit } from '../../../kit/time-limit.js'
import { clientNamespaces, RegistrationLedger } from '../../../load/registration-ledger.js'
import { addWait, timingOf } from '../../../measure/operation-recorder.js'
import { encodeDiscover, encodeRegister, encodeUnregister } from '../../../protocol/messages.js'
import { Status } from '../../../protocol/status.js'

/**
 * @typedef {import('../../../client/session.js').Session} Session
 * @typedef {import('../../../client/session.js').Reply} Reply
 * @typedef {import('../../../measure/operation-recorder.js').Timing} Timing
 * @typedef {import('../../../load/mix.js').MixedType} MixedType
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {Session | StreamPerRequest} Requests
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

/** Requests outside the measurement go out this many at a time. */
const UNTIMED_BATCH = 32

/** A whole namespace can be large: the check of its pages ends here. */
const MAX_PAGES = 50
const MAX_PAGED_REGISTRATIONS = 100_000

const NOT_MEASURED_TIMEOUT_MS = 30_000

const now = process.hrtime.bigint

/** LoadClient is one libp2p peer that sends operations to the server under test and measures them. */
export class LoadClient {
  #c
  #ledger
  /** @type {Connection | null} */
  #connection = null
  /** @type {Promise<Connection> | null} */
  #dialing = null
  /** @type {Promise<Session> | null} */
  #session = null

  /**
   * @param {number} index - among all clients of the run
   * @param {LoadClientComponents} components
   */
  constructor(index, components) {
    this.#c = components
    const { namespaces, plan } = components
    this.#ledger = new RegistrationLedger(clientNamespaces(namespaces, plan.nNamespaces, index))
  }

  /** namespacesUsed is how many namespaces the client's registrations needed since the last restore. */
  get namespacesUsed() {
    return this.#ledger.used
  }

  /** connect opens the connection that operations use. @param {AbortSignal} signal */
  async connect(signal) {
    if (!this.#c.plan.connectionPerOperation) await this.#openConnection(signal)
  }

  /**
   * prepare registers what later operations remove or refresh; not measured.
   *
   * @param {number} registrations
   */
  async prepare(registrations) {
    if (registrations === 0) return
    await this.#untimed(async (session, signal) => {
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
    await this.#untimed(async (session, signal) => {
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
    if (this.#connection?.status !== 'open' && !this.#c.plan.connectionPerOperation)
      await sleep(RECONNECT_AFTER_MS)
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
   * @throws {ClientError} what a stream and its requests throw, and a status other than OK as its name
   */
  async walkPages() {
    /** @type {import('../../../protocol/messages.js').Register[]} */
    const found = []
    await this.#untimed(async (session, signal) => {
      const ns = this.#c.namespaces.planned(0)
      /** @type {Uint8Array | undefined} */
      let cookie
      for (let page = 0; page < MAX_PAGES; page++) {
        const { message } = await session.request(
          encodeDiscover({ ns, limit: this.#c.plan.discoverLimit, cookie }),
          { signal }
        )
        requireOk(message.discoverResponse, 'a DISCOVER')
        const { registrations = [], cookie: next } = message.discoverResponse ?? {}
        if (registrations.length === 0 || found.length > MAX_PAGED_REGISTRATIONS) break
        found.push(...registrations)
        cookie = next
      }
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
      return this.#exchange(type, timing, await this.#sharedSession(signal), signal)
    const session = await this.#openMeasured(await this.#openConnection(signal), timing, signal)
    return this.#exchangeAndClose(type, timing, session, signal)
  }

  /** @param {MixedType} type @param {Timing} timing @param {AbortSignal} signal */
  async #onNewConnection(type, timing, signal) {
    const { node, server } = this.#c
    const connection = await this.#measuredConnect(timing.dueNs, () =>
      dial(node, server, { signal, force: true })
    )
    try {
      timing.sentNs = now()
      const session = await this.#openMeasured(connection, timing, signal)
      return await this.#exchangeAndClose(type, timing, session, signal)
    } finally {
      await connection.close({ signal }).catch(error => connection.abort(error))
    }
  }

  /** Opening a stream is part of its operation. @param {Connection} connection @param {Timing} timing @param {AbortSignal} signal */
  async #openMeasured(connection, timing, signal) {
    const { wire } = this.#c
    const stage = wire.begin(timing.sentNs)
    const session = await this.#openRequests(connection, signal)
    wire.end(stage, now(), timing)
    return session
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
    if (type === 'DISCOVER') return session.request(this.#encodedDiscover(), { signal })
    return this.#unregister(session, signal)
  }

  /** @param {string} ns @param {Requests} session @param {AbortSignal} signal */
  async #register(ns, session, signal) {
    const sentMs = Number(now()) / 1e6
    const reply = await session.request(this.#encodedRegister(ns), { signal })
    const { status, ttl = Number.POSITIVE_INFINITY } = reply.message.registerResponse ?? {}
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

  /** @param {string} ns */
  #encodedRegister(ns) {
    const { signedPeerRecord, plan } = this.#c
    return encodeRegister({ ns, signedPeerRecord, ttl: plan.ttlSeconds })
  }

  #encodedDiscover() {
    const { namespaces, plan, random } = this.#c
    const index = Math.floor(random() * plan.nNamespaces)
    const ns = plan.discoverInexistentNamespaces ? namespaces.inexistent(index) : namespaces.planned(index)
    return encodeDiscover({ ns, limit: plan.discoverLimit })
  }

  /** The connection that operations share, dialled again when it was lost. @param {AbortSignal} signal */
  async #openConnection(signal) {
    if (this.#connection?.status === 'open') return this.#connection
    if (this.#connection !== null && this.#dialing === null) this.#c.meter.reconnect()
    this.#dialing ??= dial(this.#c.node, this.#c.server, { signal, force: true }).finally(() => {
      this.#dialing = null
    })
    this.#connection = await this.#dialing
    return this.#connection
  }

  /** @param {AbortSignal} signal */
  async #sharedSession(signal) {
    const open = await this.#session?.catch(() => null)
    if (open != null && !open.closed) return open
    this.#session = this.#openConnection(signal).then(connection => this.#openSession(connection, { signal }))
    return this.#session
  }

  /**
   * A stream, or what opens one for each request where the server wants that.
   *
   * @param {Connection} connection
   * @param {AbortSignal} signal
   * @returns {Promise<Requests>}
   */
  async #openRequests(connection, signal) {
    if (!this.#c.severalPerStream) return new StreamPerRequest(connection, this.#openSession)
    return this.#openSession(connection, { signal })
  }

  /** @param {Connection} connection @param {{ signal: AbortSignal }} options */
  #openSession = (connection, { signal }) =>
    openUsable(connection, { signal, onUnasked: () => this.#c.checks.unasked() })

  /** @param {(session: Requests, signal: AbortSignal) => Promise<void>} exchange */
  async #untimed(exchange) {
    const signal = timeLimit(NOT_MEASURED_TIMEOUT_MS)
    setMaxListeners(UNTIMED_BATCH * 4, signal)
    const connection = await this.#openConnection(signal)
    const session = await this.#openRequests(connection, signal)
    await exchange(session, signal)
    await session.close({ signal })
    if (this.#c.plan.connectionPerOperation) await connection.close({ signal })
  }
}

/**
 * Opens a stream. A connection that takes none any more is given up, whatever libp2p calls it: where a server closes one while it is
 * set up, as in the rush after a restart, its muxer may be closed and the connection said to be open.
 *
 * @param {Connection} connection
 * @param {{ signal: AbortSignal, onUnasked: () => void }} options
 */
async function openUsable(connection, options) {
  try {
    return await openSession(connection, options)
  } catch (error) {
    if (/** @type {ClientError} */ (error).code === ClientErrorCode.STREAM_FAILED)
      connection.abort(/** @type {Error} */ (error))
    throw error
  }
}

/** @param {string} ns */
const unregisterIn = ns => encodeUnregister({ ns })

/** UNREGISTER has no reply: the reply to a DISCOVER sent behind it confirms it. @param {string} ns */
const confirm = ns => encodeDiscover({ ns, limit: 1 })

/**
 * @param {{ status: number, statusText?: string } | undefined} response
 * @param {string} what
 * @throws {ClientError} with the status as its code
 */
function requireOk(response, what) {
  if (response === undefined)
    throw new ClientError(
      ClientErrorCode.UNEXPECTED_REPLY,
      `${what} was answered with another kind of message`
    )
  if (response.status === Status.OK) return
  const { code, message } = new RendezvousError(what, response)
  const hint = CAPPED.has(response.status) ? CAP_HINT : ''
  throw new ClientError(code, `${message}${hint}`)
}

/** What servers answer above their caps. @type {Set<number>} */
const CAPPED = new Set([Status.E_NOT_AUTHORIZED, Status.E_UNAVAILABLE])
const CAP_HINT = '; where the server caps what one peer may hold, more --nClients hold fewer each'
