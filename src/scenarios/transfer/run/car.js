import { createWriter, headerLength } from '@ipld/car/buffer-writer'
import { CarBlockIterator } from '@ipld/car/iterator'
import { varint } from 'multiformats'

/**
 * @typedef {import('multiformats/cid').CID} CID
 * @typedef {{ cid: CID, bytes: Uint8Array }} Block
 */

/** carHeader is the beginning of a CAR (version 1). @param {CID[]} roots @returns {Uint8Array} */
export const carHeader = roots => createWriter(new ArrayBuffer(headerLength({ roots })), { roots }).close()

/** carSection is a block as it stands in a CAR: its length, its CID, its bytes. @param {CID} cid @param {Uint8Array} bytes @returns {Uint8Array[]} */
export function carSection(cid, bytes) {
  const length = cid.bytes.length + bytes.length
  return [varint.encodeTo(length, new Uint8Array(varint.encodingLength(length))), cid.bytes, bytes]
}

/**
 * carOf writes blocks as a CAR. A block is let go of when what comes after it is asked for.
 *
 * @param {CID} root
 * @param {AsyncIterable<Block>} blocks
 * @returns {AsyncGenerator<Uint8Array[]>} pieces of bytes that belong together
 */
export async function* carOf(root, blocks) {
  yield [carHeader([root])]
  yield* sectionsOf(blocks)
}

/** sectionsOf writes blocks as they stand in a CAR, without its header. @param {AsyncIterable<Block>} blocks */
export async function* sectionsOf(blocks) {
  for await (const { cid, bytes } of blocks) yield carSection(cid, bytes)
}

/**
 * blocksOf reads the blocks of a CAR.
 *
 * @param {AsyncIterable<Uint8Array>} pieces
 * @returns {Promise<AsyncIterable<Block>>}
 */
export const blocksOf = async pieces =>
  /** @type {AsyncIterable<Block>} */ (await CarBlockIterator.fromIterable(pieces))

/**
 * takeCar takes the blocks of a CAR as they come.
 *
 * @param {AsyncIterable<Parameters<import('./receiving.js').Receiving['pieces']>[0] extends AsyncIterable<infer P> ? P : never>} pieces
 * @param {import('./receiving.js').Receiving} receiving
 */
export async function takeCar(pieces, receiving) {
  for await (const { cid, bytes } of await blocksOf(receiving.pieces(pieces)))
    await receiving.take(cid, bytes)
  receiving.end()
}
