import { hash } from 'node:crypto'
import * as dagPB from '@ipld/dag-pb'
import { CID } from 'multiformats/cid'

const SHA2_256 = 0x12

/** TransferError says what a peer did that it must not, or did not that it should. */
export class TransferError extends Error {
  name = 'TransferError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

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
