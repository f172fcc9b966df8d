import { sumOf } from '../../../kit/lists.js'
import { median } from '../../../kit/median.js'
import { Distribution } from '../../../measure/distribution.js'
import { Histogram } from '../../../measure/histogram.js'

/**
 * @typedef {import('./churn.js').RegisterEvent} RegisterEvent
 * @typedef {import('../churn-schema.js').LeftByDead} LeftByDead
 * @typedef {import('../churn-schema.js').Spread} Spread
 * @typedef {import('../churn-schema.js').Visible} Visible
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
export class RegistrationsHeld {
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
export class VisibleDelays {
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
