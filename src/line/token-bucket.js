/**
 * TokenBucket says when bytes have gone over a line of some rate. It counts from the plan and not from when its timers come, so that
 * late timers lose no rate: over any time t no more than `burstBytes` + rate × t go, and just as much when there is always something to send.
 *
 * It is the generic cell rate algorithm in its virtual scheduling form (ITU-T I.371, annex A), which is equal to a token bucket.
 */
export class TokenBucket {
  #msPerByte
  #burstMs
  /** When all that was taken has gone, at the rate. */
  #freeMs = Number.NEGATIVE_INFINITY

  /**
   * @param {object} options
   * @param {number} options.bytesPerSecond - above 0
   * @param {number} [options.burstBytes] - go at once after a rest; default none
   */
  constructor({ bytesPerSecond, burstBytes = 0 }) {
    this.#msPerByte = 1000 / bytesPerSecond
    this.#burstMs = burstBytes * this.#msPerByte
  }

  /** @param {number} bytes @param {number} nowMs @returns {number} when the last of them has gone, in ms, after all that was taken before */
  take(bytes, nowMs) {
    this.#freeMs = Math.max(this.#freeMs, nowMs - this.#burstMs) + bytes * this.#msPerByte
    return Math.max(this.#freeMs, nowMs)
  }
}
