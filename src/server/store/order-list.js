const FIRST_LENGTH = 8
const FULL_LENGTH = 256

/**
 * @typedef {import('./column.js').Column} Column
 *
 * @typedef {object} Run - neighbours in the order
 * @property {Int32Array} ids
 * @property {number} used
 */

/**
 * OrderList keeps entries in the order they were appended, found again by their sequence number: the leaves of a
 * B+ tree under one sorted array. Removed entries leave no gap and neighbouring runs that got short are joined, so that
 * reading n entries after any sequence number touches O(n + log size) memory, whatever was removed.
 */
export class OrderList {
  #seqs
  /** @type {Run[]} */
  #runs = []
  #size = 0

  /** @param {Column} seqs - the sequence number of each entry, growing from append to append */
  constructor(seqs) {
    this.#seqs = seqs
  }

  get size() {
    return this.#size
  }

  /** @param {number} id - its sequence number is above all others here */
  append(id) {
    this.#size++
    const last = this.#runs.at(-1)
    if (last === undefined || last.used === FULL_LENGTH) {
      const ids = new Int32Array(last === undefined ? FIRST_LENGTH : FULL_LENGTH)
      ids[0] = id
      this.#runs.push({ ids, used: 1 })
      return
    }
    if (last.used === last.ids.length) lengthen(last, last.used * 2)
    last.ids[last.used++] = id
  }

  /** @param {number} id - in the list, its sequence number unchanged since `append` */
  remove(id) {
    this.#size--
    const at = this.#runOf(this.#seqs.get(id))
    const run = this.#runs[at]
    const index = run.ids.indexOf(id)
    run.ids.copyWithin(index, index + 1, run.used)
    run.used--
    if (run.used === 0) this.#runs.splice(at, 1)
    else if (!this.#join(at)) this.#join(at - 1)
  }

  /**
   * visitAfter calls `visit` with the entries whose sequence numbers are above `seq`, in order, until it returns false.
   *
   * @param {number} seq
   * @param {(id: number) => boolean} visit - must not change the list
   */
  visitAfter(seq, visit) {
    const first = Math.max(0, this.#runOf(seq))
    for (let at = first; at < this.#runs.length; at++) {
      const { ids, used } = this.#runs[at]
      let index = 0
      if (at === first) while (index < used && this.#seqs.get(ids[index]) <= seq) index++
      for (; index < used; index++) {
        if (!visit(ids[index])) return
      }
    }
  }

  /** The last run that begins at or before `seq`, or -1. @param {number} seq */
  #runOf(seq) {
    let low = 0
    let high = this.#runs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#seqs.get(this.#runs[middle].ids[0]) <= seq) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** Joins a run with the next one when both together fill less than half. @param {number} at */
  #join(at) {
    const run = this.#runs[at]
    const next = this.#runs[at + 1]
    if (run === undefined || next === undefined || run.used + next.used > FULL_LENGTH / 2) return false
    if (run.ids.length < FULL_LENGTH) lengthen(run, FULL_LENGTH)
    run.ids.set(next.ids.subarray(0, next.used), run.used)
    run.used += next.used
    this.#runs.splice(at + 1, 1)
    return true
  }
}

/** @param {Run} run @param {number} length */
function lengthen(run, length) {
  const ids = new Int32Array(length)
  ids.set(run.ids)
  run.ids = ids
}
