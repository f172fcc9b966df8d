import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../kit/folders.js'
import { carHeader, carSection } from './car.js'
import { notKept } from './not-kept.js'

/** carStore appends blocks to one CAR file, and knows where each is. @returns {Promise<import('./block-store.js').BlockStore>} */
export async function carStore() {
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
