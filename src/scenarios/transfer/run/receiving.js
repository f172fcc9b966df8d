import { TransferError, Walk } from './walk.js'

/**
 * @typedef {import('multiformats/cid').CID} CID
 * @typedef {import('./file-tree.js').FileTree} FileTree
 */

/** Of a CAR beside its blocks: the header, and in front of each block its length and CID. */
const [HEADER_BYTES, SECTION_BYTES] = [256, 128]
/** Points of the curve of bytes over time. */
const CURVE_POINTS = 50

/**
 * Receiving is one file on its way to a requestor: each block is checked against its CID before it is stored, and only those are taken
 * that the root leads to.
 */
export class Receiving {
  #file
  #store
  #walk
  #clock
  #onBlock
  #askedNs
  /** @type {bigint | null} */
  #firstNs = null
  /** @type {bigint | null} */
  #storedNs = null
  #arrivedBytes = 0
  #storedBytes = 0
  #blocks = 0
  /** @type {[ms: number, bytes: number][]} */
  #curve = []

  /**
   * @param {FileTree} file
   * @param {import('./block-store.js').BlockStore} store
   * @param {object} [how]
   * @param {() => bigint} [how.clock] - ns
   * @param {(event: 'received' | 'stored', cid: CID) => void} [how.onBlock]
   */
  constructor(file, store, { clock = process.hrtime.bigint, onBlock = () => {} } = {}) {
    this.#file = file
    this.#store = store
    this.#walk = new Walk(file.root)
    this.#clock = clock
    this.#onBlock = onBlock
    this.#askedNs = clock()
  }

  /** asked begins the time of the transfer: its request is sent now. */
  asked() {
    this.#askedNs = this.#clock()
  }

  /**
   * pieces lets bytes through, and ends where more come than the file and its framing can have.
   *
   * @param {AsyncIterable<{ length: number, subarray: (begin?: number, end?: number) => Uint8Array }>} pieces
   * @returns {AsyncGenerator<Uint8Array>}
   * @throws {TransferError} UNASKED
   */
  async *pieces(pieces) {
    for await (const piece of pieces) {
      this.#arrived(piece.length)
      yield piece.subarray()
    }
  }

  /** @param {number} bytes - of a reply @throws {TransferError} UNASKED */
  #arrived(bytes) {
    this.#firstNs ??= this.#clock()
    this.#arrivedBytes += bytes
    const { treeBytes, blocks } = this.#file
    if (this.#arrivedBytes > treeBytes + blocks * SECTION_BYTES + HEADER_BYTES)
      throw new TransferError(
        'UNASKED',
        `the provider sent more than the ${treeBytes} bytes that were asked for`
      )
  }

  /** take checks and stores the block that comes next. @param {CID} cid @param {Uint8Array} bytes @throws {TransferError} */
  async take(cid, bytes) {
    this.#onBlock('received', cid)
    this.#walk.check(cid, bytes)
    await this.#store.put(cid, bytes)
    this.#walk.enter(bytes)
    this.#stored(cid, bytes)
  }

  /** @param {CID} cid @param {Uint8Array} bytes */
  #stored(cid, bytes) {
    this.#onBlock('stored', cid)
    this.#blocks++
    this.#storedBytes += bytes.length
    this.#storedNs = this.#clock()
    if (this.#storedBytes * CURVE_POINTS >= this.#file.treeBytes * (this.#curve.length + 1))
      this.#curve.push([msFrom(this.#askedNs, this.#storedNs) ?? 0, this.#storedBytes])
  }

  /** end is called when the provider has no more to send. @throws {TransferError} ENDED_EARLY */
  end() {
    if (this.#walk.next !== null)
      throw new TransferError(
        'ENDED_EARLY',
        `the provider ended after ${this.#blocks} of ${this.#file.blocks} blocks: ${this.#walk.next} is missing`
      )
  }

  /** @returns {Received} */
  result() {
    return {
      askedNs: this.#askedNs,
      firstByteMs: msFrom(this.#askedNs, this.#firstNs),
      totalMs: this.#walk.next === null ? msFrom(this.#askedNs, this.#storedNs) : null,
      blocks: this.#blocks,
      storedBytes: this.#storedBytes,
      curve: this.#curve
    }
  }
}

/**
 * @typedef {object} Received
 * @property {bigint} askedNs
 * @property {number | null} firstByteMs - from the request; null: none came
 * @property {number | null} totalMs - until the last block was stored; null: not all were
 * @property {number} blocks
 * @property {number} storedBytes
 * @property {[ms: number, bytes: number][]} curve - what was stored by then
 */

/** @param {bigint} from @param {bigint | null} to */
const msFrom = (from, to) => (to === null ? null : Number(to - from) / 1e6)
