/**
 * Heap gives entries in an order: a binary heap. Adding and removing cost O(log n), looking at the first costs O(1).
 *
 * @template T
 */
export class Heap {
  /** @type {T[]} */
  #entries = []
  #isBefore
  #placed

  /**
   * @param {(a: T, b: T) => boolean} isBefore
   * @param {(entry: T, place: number) => void} [placed] - is told where an entry stands now, for `removeAt`
   */
  constructor(isBefore, placed) {
    this.#isBefore = isBefore
    this.#placed = placed
  }

  get size() {
    return this.#entries.length
  }

  /** first stays in the heap. @returns {T | undefined} */
  first() {
    return this.#entries[0]
  }

  /** @param {T} entry */
  add(entry) {
    this.#rise(entry, this.#entries.length)
  }

  /** take takes the first entry out. @returns {T | undefined} */
  take() {
    const first = this.#entries[0]
    if (this.#entries.length > 0) this.removeAt(0)
    return first
  }

  /** @param {number} place - of an entry */
  removeAt(place) {
    const last = /** @type {T} */ (this.#entries.pop())
    if (place === this.#entries.length) return
    this.#sink(last, this.#rise(last, place))
  }

  clear() {
    this.#entries = []
  }

  /** @param {T} entry @param {number} place - free @returns {number} where it stands now */
  #rise(entry, place) {
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!this.#isBefore(entry, this.#entries[above])) break
      this.#put(this.#entries[above], place)
      place = above
    }
    this.#put(entry, place)
    return place
  }

  /** @param {T} entry @param {number} place - its own */
  #sink(entry, place) {
    const entries = this.#entries
    for (let below = 2 * place + 1; below < entries.length; below = 2 * place + 1) {
      if (below + 1 < entries.length && this.#isBefore(entries[below + 1], entries[below])) below++
      if (!this.#isBefore(entries[below], entry)) break
      this.#put(entries[below], place)
      place = below
    }
    this.#put(entry, place)
  }

  /** @param {T} entry @param {number} place */
  #put(entry, place) {
    this.#entries[place] = entry
    this.#placed?.(entry, place)
  }
}
