// Compact data structures outside the JavaScript heap, from which the memory store is built: columns, hash index,
// ordered list, byte storage.

// 16,384 entries: big enough that the list of chunks stays short, small enough that growing takes no visible time
const CHUNK_BITS = 14
const CHUNK_LENGTH = 1 << CHUNK_BITS
const CHUNK_MASK = CHUNK_LENGTH - 1

/**
 * Column is an array of numbers that grows a chunk at a time: entries are never copied, and no old copy is left to the garbage collector.
 * Entries are 0 until set.
 *
 * @template {Int32ArrayConstructor | Float64ArrayConstructor | BigUint64ArrayConstructor} [A=Int32ArrayConstructor | Float64ArrayConstructor]
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

/** IdPool gives out small whole numbers, released ones first. */
export class IdPool {
  #free = new Column(Int32Array)
  #freeCount = 0
  #next = 0

  /** take returns a number that is not in use. */
  take() {
    return this.#freeCount > 0 ? this.#free.get(--this.#freeCount) : this.#next++
  }

  /** release makes a number free again. @param {number} id */
  release(id) {
    this.#free.set(this.#freeCount++, id)
  }

  /** used is the number of ids in use. */
  get used() {
    return this.#next - this.#freeCount
  }
}

const FIRST_BUCKETS = 256

/**
 * HashIndex finds entries by a hash. Entries are small numbers; the caller stores their keys and compares them.
 *
 * It grows by linear hashing (Litwin 1980): when there are more entries than buckets, one bucket is split in two. So no
 * insertion rehashes everything, and nothing is left to the garbage collector.
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
   * first gives an entry that may have this hash; `next` gives further ones, until it is -1. Some have other hashes: compare keys.
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
 * mixBits spreads a 32-bit number over all its bits (the finaliser of MurmurHash3).
 *
 * @param {number} h
 */
export function mixBits(h) {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/**
 * hashBytes hashes bytes with a secret seed.
 *
 * @param {Uint8Array} bytes
 * @param {number} seed - random
 */
export function hashBytes(bytes, seed) {
  let h = seed
  for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193)
  return mixBits(h)
}

const FIRST_LENGTH = 8
const FULL_LENGTH = 256

/**
 * @typedef {object} Run - consecutive entries
 * @property {Int32Array} ids
 * @property {number} used
 */

/**
 * OrderList keeps entries in the order of their sequence numbers: the leaves of a B+ tree under one sorted array. Removed entries leave no gap
 * and short neighbouring runs are joined, so that reading n entries after any sequence number touches O(n + log size) memory, whatever was
 * removed.
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

const PAGE_BYTES = 1 << 18
// blocks are at least 16 bytes, so a page has at most 2^14 of them; 17 bits remain for the page: 32 GB
const INDEX_BITS = 14
const INDEX_MASK = (1 << INDEX_BITS) - 1
const SMALLEST_BLOCK = 32
// larger ones get a page of their own
const LARGEST_BLOCK = PAGE_BYTES / 8
// a block begins with the length of its bytes and its owner
const HEADER_BYTES = 8
const OWNER_AT = 4

/**
 * @typedef {object} SizeClass - blocks of one size, without gaps: all pages are full but the last that has any
 * @property {number} blockBytes
 * @property {number} blocks - of a page
 * @property {number} live - blocks in use
 * @property {number[]} pages - their numbers
 *
 * @typedef {object} Page - memory cut into blocks of one size
 * @property {Buffer} bytes
 * @property {SizeClass} sizeClass
 */

/**
 * Slab keeps byte strings in large pages outside the JavaScript heap. A page holds blocks of one size class; classes are an eighth apart, so
 * about 6 % is lost to rounding. The last block of a class moves into the place of a freed one, so that no pattern of frees leaves pages
 * partly filled; empty pages are released, except one for each size.
 */
export class Slab {
  #moved
  /** @type {Array<Page | undefined>} */
  #pages = []
  /** @type {number[]} */
  #emptyPages = []
  /** by block size @type {Map<number, SizeClass>} */
  #classes = new Map()
  #reservedBytes = 0

  /** @param {(owner: number, ref: number) => void} moved - called for each block whose reference changes */
  constructor(moved) {
    this.#moved = moved
  }

  /** reservedBytes is the memory of all pages. */
  get reservedBytes() {
    return this.#reservedBytes
  }

  /**
   * allocate reserves a block and returns its reference, which is valid until `moved` is called with another one; `write` fills it.
   *
   * @param {number} length - bytes
   * @param {number} owner - passed to `moved`, 32 bits
   * @returns {number}
   */
  allocate(length, owner) {
    const sizeClass = this.#classOf(blockSizeFor(length + HEADER_BYTES))
    if (sizeClass.live === sizeClass.pages.length * sizeClass.blocks) this.#addPage(sizeClass)
    const ref = refAt(sizeClass, sizeClass.live++)
    const { bytes } = this.#pageOf(ref)
    const at = (ref & INDEX_MASK) * sizeClass.blockBytes
    bytes.writeUInt32LE(length, at)
    bytes.writeUInt32LE(owner, at + OWNER_AT)
    return ref
  }

  /**
   * write copies bytes into a block.
   *
   * @param {number} ref
   * @param {number} at - position in the block
   * @param {Uint8Array} bytes
   */
  write(ref, at, bytes) {
    const page = this.#pageOf(ref)
    page.bytes.set(bytes, offsetOf(page, ref) + at)
  }

  /** length gives the number of bytes in a block. @param {number} ref */
  length(ref) {
    const page = this.#pageOf(ref)
    return page.bytes.readUInt32LE(offsetOf(page, ref) - HEADER_BYTES)
  }

  /**
   * copyTo copies the bytes of a block and returns the position after them.
   *
   * @param {number} ref
   * @param {Uint8Array} target
   * @param {number} at - position in the target
   */
  copyTo(ref, target, at) {
    const page = this.#pageOf(ref)
    const offset = offsetOf(page, ref)
    const length = page.bytes.readUInt32LE(offset - HEADER_BYTES)
    page.bytes.copy(target, at, offset, offset + length)
    return at + length
  }

  /** equals says whether a block holds exactly these bytes. @param {number} ref @param {Uint8Array} bytes */
  equals(ref, bytes) {
    const page = this.#pageOf(ref)
    const offset = offsetOf(page, ref)
    const length = page.bytes.readUInt32LE(offset - HEADER_BYTES)
    return length === bytes.length && page.bytes.compare(bytes, 0, length, offset, offset + length) === 0
  }

  /** free releases a block. @param {number} ref */
  free(ref) {
    const { sizeClass } = this.#pageOf(ref)
    const last = refAt(sizeClass, --sizeClass.live)
    if (last !== ref) this.#move(last, ref)
    const used = Math.ceil(sizeClass.live / sizeClass.blocks)
    if (sizeClass.pages.length > used + 1) this.#dropPage(/** @type {number} */ (sizeClass.pages.pop()))
  }

  /** @param {number} from @param {number} to - a block of the same size */
  #move(from, to) {
    const source = this.#pageOf(from)
    const target = this.#pageOf(to)
    const start = offsetOf(source, from) - HEADER_BYTES
    const end = start + HEADER_BYTES + this.length(from)
    source.bytes.copy(target.bytes, offsetOf(target, to) - HEADER_BYTES, start, end)
    this.#moved(source.bytes.readUInt32LE(start + OWNER_AT), to)
  }

  /** @param {number} ref */
  #pageOf(ref) {
    return /** @type {Page} */ (this.#pages[ref >>> INDEX_BITS])
  }

  /** @param {number} blockBytes */
  #classOf(blockBytes) {
    const known = this.#classes.get(blockBytes)
    if (known !== undefined) return known
    const blocks = blockBytes > LARGEST_BLOCK ? 1 : Math.floor(PAGE_BYTES / blockBytes)
    const sizeClass = { blockBytes, blocks, live: 0, pages: [] }
    this.#classes.set(blockBytes, sizeClass)
    return sizeClass
  }

  /** @param {SizeClass} sizeClass */
  #addPage(sizeClass) {
    // The kernel maps its memory only as it is written. The buffer is a SharedArrayBuffer, though no other thread uses it: V8 counts the bytes
    // of other buffers as future garbage, and with 60 MB of them it collects all old objects every thousand replies, which makes each
    // DISCOVER half as expensive again.
    const { blockBytes } = sizeClass
    const bytes = Buffer.from(new SharedArrayBuffer(blockBytes > LARGEST_BLOCK ? blockBytes : PAGE_BYTES))
    const number = this.#emptyPages.pop() ?? this.#pages.length
    this.#pages[number] = { bytes, sizeClass }
    sizeClass.pages.push(number)
    this.#reservedBytes += bytes.length
  }

  /** @param {number} number */
  #dropPage(number) {
    this.#reservedBytes -= /** @type {Page} */ (this.#pages[number]).bytes.length
    this.#pages[number] = undefined
    this.#emptyPages.push(number)
  }
}

/** @param {SizeClass} sizeClass @param {number} block - of all of its pages */
const refAt = ({ pages, blocks }, block) =>
  (pages[Math.floor(block / blocks)] << INDEX_BITS) | (block % blocks)

/** @param {Page} page @param {number} ref */
const offsetOf = ({ sizeClass }, ref) => (ref & INDEX_MASK) * sizeClass.blockBytes + HEADER_BYTES

/**
 * Size classes: eight to each doubling.
 *
 * @param {number} bytes
 */
function blockSizeFor(bytes) {
  if (bytes <= SMALLEST_BLOCK) return SMALLEST_BLOCK
  const step = 1 << (28 - Math.clz32(bytes - 1))
  return Math.ceil(bytes / step) * step
}
