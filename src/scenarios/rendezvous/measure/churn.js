import { livesOf } from '../../../load/churn.js'
import { Lives } from '../../../measure/lives.js'
import { churnedPlan } from '../plan/churn.js'
import { RegistrationsHeld, VisibleDelays } from './churned-registrations.js'
import { DiscoveredRecords } from './discovered-records.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../load/churn.js').Life} Life
 * @typedef {import('../churn-schema.js').Churned} Churned
 * @typedef {import('../churn-schema.js').ChurnPoint} ChurnPoint
 * @typedef {import('../churn-schema.js').PeerLife} PeerLife
 *
 * @typedef {object} RegisterEvent - a REGISTER with a good reply; all times in ns on the monotonic clock of the host
 * @property {'registered'} kind
 * @property {number} atNs - when the reply came
 * @property {number} node - number of the life of the client
 * @property {number} ns - which namespace
 * @property {number} ttlSeconds - granted
 * @property {boolean} certain - false: the peer was killed before the reply came
 *
 * @typedef {{ kind: 'started', atNs: number, node: number }} StartEvent
 * @typedef {{ kind: 'killed', atNs: number, node: number }} KillEvent
 *
 * @typedef {object} ReplyEvent - a good reply to DISCOVER
 * @property {'reply'} kind
 * @property {number} atNs
 * @property {number} sentNs - when it was asked for
 * @property {number} node - the discoverer
 * @property {number} ns
 * @property {Uint32Array} peers - numbers of the peers whose records it held, in its order
 * @property {number} unknown - records of peers that are none of this run
 *
 * @typedef {{ kind: 'counted', atNs: number, registrations: number | null }} CountEvent - how many registrations the server holds; null:
 *   it does not say
 *
 * @typedef {RegisterEvent | StartEvent | KillEvent | ReplyEvent | CountEvent} ChurnEvent
 *
 * @typedef {import('../../../load/churn.js').LifeChange} LifeChange
 *
 * @typedef {object} ChurnInterval - what a worker hands over of its clients
 * @property {number} untilNs - all there is until then
 * @property {readonly ChurnEvent[]} events
 * @property {readonly LifeChange[]} changes
 * @property {number} cutOff - operations under way when their client was killed
 */

/** ChurnMeasurement gathers what workers hand over of clients that come and go. */
export class ChurnMeasurement {
  #startNs
  #peerOf
  #events
  #lives
  #held
  #visible
  #discovered
  /** @type {Set<number>} */
  #dead = new Set()
  #cutOff = 0
  #untilNs
  /** @type {number | null} */
  #endNs = null
  /** @type {ChurnPoint[]} */
  #series = []
  #sincePoint = { replies: 0, records: 0, stale: 0 }

  /**
   * @param {Plan} plan
   * @param {number} startNs - of the measurement
   */
  constructor(plan, startNs) {
    const { nNamespaces, workers } = plan
    const lives = livesOf(churnedPlan(plan))
    const slots = new Map(lives.map(({ node, slot }) => [node, slot]))
    // a client that returns is the same peer
    this.#peerOf = (/** @type {number} */ node) => (plan.churn?.asNew ? node : (slots.get(node) ?? node))
    this.#startNs = startNs
    this.#untilNs = startNs
    this.#events = new EventsInOrder(workers, startNs)
    this.#lives = new PeerLives(lives, startNs)
    this.#held = new RegistrationsHeld(nNamespaces)
    this.#visible = new VisibleDelays(nNamespaces)
    this.#discovered = new DiscoveredRecords(nNamespaces, {
      isDead: node => this.#dead.has(node),
      registeredNs: (node, ns) => this.#held.registeredNs(node, ns)
    })
  }

  /** take takes what a worker hands over. @param {ChurnInterval} interval @param {number} worker */
  take({ events, changes, cutOff, untilNs }, worker) {
    this.#cutOff += cutOff
    this.#lives.change(changes)
    this.#events.add([...events, ...changes.flatMap(eventsOf)], { process: worker, untilNs })
    this.#look(this.#events.take())
    this.#untilNs = Math.max(this.#untilNs, this.#events.toldNs)
  }

  /** count takes how many registrations the server holds. @param {number} atNs @param {number | null} registrations */
  count(atNs, registrations) {
    this.#events.add([{ kind: 'counted', atNs, registrations }], null)
  }

  /** end looks at what is left, when nothing more will be told. @param {number} atNs */
  end(atNs) {
    this.#look(this.#events.takeAll())
    this.#untilNs = Math.max(this.#untilNs, atNs)
    this.#endNs = atNs
  }

  /** @param {readonly ChurnEvent[]} events */
  #look(events) {
    for (const event of events) {
      if (event.kind === 'reply') this.#reply(event)
      else if (event.kind === 'registered') {
        const peer = this.#peerOf(event.node)
        this.#held.register({ ...event, node: peer })
        if (event.certain) this.#visible.register(peer, event.ns, event.atNs)
      } else if (event.kind === 'killed') this.#kill(this.#peerOf(event.node), event.atNs)
      else if (event.kind === 'started') this.#start(this.#peerOf(event.node), event.atNs)
      else this.#point(event.atNs, event.registrations)
    }
  }

  /** @param {number} node @param {number} atNs */
  #start(node, atNs) {
    this.#dead.delete(node)
    this.#held.start(node, atNs)
    this.#visible.start(node)
  }

  /** @param {number} node @param {number} atNs */
  #kill(node, atNs) {
    this.#dead.add(node)
    this.#held.kill(node, atNs)
    this.#visible.kill(node, atNs)
    this.#discovered.forget(node)
  }

  /** @param {ReplyEvent} reply */
  #reply(reply) {
    const { ns, peers, atNs } = reply
    const discoverer = this.#peerOf(reply.node)
    const others = peers.filter(node => node !== discoverer)
    const stale = others.filter(node => this.#dead.has(node))
    this.#discovered.reply({ ...reply, node: discoverer })
    if (others.length > stale.length) this.#lives.discover(reply.node, atNs)
    for (const node of others) this.#visible.see(node, ns, atNs)
    for (const node of stale) this.#held.see(node, reply)
    this.#sincePoint.replies++
    this.#sincePoint.records += others.length
    this.#sincePoint.stale += stale.length
  }

  /** @param {number} atNs @param {number | null} server */
  #point(atNs, server) {
    this.#series.push({
      atMs: (atNs - this.#startNs) / 1e6,
      server,
      ...this.#held.countAt(atNs),
      ...this.#sincePoint
    })
    this.#sincePoint = { replies: 0, records: 0, stale: 0 }
  }

  /**
   * result so far.
   *
   * @param {number | null} operationsPerMinute
   * @returns {Churned}
   */
  result(operationsPerMinute) {
    const { lives, connect, register, firstDiscovery } = this.#lives.result(this.#endNs)
    return {
      lives,
      connect,
      register,
      firstDiscovery: firstDiscovery.summary,
      firstDiscoveryHistogram: firstDiscovery.histogram,
      operationsPerMinute,
      cutOff: this.#cutOff,
      visible: this.#visible.result(this.#untilNs),
      left: this.#held.left(this.#untilNs),
      discovered: this.#discovered.result(),
      series: [...this.#series]
    }
  }
}

/** @param {LifeChange} change @returns {ChurnEvent[]} */
const eventsOf = ({ node, startedNs, killedNs }) => [
  ...(startedNs === undefined ? [] : [/** @type {const} */ ({ kind: 'started', atNs: startedNs, node })]),
  ...(killedNs === undefined ? [] : [/** @type {const} */ ({ kind: 'killed', atNs: killedNs, node })])
]

/**
 * PeerLives follows what became of the ephemeral peers of a rendezvous server.
 *
 * @extends {Lives<PeerLife>}
 */
class PeerLives extends Lives {
  /** @param {readonly Life[]} lives @param {number} startNs - of the measurement */
  constructor(lives, startNs) {
    super(lives.map(begun), startNs)
  }

  /** discover notes that a peer was given the record of a living one. @param {number} node @param {number} atNs */
  discover(node, atNs) {
    const life = this.of(node)
    if (life !== undefined) life.firstDiscoveryMs ??= this.ms(atNs)
  }

  /** result so far. @param {number | null} endNs - of the measurement; null: it goes on */
  result(endNs) {
    const untilMs = endNs === null ? null : this.ms(endNs)
    return {
      lives: this.counts(),
      connect: this.sinceStart(({ connectedMs }) => connectedMs, untilMs).summary,
      register: this.sinceStart(({ registeredMs }) => registeredMs, untilMs).summary,
      firstDiscovery: this.sinceStart(({ firstDiscoveryMs }) => firstDiscoveryMs, untilMs)
    }
  }
}

/** @param {Life} life @returns {PeerLife} */
const begun = ({ node, slot, startMs, killMs }) => ({
  node,
  slot,
  startDueMs: startMs,
  startedMs: null,
  connectedMs: null,
  registeredMs: null,
  firstDiscoveryMs: null,
  killDueMs: killMs,
  killedMs: null,
  error: null
})

/**
 * EventsInOrder puts what several processes tell into the order in which it happened. An event is given out once every process has told
 * of the time up to it.
 */
export class EventsInOrder {
  /** @type {ChurnEvent[]} */
  #waiting = []
  /** @type {number[]} by process */
  #toldNs

  /** @param {number} processes @param {number} startNs */
  constructor(processes, startNs) {
    this.#toldNs = Array(processes).fill(startNs)
  }

  /** toldNs is the time up to which everything is known. */
  get toldNs() {
    return Math.min(...this.#toldNs)
  }

  /**
   * add takes what a process tells.
   *
   * @param {readonly ChurnEvent[]} events
   * @param {{ process: number, untilNs: number } | null} told - all there is of the process until then; null: of none of them
   */
  add(events, told) {
    for (const event of events) this.#waiting.push(event)
    if (told !== null) this.#toldNs[told.process] = Math.max(this.#toldNs[told.process], told.untilNs)
  }

  /** take gives out what is in order now. @returns {ChurnEvent[]} */
  take() {
    return this.#upTo(this.toldNs)
  }

  /** takeAll gives out the rest, when nothing more will be told. @returns {ChurnEvent[]} */
  takeAll() {
    return this.#upTo(Infinity)
  }

  /** @param {number} untilNs */
  #upTo(untilNs) {
    const due = this.#waiting.filter(({ atNs }) => atNs <= untilNs).sort((a, b) => a.atNs - b.atNs)
    this.#waiting = this.#waiting.filter(({ atNs }) => atNs > untilNs)
    return due
  }
}
