import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../kit/folders.js'
import { carHeader, carSection } from './car.js'

/** notKept is what a store says of a block that it has not. @param {import('multiformats/cid').CID} cid */
const notKept = cid => Object.assign(new Error(`no block ${cid} is kept here`), { code: 'NO_BLOCK' })

/** carStore appends blocks to one CAR file, and knows where each is. @returns {Promise<BlockStore>} */
async function carStore() {
  const folder = await temporaryFolder('libp2p-loadtest-car-')
  const file = await open(join(folder, 'blocks.car'), 'w+')
  /** @type {Map<string, { at: number, length: number }>} */
  const places = new Map()
  let end = 0

  /** @param {Uint8Array[]} parts */
  const append = async parts => {
    const at = end
    end += lengthOf(parts)
    await file.writev(parts, at)
  }
  await append([carHeader([])])

  return {
    async put(cid, bytes) {
      const section = carSection(cid, bytes)
      places.set(cid.toString(), { at: end + lengthOf(section) - bytes.length, length: bytes.length })
      await append(section)
    },
    async get(cid) {
      const place = places.get(cid.toString())
      if (place === undefined) throw notKept(cid)
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
const lengthOf = parts => parts.reduce((sum, { length }) => sum + length, 0)

/** diskStore keeps each block in a file of its own, in a folder that is made for it. @returns {Promise<BlockStore>} */
async function diskStore() {
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
  return kind === 'car' ? carStore() : diskStore()
}
