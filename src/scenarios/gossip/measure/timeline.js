/** @typedef {import('./delivery-result.js').DeliveryResult['timeline'][number]} TimelineSecond */

/** Timeline counts what happened in each second since the start of the publish phase; before it seconds are negative. */
export class Timeline {
  /** @type {Map<number, TimelineSecond>} */
  #seconds = new Map()
  #startUs

  /** @param {number} startUs */
  constructor(startUs) {
    this.#startUs = startUs
  }

  /**
   * add counts one event.
   *
   * @param {'planned' | 'published' | 'delivered'} what
   * @param {number} atUs
   */
  add(what, atUs) {
    const second = Math.floor((atUs - this.#startUs) / 1e6)
    const found = this.#seconds.get(second) ?? { second, planned: 0, published: 0, delivered: 0 }
    this.#seconds.set(second, found)
    found[what]++
  }

  /** @returns {TimelineSecond[]} ascending */
  result() {
    return [...this.#seconds.values()].sort((a, b) => a.second - b.second).map(second => ({ ...second }))
  }
}
