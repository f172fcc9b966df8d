import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../kit/folders.js'
import { notKept } from './not-kept.js'

/** diskStore keeps each block in a file of its own, in a folder that is made for it. @returns {Promise<import('./block-store.js').BlockStore>} */
export async function diskStore() {
  const folder = await temporaryFolder('libp2p-loadtest-blocks-')
  /** @type {Set<string>} */
  const kept = new Set()
  return {
    async put(cid, bytes) {
      await writeFile(join(folder, cid.toString()), bytes)
      kept.add(cid.toString())
    },
    async get(cid) {
      if (!kept.has(cid.toString())) throw notKept(cid)
      return readFile(join(folder, cid.toString()))
    },
    close: () => rm(folder, { recursive: true, force: true })
  }
}
