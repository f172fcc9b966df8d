/** TcpReceiver puts segments in order. It holds no more than what was under way at once. */
export class TcpReceiver {
  #next = 0
  #endByte = 0
  /** @type {Map<number, number>} places of segments that came before their turn, with where they end */
  #early = new Map()

  /** Place of the first segment that is missing. */
  get next() {
    return this.#next
  }

  /** Bytes that can be read, since the beginning. */
  get endByte() {
    return this.#endByte
  }

  /** @param {{ place: number, endByte: number }} segment - it may have come before */
  take({ place, endByte }) {
    if (place > this.#next) this.#early.set(place, endByte)
    if (place !== this.#next) return
    this.#append(endByte)
    while (this.#early.size > 0) {
      const end = this.#early.get(this.#next)
      if (end === undefined) return
      this.#early.delete(this.#next)
      this.#append(end)
    }
  }

  /** @param {number} endByte */
  #append(endByte) {
    this.#next += 1
    this.#endByte = endByte
  }
}
