/**
 * BandwidthQueue is a line of limited bandwidth that serves in the order of asking: an up-link, a down-link, or a link. It only knows
 * until when it is busy, and its queue has no end: nothing is dropped. Askers come in the order of their times.
 */
export class BandwidthQueue {
  #nsPerByte
  #busyUntilNs = 0
  #startedNs = 0

  /** @param {number | null} bytesPerSecond - null: without a limit */
  constructor(bytesPerSecond) {
    this.#nsPerByte = bytesPerSecond === null ? 0 : 1e9 / bytesPerSecond
  }

  /** Whether it takes any time. */
  get limited() {
    return this.#nsPerByte > 0
  }

  /** When what passed last began to, ns. */
  get startedNs() {
    return this.#startedNs
  }

  /**
   * pass gives the time at which the last byte has passed. Bytes that come in over a time pass as they come, so that two lines of the
   * same bandwidth behind one another take no longer than one.
   *
   * @param {number} bytes - on the wire
   * @param {number} firstNs - the first byte is there
   * @param {number} [lastNs] - the last byte is there
   * @returns {number} ns, whole
   */
  pass(bytes, firstNs, lastNs = firstNs) {
    if (this.#nsPerByte === 0) {
      this.#startedNs = firstNs
      return lastNs
    }
    this.#startedNs = Math.max(firstNs, this.#busyUntilNs)
    this.#busyUntilNs = Math.max(this.#startedNs + Math.round(bytes * this.#nsPerByte), lastNs)
    return this.#busyUntilNs
  }
}
