import { dial } from '../../../client/dial.js'
import { saysLate } from '../../../client/replies.js'
import { openSession } from '../../../client/session.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { timingOf } from '../../../measure/operation-recorder.js'
import { encodeDiscover, encodeRegister, encodeUnregister } from '../../../protocol/messages.js'
import { startClientNode } from '../../rendezvous/run/client-node.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('../../../measure/operation-recorder.js').Timing} Timing
 * @typedef {import('../../../protocol/messages.js').Message} Message
 *
 * @typedef {object} RotatingPeerComponents
 * @property {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} plan
 * @property {import('@multiformats/multiaddr').Multiaddr} server
 * @property {import('../../../plan/namespaces.js').Namespaces} namespaces
 * @property {import('../../../load/deadlines.js').Deadlines} deadlines
 * @property {import('../../../measure/operation-recorder.js').OperationRecorder} recorder
 * @property {import('../../../measure/meter.js').Meter} meter
 * @property {import('../../../measure/turns.js').Turns} turns
 * @property {import('../../../libp2p/node-settings.js').SettingsReader} settings - of the nodes of this process
 * @property {import('../../rendezvous/run/reply-checks.js').ReplyChecks} checks
 * @property {import('./rotate-rendezvous-events.js').RotateRendezvousEvents} events
 *
 * @typedef {object} Exchange - an operation that has ended
 * @property {number} atNs
 * @property {number} sentNs
 * @property {string} outcome
 * @property {Message | null} message - null: there was no reply
 */

const now = process.hrtime.bigint

/**
 * RotatingPeer is one peer of a rendezvous server: it connects, registers, discovers, and may be killed without a goodbye. What it was
 * doing then is told as cut off, and no figure of the server.
 */
export class RotatingPeer {
  #c
  #node
  #signedPeerRecord
  #wire
  /** @type {Connection | null} */
  #connection = null
  /** @type {Promise<Connection> | null} */
  #dialing = null
  #killing = new AbortController()
  /** The one of the last reply. @type {Map<number, Uint8Array>} by namespace */
  #cookies = new Map()
  /** @type {Set<number>} namespaces it may be registered in */
  #held = new Set()

  /**
   * @param {number} number - of all peers that ever are in the run
   * @param {RotatingPeerComponents & import('../../rendezvous/run/client-node.js').ClientNode} components
   */
  constructor(number, { node, signedPeerRecord, wire, ...components }) {
    this.number = number
    this.#node = node
    this.#signedPeerRecord = signedPeerRecord
    this.#wire = wire
    this.#c = components
  }

  /**
   * start makes a peer and starts its node. Its identity comes from the seed of the plan and its number.
   *
   * @param {number} number
   * @param {RotatingPeerComponents} components
   */
  static async start(number, components) {
    return new RotatingPeer(number, { ...components, ...(await startClientNode(number, components)) })
  }

  /** killed aborts when the peer is killed. */
  get killed() {
    return this.#killing.signal
  }

  /** connect opens the connection that all operations use. @throws {import('../../../client/errors.js').ClientError} */
  async connect() {
    const { deadlines, recorder, turns, checks } = this.#c
    const timing = newTiming('CONNECT', null)
    const guard = deadlines.guard()
    try {
      await this.#open(guard.signal)
      timing.repliedNs = now()
      timing.overheadNs = turns.event(timing.repliedNs).total
      if (!this.killed.aborted) recorder.record(timing, 'OK')
    } catch (error) {
      timing.repliedNs = now()
      if (!this.killed.aborted) recorder.record(timing, checks.outcomeOf(error))
      throw error
    } finally {
      guard.release()
    }
  }

  /**
   * register registers the peer in a namespace, or renews that.
   *
   * @param {number} ns - which namespace
   * @returns {Promise<string>} outcome
   */
  async register(ns) {
    const { plan, namespaces, events } = this.#c
    this.#held.add(ns)
    const request = {
      ns: namespaces.planned(ns),
      signedPeerRecord: this.#signedPeerRecord,
      ttl: plan.ttlSeconds
    }
    const { outcome, message, atNs } = await this.#exchange('REGISTER', null, encodeRegister(request))
    const cutOff = this.killed.aborted
    if (outcome === 'OK' || cutOff)
      events.registered({
        atNs,
        node: this.number,
        ns,
        ttlSeconds: message?.registerResponse?.ttl ?? plan.ttlSeconds,
        certain: !cutOff
      })
    return outcome
  }

  /**
   * discover asks for the registrations in a namespace.
   *
   * @param {number} ns - which namespace
   * @param {bigint | null} dueNs - null: due now
   */
  async discover(ns, dueNs) {
    const { plan, namespaces, events } = this.#c
    const request = {
      ns: namespaces.planned(ns),
      limit: plan.discoverLimit,
      cookie: this.#cookies.get(ns)
    }
    const { message, ...exchange } = await this.#exchange('DISCOVER', dueNs, encodeDiscover(request))
    const { outcome, atNs, sentNs } = exchange
    if (outcome === 'E_INVALID_COOKIE') this.#cookies.delete(ns)
    if (outcome !== 'OK' || this.killed.aborted) return
    const { registrations = [], cookie } = message?.discoverResponse ?? {}
    if (plan.cookies && cookie !== undefined) this.#cookies.set(ns, cookie)
    events.reply({ atNs, sentNs, node: this.number, ns, registrations })
  }

  /** dropped counts a DISCOVER that was due and never sent, as too many are under way. @param {bigint} dueNs */
  dropped(dueNs) {
    this.#c.recorder.dropped(newTiming('DISCOVER', dueNs))
  }

  /** kill ends the peer at once: connections are cut, and nothing is unregistered. */
  kill() {
    const error = new Error('the peer was killed')
    this.#killing.abort(error)
    for (const connection of this.#node.getConnections()) connection.abort(error)
    // nobody waits for what is left of it
    Promise.resolve(this.#node.stop()).catch(() => {})
  }

  /**
   * leave unregisters the peer wherever it may be registered; not measured.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<number>} registrations that it took back
   */
  async leave(signal) {
    if (this.#held.size === 0) return 0
    const requests = new StreamPerRequest(await this.#open(signal))
    const held = [...this.#held].map(ns => this.#c.namespaces.planned(ns))
    const unregisters = held.map(ns => encodeUnregister({ ns }))
    await requests.requestBehind(unregisters, encodeDiscover({ ns: held[0], limit: 1 }), { signal })
    return this.#held.size
  }

  async close() {
    await this.#node.stop()
  }

  /**
   * One request on a stream of its own, measured.
   *
   * @param {'REGISTER' | 'DISCOVER'} type
   * @param {bigint | null} dueNs
   * @param {Uint8Array} request
   * @returns {Promise<Exchange>}
   */
  async #exchange(type, dueNs, request) {
    const { deadlines, recorder, checks, events } = this.#c
    const timing = newTiming(type, dueNs)
    const guard = deadlines.guard()
    /** @type {Message | null} */
    let message = null
    let outcome
    try {
      message = await this.#ask(type, timing, { request, signal: guard.signal })
      outcome = checks.outcomeOfReply(type, message)
    } catch (error) {
      timing.repliedNs = now()
      outcome = this.killed.aborted ? 'INTERRUPTED' : checks.outcomeOf(error)
    } finally {
      guard.release()
    }
    if (this.killed.aborted) events.cutOff()
    else recorder.record(timing, outcome)
    return { atNs: Number(timing.repliedNs), sentNs: Number(timing.sentNs), outcome, message }
  }

  /** @param {'REGISTER' | 'DISCOVER'} type @param {Timing} timing @param {{ request: Uint8Array, signal: AbortSignal }} what */
  async #ask(type, timing, { request, signal }) {
    const { meter } = this.#c
    const connection = await this.#open(signal)
    const opening = this.#wire.begin(timing.sentNs)
    const session = await openSession(connection, { signal })
    timing.overheadNs += this.#wire.end(opening, now())
    const asking = this.#wire.begin(now())
    const { message, byteLength } = await session.request(request, { signal })
    timing.repliedNs = now()
    timing.overheadNs += this.#wire.end(asking, timing.repliedNs)
    // the reply is there: how the stream ends is no part of the operation
    session.close({ signal }).catch(() => {})
    if (this.killed.aborted) return message
    meter.reply(type, byteLength)
    if (saysLate(message)) meter.limited()
    return message
  }

  /** The connection, dialled again when it was lost. @param {AbortSignal} signal */
  async #open(signal) {
    if (this.#connection?.status === 'open') return this.#connection
    this.killed.throwIfAborted()
    if (this.#connection !== null && this.#dialing === null) this.#c.meter.reconnect()
    this.#dialing ??= dial(this.#node, this.#c.server, { signal, force: true }).finally(() => {
      this.#dialing = null
    })
    this.#connection = await this.#dialing
    if (this.killed.aborted) this.#connection.abort(new Error('the peer was killed'))
    return this.#connection
  }
}

/** @param {Timing['type']} type @param {bigint | null} dueNs - null: now */
function newTiming(type, dueNs) {
  const timing = timingOf(type, dueNs)
  return { ...timing, dueNs: dueNs ?? timing.sentNs }
}
