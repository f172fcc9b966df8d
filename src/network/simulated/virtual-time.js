import { Heap } from '../../kit/heap.js'

/** HOST stands for what happens at no node: the load, the collecting of what was measured. */
export const HOST = -1

/** QUIET is what an event gives that has set off nothing but later events: no microtask waits for its turn. */
export const QUIET = Symbol('quiet')

/**
 * VirtualTime is a clock that stands still while something happens, and then goes to the moment of what happens next. It counts
 * whole nanoseconds, so that no sum of times can depend on the order it is made in. `node` is the one at which something happens
 * just now; whatever that sets off later happens there, too.
 */
export class VirtualTime {
  /** @type {Heap<Event>} */
  #events = new Heap({ isBefore })
  #asked = 0
  nowNs = 0
  /** How much has happened. */
  happened = 0
  node = HOST

  /**
   * at lets something happen later.
   *
   * @param {number} atNs - now at the earliest
   * @param {number} node
   * @param {() => unknown} run - gives QUIET when it sets off nothing but later events
   * @param {number} [sender] - node that it comes from; default: the one at which something happens just now
   * @param {number} [place] - among what comes from this sender to this node at that moment; default: in the order of asking
   * @returns {Event}
   * @throws {RangeError} when that moment has gone, or is no whole number of ns
   */
  at(atNs, node, run, sender = this.node, place = this.#asked++) {
    if (!(atNs >= this.nowNs) || !Number.isSafeInteger(atNs))
      throw new RangeError(
        `nothing can happen at ${atNs} ns: it must be a whole number of ns, now (${this.nowNs}) or later`
      )
    const event = { atNs, node, sender, place, run }
    this.#events.add(event, atNs)
    return event
  }

  /** cancel lets it not happen. @param {Event} event */
  cancel(event) {
    event.run = null
  }

  /** pending is whether anything will happen. */
  get pending() {
    return this.#first() !== undefined
  }

  /** When something happens next, ns; Infinity: nothing will. */
  get nextNs() {
    return this.#first()?.atNs ?? Infinity
  }

  /**
   * runNext goes to what happens next and lets it happen, and what comes after quiet events, too.
   *
   * @param {number} untilNs - the last moment that counts
   * @returns {boolean} false: nothing more happens until then
   */
  runNext(untilNs) {
    for (let first = this.#first(); first !== undefined && first.atNs <= untilNs; first = this.#first()) {
      this.#events.take()
      this.nowNs = first.atNs
      this.node = first.node
      this.happened += 1
      const run = /** @type {() => unknown} */ (first.run)
      first.run = null
      if (run() !== QUIET) return true
    }
    return false
  }

  /** rest goes to a moment before which nothing happens. @param {number} atNs */
  rest(atNs) {
    this.nowNs = Math.max(this.nowNs, atNs)
    this.node = HOST
  }

  /** restart begins anew at 0, with nothing to come. */
  restart() {
    this.#events.clear()
    this.nowNs = 0
    this.node = HOST
  }

  #first() {
    let first = this.#events.first()
    while (first !== undefined && first.run === null) {
      this.#events.take()
      first = this.#events.first()
    }
    return first
  }
}

/**
 * @typedef {object} Event - something that will happen at a node
 * @property {number} atNs
 * @property {number} node
 * @property {number} sender - node that it comes from
 * @property {number} place - among what comes from there at that moment
 * @property {(() => unknown) | null} run - gives QUIET when it has set nothing off but later events; null: it was cancelled
 */

/**
 * At one time in the order of node, then sender, then what each sender sent first. What happens at a node depends on nothing but what comes to it,
 * so that no order of others, and no split of nodes over processes, can change it.
 *
 * @param {Event} a
 * @param {Event} b
 */
function isBefore(a, b) {
  if (a.node !== b.node) return a.node < b.node
  return a.sender === b.sender ? a.place < b.place : a.sender < b.sender
}
