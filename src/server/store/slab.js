const PAGE_BYTES = 1 << 18
// blocks are at least 16 bytes, so a page has at most 2^14 of them; 17 bits remain for the page: 32 GB
const INDEX_BITS = 14
const INDEX_MASK = (1 << INDEX_BITS) - 1
const SMALLEST_BLOCK = 32
// larger ones get a page of their own
const LARGEST_BLOCK = PAGE_BYTES / 8
// a block begins with the length of what it holds
const HEADER_BYTES = 4

/**
 * @typedef {object} Page - memory cut into blocks of one size
 * @property {Buffer} bytes
 * @property {number} blockBytes
 * @property {number} blocks
 * @property {number} live - blocks in use
 * @property {number} fresh - blocks from this one on have never been used
 * @property {number} freed - a block given back, + 1; it holds the next of them in its first bytes
 */

/**
 * Slab keeps byte strings in large pages outside the JavaScript heap. A page holds blocks of one size class; classes
 * are an eighth apart, so about 6 % is lost to rounding. Blocks given back are used again, and pages that become empty
 * are let go, except one for each size.
 */
export class Slab {
  /** @type {Array<Page | undefined>} */
  #pages = []
  /** @type {number[]} */
  #emptyPages = []
  /** block size → numbers of its pages that have room @type {Map<number, number[]>} */
  #roomy = new Map()
  #reservedBytes = 0

  /** reservedBytes is the memory of all pages. */
  get reservedBytes() {
    return this.#reservedBytes
  }

  /**
   * allocate reserves a block and returns its reference; `write` fills it.
   *
   * @param {number} length - bytes
   * @returns {number}
   */
  allocate(length) {
    const blockBytes = blockSizeFor(length + HEADER_BYTES)
    const roomy = this.#roomyOf(blockBytes)
    const number = roomy.at(-1) ?? this.#addPage(blockBytes)
    const page = /** @type {Page} */ (this.#pages[number])
    const index = takeBlock(page)
    if (page.live === page.blocks) roomy.pop()
    page.bytes.writeUInt32LE(length, index * blockBytes)
    return (number << INDEX_BITS) | index
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
    const number = ref >>> INDEX_BITS
    const page = this.#pageOf(ref)
    const roomy = this.#roomyOf(page.blockBytes)
    if (page.live === page.blocks) roomy.push(number)
    giveBack(page, ref & INDEX_MASK)
    if (page.live === 0 && roomy.length > 1) {
      roomy.splice(roomy.indexOf(number), 1)
      this.#pages[number] = undefined
      this.#emptyPages.push(number)
      this.#reservedBytes -= page.bytes.length
    }
  }

  /** @param {number} ref */
  #pageOf(ref) {
    return /** @type {Page} */ (this.#pages[ref >>> INDEX_BITS])
  }

  /** @param {number} blockBytes */
  #roomyOf(blockBytes) {
    const roomy = this.#roomy.get(blockBytes) ?? []
    if (roomy.length === 0) this.#roomy.set(blockBytes, roomy)
    return roomy
  }

  /** @param {number} blockBytes */
  #addPage(blockBytes) {
    const blocks = Math.max(1, Math.floor(PAGE_BYTES / blockBytes))
    // Mapped by the kernel only as it is written to. Shared, though nobody shares it: V8 counts the bytes of other buffers
    // as if they were garbage to come, and with 60 MB of them it searches all old objects every thousand replies, half
    // as much again for each DISCOVER.
    const bytes = Buffer.from(new SharedArrayBuffer(blockBytes > LARGEST_BLOCK ? blockBytes : PAGE_BYTES))
    const number = this.#emptyPages.pop() ?? this.#pages.length
    this.#pages[number] = {
      bytes,
      blockBytes,
      blocks: blockBytes > LARGEST_BLOCK ? 1 : blocks,
      live: 0,
      fresh: 0,
      freed: 0
    }
    this.#roomyOf(blockBytes).push(number)
    this.#reservedBytes += bytes.length
    return number
  }
}

/** @param {Page} page @param {number} ref */
const offsetOf = (page, ref) => (ref & INDEX_MASK) * page.blockBytes + HEADER_BYTES

/** @param {Page} page */
function takeBlock(page) {
  page.live++
  if (page.freed === 0) return page.fresh++
  const index = page.freed - 1
  page.freed = page.bytes.readUInt32LE(index * page.blockBytes)
  return index
}

/** @param {Page} page @param {number} index */
function giveBack(page, index) {
  page.live--
  page.bytes.writeUInt32LE(page.freed, index * page.blockBytes)
  page.freed = index + 1
}

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
