// Generates the files of a transfer from the seed, and splits them into blocks of UnixFS, the file format of IPFS.
import { createCipheriv, createHash } from 'node:crypto'
import { importFile } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'

const PIECE_BYTES = 256 << 10
const ZEROS = Buffer.alloc(PIECE_BYTES)

/**
 * generateFileBytes generates the bytes of a file, a key stream of AES-128-CTR: all blocks differ, and every machine makes the same bytes.
 *
 * @param {{ seed: number, file: number, sizeBytes: number }} of - `file`: its number in the run
 * @returns {Generator<Buffer>}
 */
export function* generateFileBytes({ seed, file, sizeBytes }) {
  const key = createHash('sha256').update(`transfer/${seed}/${file}`).digest()
  const cipher = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16))
  for (let left = sizeBytes; left > 0; left -= PIECE_BYTES)
    yield cipher.update(ZEROS.subarray(0, Math.min(left, PIECE_BYTES)))
}

/**
 * @typedef {import('./blocks.js').BlockStore} BlockStore
 *
 * @typedef {Pick<import('../plan/transfer-plan.js').TransferPlan, 'seed' | 'sizeBytes' | 'chunkBytes' | 'linksPerLevel' | 'rawLeaves'>} FileShape
 *
 * @typedef {import('../plan/transfer-plan.js').FilesOutcome['files'][number]} FileTree
 */

/**
 * makeFile makes a UnixFS file from the seed, and puts its blocks into a store.
 *
 * @param {FileShape} shape
 * @param {number} file - its number in the run
 * @param {BlockStore} store
 * @returns {Promise<FileTree>}
 */
export async function makeFile({ seed, sizeBytes, chunkBytes, linksPerLevel, rawLeaves }, file, store) {
  const tree = { blocks: 0, treeBytes: 0 }
  const counting = {
    /** @param {import('multiformats/cid').CID} cid @param {Uint8Array} bytes */
    async put(cid, bytes) {
      tree.blocks++
      tree.treeBytes += bytes.length
      await store.put(cid, bytes)
      return cid
    }
  }
  const { cid } = await importFile(
    { content: iteratePieces(generateFileBytes({ seed, file, sizeBytes })) },
    // the importer only calls `put`
    /** @type {any} */ (counting),
    {
      cidVersion: 1,
      rawLeaves,
      // a single raw chunk is the file itself, as with the importer of the source
      reduceSingleLeafToSelf: true,
      chunker: fixedSize({ chunkSize: chunkBytes }),
      layout: balanced({ maxChildrenPerNode: linksPerLevel })
    }
  )
  return { root: cid.toString(), sizeBytes, ...tree }
}

/** @param {Iterable<Uint8Array>} pieces */
async function* iteratePieces(pieces) {
  yield* pieces
}
