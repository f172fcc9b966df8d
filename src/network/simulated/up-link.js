/** SEND_BUFFER_BYTES may wait for an up-link before streams hold on to more themselves: the window that Yamux begins with. */
export const SEND_BUFFER_BYTES = 256 * 1024

/** UpLink is a node's line out: bytes leave one after the other, whoever they are for. */
export class UpLink {
  #bytesPerSecond
  #freeNs = 0

  /** @param {number | null} bytesPerSecond - null: without a limit */
  constructor(bytesPerSecond) {
    this.#bytesPerSecond = bytesPerSecond
  }

  /**
   * pass takes bytes that are ready to leave.
   *
   * @param {number} bytes
   * @param {number} nowNs
   * @returns {number} when the last of them has left, ns
   */
  pass(bytes, nowNs) {
    this.#freeNs = Math.max(this.#freeNs, nowNs) + this.#durationNs(bytes)
    return this.#freeNs
  }

  /** roomAtNs tells when less waits than may. @param {number} nowNs */
  roomAtNs(nowNs) {
    return Math.max(nowNs, this.#freeNs - this.#durationNs(SEND_BUFFER_BYTES))
  }

  /** @param {number} bytes */
  #durationNs(bytes) {
    return this.#bytesPerSecond === null ? 0 : Math.round((bytes * 1e9) / this.#bytesPerSecond)
  }
}
