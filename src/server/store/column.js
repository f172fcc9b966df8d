// 16,384 entries: big enough that the list of chunks stays short, small enough that growing takes no visible time
const CHUNK_BITS = 14
const CHUNK_LENGTH = 1 << CHUNK_BITS
const CHUNK_MASK = CHUNK_LENGTH - 1

/**
 * @typedef {Int32ArrayConstructor | Float64ArrayConstructor | BigUint64ArrayConstructor} Numbers
 */

/**
 * Column is an array of numbers that grows a chunk at a time: what is there is never copied, and no old copy is left
 * to the garbage collector. Entries are 0 until set.
 *
 * @template {Numbers} [A=Int32ArrayConstructor | Float64ArrayConstructor]
 * @template {number | bigint} [N=A extends BigUint64ArrayConstructor ? bigint : number]
 */
export class Column {
  #ArrayType
  /** @type {any[]} */
  #chunks = []
  #zero

  /** @param {A} ArrayType */
  constructor(ArrayType) {
    this.#ArrayType = ArrayType
    this.#zero = /** @type {N} */ (new ArrayType(1)[0])
  }

  /** @param {number} index @returns {N} */
  get(index) {
    const chunk = this.#chunks[index >> CHUNK_BITS]
    return chunk === undefined ? this.#zero : chunk[index & CHUNK_MASK]
  }

  /** @param {number} index @param {N} value */
  set(index, value) {
    const at = index >> CHUNK_BITS
    while (at >= this.#chunks.length) this.#chunks.push(new this.#ArrayType(CHUNK_LENGTH))
    this.#chunks[at][index & CHUNK_MASK] = value
  }
}
