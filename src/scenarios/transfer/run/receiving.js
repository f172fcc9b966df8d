import { hash } from 'node:crypto'
import * as dagPB from '@ipld/dag-pb'
import { CID } from 'multiformats/cid'
import { TransferError } from '../transfer-plan.js'

const SHA2_256 = 0x12

/** @param {CID} cid @param {Uint8Array} bytes */
function isOf(cid, bytes) {
  const { code, digest } = cid.multihash
  return code === SHA2_256 && hash('sha256', bytes, 'buffer').equals(digest)
}

/** @param {CID} cid @param {Uint8Array} bytes @returns {readonly CID[]} */
const linksOf = (cid, bytes) =>
  cid.code === dagPB.code
    ? dagPB.decode(bytes).Links.map(({ Hash }) => /** @type {CID} */ (/** @type {unknown} */ (Hash)))
    : []

/**
 * Walk goes through the blocks under a root, depth first, each once: the model of graphsync's selector for everything. Both sides walk:
 * so the requestor knows which block comes next, and need not take another one.
 */
export class Walk {
  /** @type {CID[]} the next one last */
  #open
  /** @type {Set<string>} */
  #seen

  /** @param {string} root */
  constructor(root) {
    this.#open = [CID.parse(root)]
    this.#seen = new Set([root])
  }

  /** next is the block to come; null: there is none left. @returns {CID | null} */
  get next() {
    return this.#open.at(-1) ?? null
  }

  /** enter goes on behind the next block, whose bytes these are. @param {Uint8Array} bytes */
  enter(bytes) {
    const cid = this.#open.pop()
    if (cid === undefined) return
    for (const link of linksOf(cid, bytes).toReversed()) {
      const name = link.toString()
      if (this.#seen.has(name)) continue
      this.#seen.add(name)
      this.#open.push(link)
    }
  }

  /**
   * check throws where a block is not the one that comes next, or its bytes are not those that its CID is the hash of.
   *
   * @param {CID} cid
   * @param {Uint8Array} bytes
   * @throws {TransferError} UNASKED, CORRUPT
   */
  check(cid, bytes) {
    if (this.next === null || !cid.equals(this.next))
      throw new TransferError(
        'UNASKED',
        `the provider sent block ${cid}, and ${this.next === null ? 'nothing more' : this.next} was asked for`
      )
    if (!isOf(cid, bytes))
      throw new TransferError(
        'CORRUPT',
        `block ${cid} is corrupt: its bytes do not have this hash; it is not stored`
      )
  }
}

/**
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
