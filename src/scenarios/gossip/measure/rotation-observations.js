import { Histogram } from '../../../measure/histogram.js'
import { summarize } from '../../../measure/summary.js'
import { SeenBySlot } from './seen-by-slot.js'

/**
 * @typedef {{ of: (node: number, publishedUs: number) => import('./presence.js').PresenceKind }} Presence
 * @typedef {import('../../../network/node-host.js').PublishedRows} PublishedRows
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('../../rotate-gossip/rotate-gossip-types.js').Duplicates} Duplicates
 * @typedef {import('../../rotate-gossip/rotate-gossip-types.js').Apart} Apart
 *
 * @typedef {{ message: number, node: number, from: number, atNs: number, waitedUs?: number }} Receipt
 */

/** @param {number} ns */
const toUs = ns => Math.round(ns / 1000)

/**
 * RotationObservations looks at every receipt before it is counted as a delivery. What a node received that it was not expected to
 * (it was just starting, about to be killed, or not there yet) counts apart. A second receipt of a message in the same place is a
 * duplicate: a node that was wiped and started again knows nothing of what the one before it has seen.
 */
export class RotationObservations {
  #presence
  #slotOf
  #ephemeral
  #subscriptions
  #seen
  /** Receipts whose publication was not told yet. @type {Map<number, Receipt[]>} */
  #early = new Map()
  #withDuplicates = new Histogram()
  #withoutDuplicates = new Histogram()
  #counts = { observations: 0, afterRestart: 0, again: 0, tooLongAgo: 0 }
  #apart = {
    joining: { expected: 0, delivered: 0 },
    leaving: { expected: 0, delivered: 0 },
    earlier: { delivered: 0 },
    gone: { delivered: 0 }
  }

  /**
   * @param {object} rotation
   * @param {Presence} rotation.presence
   * @param {readonly Pick<import('../../../load/rotation-schedule.js').Life, 'node' | 'slot'>[]} rotation.lives
   * @param {number} rotation.slots - stable and ephemeral nodes
   * @param {readonly (readonly number[])[]} rotation.subscriptions - of all nodes that ever are
   * @param {number | null} rotation.planned - messages
   */
  constructor({ presence, lives, slots, subscriptions, planned }) {
    this.#presence = presence
    this.#ephemeral = lives.map(({ node }) => node)
    const slotOf = new Map(lives.map(({ node, slot }) => [node, slot]))
    this.#slotOf = (/** @type {number} */ node) => slotOf.get(node) ?? node
    this.#subscriptions = subscriptions
    this.#seen = new SeenBySlot(slots, planned)
  }

  /**
   * take looks at the rows of an interval.
   *
   * @param {PublishedRows} published
   * @param {ReceivedRows} received
   * @returns {ReceivedRows} those that are expected deliveries
   */
  take(published, received) {
    /** @type {Receipt[]} */
    const expected = []
    for (let i = 0; i < published.message.length; i++) {
      const early = this.#early.get(published.message[i]) ?? []
      this.#early.delete(published.message[i])
      if (published.recipients[i] < 0) continue
      this.#publication(published, i)
      for (const receipt of early) this.#look(receipt, expected)
    }
    for (let i = 0; i < received.message.length; i++) this.#look(receiptOf(received, i), expected)
    return rowsOf(expected, received.waitedUs !== undefined)
  }

  /** @param {PublishedRows} rows @param {number} i */
  #publication({ message, topic, atNs }, i) {
    const publishedUs = toUs(atNs[i])
    this.#seen.publish(message[i], publishedUs)
    for (const node of this.#ephemeral) {
      if (!this.#subscriptions[node].includes(topic[i])) continue
      const kind = this.#presence.of(node, publishedUs)
      if (kind === 'joining' || kind === 'leaving') this.#apart[kind].expected++
    }
  }

  /** @param {Receipt} receipt @param {Receipt[]} expected - it is added to these if it is one */
  #look(receipt, expected) {
    const { message, node, atNs } = receipt
    const publishedUs = this.#seen.publishedUs(message)
    if (publishedUs === undefined) this.#keep(receipt)
    else if (publishedUs === null) this.#counts.tooLongAgo++
    else if (this.#isFirst(message, node, toUs(atNs) - publishedUs)) {
      const kind = this.#presence.of(node, publishedUs)
      if (kind === 'settled') expected.push(receipt)
      else this.#apart[kind].delivered++
    }
  }

  /** @param {Receipt} receipt */
  #keep(receipt) {
    const early = this.#early.get(receipt.message)
    if (early === undefined) this.#early.set(receipt.message, [receipt])
    else early.push(receipt)
  }

  /** @param {number} message @param {number} node @param {number} latencyUs @returns {boolean} whether this very node has it for the first time */
  #isFirst(message, node, latencyUs) {
    const before = this.#seen.receive(message, this.#slotOf(node), node)
    this.#counts.observations++
    this.#withDuplicates.record(latencyUs)
    if (before === null) this.#withoutDuplicates.record(latencyUs)
    else if (before === node) this.#counts.again++
    else this.#counts.afterRestart++
    return before !== node
  }

  /** @returns {Apart} */
  apart() {
    return structuredClone(this.#apart)
  }

  /** @returns {Duplicates} */
  duplicates() {
    return {
      ...this.#counts,
      latency: {
        withDuplicates: summarize(this.#withDuplicates),
        withoutDuplicates: summarize(this.#withoutDuplicates)
      }
    }
  }
}

/** @param {ReceivedRows} rows @param {number} i @returns {Receipt} */
const receiptOf = ({ message, node, from, atNs, waitedUs }, i) => ({
  message: message[i],
  node: node[i],
  from: from[i],
  atNs: atNs[i],
  waitedUs: waitedUs?.[i]
})

/** @param {Receipt[]} receipts @param {boolean} knowsWaits @returns {ReceivedRows} */
const rowsOf = (receipts, knowsWaits) => ({
  message: Uint32Array.from(receipts, ({ message }) => message),
  node: Uint16Array.from(receipts, ({ node }) => node),
  from: Uint16Array.from(receipts, ({ from }) => from),
  atNs: Float64Array.from(receipts, ({ atNs }) => atNs),
  ...(knowsWaits && { waitedUs: Float32Array.from(receipts, ({ waitedUs = 0 }) => waitedUs) })
})
