import { Heap } from '../../kit/heap.js'
import { Column } from './column.js'

/** ExpiryHeap knows which entry expires next: a heap beside a column of numbers. */
export class ExpiryHeap {
  /** entry → its place in the heap */
  #places = new Column(Int32Array)
  /** @type {Heap<number>} */
  #heap = new Heap({ placed: (entry, place) => this.#places.set(entry, place) })

  get size() {
    return this.#heap.size
  }

  /** @param {number} entry - not in the heap @param {number} time */
  add(entry, time) {
    this.#heap.add(entry, time)
  }

  /** @param {number} entry - in the heap */
  remove(entry) {
    this.#heap.removeAt(this.#places.get(entry))
  }

  /** timeOf is when an entry expires. @param {number} entry - in the heap */
  timeOf(entry) {
    return this.#heap.keyAt(this.#places.get(entry))
  }

  /** due is an entry that expires at `now` or before, or -1. @param {number} now */
  due(now) {
    const entry = this.#heap.first()
    return entry !== undefined && this.#heap.firstKey <= now ? entry : -1
  }
}
