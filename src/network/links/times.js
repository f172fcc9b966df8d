const LEAST_SLOTS = 4

/** Times is a queue of times, side by side: as Fifo, of numbers alone, which take no object each. */
export class Times {
  /** As many as a power of two. */
  #slots = new Float64Array(LEAST_SLOTS)
  #head = 0
  #length = 0

  /** The oldest; Infinity: there is none. */
  get first() {
    return this.#length === 0 ? Infinity : this.#slots[this.#head]
  }

  /** @param {number} time */
  push(time) {
    if (this.#length === this.#slots.length) this.#grow()
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = time
    this.#length += 1
  }

  /** drop takes the oldest out, which has to be there. */
  drop() {
    this.#head = (this.#head + 1) & (this.#slots.length - 1)
    this.#length -= 1
  }

  #grow() {
    const slots = new Float64Array(2 * this.#length)
    slots.set(this.#slots.subarray(this.#head))
    slots.set(this.#slots.subarray(0, this.#head), this.#length - this.#head)
    this.#slots = slots
    this.#head = 0
  }
}
