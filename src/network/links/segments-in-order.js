/** SegmentsInOrder puts segments in order, as the receiver of a TCP connection. It holds no more than what was under way at once. */
export class SegmentsInOrder {
  #next = 0
  #end = 0
  /** @type {Map<number, number>} places of segments that came before their turn, with where they end */
  #early = new Map()

  /** Place of the first segment that is missing. */
  get next() {
    return this.#next
  }

  /** What can be read ends there, since the beginning. */
  get end() {
    return this.#end
  }

  /** take takes a segment, which may have come before. @param {number} place @param {number} end */
  take(place, end) {
    if (place > this.#next) this.#early.set(place, end)
    if (place !== this.#next) return
    this.#append(end)
    while (this.#early.size > 0) {
      const later = this.#early.get(this.#next)
      if (later === undefined) return
      this.#early.delete(this.#next)
      this.#append(later)
    }
  }

  /** @param {number} end */
  #append(end) {
    this.#next += 1
    this.#end = end
  }
}
