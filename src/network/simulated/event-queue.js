/**
 * @typedef {object} Event - something that will happen at a node
 * @property {number} atNs
 * @property {number} node
 * @property {number} order - in which events were added
 * @property {(() => unknown) | null} run - gives QUIET when it has set nothing off but later events; null: it was cancelled
 */

/** EventQueue gives events in the order of time, then node, then addition. A binary heap. */
export class EventQueue {
  /** @type {Event[]} */
  #heap = []
  #added = 0

  get size() {
    return this.#heap.length
  }

  /** @param {number} atNs @param {number} node @param {() => unknown} run @returns {Event} */
  add(atNs, node, run) {
    const event = { atNs, node, order: this.#added++, run }
    this.#heap.push(event)
    this.#rise(this.#heap.length - 1)
    return event
  }

  /** first stays in the queue. @returns {Event | undefined} */
  first() {
    return this.#heap[0]
  }

  /** take takes the first event out. @returns {Event | undefined} */
  take() {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last !== undefined && heap.length > 0) {
      heap[0] = last
      this.#sink()
    }
    return first
  }

  clear() {
    this.#heap = []
  }

  /** @param {number} place */
  #rise(place) {
    const heap = this.#heap
    const event = heap[place]
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!isBefore(event, heap[above])) break
      heap[place] = heap[above]
      place = above
    }
    heap[place] = event
  }

  #sink() {
    const heap = this.#heap
    const event = heap[0]
    let place = 0
    for (let below = 1; below < heap.length; below = 2 * place + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1], heap[below])) below++
      if (!isBefore(heap[below], event)) break
      heap[place] = heap[below]
      place = below
    }
    heap[place] = event
  }
}

/** @param {Event} a @param {Event} b */
function isBefore(a, b) {
  if (a.atNs !== b.atNs) return a.atNs < b.atNs
  return a.node === b.node ? a.order < b.order : a.node < b.node
}
