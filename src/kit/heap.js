/** Children of an entry: their keys lie in one line of the cache. */
const WIDTH = 4
const FIRST_ROOM = 64

/**
 * Heap gives entries in the order of a number that each has, its key. It is a heap of four whose keys lie side by side: finding a place looks at
 * entries themselves only where keys are equal. Adding and removing cost O(log n), looking at the first costs O(1).
 *
 * @template T
 */
export class Heap {
  /** @type {T[]} */
  #entries = []
  #keys = new Float64Array(FIRST_ROOM)
  #isBefore
  #placed

  /**
   * @param {object} [order]
   * @param {(a: T, b: T) => boolean} [order.isBefore] - of entries with one key; default: they come in any order
   * @param {(entry: T, place: number) => void} [order.placed] - is told where an entry stands now, for `removeAt` and `keyAt`
   */
  constructor({ isBefore = () => false, placed } = {}) {
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

  /** firstKey is that of the first entry; Infinity: there is none. */
  get firstKey() {
    return this.#entries.length === 0 ? Infinity : this.#keys[0]
  }

  /** @param {number} place - of an entry */
  keyAt(place) {
    return this.#keys[place]
  }

  /** @param {T} entry @param {number} key - not NaN */
  add(entry, key) {
    const place = this.#entries.length
    if (place === this.#keys.length) this.#grow()
    this.#rise(entry, key, place)
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
    const key = this.#keys[this.#entries.length]
    this.#sink(last, key, this.#rise(last, key, place))
  }

  clear() {
    this.#entries = []
    this.#keys = new Float64Array(FIRST_ROOM)
  }

  #grow() {
    const keys = new Float64Array(2 * this.#keys.length)
    keys.set(this.#keys)
    this.#keys = keys
  }

  /** @param {T} entry @param {number} key @param {number} place - free @returns {number} where it stands now */
  #rise(entry, key, place) {
    while (place > 0) {
      const above = Math.floor((place - 1) / WIDTH)
      const aboveKey = this.#keys[above]
      if (key > aboveKey || (key === aboveKey && !this.#isBefore(entry, this.#entries[above]))) break
      this.#put(this.#entries[above], aboveKey, place)
      place = above
    }
    this.#put(entry, key, place)
    return place
  }

  /** @param {T} entry @param {number} key @param {number} place - its own */
  #sink(entry, key, place) {
    for (let child = this.#firstBelow(place); child >= 0; child = this.#firstBelow(place)) {
      const childKey = this.#keys[child]
      if (childKey > key || (childKey === key && !this.#isBefore(this.#entries[child], entry))) break
      this.#put(this.#entries[child], childKey, place)
      place = child
    }
    this.#put(entry, key, place)
  }

  /** The child that comes first, or -1. @param {number} place */
  #firstBelow(place) {
    const begin = WIDTH * place + 1
    const end = Math.min(begin + WIDTH, this.#entries.length)
    if (begin >= end) return -1
    let first = begin
    for (let each = begin + 1; each < end; each++) if (this.#isAhead(each, first)) first = each
    return first
  }

  /** @param {number} a - a place @param {number} b - a place */
  #isAhead(a, b) {
    const key = this.#keys[a]
    const other = this.#keys[b]
    return key < other || (key === other && this.#isBefore(this.#entries[a], this.#entries[b]))
  }

  /** @param {T} entry @param {number} key @param {number} place */
  #put(entry, key, place) {
    this.#entries[place] = entry
    this.#keys[place] = key
    this.#placed?.(entry, place)
  }
}
