import { Column } from './column.js'

/**
 * ExpiryHeap knows which entry expires next: a binary heap over columns of numbers. Adding and removing cost O(log n),
 * asking what is due costs O(1).
 */
export class ExpiryHeap {
  /** entry → when it expires */
  #times = new Column(Float64Array)
  /** place in the heap → entry */
  #heap = new Column(Int32Array)
  /** entry → its place in the heap */
  #places = new Column(Int32Array)
  #size = 0

  get size() {
    return this.#size
  }

  /** @param {number} entry - not in the heap @param {number} time */
  add(entry, time) {
    this.#times.set(entry, time)
    this.#rise(entry, this.#size++)
  }

  /** @param {number} entry - in the heap */
  remove(entry) {
    const place = this.#places.get(entry)
    const last = this.#heap.get(--this.#size)
    if (last === entry) return
    this.#rise(last, place)
    this.#sink(last, this.#places.get(last))
  }

  /** timeOf is when an entry expires. @param {number} entry */
  timeOf(entry) {
    return this.#times.get(entry)
  }

  /** due is an entry that expires at `now` or before, or -1. @param {number} now */
  due(now) {
    if (this.#size === 0) return -1
    const entry = this.#heap.get(0)
    return this.#times.get(entry) <= now ? entry : -1
  }

  /** @param {number} entry @param {number} place - free */
  #rise(entry, place) {
    const time = this.#times.get(entry)
    while (place > 0) {
      const parent = this.#heap.get((place - 1) >> 1)
      if (this.#times.get(parent) <= time) break
      this.#put(parent, place)
      place = (place - 1) >> 1
    }
    this.#put(entry, place)
  }

  /** @param {number} entry @param {number} place - free */
  #sink(entry, place) {
    const time = this.#times.get(entry)
    for (;;) {
      let child = place * 2 + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#timeAt(child + 1) < this.#timeAt(child)) child++
      if (this.#timeAt(child) >= time) break
      this.#put(this.#heap.get(child), place)
      place = child
    }
    this.#put(entry, place)
  }

  /** @param {number} place */
  #timeAt(place) {
    return this.#times.get(this.#heap.get(place))
  }

  /** @param {number} entry @param {number} place */
  #put(entry, place) {
    this.#heap.set(place, entry)
    this.#places.set(entry, place)
  }
}
