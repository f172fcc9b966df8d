import { Column } from './column.js'

/** IdPool hands out small whole numbers, those given back first. */
export class IdPool {
  #free = new Column(Int32Array)
  #freeCount = 0
  #next = 0

  /** take returns a number that is not in use. */
  take() {
    return this.#freeCount > 0 ? this.#free.get(--this.#freeCount) : this.#next++
  }

  /** release gives a number back. @param {number} id */
  release(id) {
    this.#free.set(this.#freeCount++, id)
  }

  /** used is how many are in use. */
  get used() {
    return this.#next - this.#freeCount
  }
}
