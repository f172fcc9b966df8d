/** Places that have become free in front are given back once there are so many. */
const MOST_FREE = 64

/**
 * Fifo is a queue whose entries can be looked at by their place.
 *
 * @template T
 */
export class Fifo {
  /** @type {T[]} */
  #entries = []
  #head = 0

  get length() {
    return this.#entries.length - this.#head
  }

  /** @param {T} entry */
  push(entry) {
    this.#entries.push(entry)
  }

  /** @param {number} [place] - 0: the oldest @returns {T | undefined} */
  peek(place = 0) {
    return this.#entries[this.#head + place]
  }

  /** @returns {T | undefined} the oldest, which leaves */
  shift() {
    if (this.length === 0) return undefined
    const entry = this.#entries[this.#head]
    this.#head += 1
    if (this.#head >= MOST_FREE && this.#head * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head)
      this.#head = 0
    }
    return entry
  }
}
