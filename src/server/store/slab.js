const PAGE_BYTES = 1 << 18
// blocks are at least 16 bytes, so a page has at most 2^14 of them; 17 bits remain for the page: 32 GB
const INDEX_BITS = 14
const INDEX_MASK = (1 << INDEX_BITS) - 1
const SMALLEST_BLOCK = 32
// larger ones get a page of their own
const LARGEST_BLOCK = PAGE_BYTES / 8
// a block begins with the length of what it holds, and whose it is
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
 * Slab keeps byte strings in large pages outside the JavaScript heap. A page holds blocks of one size class; classes
 * are an eighth apart, so about 6 % is lost to rounding. The last block of a class takes the place of one that is given back, so that what
 * is left never holds more pages than it fills, whoever chose what goes; pages that become empty are let go, except one for each size.
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

  /** @param {(owner: number, ref: number) => void} moved - is told of each block that has another reference from now on */
  constructor(moved) {
    this.#moved = moved
  }

  /** reservedBytes is the memory of all pages. */
  get reservedBytes() {
    return this.#reservedBytes
  }

  /**
   * allocate reserves a block and returns its reference, which holds until `moved` is told of another; `write` fills it.
   *
   * @param {number} length - bytes
   * @param {number} owner - what `moved` will be told, 32 bits
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

  /** length is how many bytes a block holds. @param {number} ref */
  length(ref) {
    const page = this.#pageOf(ref)
    return page.bytes.readUInt32LE(offsetOf(page, ref) - HEADER_BYTES)
  }

  /**
   * copyTo copies what a block holds and returns the position after it.
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

  /** free gives a block back. @param {number} ref */
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
    // Mapped by the kernel only as it is written to. Shared, though nobody shares it: V8 counts the bytes of other buffers
    // as if they were garbage to come, and with 60 MB of them it searches all old objects every thousand replies, half
    // as much again for each DISCOVER.
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
