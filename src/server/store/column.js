// 16,384 entries: big enough that the list of chunks stays short, small enough that growing takes no visible time
const CHUNK_BITS = 14
const CHUNK_LENGTH = 1 << CHUNK_BITS
const CHUNK_MASK = CHUNK_LENGTH - 1

/**
 * @typedef {Int32Array | Float64Array} Numbers
 */

/**
 * Column is an array of numbers that grows a chunk at a time: what is there is never copied, and no old copy is left
 * to the garbage collector. Entries are 0 until set.
 */
export class Column {
  #ArrayType
  /** @type {Numbers[]} */
  #chunks = []

  /** @param {Int32ArrayConstructor | Float64ArrayConstructor} ArrayType */
  constructor(ArrayType) {
    this.#ArrayType = ArrayType
  }

  /** @param {number} index @returns {number} */
  get(index) {
    const chunk = this.#chunks[index >> CHUNK_BITS]
    return chunk === undefined ? 0 : chunk[index & CHUNK_MASK]
  }

  /** @param {number} index @param {number} value */
  set(index, value) {
    const at = index >> CHUNK_BITS
    while (at >= this.#chunks.length) this.#chunks.push(new this.#ArrayType(CHUNK_LENGTH))
    this.#chunks[at][index & CHUNK_MASK] = value
  }
}
