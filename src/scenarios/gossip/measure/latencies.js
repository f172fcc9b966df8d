import { Distribution } from '../../../measure/distribution.js'

/** Latencies are the times from publish call to receipt of single deliveries. */
export class Latencies {
  #distribution = new Distribution()
  /** negative counts deliveries before their publication: they are in no distribution. */
  negative = 0

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

  /** overhead records how much of such a time was client overhead. @param {import('./delivery-overheads.js').Overhead} of */
  overhead({ us, overheadUs }) {
    this.#distribution.overhead(us, overheadUs)
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
}
