const LEAST_SLOTS = 4

/**
 * Fifo is a queue whose entries can be looked at by their place: a ring that grows, and keeps nothing that has left it.
 *
 * @template T
 */
export class Fifo {
  /** As many as a power of two. @type {(T | undefined)[]} */
  #slots = []
  #head = 0
  #length = 0

  get length() {
    return this.#length
  }

  /** @param {T} entry */
  push(entry) {
    if (this.#length === this.#slots.length) this.#grow()
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = entry
    this.#length += 1
  }

  /** @param {number} [place] - 0: the oldest @returns {T | undefined} */
  peek(place = 0) {
    if (place >= this.#length) return undefined
    return this.#slots[(this.#head + place) & (this.#slots.length - 1)]
  }

  /** @returns {T | undefined} the oldest, which leaves */
  shift() {
    if (this.#length === 0) return undefined
    const entry = this.#slots[this.#head]
    this.#slots[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#slots.length - 1)
    this.#length -= 1
    return entry
  }

  #grow() {
    const slots = Math.max(LEAST_SLOTS, 2 * this.#length)
    this.#slots = Array.from({ length: slots }, (_, place) => this.peek(place))
    this.#head = 0
  }
}
