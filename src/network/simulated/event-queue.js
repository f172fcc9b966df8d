import { Heap } from '../../kit/heap.js'

/**
 * @typedef {object} Event - something that will happen at a node
 * @property {number} atNs
 * @property {number} node
 * @property {number} order - in which events were added
 * @property {(() => unknown) | null} run - gives QUIET when it has set nothing off but later events; null: it was cancelled
 */

/** EventQueue gives events in the order of time, then node, then addition. */
export class EventQueue {
  /** @type {Heap<Event>} */
  #heap = new Heap(isBefore)
  #added = 0

  get size() {
    return this.#heap.size
  }

  /** @param {number} atNs @param {number} node @param {() => unknown} run @returns {Event} */
  add(atNs, node, run) {
    const event = { atNs, node, order: this.#added++, run }
    this.#heap.add(event)
    return event
  }

  /** first stays in the queue. @returns {Event | undefined} */
  first() {
    return this.#heap.first()
  }

  /** take takes the first event out. @returns {Event | undefined} */
  take() {
    return this.#heap.take()
  }

  clear() {
    this.#heap.clear()
  }
}

/** @param {Event} a @param {Event} b */
function isBefore(a, b) {
  if (a.atNs !== b.atNs) return a.atNs < b.atNs
  return a.node === b.node ? a.order < b.order : a.node < b.node
}
