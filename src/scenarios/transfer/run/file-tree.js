import { importFile } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import { fileBytes } from './file-bytes.js'

/**
 * @typedef {import('./block-store.js').BlockStore} BlockStore
 *
 * @typedef {object} FileShape
 * @property {number} seed
 * @property {number} sizeBytes
 * @property {number} chunkBytes - of a leaf
 * @property {number} linksPerLevel
 * @property {boolean} rawLeaves - leaves are bytes alone; else each is wrapped in a node of UnixFS
 *
 * @typedef {object} FileTree
 * @property {string} root - CID
 * @property {number} blocks
 * @property {number} sizeBytes - of the file
 * @property {number} treeBytes - of all its blocks
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
    { content: piecesOf(fileBytes({ seed, file, sizeBytes })) },
    // of a store, the importer only puts
    /** @type {any} */ (counting),
    {
      cidVersion: 1,
      rawLeaves,
      // one chunk without a wrapping is the file itself, as it is with the source's importer
      reduceSingleLeafToSelf: true,
      chunker: fixedSize({ chunkSize: chunkBytes }),
      layout: balanced({ maxChildrenPerNode: linksPerLevel })
    }
  )
  return { root: cid.toString(), sizeBytes, ...tree }
}

/** @param {Iterable<Uint8Array>} pieces */
async function* piecesOf(pieces) {
  yield* pieces
}
