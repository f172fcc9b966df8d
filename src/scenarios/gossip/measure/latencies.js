import { Distribution } from '../../../measure/distribution.js'
import { Histogram, quantize } from '../../../measure/histogram.js'

/** Plots over time need less than percentiles do. */
const PLOT_DIGITS = 2

/** Latencies are the times from publish call to receipt of single deliveries, in all and by the second of the publish call. */
export class Latencies {
  #distribution = new Distribution()
  /** @type {Map<number, Histogram>} */
  #seconds = new Map()
  #startUs
  /** negative counts deliveries before their publication: they are in no distribution. */
  negative = 0

  /** @param {number} startUs - of the publish phase */
  constructor(startUs) {
    this.#startUs = startUs
  }

  /**
   * deliver records a delivery.
   *
   * @param {number} publishedUs
   * @param {number} receivedUs
   * @returns {number | null} µs; null: negative
   */
  deliver(publishedUs, receivedUs) {
    const us = receivedUs - publishedUs
    if (us < 0) {
      this.negative++
      return null
    }
    this.#distribution.known.record(us)
    this.#second(Math.floor((publishedUs - this.#startUs) / 1e6)).record(quantize(us, PLOT_DIGITS))
    return us
  }

  /**
   * miss records deliveries of one message that had not come at the end.
   *
   * @param {number} publishedUs
   * @param {number} endUs
   * @param {number} count
   */
  miss(publishedUs, endUs, count) {
    const us = endUs - publishedUs
    if (us < 0) this.negative += count
    else this.#distribution.censor(us, count)
  }

  /** @param {number} second */
  #second(second) {
    const found = this.#seconds.get(second)
    if (found !== undefined) return found
    const begun = new Histogram()
    this.#seconds.set(second, begun)
    return begun
  }

  /** without records what such a time would be without what was added to it. @param {import('../../../measure/distribution.js').Without} time */
  without(time) {
    this.#distribution.without(time)
  }

  /** figures of what has been delivered so far. */
  figures() {
    const delivered = this.#distribution.knownSummary()
    return { all: delivered, delivered }
  }

  /** @returns {import('./delivery-result.js').DeliveryResult['latency']} */
  result() {
    const { known: delivered, ...rest } = this.#distribution.result()
    return { ...rest, delivered }
  }

  /** @returns {import('./delivery-result.js').DeliveryResult['perSecond']} */
  perSecond() {
    return [...this.#seconds]
      .map(([second, histogram]) => ({ second, histogram: histogram.coarse(PLOT_DIGITS) }))
      .sort((a, b) => a.second - b.second)
  }
}
