// Measures churn at a rendezvous server from worker reports: lives of peers, registrations expected, stale records,
// delay until a registration is discovered.

import { computeSum, median } from '../../../kit/collections.js'
import { makeLives } from '../../../load/churn.js'
import { Distribution } from '../../../measure/distribution.js'
import { Histogram } from '../../../measure/histogram.js'
import { LifeRecords } from '../../../measure/lives.js'
import { makeChurnPlan } from '../peer-options.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../load/churn.js').Life} Life
 * @typedef {import('../schema.js').Churned} Churned
 * @typedef {import('../schema.js').ChurnPoint} ChurnPoint
 * @typedef {import('../schema.js').PeerLife} PeerLife
 *
 * @typedef {object} RegisterEvent - a REGISTER answered with OK; all times in ns on the monotonic clock of the host
 * @property {'registered'} kind
 * @property {number} atNs - time of the reply
 * @property {number} node - number of the life of the client
 * @property {number} ns - number of the namespace
 * @property {number} ttlSeconds - granted
 * @property {boolean} certain - false: the peer was killed before the reply
 *
 * @typedef {{ kind: 'started', atNs: number, node: number }} StartEvent
 * @typedef {{ kind: 'killed', atNs: number, node: number }} KillEvent
 *
 * @typedef {object} ReplyEvent - a reply to DISCOVER with OK
 * @property {'reply'} kind
 * @property {number} atNs
 * @property {number} sentNs - when the DISCOVER was sent
 * @property {number} node - the discoverer
 * @property {number} ns
 * @property {Uint32Array} peers - numbers of the peers whose records it held, in order
 * @property {number} unknown - records of peers of other runs
 *
 * @typedef {{ kind: 'counted', atNs: number, registrations: number | null }} CountEvent - number of registrations at the server; null:
 *   not known
 *
 * @typedef {RegisterEvent | StartEvent | KillEvent | ReplyEvent | CountEvent} ChurnEvent
 *
 * @typedef {import('../../../load/churn.js').LifeChange} LifeChange
 *
 * @typedef {object} ChurnInterval - a worker's report about churn of its clients
 * @property {number} untilNs - the report is complete until then
 * @property {readonly ChurnEvent[]} events
 * @property {readonly LifeChange[]} changes
 * @property {number} cutOff - operations under way when their client was killed
 */

/** RegistrationChurnMeasurement measures churn from the reports of workers. */
export class RegistrationChurnMeasurement {
  #startNs
  #peerOf
  #events
  #lives
  #registrations
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
    const lives = makeLives(makeChurnPlan(plan))
    const slots = new Map(lives.map(({ node, slot }) => [node, slot]))
    // a client that returns is the same peer
    this.#peerOf = (/** @type {number} */ node) => (plan.churn?.asNew ? node : (slots.get(node) ?? node))
    this.#startNs = startNs
    this.#untilNs = startNs
    this.#events = new EventsInOrder(workers, startNs)
    this.#lives = new PeerLives(lives, startNs)
    this.#registrations = new RegistrationTracker(nNamespaces)
    this.#visible = new VisibleDelays(nNamespaces)
    this.#discovered = new DiscoveredRecords(nNamespaces, {
      isDead: node => this.#dead.has(node),
      registeredNs: (node, ns) => this.#registrations.registeredNs(node, ns)
    })
  }

  /** take adds the report of a worker. @param {ChurnInterval} interval @param {number} worker */
  take({ events, changes, cutOff, untilNs }, worker) {
    this.#cutOff += cutOff
    this.#lives.change(changes)
    this.#events.add([...events, ...changes.flatMap(eventsOf)], { process: worker, untilNs })
    this.#process(this.#events.take(this.#events.completeNs))
    this.#untilNs = Math.max(this.#untilNs, this.#events.completeNs)
  }

  /** count adds the number of registrations at the server. @param {number} atNs @param {number | null} registrations */
  count(atNs, registrations) {
    this.#events.add([{ kind: 'counted', atNs, registrations }], null)
  }

  /** end processes all remaining events, after the last report. @param {number} atNs */
  end(atNs) {
    this.#process(this.#events.take(Infinity))
    this.#untilNs = Math.max(this.#untilNs, atNs)
    this.#endNs = atNs
  }

  /** @param {readonly ChurnEvent[]} events */
  #process(events) {
    for (const event of events) {
      if (event.kind === 'reply') this.#reply(event)
      else if (event.kind === 'registered') {
        const peer = this.#peerOf(event.node)
        this.#registrations.register({ ...event, node: peer })
        if (event.certain) this.#visible.register(peer, event.ns, event.atNs)
      } else if (event.kind === 'killed') this.#kill(this.#peerOf(event.node), event.atNs)
      else if (event.kind === 'started') this.#start(this.#peerOf(event.node), event.atNs)
      else this.#point(event.atNs, event.registrations)
    }
  }

  /** @param {number} node @param {number} atNs */
  #start(node, atNs) {
    this.#dead.delete(node)
    this.#registrations.start(node, atNs)
    this.#visible.start(node)
  }

  /** @param {number} node @param {number} atNs */
  #kill(node, atNs) {
    this.#dead.add(node)
    this.#registrations.kill(node, atNs)
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
    for (const node of stale) this.#registrations.see(node, reply)
    this.#sincePoint.replies++
    this.#sincePoint.records += others.length
    this.#sincePoint.stale += stale.length
  }

  /** @param {number} atNs @param {number | null} server */
  #point(atNs, server) {
    this.#series.push({
      atMs: (atNs - this.#startNs) / 1e6,
      server,
      ...this.#registrations.countAt(atNs),
      ...this.#sincePoint
    })
    this.#sincePoint = { replies: 0, records: 0, stale: 0 }
  }

  /**
   * result gives the figures so far.
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
      left: this.#registrations.left(this.#untilNs),
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
 * PeerLives records the lives of ephemeral peers.
 *
 * @extends {LifeRecords<PeerLife>}
 */
class PeerLives extends LifeRecords {
  /** @param {readonly Life[]} lives @param {number} startNs - of the measurement */
  constructor(lives, startNs) {
    super(lives.map(makePeerLife), startNs)
  }

  /** discover records that a peer discovered a living one. @param {number} node @param {number} atNs */
  discover(node, atNs) {
    const life = this.of(node)
    if (life !== undefined) life.firstDiscoveryMs ??= this.ms(atNs)
  }

  /** result gives the figures so far. @param {number | null} endNs - end of the measurement; null: it goes on */
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
const makePeerLife = ({ node, slot, startMs, killMs }) => ({
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

/** EventsInOrder sorts the events of several processes by time. An event is complete once every process has reported up to its time. */
class EventsInOrder {
  /** @type {ChurnEvent[]} */
  #waiting = []
  /** @type {number[]} by process: its reports are complete until then */
  #untilNs

  /** @param {number} processes @param {number} startNs */
  constructor(processes, startNs) {
    this.#untilNs = Array(processes).fill(startNs)
  }

  /** completeNs is the time up to which all events are known. */
  get completeNs() {
    return Math.min(...this.#untilNs)
  }

  /**
   * add adds events.
   *
   * @param {readonly ChurnEvent[]} events
   * @param {{ process: number, untilNs: number } | null} report - of which process, complete until when; null: of none
   */
  add(events, report) {
    for (const event of events) this.#waiting.push(event)
    if (report === null) return
    this.#untilNs[report.process] = Math.max(this.#untilNs[report.process], report.untilNs)
  }

  /** take removes the events up to a time. @param {number} untilNs @returns {ChurnEvent[]} in order */
  take(untilNs) {
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
 * @typedef {object} PeerRegistration - a registration of a peer in a namespace
 * @property {number} node
 * @property {number} registeredNs - last REGISTER
 * @property {number} expiresNs - end of its time to live, unless renewed
 * @property {number | null} killedNs
 * @property {number | null} lastReplyNs - last reply after the kill that held it
 * @property {boolean} overdue - a DISCOVER sent after its expiry was answered with it
 * @property {boolean} certain - false: it may have been renewed just before the kill
 */

/** RegistrationTracker tracks the registrations that the server must hold according to its replies, with those left by killed peers. */
class RegistrationTracker {
  #namespaces
  /** Of living peers. @type {Map<number, PeerRegistration>} by key */
  #living = new Map()
  /** Of killed ones. @type {Map<number, PeerRegistration>} by key */
  #left = new Map()
  /** Of killed ones, not yet expired. @type {Set<PeerRegistration>} */
  #unexpired = new Set()
  /** Expired ones of peers that have returned. @type {PeerRegistration[]} */
  #expired = []
  /** @type {Map<number, number>} time of the kill by peer, ns */
  #killedNs = new Map()

  /** @param {number} namespaces */
  constructor(namespaces) {
    this.#namespaces = namespaces
  }

  /** @param {number} node @param {number} ns */
  #key(node, ns) {
    return node * this.#namespaces + ns
  }

  /** register adds a REGISTER answered with OK, or without a known reply. @param {RegisterEvent} event */
  register({ node, ns, atNs, ttlSeconds, certain }) {
    const expiresNs = atNs + ttlSeconds * 1e9
    const killedNs = this.#killedNs.get(node) ?? null
    const registration = {
      node,
      registeredNs: atNs,
      expiresNs,
      killedNs,
      lastReplyNs: null,
      overdue: false,
      certain
    }
    const key = this.#key(node, ns)
    const left = this.#left.get(key)
    if (left !== undefined) Object.assign(left, { expiresNs: Math.max(left.expiresNs, expiresNs), certain })
    else if (killedNs === null) this.#living.set(key, registration)
    else this.#leave(key, registration)
  }

  /** @param {number} key @param {PeerRegistration} registration */
  #leave(key, registration) {
    this.#left.set(key, registration)
    this.#unexpired.add(registration)
  }

  /** kill moves the registrations of a peer to those left behind. @param {number} node @param {number} atNs */
  kill(node, atNs) {
    this.#killedNs.set(node, atNs)
    for (let ns = 0; ns < this.#namespaces; ns++) {
      const registration = this.#living.get(this.#key(node, ns))
      if (registration === undefined) continue
      this.#living.delete(this.#key(node, ns))
      if (registration.expiresNs <= atNs) continue
      registration.killedNs = atNs
      this.#leave(this.#key(node, ns), registration)
    }
  }

  /** start handles the return of a killed peer, which renews its registrations unless they have expired. @param {number} node @param {number} atNs */
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

  /** registeredNs gives the time of the last renewal of a registration; null: not known. @param {number} node @param {number} ns */
  registeredNs(node, ns) {
    const key = this.#key(node, ns)
    return (this.#living.get(key) ?? this.#left.get(key))?.registeredNs ?? null
  }

  /**
   * see records that a reply held the record of a killed peer.
   *
   * @param {number} node
   * @param {{ ns: number, sentNs: number, atNs: number }} reply
   */
  see(node, { ns, sentNs, atNs }) {
    const registration = this.#left.get(this.#key(node, ns))
    if (registration === undefined) return
    registration.lastReplyNs = atNs
    // a DISCOVER that was under way at the expiry does not count
    if (sentNs > registration.expiresNs) registration.overdue = true
  }

  /** countAt counts the registrations at a time. @param {number} atNs */
  countAt(atNs) {
    let living = 0
    for (const { expiresNs } of this.#living.values()) if (expiresNs > atNs) living++
    for (const registration of this.#unexpired)
      if (registration.expiresNs <= atNs) this.#unexpired.delete(registration)
    return { living, dead: this.#unexpired.size }
  }

  /**
   * left gives the figures of registrations left by killed peers.
   *
   * @param {number} untilNs - up to which all events are known
   * @returns {LeftByDead}
   */
  left(untilNs) {
    const all = [...this.#left.values(), ...this.#expired]
    const certain = all.filter(registration => registration.certain)
    const expired = certain.filter(({ expiresNs }) => expiresNs < untilNs)
    const delays = expired.flatMap(({ lastReplyNs, expiresNs, killedNs }) =>
      lastReplyNs === null || killedNs === null
        ? []
        : [{ lagMs: (lastReplyNs - expiresNs) / 1e6, afterKillUs: (lastReplyNs - killedNs) / 1000 }]
    )
    const afterKill = new Distribution()
    for (const { afterKillUs } of delays) afterKill.known.record(afterKillUs)
    const { summary, histogram } = afterKill.knownResult()
    return {
      registrations: all.length,
      expired: all.filter(({ expiresNs }) => expiresNs < untilNs).length,
      unsure: all.length - certain.length,
      unseen: expired.length - delays.length,
      lastSeenAfterKill: summary,
      lastSeenHistogram: histogram,
      expiryLag: spreadOf(delays.map(({ lagMs }) => lagMs)),
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
    avg: computeSum(sorted) / sorted.length,
    median: median(sorted),
    max: sorted[sorted.length - 1]
  }
}

/**
 * VisibleDelays measures the time from the reply to a peer's first REGISTER to the first reply to another peer's DISCOVER with its record. If
 * the peer is killed before, its delay is censored: longer than the time until the kill.
 */
class VisibleDelays {
  #namespaces
  /** Peers started during the measurement. @type {Set<number>} */
  #newcomers = new Set()
  /** Discovered before the reply to REGISTER. @type {Set<number>} by key */
  #earlyDiscoveries = new Set()
  /** Time of registration of those not yet discovered. @type {Map<number, number>} by key */
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

  /** start adds a peer, which will register. @param {number} node */
  start(node) {
    this.#newcomers.add(node)
    for (let ns = 0; ns < this.#namespaces; ns++) {
      this.#registered.delete(node * this.#namespaces + ns)
      this.#earlyDiscoveries.delete(node * this.#namespaces + ns)
    }
  }

  /** register adds a REGISTER answered with OK. @param {number} node @param {number} ns @param {number} atNs */
  register(node, ns, atNs) {
    const key = node * this.#namespaces + ns
    if (!this.#newcomers.has(node) || this.#registered.has(key)) return
    this.#registered.add(key)
    this.#registrations++
    if (this.#earlyDiscoveries.delete(key)) {
      this.#known.record(0)
      this.#beforeReply++
    } else this.#pending.set(key, atNs)
  }

  /** see adds a record of another peer than the discoverer. @param {number} node @param {number} ns @param {number} atNs */
  see(node, ns, atNs) {
    const key = node * this.#namespaces + ns
    const registeredNs = this.#pending.get(key)
    if (registeredNs !== undefined) {
      this.#pending.delete(key)
      this.#known.record((atNs - registeredNs) / 1000)
    } else if (this.#newcomers.has(node) && !this.#registered.has(key)) this.#earlyDiscoveries.add(key)
  }

  /** kill censors the delays of a killed peer. @param {number} node @param {number} atNs */
  kill(node, atNs) {
    for (let ns = 0; ns < this.#namespaces; ns++) {
      const key = node * this.#namespaces + ns
      const registeredNs = this.#pending.get(key)
      this.#earlyDiscoveries.delete(key)
      if (registeredNs === undefined) continue
      this.#pending.delete(key)
      this.#killed.record((atNs - registeredNs) / 1000)
    }
  }

  /** result gives the figures so far. @param {number} untilNs - up to which all events are known @returns {Visible} */
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
 * @typedef {object} Known - state of peers and registrations at the time of a reply
 * @property {(node: number) => boolean} isDead
 * @property {(node: number, ns: number) => number | null} registeredNs - when the registration was last renewed
 */

/**
 * DiscoveredRecords counts the records in replies to DISCOVER: stale ones, and those that the discoverer had received before.
 */
class DiscoveredRecords {
  #namespaces
  #known
  /** When each discoverer last received a registration. @type {Map<number, Map<number, number>>} by discoverer, by key */
  #received = new Map()
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

  /** reply counts the records of a reply. @param {ReplyEvent} reply */
  reply({ node: discoverer, ns, peers, unknown, atNs }) {
    const counts = this.#counts
    counts.replies++
    counts.unknown += unknown
    /** @type {Map<number, number>} */
    const received = this.#received.get(discoverer) ?? new Map()
    this.#received.set(discoverer, received)
    const inThis = new Set()
    for (const node of peers) {
      if (node === discoverer) {
        counts.own++
        continue
      }
      const key = node * this.#namespaces + ns
      const stale = this.#known.isDead(node) ? 1 : 0
      counts.withDuplicates.records++
      counts.withDuplicates.stale += stale
      const lastNs = received.get(key)
      received.set(key, atNs)
      if (inThis.has(key)) counts.duplicates.inOneReply++
      else if (lastNs === undefined) {
        counts.withoutDuplicates.records++
        counts.withoutDuplicates.stale += stale
      } else if ((this.#known.registeredNs(node, ns) ?? 0) > lastNs) counts.duplicates.renewed++
      else counts.duplicates.again++
      inThis.add(key)
    }
  }

  /** forget removes the records that a killed discoverer received. @param {number} discoverer */
  forget(discoverer) {
    this.#received.delete(discoverer)
  }

  /** @returns {Discovered} */
  result() {
    return structuredClone(this.#counts)
  }
}
