import { Distribution } from '../../../measure/distribution.js'

/** Dissemination is of whole messages: the time from the publish call to the last delivery. */
export class Dissemination {
  #distribution = new Distribution()
  complete = 0

  /**
   * reachedAll records a message that reached everyone.
   *
   * @param {number} publishedUs
   * @param {number} lastUs - last delivery. One before the publication is in no distribution
   */
  reachedAll(publishedUs, lastUs) {
    this.complete++
    if (lastUs >= publishedUs) this.#distribution.known.record(lastUs - publishedUs)
  }

  /**
   * fellShort records a message that had not reached everyone at the end.
   *
   * @param {number} publishedUs
   * @param {number} endUs
   */
  fellShort(publishedUs, endUs) {
    if (endUs >= publishedUs) this.#distribution.censor(endUs - publishedUs, 1)
  }

  /** slowestUs of the messages that reached everyone; 0: none did. */
  get slowestUs() {
    return this.#distribution.known.max
  }

  /** overhead records how much of such a time was client overhead. @param {import('./delivery-overheads.js').Overhead} of */
  overhead({ us, overheadUs }) {
    this.#distribution.overhead(us, overheadUs)
  }

  /** figures of the messages that have reached everyone so far. */
  figures() {
    const complete = this.#distribution.knownSummary()
    return { all: complete, complete }
  }

  /** @returns {import('./delivery-result.js').DeliveryResult['dissemination']} */
  result() {
    const { known: complete, ...rest } = this.#distribution.result()
    return { ...rest, complete }
  }
}
