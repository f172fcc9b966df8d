import { EventQueue } from './event-queue.js'

/** @typedef {import('./event-queue.js').Event} Event */

/** HOST stands for what happens at no node: the load, the collecting of what was measured. */
export const HOST = -1

/**
 * VirtualTime is a clock that stands still while something happens, and then goes to the moment of what happens next. It counts
 * whole nanoseconds, so that no sum of times can depend on the order it is made in. `node` is the one at which something happens
 * just now; whatever that sets off later happens there, too.
 */
export class VirtualTime {
  #queue = new EventQueue()
  nowNs = 0
  node = HOST

  /**
   * at lets something happen later.
   *
   * @param {number} atNs - now at the earliest
   * @param {number} node
   * @param {() => void} run
   * @returns {Event}
   * @throws {RangeError} when that moment has gone, or is no whole number of ns
   */
  at(atNs, node, run) {
    if (!(atNs >= this.nowNs) || !Number.isSafeInteger(atNs))
      throw new RangeError(
        `nothing can happen at ${atNs} ns: it must be a whole number of ns, now (${this.nowNs}) or later`
      )
    return this.#queue.add(atNs, node, run)
  }

  /** cancel lets it not happen. @param {Event} event */
  cancel(event) {
    event.run = null
  }

  /** pending is whether anything will happen. */
  get pending() {
    return this.#first() !== undefined
  }

  /**
   * runNext goes to what happens next and lets it happen.
   *
   * @param {number} untilNs - the last moment that counts
   * @returns {boolean} false: nothing happens until then; the clock has not moved
   */
  runNext(untilNs) {
    const first = this.#first()
    if (first === undefined || first.atNs > untilNs) return false
    this.#queue.take()
    this.nowNs = first.atNs
    this.node = first.node
    const run = /** @type {() => void} */ (first.run)
    first.run = null
    run()
    return true
  }

  /** rest goes to a moment before which nothing happens. @param {number} atNs */
  rest(atNs) {
    this.nowNs = Math.max(this.nowNs, atNs)
    this.node = HOST
  }

  /** restart begins anew at 0, with nothing to come. */
  restart() {
    this.#queue.clear()
    this.nowNs = 0
    this.node = HOST
  }

  #first() {
    let first = this.#queue.first()
    while (first !== undefined && first.run === null) {
      this.#queue.take()
      first = this.#queue.first()
    }
    return first
  }
}
