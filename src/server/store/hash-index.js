import { Column } from './column.js'

const FIRST_BUCKETS = 256

/**
 * HashIndex finds entries by a hash. Entries are small numbers whose keys the caller keeps and compares.
 *
 * It grows by linear hashing (Litwin 1980): when there are more entries than buckets, one bucket is split in two. So
 * no insertion ever rehashes everything, and nothing is left behind for the garbage collector.
 */
export class HashIndex {
  /** bucket → its first entry + 1 */
  #heads = new Column(Int32Array)
  /** entry → the next one of its bucket + 1 */
  #next = new Column(Int32Array)
  #hashes = new Column(Int32Array)
  #buckets = FIRST_BUCKETS
  /** the power of two from which the buckets are being split */
  #level = FIRST_BUCKETS
  #size = 0

  get size() {
    return this.#size
  }

  /** @param {number} entry - not in the index @param {number} hash - 32 bits */
  add(entry, hash) {
    this.#hashes.set(entry, hash)
    this.#push(this.#bucketOf(hash), entry)
    if (++this.#size > this.#buckets) this.#splitOne()
  }

  /** @param {number} entry - in the index */
  remove(entry) {
    const bucket = this.#bucketOf(this.#hashes.get(entry))
    const after = this.#next.get(entry)
    let other = this.#heads.get(bucket) - 1
    if (other === entry) {
      this.#heads.set(bucket, after)
    } else {
      while (this.#next.get(other) - 1 !== entry) other = this.#next.get(other) - 1
      this.#next.set(other, after)
    }
    this.#size--
  }

  /**
   * first is an entry that may have this hash, to be followed by `next` until that is -1. Others come along: compare
   * keys.
   *
   * @param {number} hash
   */
  first(hash) {
    return this.#heads.get(this.#bucketOf(hash)) - 1
  }

  /** @param {number} entry */
  next(entry) {
    return this.#next.get(entry) - 1
  }

  /** @param {number} hash */
  #bucketOf(hash) {
    const bucket = hash & (this.#level * 2 - 1)
    return bucket < this.#buckets ? bucket : hash & (this.#level - 1)
  }

  /** @param {number} bucket @param {number} entry */
  #push(bucket, entry) {
    this.#next.set(entry, this.#heads.get(bucket))
    this.#heads.set(bucket, entry + 1)
  }

  #splitOne() {
    const bucket = this.#buckets - this.#level
    let entry = this.#heads.get(bucket) - 1
    this.#heads.set(bucket, 0)
    this.#buckets++
    while (entry >= 0) {
      const after = this.#next.get(entry) - 1
      this.#push(this.#bucketOf(this.#hashes.get(entry)), entry)
      entry = after
    }
    if (this.#buckets === this.#level * 2) this.#level = this.#buckets
  }
}

/**
 * mix spreads a 32-bit number over all its bits (the finaliser of MurmurHash3).
 *
 * @param {number} h
 */
export function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/**
 * hashBytes hashes bytes from a start value that others cannot know.
 *
 * @param {Uint8Array} bytes
 * @param {number} seed - random
 */
export function hashBytes(bytes, seed) {
  let h = seed
  for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193)
  return mix(h)
}
