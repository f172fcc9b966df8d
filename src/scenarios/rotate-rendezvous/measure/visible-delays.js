import { Distribution } from '../../../measure/distribution.js'
import { Histogram } from '../../../measure/histogram.js'

/** @typedef {import('../rotate-rendezvous-types.js').Visible} Visible */

/**
 * VisibleDelays measures how long it takes from the reply to the first REGISTER of a peer to the first reply to a DISCOVER of another
 * one that holds its record. Of a peer that is killed before, all that is known is that it would have taken longer.
 */
export class VisibleDelays {
  #isNew
  #namespaces
  /** First seen before the reply to REGISTER came. @type {Set<number>} by key */
  #seenEarly = new Set()
  /** When those were registered that nobody has seen yet. @type {Map<number, number>} by key */
  #pending = new Map()
  /** @type {Set<number>} by key */
  #registered = new Set()
  #known = new Histogram()
  #killed = new Histogram()
  #beforeReply = 0

  /**
   * @param {object} peers
   * @param {number} peers.namespaces
   * @param {(node: number) => boolean} peers.isNew - false: it was registered before the measurement began
   */
  constructor({ namespaces, isNew }) {
    this.#namespaces = namespaces
    this.#isNew = isNew
  }

  /** register takes every REGISTER with a good reply. @param {number} node @param {number} ns @param {number} atNs */
  register(node, ns, atNs) {
    const key = node * this.#namespaces + ns
    if (!this.#isNew(node) || this.#registered.has(key)) return
    this.#registered.add(key)
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
    } else if (this.#isNew(node) && !this.#registered.has(key)) this.#seenEarly.add(key)
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
      registrations: this.#registered.size,
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
