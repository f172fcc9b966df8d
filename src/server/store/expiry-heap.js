import { Heap } from '../../kit/heap.js'
import { Column } from './column.js'

/** ExpiryHeap knows which entry expires next: a heap beside columns of numbers. */
export class ExpiryHeap {
  /** entry → when it expires */
  #times = new Column(Float64Array)
  /** entry → its place in the heap */
  #places = new Column(Int32Array)
  /** @type {Heap<number>} */
  #heap = new Heap(
    (a, b) => this.#times.get(a) < this.#times.get(b),
    (entry, place) => this.#places.set(entry, place)
  )

  get size() {
    return this.#heap.size
  }

  /** @param {number} entry - not in the heap @param {number} time */
  add(entry, time) {
    this.#times.set(entry, time)
    this.#heap.add(entry)
  }

  /** @param {number} entry - in the heap */
  remove(entry) {
    this.#heap.removeAt(this.#places.get(entry))
  }

  /** timeOf is when an entry expires. @param {number} entry */
  timeOf(entry) {
    return this.#times.get(entry)
  }

  /** due is an entry that expires at `now` or before, or -1. @param {number} now */
  due(now) {
    const entry = this.#heap.first()
    return entry !== undefined && this.#times.get(entry) <= now ? entry : -1
  }
}
