import { setMaxListeners } from 'node:events'
import { raceSignal } from 'race-signal'
import { timeLimit } from '../../../kit/time-limit.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import { looksAtBlocks, TransferError } from '../transfer-plan.js'
import { openStore } from './block-store.js'
import { Receiving } from './receiving.js'
import { readMemory, watchUsage } from './side-usage.js'
import { NODE_REASONS } from './ways/node.js'
import { loadWay, withOwnLimit } from './ways/way.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./file-tree.js').FileTree} FileTree
 * @typedef {import('./receiving.js').Received} Received
 *
 * @typedef {Received & { transfer: string, endNs: bigint, outcome: string, error: string | null }} Fetched - `outcome`: OK, or the code of the error
 * @typedef {{ transfer: string, cid: string, event: 'received' | 'stored', atNs: bigint }} BlockEvent
 * @typedef {import('./side-usage.js').Usage & { fetched: Fetched[], wireBytes: number | null, spanMs: number, blockEvents: BlockEvent[] }} Fetching -
 *   `spanMs`: from the first request to the last block of all files
 * @typedef {{ memory: import('./side-usage.js').MemoryReading[] }} Left - what is told when all is over
 */

/** Round trips, of which the fastest counts. */
const ROUND_TRIPS = 3
/** Of detailed snapshots. */
const BLOCKS_PER_READING = 10

/** FileRequestor is a side that asks for the files. */
export class FileRequestor {
  #plan
  #reader = new SettingsReader(NODE_REASONS)
  #peer
  /** @type {import('./ways/way.js').WayClient | null} */
  #client = null
  /** @type {(import('./ways/way.js').Link & import('./ways/way.js').FileLink) | null} */
  #link = null
  /** One for each file. @type {import('./block-store.js').BlockStore[]} */
  #stores = []
  /** @type {BlockEvent[]} */
  #blockEvents = []
  /** @type {import('./side-usage.js').MemoryReading[]} */
  #memory = []
  #storedBlocks = 0

  /** @param {{ plan: TransferPlan, peer: string }} setup - `peer`: its name */
  constructor({ plan, peer }) {
    this.#plan = plan
    this.#peer = peer
  }

  /**
   * connect opens the connections of a way to the provider, and the stores: that is no part of a transfer.
   *
   * @param {any} address
   * @param {import('./ways/way.js').NodeSettings} settings
   * @returns {Promise<{ connectMs: number, roundTripMs: number }>}
   */
  async connect(address, settings) {
    const { client } = await loadWay(settings.way)
    const { concurrency, store } = this.#plan
    this.#stores = await Promise.all(Array.from({ length: concurrency }, () => openStore(store)))
    const signal = timeLimit(this.#plan.timeoutMs)
    // every connection listens
    setMaxListeners(0, signal)
    const beganMs = performance.now()
    const late = () =>
      new TransferError(
        'TIMEOUT',
        `it could not connect to the provider within --timeout ${this.#plan.timeoutMs / 1000}s`
      )
    const connecting = async () => {
      const own = { ...withOwnLimit(settings), reader: this.#reader, peer: this.#peer }
      this.#client = await client(address, own)
      return this.#client.connect(signal)
    }
    const link = /** @type {import('./ways/way.js').Link & import('./ways/way.js').FileLink} */ (
      await broken(connecting(), signal, late)
    )
    this.#link = link
    const connectMs = performance.now() - beganMs
    const roundTripMs = await broken(fastest(link.roundTrip), signal, late)
    return { connectMs, roundTripMs }
  }

  /**
   * fetch fetches all files at once.
   *
   * @param {FileTree[]} files
   * @param {string} name - of this fetching in the run
   * @param {{ curves?: boolean }} [how] - `curves`: what was stored over time is told as well
   * @returns {Promise<Fetching>}
   */
  async fetch(files, name, { curves = true } = {}) {
    const link = this.#connected
    const before = link.wireBytes()
    this.#blockEvents = []
    this.#memory = []
    this.#storedBlocks = 0
    const usage = watchUsage()
    const fetched = await Promise.all(
      files.map((file, index) => this.#fetchOne(file, this.#stores[index], `${name}/${this.#peer}/${index}`))
    )
    const used = usage()
    return {
      ...used,
      fetched: curves ? fetched : fetched.map(one => ({ ...one, curve: [] })),
      wireBytes: before === null ? null : Number(link.wireBytes()) - before,
      spanMs: spanOf(fetched),
      blockEvents: this.#blockEvents
    }
  }

  /** disconnect lets go of blocks and connections. @returns {Promise<Left>} */
  async disconnect() {
    try {
      await Promise.all(this.#stores.splice(0).map(store => store.close()))
      if (this.#plan.memorySnapshots === 'simple') this.#memory.push(readMemory(null))
    } finally {
      await this.#link?.close()
      await this.#client?.stop()
      this.#link = null
      this.#client = null
    }
    return { memory: this.#memory }
  }

  /** settings are what its nodes have other than what libp2p takes by itself. */
  settings() {
    return this.#reader.settings()
  }

  close() {
    return this.disconnect()
  }

  get #connected() {
    return /** @type {import('./ways/way.js').FileLink} */ (this.#link)
  }

  /** @param {FileTree} file @param {import('./block-store.js').BlockStore} store @param {string} transfer */
  async #fetchOne(file, store, transfer) {
    const { timeoutMs } = this.#plan
    const receiving = new Receiving(file, store, { onBlock: this.#noting(transfer) })
    const signal = timeLimit(timeoutMs)
    try {
      await broken(
        this.#connected.fetch(file, transfer, receiving, signal),
        signal,
        () =>
          new TransferError(
            'TIMEOUT',
            `only ${receiving.result().blocks} of ${file.blocks} blocks were stored within --timeout ${timeoutMs / 1000}s`
          )
      )
      return { transfer, outcome: 'OK', error: null, endNs: process.hrtime.bigint(), ...receiving.result() }
    } catch (error) {
      const { code, message } = /** @type {Error & { code?: unknown }} */ (error)
      return {
        ...{ transfer, outcome: codeOf(code), error: message, endNs: process.hrtime.bigint() },
        ...receiving.result(),
        totalMs: null
      }
    }
  }

  /** @param {string} transfer @returns {(event: BlockEvent['event'], cid: import('multiformats/cid').CID) => void} */
  #noting(transfer) {
    const { memorySnapshots } = this.#plan
    return (event, cid) => {
      if (looksAtBlocks(this.#plan))
        this.#blockEvents.push({ transfer, cid: cid.toString(), event, atNs: process.hrtime.bigint() })
      if (
        memorySnapshots === 'detailed' &&
        event === 'stored' &&
        ++this.#storedBlocks % BLOCKS_PER_READING === 0
      )
        this.#memory.push(readMemory(this.#storedBlocks))
    }
  }
}

/** @param {Fetched[]} fetched @returns {number} ms; NaN: one did not come */
function spanOf(fetched) {
  const firstNs = fetched.reduce(
    (least, { askedNs }) => (askedNs < least ? askedNs : least),
    fetched[0].askedNs
  )
  return Math.max(
    ...fetched.map(({ askedNs, totalMs }) => Number(askedNs - firstNs) / 1e6 + (totalMs ?? Number.NaN))
  )
}

/** Codes of ours are told from those of Node and libp2p, which say no more than that the connection failed. */
const OWN_CODES = new Set(['UNASKED', 'CORRUPT', 'ENDED_EARLY', 'REFUSED', 'TIMEOUT'])

/** @param {unknown} code */
const codeOf = code => (OWN_CODES.has(String(code)) ? String(code) : 'BROKEN')

/**
 * broken waits for work, and leaves it when a signal is aborted, whether it minds the signal or not.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} signal
 * @param {() => Error} why
 * @returns {Promise<T>}
 */
const broken = (work, signal, why) =>
  raceSignal(work, signal, { translateError: why }).catch(error => {
    throw signal.aborted ? why() : error
  })

/** @param {() => Promise<void>} roundTrip @returns {Promise<number>} ms */
async function fastest(roundTrip) {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const beganMs = performance.now()
    await roundTrip()
    least = Math.min(least, performance.now() - beganMs)
  }
  return least
}
