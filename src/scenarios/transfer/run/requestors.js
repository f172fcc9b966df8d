// The requestors of files or zeros.
import { setMaxListeners } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { raceSignal } from 'race-signal'
import { spread } from '../../../kit/collections.js'
import { timeLimit } from '../../../kit/time.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import { looksAtBlocks, TransferError } from '../plan/transfer-plan.js'
import { openStore, Receiving } from './blocks.js'
import { NODE_REASONS } from './node-protocols.js'
import { loadWay, ownUsage, Receipts, readMemory, watchUsage, withOwnLimit } from './protocol.js'

/**
 * @typedef {import('../plan/transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./file-tree.js').FileTree} FileTree
 * @typedef {import('./blocks.js').Received} Received
 *
 * @typedef {Received & { transfer: string, endNs: bigint, outcome: string, error: string | null }} Fetched - `outcome`: OK, or the code of the error
 * @typedef {{ transfer: string, cid: string, event: 'received' | 'stored', atNs: bigint }} BlockEvent
 * @typedef {import('./protocol.js').Usage & { fetched: Fetched[], wireBytes: number | null, spanMs: number, blockEvents: BlockEvent[] }} Fetching -
 *   `spanMs`: from the first request to the last block of all files
 * @typedef {{ memory: import('./protocol.js').MemoryReading[] }} Left - what is told when all is over
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
  /** @type {import('./protocol.js').WayClient | null} */
  #client = null
  /** @type {(import('./protocol.js').Link & import('./protocol.js').FileLink) | null} */
  #link = null
  /** One for each file. @type {import('./blocks.js').BlockStore[]} */
  #stores = []
  /** @type {BlockEvent[]} */
  #blockEvents = []
  /** @type {import('./protocol.js').MemoryReading[]} */
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
   * @param {import('./protocol.js').NodeSettings} settings
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
    const link = /** @type {import('./protocol.js').Link & import('./protocol.js').FileLink} */ (
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
    return /** @type {import('./protocol.js').FileLink} */ (this.#link)
  }

  /** @param {FileTree} file @param {import('./blocks.js').BlockStore} store @param {string} transfer */
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

/**
 * @typedef {import('./protocol.js').WayClient} WayClient
 *
 * @typedef {object} Handshakes - of one repeat
 * @property {number} due
 * @property {number} failed
 * @property {string | null} failure - why the first one that failed did
 * @property {number} completed
 * @property {readonly import('../figures.js').Shaken[]} times - of each, in the order in which they were due
 * @property {number} elapsedMs - until the last one ended
 * @property {number} activeMs - of that, the event loop was busy
 */

/**
 * handshakes has each client open connections at a rate, as the specification's second benchmark asks for (libp2p/specs perf/perf.md), and
 * close each when it is set up. They are due on a schedule, whatever became of those before; those of different clients take turns.
 *
 * @param {WayClient[]} clients
 * @param {{ handshakeRatePerSecond: number, handshakeForMs: number, timeoutMs: number }} how
 * @returns {Promise<Handshakes>}
 */
export async function handshakes(clients, { handshakeRatePerSecond, handshakeForMs, timeoutMs }) {
  const perSecond = handshakeRatePerSecond * clients.length
  const due = Math.max(1, Math.floor((perSecond * handshakeForMs) / 1000))
  const [startMs, before] = [performance.now(), performance.eventLoopUtilization()]
  /** @type {import('../figures.js').Shaken[]} */
  const times = []
  /** @type {string[]} */
  const failures = []
  const shake = async (/** @type {number} */ index) => {
    const dueMs = startMs + (index * 1000) / perSecond
    await sleep(Math.max(0, dueMs - performance.now()))
    const lateMs = performance.now() - dueMs
    let link
    try {
      link = await clients[index % clients.length].connect(timeLimit(timeoutMs))
    } catch (error) {
      times[index] = [performance.now() - dueMs, lateMs, false]
      failures.push(/** @type {Error} */ (error).message)
      return
    }
    times[index] = [performance.now() - dueMs, lateMs, true]
    try {
      await link.close()
    } catch {} // it was set up, however it ends
  }
  await Promise.all(Array.from({ length: due }, (_, index) => shake(index)))
  return {
    due,
    failed: failures.length,
    failure: failures[0] ?? null,
    completed: due - failures.length,
    times,
    elapsedMs: performance.now() - startMs,
    activeMs: performance.eventLoopUtilization(before).active
  }
}

/**
 * @typedef {import('./protocol.js').NodeSettings} NodeSettings
 * @typedef {import('./protocol.js').Link & import('./protocol.js').ZerosLink} Link
 * @typedef {{ address: any, settings: NodeSettings }} Met - where the provider is reached by a way
 *
 * @typedef {object} ZerosSetup
 * @property {import('../plan/transfer-plan.js').TransferPlan} plan
 * @property {number} maxTimes - of exchanges, and of handshakes, that it tells of a repeat; of more it tells some, from all of the repeat
 *
 * @typedef {object} TransferAsked
 * @property {string} way
 * @property {'upload' | 'download'} direction
 * @property {number} streams - on each connection
 * @property {number} bytes - in all of them together
 *
 * @typedef {object} Transferred
 * @property {number} bytes - that moved, as the client counts
 * @property {number} totalMs
 * @property {number | null} firstByteMs - the first byte that came back
 * @property {number | null} steadyBytesPerSecond - of a download: the rate of its second half
 * @property {number} cpuMicros - of the client's process
 * @property {number} rssBytes
 */

/** ZerosRequestor is the side that sends zeros to the provider and has it send some, by all ways of a plan. */
export class ZerosRequestor {
  #plan
  #reader = new SettingsReader(NODE_REASONS)
  #maxTimes
  /** @type {Readonly<Record<string, Met>>} by way */
  #met = {}
  /** @type {Map<string, Promise<WayClient>>} */
  #clients = new Map()
  /** @type {Link[]} */
  #links = []
  /** @type {Awaited<ReturnType<Link['open']>>[]} */
  #requests = []

  /** @param {ZerosSetup} setup */
  constructor({ plan, maxTimes }) {
    this.#plan = plan
    this.#maxTimes = maxTimes
  }

  /** meet is told where the provider is reached, and lets go of clients from before. @param {Readonly<Record<string, Met>>} met - by way */
  async meet(met) {
    await this.close()
    this.#met = met
  }

  /** @param {string} name - of a way; each has its client from when it is first used */
  #client(name) {
    const made = this.#clients.get(name) ?? this.#make(name)
    this.#clients.set(name, made)
    return made
  }

  /** @param {string} name @returns {Promise<WayClient>} */
  async #make(name) {
    const { address, settings } = this.#met[name]
    const { client } = await loadWay(settings.way)
    return client(address, { ...settings, reader: this.#reader })
  }

  /** @param {string} name @param {AbortSignal} signal */
  async #connect(name, signal) {
    const client = await this.#client(name)
    return /** @type {Link} */ (await client.connect(signal))
  }

  /** @returns {AbortSignal} */
  get #deadline() {
    const signal = timeLimit(this.#plan.timeoutMs)
    // every stream listens
    setMaxListeners(0, signal)
    return signal
  }

  /** open opens the streams of a transfer. @param {Pick<TransferAsked, 'way' | 'streams'>} asked */
  async open({ way, streams }) {
    const signal = this.#deadline
    for (let i = 0; i < this.#plan.connections; i++) this.#links.push(await this.#connect(way, signal))
    this.#requests = await Promise.all(
      this.#links.flatMap(link => Array.from({ length: streams }, () => link.open(signal)))
    )
  }

  /**
   * move moves bytes one way over the streams that are open.
   *
   * @param {Pick<TransferAsked, 'direction' | 'bytes'>} asked
   * @returns {Promise<Transferred>}
   */
  async move({ direction, bytes }) {
    const [requests, signal] = [this.#requests, this.#deadline]
    const receipts = new Receipts(bytes)
    const onReceived = (/** @type {number} */ count) => receipts.took(count, process.hrtime.bigint())
    const before = ownUsage()
    const beganNs = process.hrtime.bigint()
    const exchanged = await Promise.all(
      requests.map((request, index) => {
        const part = partOf(bytes, requests.length, index)
        return request({
          uploadBytes: direction === 'upload' ? part : 0,
          downloadBytes: direction === 'download' ? part : 0,
          signal,
          onReceived
        })
      })
    )
    const { cpuMicros, rssBytes } = ownUsage()
    const firsts = exchanged.flatMap(({ firstByteNs }) => (firstByteNs === null ? [] : [firstByteNs]))
    const received = exchanged.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0)
    return {
      bytes: direction === 'upload' ? bytes : received,
      totalMs: msBetween(beganNs, largest(exchanged.map(({ endedNs }) => endedNs))),
      firstByteMs: firsts.length === 0 ? null : msBetween(beganNs, smallest(firsts)),
      steadyBytesPerSecond: direction === 'download' ? receipts.steadyBytesPerSecond : null,
      cpuMicros: cpuMicros - before.cpuMicros,
      rssBytes
    }
  }

  /** shut closes what was opened. */
  async shut() {
    for (const link of this.#links.splice(0)) await link.close()
  }

  /**
   * exchanges moves one byte there and one back, one exchange after the other, on one connection.
   *
   * @param {{ way: string, count: number }} asked
   * @returns {Promise<readonly { openMs: number, exchangeMs: number }[]>} opening a stream, and from then to the byte that came back
   */
  async exchanges({ way, count }) {
    const link = await this.#connect(way, this.#deadline)
    const times = []
    try {
      for (let i = 0; i < count; i++) {
        const signal = this.#deadline
        const startNs = process.hrtime.bigint()
        const request = await link.open(signal)
        const openNs = process.hrtime.bigint()
        const { firstByteNs, endedNs } = await request({ uploadBytes: 1, downloadBytes: 1, signal })
        times.push({
          openMs: msBetween(startNs, openNs),
          exchangeMs: msBetween(openNs, firstByteNs ?? endedNs)
        })
      }
      return spread(times, this.#maxTimes)
    } finally {
      await link.close()
    }
  }

  /** handshakes opens connections on a schedule. @param {{ way: string }} asked */
  async handshakes({ way }) {
    const { clients, handshakeRatePerSecond, handshakeForMs, timeoutMs } = this.#plan
    const made = []
    for (let i = 0; i < clients; i++) made.push(await this.#make(way))
    const before = ownUsage()
    try {
      const told = await handshakes(made, { handshakeRatePerSecond, handshakeForMs, timeoutMs })
      return {
        ...told,
        times: spread(told.times, this.#maxTimes),
        cpuMicros: ownUsage().cpuMicros - before.cpuMicros
      }
    } finally {
      for (const client of made) await client.stop()
    }
  }

  /** settings are what its nodes have other than what libp2p takes by itself. */
  settings() {
    return this.#reader.settings()
  }

  async close() {
    const clients = await Promise.allSettled(this.#clients.values())
    this.#clients.clear()
    await Promise.allSettled(
      clients.map(client => (client.status === 'fulfilled' ? client.value.stop() : undefined))
    )
  }
}

/** Shares of bytes differ by one at most. @param {number} bytes @param {number} parts @param {number} index */
const partOf = (bytes, parts, index) =>
  Math.floor((bytes * (index + 1)) / parts) - Math.floor((bytes * index) / parts)

/** @param {bigint} from @param {bigint} to */
const msBetween = (from, to) => Number(to - from) / 1e6

/** @param {bigint[]} times */
const largest = times => times.reduce((a, b) => (a > b ? a : b))

/** @param {bigint[]} times */
const smallest = times => times.reduce((a, b) => (a < b ? a : b))
