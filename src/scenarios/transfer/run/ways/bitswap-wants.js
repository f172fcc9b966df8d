import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import { TransferError } from '../walk.js'

/**
 * @typedef {import('multiformats/cid').CID} CID
 * @typedef {import('../receiving.js').Receiving} Receiving
 */

/** Wants ask for blocks by bitswap, each once, and for no more of them at once than the provider may hold for a requestor. */
export class Wants {
  #broker
  #most
  #atOnce
  /** @type {Map<string, { bytes: Promise<Uint8Array>, receiving: Receiving, came: boolean }>} */
  #asked = new Map()
  /** @type {Map<string, Receiving>} blocks that are stored, by name, with the file they were of */
  #stored = new Map()
  #strange = Promise.withResolvers()

  /** @param {import('./bitswap-broker.js').Broker} broker @param {number} most - blocks at once */
  constructor(broker, most) {
    this.#broker = broker
    this.#most = most
    this.#atOnce = pLimit(most)
    // a transfer that waits is told
    this.#strange.promise.catch(() => {})
    broker.bitswap.wantList.addEventListener('block', ({ detail }) => this.#look(detail.cid))
  }

  /**
   * next gives the block that comes next in the walk, and asks for those behind it.
   *
   * @param {Receiving} receiving
   * @param {AbortSignal} signal
   * @returns {Promise<Uint8Array>}
   * @throws {TransferError} CORRUPT
   */
  next(receiving, signal) {
    const [next] = receiving.ahead(this.#most).map(cid => this.#want(cid, receiving, signal))
    return /** @type {Promise<Uint8Array>} */ (Promise.race([next, this.#strange.promise]))
  }

  /** @param {CID} cid @param {Receiving} receiving @param {AbortSignal} signal */
  #want(cid, receiving, signal) {
    const asked = this.#asked.get(cid.toString())
    if (asked !== undefined) return asked.bytes
    const bytes = this.#atOnce(() => this.#broker.retrieve(cid, { signal }))
    bytes.catch(() => {})
    this.#asked.set(cid.toString(), { bytes, receiving, came: false })
    return bytes
  }

  /** stored lets go of a block. @param {CID} cid @param {Receiving} receiving - the file it is of */
  stored(cid, receiving) {
    this.#asked.delete(cid.toString())
    this.#stored.set(cid.toString(), receiving)
  }

  /** A message of bitswap has bytes without their CID: those of a corrupt block have another one. @param {CID} cid - of the bytes that came */
  #look(cid) {
    const name = cid.toString()
    const asked = this.#asked.get(name)
    if (asked?.came === false) {
      asked.came = true
      return
    }
    const again = asked?.receiving ?? this.#stored.get(name)
    if (again !== undefined) return again.duplicate()
    this.#strange.reject(
      new TransferError(
        'CORRUPT',
        `a block came whose bytes have the hash of ${name}, which was not asked for: it is corrupt, or another one; it is not stored`
      )
    )
  }
}

/**
 * fetchAll fetches a file, block by block in the order of the walk.
 *
 * @param {Wants} wants
 * @param {Receiving} receiving
 * @param {AbortSignal} signal
 * @throws {TransferError} CORRUPT, UNASKED
 */
export async function fetchAll(wants, receiving, signal) {
  // each want listens
  setMaxListeners(0, signal)
  for (let [cid] = receiving.ahead(1); cid !== undefined; [cid] = receiving.ahead(1)) {
    const bytes = await wants.next(receiving, signal)
    receiving.arrived(bytes.length)
    await receiving.take(cid, bytes)
    wants.stored(cid, receiving)
  }
}
