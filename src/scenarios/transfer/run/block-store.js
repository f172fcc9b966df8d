import { notKept } from './not-kept.js'

/**
 * @typedef {import('multiformats/cid').CID} CID
 *
 * @typedef {object} BlockStore - where a side keeps blocks
 * @property {(cid: CID, bytes: Uint8Array) => Promise<void>} put
 * @property {(cid: CID) => Promise<Uint8Array>} get - throws when it has no such block
 * @property {() => Promise<void>} close - all that was kept is gone then
 *
 * @typedef {'memory' | 'car' | 'disk'} StoreKind
 */

/** @returns {BlockStore} */
function memoryStore() {
  /** @type {Map<string, Uint8Array>} */
  const blocks = new Map()
  return {
    async put(cid, bytes) {
      blocks.set(cid.toString(), bytes)
    },
    async get(cid) {
      const bytes = blocks.get(cid.toString())
      if (bytes === undefined) throw notKept(cid)
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
  if (kind === 'memory') return memoryStore()
  return kind === 'car'
    ? (await import('./car-store.js')).carStore()
    : (await import('./disk-store.js')).diskStore()
}
