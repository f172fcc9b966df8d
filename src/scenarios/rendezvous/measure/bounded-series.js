/** MOST_READINGS are ten for each stretch that a long run is looked at in. */
const MOST_READINGS = 600

/**
 * BoundedSeries keeps readings of a whole run in little room: when there are too many, every other one is left out, and from then on
 * as many are passed over.
 */
export class BoundedSeries {
  #most
  #every = 1
  #seen = 0
  /** @type {import('../../../measure/trend.js').Reading[]} */
  readings = []

  /** @param {number} [most] */
  constructor(most = MOST_READINGS) {
    this.#most = most
  }

  /** @param {import('../../../measure/trend.js').Reading} reading */
  add(reading) {
    if (this.#seen++ % this.#every === 0) this.readings.push(reading)
    if (this.readings.length <= this.#most) return
    this.readings = this.readings.filter((_, place) => place % 2 === 0)
    this.#every *= 2
  }
}
