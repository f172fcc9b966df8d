import { Distribution } from '../../../measure/distribution.js'

/**
 * REORDER_WINDOW: how many times wait to be put in order. Workers tell theirs once a second, each in its own order; up to half
 * as many publications as this may be told between one publication and another that was earlier. Runs with fewer publications
 * than this are in order whatever happens.
 */
const REORDER_WINDOW = 65_536

/** InterArrival measures the time from each event to the next one of the whole network. Memory is bounded by the window. */
export class InterArrival {
  #distribution = new Distribution()
  #waiting
  #count = 0
  #lastNs = -Infinity
  /** outOfOrder counts events that came after the window had passed them: they are in no interval. */
  outOfOrder = 0

  /** @param {number} [window] - at least 2 */
  constructor(window = REORDER_WINDOW) {
    this.#waiting = new Float64Array(window)
  }

  /** @param {number} atNs */
  add(atNs) {
    if (atNs < this.#lastNs) {
      this.outOfOrder++
      return
    }
    if (this.#count === this.#waiting.length) this.#pass(this.#count >> 1)
    this.#waiting[this.#count++] = atNs
  }

  /** close passes everything that waits. */
  close() {
    this.#pass(this.#count)
  }

  /** Records the earliest of those that wait. @param {number} count */
  #pass(count) {
    const waiting = this.#waiting.subarray(0, this.#count).sort()
    for (let i = 0; i < count; i++) {
      if (this.#lastNs !== -Infinity) {
        this.#distribution.known.record((waiting[i] - this.#lastNs) / 1000)
      }
      this.#lastNs = waiting[i]
    }
    waiting.copyWithin(0, count)
    this.#count -= count
  }

  /** @returns {import('./delivery-result.js').Intervals} of what was passed */
  result() {
    return { ...this.#distribution.knownResult(), outOfOrder: this.outOfOrder }
  }
}
