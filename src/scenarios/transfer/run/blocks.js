// Sends and receives a file as content-addressed blocks, also in the CAR archive format. Each received block is checked
// against its hash.
import { hash } from 'node:crypto'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createWriter, headerLength } from '@ipld/car/buffer-writer'
import { CarBlockIterator } from '@ipld/car/iterator'
import * as dagPB from '@ipld/dag-pb'
import { varint } from 'multiformats'
import { CID } from 'multiformats/cid'
import { computeSum } from '../../../kit/collections.js'
import { makeTemporaryFolder } from '../../../kit/files.js'
import { TransferError } from '../plan/transfer-plan.js'

const SHA2_256 = 0x12

/**
 * BlockWalk visits each block under a root once, depth first, like graphsync's selector for everything. Both sides walk: so the requestor knows
 * which block comes next, and can refuse any other.
 */
export class BlockWalk {
  /** @type {CID[]} the next one last */
  #open
  /** @type {Set<string>} */
  #seen

  /** @param {string} root */
  constructor(root) {
    this.#open = [CID.parse(root)]
    this.#seen = new Set([root])
  }

  /** next is the block to come; null: all blocks were visited. @returns {CID | null} */
  get next() {
    return this.#open.at(-1) ?? null
  }

  /** enter visits the next block, which has these bytes. @param {Uint8Array} bytes */
  enter(bytes) {
    const cid = this.#open.pop()
    if (cid === undefined) return
    const links = cid.code === dagPB.code ? dagPB.decode(bytes).Links : []
    for (const { Hash } of links.toReversed()) {
      const name = Hash.toString()
      if (this.#seen.has(name)) continue
      this.#seen.add(name)
      this.#open.push(/** @type {any} */ (Hash))
    }
  }

  /**
   * check throws if a block is not the next one, or if its bytes do not match the hash in its CID.
   *
   * @param {CID} cid
   * @param {Uint8Array} bytes
   * @throws {TransferError} UNASKED, CORRUPT
   */
  check(cid, bytes) {
    if (this.next === null || !cid.equals(this.next))
      throw new TransferError(
        'UNASKED',
        `the provider sent block ${cid}, and ${this.next === null ? 'nothing more' : this.next} was requested`
      )
    const { code, digest } = cid.multihash
    if (code !== SHA2_256 || !hash('sha256', bytes, 'buffer').equals(digest))
      throw new TransferError(
        'CORRUPT',
        `block ${cid} is corrupt: its bytes do not have this hash; it is not stored`
      )
  }
}

/**
 * @typedef {import('./file-tree.js').FileTree} FileTree
 */

/** Upper bounds of the framing of a CAR: its header; length and CID in front of each block. */
const [HEADER_BYTES, SECTION_BYTES] = [256, 128]
/** Points of the curve of bytes over time. */
const CURVE_POINTS = 50

/**
 * FileReceiver is one file that a requestor receives. Each block is checked against its CID before it is stored. Blocks that do not belong to
 * the file are refused.
 */
export class FileReceiver {
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
   * @param {BlockStore} store
   * @param {object} [how]
   * @param {() => bigint} [how.clock] - ns
   * @param {(event: 'received' | 'stored', cid: CID) => void} [how.onBlock]
   */
  constructor(file, store, { clock = process.hrtime.bigint, onBlock = () => {} } = {}) {
    this.#file = file
    this.#store = store
    this.#walk = new BlockWalk(file.root)
    this.#clock = clock
    this.#onBlock = onBlock
    this.#askedNs = clock()
  }

  /** asked starts the time of the transfer, when its request is sent. */
  asked() {
    this.#askedNs = this.#clock()
  }

  /**
   * pieces forwards received bytes. It throws if more arrive than the file and its framing can have.
   *
   * @param {AsyncIterable<{ length: number, subarray: (begin?: number, end?: number) => Uint8Array }>} pieces
   * @returns {AsyncGenerator<Uint8Array>}
   * @throws {TransferError} UNASKED
   */
  async *pieces(pieces) {
    const { treeBytes, blocks } = this.#file
    for await (const piece of pieces) {
      this.#firstNs ??= this.#clock()
      this.#arrivedBytes += piece.length
      if (this.#arrivedBytes > treeBytes + blocks * SECTION_BYTES + HEADER_BYTES)
        throw new TransferError(
          'UNASKED',
          `the provider sent more than the ${treeBytes} bytes that were requested`
        )
      yield piece.subarray()
    }
  }

  /** take checks and stores the block that comes next. @param {CID} cid @param {Uint8Array} bytes @throws {TransferError} */
  async take(cid, bytes) {
    this.#onBlock('received', cid)
    this.#walk.check(cid, bytes)
    await this.#store.put(cid, bytes)
    this.#walk.enter(bytes)
    this.#onBlock('stored', cid)
    this.#blocks++
    this.#storedBytes += bytes.length
    this.#storedNs = this.#clock()
    if (this.#storedBytes * CURVE_POINTS >= this.#file.treeBytes * (this.#curve.length + 1))
      this.#curve.push([computeMs(this.#askedNs, this.#storedNs) ?? 0, this.#storedBytes])
  }

  /** end is called when the provider has no more to send. @throws {TransferError} ENDED_EARLY */
  end() {
    if (this.#walk.next !== null)
      throw new TransferError(
        'ENDED_EARLY',
        `the provider ended after ${this.#blocks} of ${this.#file.blocks} blocks: ${this.#walk.next} is missing`
      )
  }

  /** @returns {ReceivedFile} */
  result() {
    return {
      askedNs: this.#askedNs,
      firstByteMs: computeMs(this.#askedNs, this.#firstNs),
      totalMs: this.#walk.next === null ? computeMs(this.#askedNs, this.#storedNs) : null,
      blocks: this.#blocks,
      storedBytes: this.#storedBytes,
      curve: this.#curve
    }
  }
}

/**
 * @typedef {object} ReceivedFile
 * @property {bigint} askedNs
 * @property {number | null} firstByteMs - from the request; null: none came
 * @property {number | null} totalMs - until the last block was stored; null: not all were
 * @property {number} blocks
 * @property {number} storedBytes
 * @property {[ms: number, bytes: number][]} curve - what was stored by then
 */

/** @param {bigint} from @param {bigint | null} to */
const computeMs = (from, to) => (to === null ? null : Number(to - from) / 1e6)

/** makeNoBlockError is the error of a store that has no such block. @param {import('multiformats/cid').CID} cid */
const makeNoBlockError = cid => Object.assign(new Error(`no block ${cid} is kept here`), { code: 'NO_BLOCK' })

/** makeCarStore appends blocks to one CAR file, and remembers the offset of each. @returns {Promise<BlockStore>} */
async function makeCarStore() {
  const folder = await makeTemporaryFolder('libp2p-loadtest-car-')
  const file = await open(join(folder, 'blocks.car'), 'w+')
  /** @type {Map<string, { at: number, length: number }>} */
  const places = new Map()
  let end = 0

  /** @param {Uint8Array[]} parts */
  const append = async parts => {
    const at = end
    end += sumLengths(parts)
    await file.writev(parts, at)
  }
  await append([makeCarHeader([])])

  return {
    async put(cid, bytes) {
      const section = makeCarSection(cid, bytes)
      places.set(cid.toString(), { at: end + sumLengths(section) - bytes.length, length: bytes.length })
      await append(section)
    },
    async get(cid) {
      const place = places.get(cid.toString())
      if (place === undefined) throw makeNoBlockError(cid)
      const bytes = new Uint8Array(place.length)
      await file.read(bytes, 0, place.length, place.at)
      return bytes
    },
    async close() {
      await file.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** @param {readonly Uint8Array[]} parts */
const sumLengths = parts => computeSum(parts, ({ length }) => length)

/** makeDiskStore writes each block to a file of its own in a temporary folder. @returns {Promise<BlockStore>} */
async function makeDiskStore() {
  const folder = await makeTemporaryFolder('libp2p-loadtest-blocks-')
  /** @type {Set<string>} */
  const kept = new Set()
  return {
    async put(cid, bytes) {
      await writeFile(join(folder, cid.toString()), bytes)
      kept.add(cid.toString())
    },
    async get(cid) {
      if (!kept.has(cid.toString())) throw makeNoBlockError(cid)
      return readFile(join(folder, cid.toString()))
    },
    close: () => rm(folder, { recursive: true, force: true })
  }
}

/**
 * @typedef {object} BlockStore - where a side keeps blocks
 * @property {(cid: CID, bytes: Uint8Array) => Promise<void>} put
 * @property {(cid: CID) => Promise<Uint8Array>} get - throws when it has no such block
 * @property {() => Promise<void>} close - deletes all blocks
 *
 * @typedef {'memory' | 'car' | 'disk'} StoreKind
 */

/** @returns {BlockStore} */
function makeMemoryStore() {
  /** @type {Map<string, Uint8Array>} */
  const blocks = new Map()
  return {
    async put(cid, bytes) {
      blocks.set(cid.toString(), bytes)
    },
    async get(cid) {
      const bytes = blocks.get(cid.toString())
      if (bytes === undefined) throw makeNoBlockError(cid)
      return bytes
    },
    async close() {
      blocks.clear()
    }
  }
}

/**
 * openStore opens an empty store.
 *
 * @param {StoreKind} kind - memory; car: a file that blocks are appended to; disk: a file for each block
 * @returns {Promise<BlockStore>}
 */
export async function openStore(kind) {
  if (kind === 'memory') return makeMemoryStore()
  return kind === 'car' ? makeCarStore() : makeDiskStore()
}

/**
 * @typedef {{ cid: CID, bytes: Uint8Array }} Block
 */

/** makeCarHeader makes the header of a CAR (version 1). @param {CID[]} roots @returns {Uint8Array} */
const makeCarHeader = roots => createWriter(new ArrayBuffer(headerLength({ roots })), { roots }).close()

/** makeCarSection makes the section of a block in a CAR: length, CID, bytes. @param {CID} cid @param {Uint8Array} bytes @returns {Uint8Array[]} */
function makeCarSection(cid, bytes) {
  const length = cid.bytes.length + bytes.length
  return [varint.encodeTo(length, new Uint8Array(varint.encodingLength(length))), cid.bytes, bytes]
}

/**
 * writeCar writes blocks as a CAR. A block is released when the next piece is requested.
 *
 * @param {CID} root
 * @param {AsyncIterable<Block>} blocks
 * @returns {AsyncGenerator<Uint8Array[]>} pieces of bytes that belong together
 */
export async function* writeCar(root, blocks) {
  yield [makeCarHeader([root])]
  yield* writeCarSections(blocks)
}

/** writeCarSections writes the sections of blocks in a CAR, without its header. @param {AsyncIterable<Block>} blocks */
export async function* writeCarSections(blocks) {
  for await (const { cid, bytes } of blocks) yield makeCarSection(cid, bytes)
}

/**
 * readCar reads the blocks of a CAR.
 *
 * @param {AsyncIterable<Uint8Array>} pieces
 * @returns {Promise<AsyncIterable<Block>>}
 */
export const readCar = async pieces =>
  /** @type {AsyncIterable<Block>} */ (await CarBlockIterator.fromIterable(pieces))

/**
 * receiveCar receives the blocks of a CAR.
 *
 * @param {AsyncIterable<Parameters<FileReceiver['pieces']>[0] extends AsyncIterable<infer P> ? P : never>} pieces
 * @param {FileReceiver} receiving
 */
export async function receiveCar(pieces, receiving) {
  for await (const { cid, bytes } of await readCar(receiving.pieces(pieces))) await receiving.take(cid, bytes)
  receiving.end()
}
