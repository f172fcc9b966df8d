// The measurement of churn: registrations that outlive their peers, records that are stale.

import { median, sumOf } from '../../../kit/collections.js'
import { livesOf } from '../../../load/churn.js'
import { Distribution } from '../../../measure/distribution.js'
import { Histogram } from '../../../measure/histogram.js'
import { Lives } from '../../../measure/lives.js'
import { churnedPlan } from '../peer-options.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../load/churn.js').Life} Life
 * @typedef {import('../schema.js').Churned} Churned
 * @typedef {import('../schema.js').ChurnPoint} ChurnPoint
 * @typedef {import('../schema.js').PeerLife} PeerLife
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

/**
 * @typedef {import('../schema.js').LeftByDead} LeftByDead
 * @typedef {import('../schema.js').Spread} Spread
 * @typedef {import('../schema.js').Visible} Visible
 *
 * @typedef {object} Held - a registration of a peer in a namespace
 * @property {number} node
 * @property {number} registeredNs - the last time
 * @property {number} expiresNs - when its time to live is over, if it is not renewed
 * @property {number | null} killedNs
 * @property {number | null} lastSeenNs - in a reply after the kill
 * @property {boolean} overdue - a DISCOVER that was sent after its time to live was over was answered with it
 * @property {boolean} certain - false: whether it was renewed just before the kill is not known
 */

/** RegistrationsHeld keeps what the server must hold, as the peers know it, and what becomes of what killed ones leave. */
class RegistrationsHeld {
  #namespaces
  /** Of living peers. @type {Map<number, Held>} by key */
  #living = new Map()
  /** Of killed ones. @type {Map<number, Held>} by key */
  #left = new Map()
  /** Of killed ones, that have not expired. @type {Set<Held>} */
  #unexpired = new Set()
  /** Of peers that have returned since. @type {Held[]} */
  #expired = []
  /** @type {Map<number, number>} when, ns, by peer */
  #killedNs = new Map()

  /** @param {number} namespaces */
  constructor(namespaces) {
    this.#namespaces = namespaces
  }

  /** @param {number} node @param {number} ns */
  #key(node, ns) {
    return node * this.#namespaces + ns
  }

  /** register takes a REGISTER with a good reply, or one whose reply is not known. @param {RegisterEvent} event */
  register({ node, ns, atNs, ttlSeconds, certain }) {
    const expiresNs = atNs + ttlSeconds * 1e9
    const killedNs = this.#killedNs.get(node) ?? null
    const held = { node, registeredNs: atNs, expiresNs, killedNs, lastSeenNs: null, overdue: false, certain }
    const key = this.#key(node, ns)
    const left = this.#left.get(key)
    if (left !== undefined) Object.assign(left, { expiresNs: Math.max(left.expiresNs, expiresNs), certain })
    else if (killedNs === null) this.#living.set(key, held)
    else this.#leave(key, held)
  }

  /** @param {number} key @param {Held} held */
  #leave(key, held) {
    this.#left.set(key, held)
    this.#unexpired.add(held)
  }

  /** kill leaves the registrations of a peer behind. @param {number} node @param {number} atNs */
  kill(node, atNs) {
    this.#killedNs.set(node, atNs)
    for (let ns = 0; ns < this.#namespaces; ns++) {
      const held = this.#living.get(this.#key(node, ns))
      if (held === undefined) continue
      this.#living.delete(this.#key(node, ns))
      if (held.expiresNs <= atNs) continue
      held.killedNs = atNs
      this.#leave(this.#key(node, ns), held)
    }
  }

  /** start has a peer back that was killed: what it has left it renews, unless that has expired. @param {number} node @param {number} atNs */
  start(node, atNs) {
    this.#killedNs.delete(node)
    for (let ns = 0; ns < this.#namespaces; ns++) {
      const left = this.#left.get(this.#key(node, ns))
      if (left === undefined) continue
      this.#left.delete(this.#key(node, ns))
      this.#unexpired.delete(left)
      if (left.expiresNs <= atNs) this.#expired.push(left)
    }
  }

  /** registeredNs is when a registration was last renewed; null: that is not known. @param {number} node @param {number} ns */
  registeredNs(node, ns) {
    const key = this.#key(node, ns)
    return (this.#living.get(key) ?? this.#left.get(key))?.registeredNs ?? null
  }

  /**
   * see notes that a reply held the record of a killed peer.
   *
   * @param {number} node
   * @param {{ ns: number, sentNs: number, atNs: number }} reply
   */
  see(node, { ns, sentNs, atNs }) {
    const held = this.#left.get(this.#key(node, ns))
    if (held === undefined) return
    held.lastSeenNs = atNs
    // a reply that was under way when the time was over is none
    if (sentNs > held.expiresNs) held.overdue = true
  }

  /** countAt is how many registrations there are. @param {number} atNs */
  countAt(atNs) {
    let living = 0
    for (const { expiresNs } of this.#living.values()) if (expiresNs > atNs) living++
    for (const held of this.#unexpired) if (held.expiresNs <= atNs) this.#unexpired.delete(held)
    return { living, dead: this.#unexpired.size }
  }

  /**
   * left is what became of the registrations of killed peers.
   *
   * @param {number} untilNs - that all is known of
   * @returns {LeftByDead}
   */
  left(untilNs) {
    const all = [...this.#left.values(), ...this.#expired]
    const certain = all.filter(held => held.certain)
    const expired = certain.filter(({ expiresNs }) => expiresNs < untilNs)
    const seen = expired.flatMap(({ lastSeenNs, expiresNs, killedNs }) =>
      lastSeenNs === null || killedNs === null
        ? []
        : [{ lagMs: (lastSeenNs - expiresNs) / 1e6, afterKillUs: (lastSeenNs - killedNs) / 1000 }]
    )
    const afterKill = new Distribution()
    for (const { afterKillUs } of seen) afterKill.known.record(afterKillUs)
    const { summary, histogram } = afterKill.knownResult()
    return {
      registrations: all.length,
      expired: all.filter(({ expiresNs }) => expiresNs < untilNs).length,
      unsure: all.length - certain.length,
      unseen: expired.length - seen.length,
      lastSeenAfterKill: summary,
      lastSeenHistogram: histogram,
      expiryLag: spreadOf(seen.map(({ lagMs }) => lagMs)),
      overdue: certain.filter(({ overdue }) => overdue).length
    }
  }
}

/** @param {number[]} values @returns {Spread | null} */
function spreadOf(values) {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    min: sorted[0],
    avg: sumOf(sorted) / sorted.length,
    median: median(sorted),
    max: sorted[sorted.length - 1]
  }
}

/**
 * VisibleDelays measures how long it takes from the reply to the first REGISTER of a peer to the first reply to a DISCOVER of another
 * one that holds its record. Of a peer that is killed before, all that is known is that it would have taken longer.
 */
class VisibleDelays {
  #namespaces
  /** Others registered before the measurement began. @type {Set<number>} */
  #newcomers = new Set()
  /** First seen before the reply to REGISTER came. @type {Set<number>} by key */
  #seenEarly = new Set()
  /** When those were registered that nobody has seen yet. @type {Map<number, number>} by key */
  #pending = new Map()
  /** @type {Set<number>} by key */
  #registered = new Set()
  #known = new Histogram()
  #killed = new Histogram()
  #beforeReply = 0

  #registrations = 0

  /** @param {number} namespaces */
  constructor(namespaces) {
    this.#namespaces = namespaces
  }

  /** start has a peer come that registers anew. @param {number} node */
  start(node) {
    this.#newcomers.add(node)
    for (let ns = 0; ns < this.#namespaces; ns++) {
      this.#registered.delete(node * this.#namespaces + ns)
      this.#seenEarly.delete(node * this.#namespaces + ns)
    }
  }

  /** register takes every REGISTER with a good reply. @param {number} node @param {number} ns @param {number} atNs */
  register(node, ns, atNs) {
    const key = node * this.#namespaces + ns
    if (!this.#newcomers.has(node) || this.#registered.has(key)) return
    this.#registered.add(key)
    this.#registrations++
    if (this.#seenEarly.delete(key)) {
      this.#known.record(0)
      this.#beforeReply++
    } else this.#pending.set(key, atNs)
  }

  /** see takes every record in a reply to another peer than its own. @param {number} node @param {number} ns @param {number} atNs */
  see(node, ns, atNs) {
    const key = node * this.#namespaces + ns
    const registeredNs = this.#pending.get(key)
    if (registeredNs !== undefined) {
      this.#pending.delete(key)
      this.#known.record((atNs - registeredNs) / 1000)
    } else if (this.#newcomers.has(node) && !this.#registered.has(key)) this.#seenEarly.add(key)
  }

  /** kill ends the waiting for a peer. @param {number} node @param {number} atNs */
  kill(node, atNs) {
    for (let ns = 0; ns < this.#namespaces; ns++) {
      const key = node * this.#namespaces + ns
      const registeredNs = this.#pending.get(key)
      this.#seenEarly.delete(key)
      if (registeredNs === undefined) continue
      this.#pending.delete(key)
      this.#killed.record((atNs - registeredNs) / 1000)
    }
  }

  /** result so far. @param {number} untilNs - that all is known of @returns {Visible} */
  result(untilNs) {
    const distribution = new Distribution()
    distribution.known.add(this.#known)
    distribution.censored.add(this.#killed)
    for (const registeredNs of this.#pending.values())
      distribution.censored.record(Math.max(0, untilNs - registeredNs) / 1000)
    const { all, known, histogram, censoredHistogram } = distribution.result()
    return {
      registrations: this.#registrations,
      seen: this.#known.count,
      beforeReply: this.#beforeReply,
      killedUnseen: this.#killed.count,
      endedUnseen: this.#pending.size,
      delay: { all, known },
      histogram,
      censoredHistogram
    }
  }
}

/**
 * @typedef {import('../schema.js').Discovered} Discovered
 *
 * @typedef {object} Known - of registrations and peers at the time of a reply
 * @property {(node: number) => boolean} isDead
 * @property {(node: number, ns: number) => number | null} registeredNs - when the registration was last renewed
 */

/**
 * DiscoveredRecords counts what replies to DISCOVER held: how much of it was stale, and how much the discoverer had been given before.
 */
class DiscoveredRecords {
  #namespaces
  #known
  /** When each discoverer was last given a registration. @type {Map<number, Map<number, number>>} by discoverer, by key */
  #given = new Map()
  #counts = {
    replies: 0,
    withDuplicates: { records: 0, stale: 0 },
    withoutDuplicates: { records: 0, stale: 0 },
    duplicates: { inOneReply: 0, again: 0, renewed: 0 },
    own: 0,
    unknown: 0
  }

  /** @param {number} namespaces @param {Known} known */
  constructor(namespaces, known) {
    this.#namespaces = namespaces
    this.#known = known
  }

  /** reply takes a reply. @param {ReplyEvent} reply */
  reply({ node: discoverer, ns, peers, unknown, atNs }) {
    const counts = this.#counts
    counts.replies++
    counts.unknown += unknown
    const given = this.#given.get(discoverer) ?? new Map()
    this.#given.set(discoverer, given)
    const inThis = new Set()
    for (const node of peers) {
      if (node === discoverer) {
        counts.own++
        continue
      }
      const isFirst = this.#look(node, { key: node * this.#namespaces + ns, ns, given, inThis, atNs })
      const stale = this.#known.isDead(node) ? 1 : 0
      counts.withDuplicates.records++
      counts.withDuplicates.stale += stale
      if (!isFirst) continue
      counts.withoutDuplicates.records++
      counts.withoutDuplicates.stale += stale
    }
  }

  /**
   * @param {number} node
   * @param {{ key: number, ns: number, given: Map<number, number>, inThis: Set<number>, atNs: number }} reply
   * @returns {boolean} whether the discoverer is given it for the first time
   */
  #look(node, { key, ns, given, inThis, atNs }) {
    const { duplicates } = this.#counts
    const lastNs = given.get(key)
    given.set(key, atNs)
    if (inThis.has(key)) {
      duplicates.inOneReply++
      return false
    }
    inThis.add(key)
    if (lastNs === undefined) return true
    const registeredNs = this.#known.registeredNs(node, ns)
    if (registeredNs !== null && registeredNs > lastNs) duplicates.renewed++
    else duplicates.again++
    return false
  }

  /** forget what a discoverer was given: it was killed. @param {number} discoverer */
  forget(discoverer) {
    this.#given.delete(discoverer)
  }

  /** @returns {Discovered} */
  result() {
    return structuredClone(this.#counts)
  }
}
