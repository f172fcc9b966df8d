// The side of a transfer that fetches files, uploads or downloads zeros, or measures handshakes.
import { setMaxListeners } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { raceSignal } from 'race-signal'
import { computeSum, pickEvenly } from '../../../kit/collections.js'
import { makeTimeLimit } from '../../../kit/time.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import { recordsBlocks, TransferError } from '../plan/transfer-plan.js'
import { FileReceiver, openStore } from './blocks.js'
import { NODE_REASONS } from './node-protocols.js'
import {
  loadProtocol,
  readMemory,
  readOwnUsage,
  SteadyRate,
  shareBandwidth,
  startUsageWatch
} from './protocol.js'

/**
 * @typedef {import('../plan/transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./file-tree.js').FileTree} FileTree
 * @typedef {import('./blocks.js').ReceivedFile} ReceivedFile
 *
 * @typedef {ReceivedFile & { transfer: string, endNs: bigint, outcome: string, error: string | null }} FetchedFile - `outcome`: OK, or the code of the error
 * @typedef {{ transfer: string, cid: string, event: 'received' | 'stored', atNs: bigint }} BlockEvent
 * @typedef {import('./protocol.js').Usage & { fetched: FetchedFile[], wireBytes: number | null, spanMs: number, blockEvents: BlockEvent[] }} FetchSummary -
 *   `spanMs`: from the first request to the last block of all files
 * @typedef {{ memory: import('./protocol.js').MemoryReading[] }} FinalReadings - readings at the end of a repeat
 */

/** Round trips that are measured; the fastest one counts. */
const ROUND_TRIPS = 3
/** Blocks between two readings of --diagnostics memory=detailed. */
const BLOCKS_PER_READING = 10

/** FileRequestor is the side that fetches the files. */
export class FileRequestor {
  #plan
  #reader = new SettingsReader(NODE_REASONS)
  #peer
  /** @type {import('./protocol.js').ProtocolClient | null} */
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
   * connect opens the connections of a protocol to the provider, and the stores. The time of a transfer does not include that.
   *
   * @param {any} address
   * @param {import('./protocol.js').NodeSettings} settings
   * @returns {Promise<{ connectMs: number, roundTripMs: number }>}
   */
  async connect(address, settings) {
    const { client } = await loadProtocol(settings.way)
    const { concurrency, store } = this.#plan
    this.#stores = await Promise.all(Array.from({ length: concurrency }, () => openStore(store)))
    const signal = makeTimeLimit(this.#plan.timeoutMs)
    // every connection adds a listener
    setMaxListeners(0, signal)
    const beganMs = performance.now()
    const within = `within --timeout ${this.#plan.timeoutMs / 1000}s`
    const late = () => new TransferError('TIMEOUT', `it could not connect to the provider ${within}`)
    const connecting = async () => {
      const own = { ...shareBandwidth(settings), reader: this.#reader, peer: this.#peer }
      this.#client = await client(address, own)
      return /** @type {any} */ (this.#client.connect(signal))
    }
    this.#link = await waitUntilAborted(connecting(), signal, late)
    const connectMs = performance.now() - beganMs
    const roundTripMs = await waitUntilAborted(measureRoundTrip(this.#connected.roundTrip), signal, late)
    return { connectMs, roundTripMs }
  }

  /**
   * fetch fetches all files at once.
   *
   * @param {FileTree[]} files
   * @param {string} name - of this fetching in the run
   * @param {{ curves?: boolean }} [how] - `curves`: with the bytes stored over time
   * @returns {Promise<FetchSummary>}
   */
  async fetch(files, name, { curves = true } = {}) {
    const link = this.#connected
    const before = link.wireBytes()
    this.#blockEvents = []
    this.#memory = []
    this.#storedBlocks = 0
    const usage = startUsageWatch()
    const fetched = await Promise.all(
      files.map((file, index) => this.#fetchOne(file, this.#stores[index], `${name}/${this.#peer}/${index}`))
    )
    const used = usage()
    return {
      ...used,
      fetched: curves ? fetched : fetched.map(one => ({ ...one, curve: [] })),
      wireBytes: before === null ? null : Number(link.wireBytes()) - before,
      spanMs: computeSpan(fetched),
      blockEvents: this.#blockEvents
    }
  }

  /** disconnect closes stores and connections. @returns {Promise<FinalReadings>} */
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

  /** settings are those in which its nodes differ from the defaults of libp2p. */
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
    const receiving = new FileReceiver(file, store, { onBlock: this.#noting(transfer) })
    const signal = makeTimeLimit(timeoutMs)
    try {
      await waitUntilAborted(
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
        ...{ transfer, outcome: chooseCode(code), error: message, endNs: process.hrtime.bigint() },
        ...receiving.result(),
        totalMs: null
      }
    }
  }

  /** @param {string} transfer @returns {(event: BlockEvent['event'], cid: import('multiformats/cid').CID) => void} */
  #noting(transfer) {
    const { memorySnapshots } = this.#plan
    return (event, cid) => {
      if (recordsBlocks(this.#plan))
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

/** @param {FetchedFile[]} fetched @returns {number} ms; NaN: a file is missing */
function computeSpan(fetched) {
  const firstNs = findEarliest(fetched.map(({ askedNs }) => askedNs))
  return Math.max(
    ...fetched.map(({ askedNs, totalMs }) => computeMs(firstNs, askedNs) + (totalMs ?? Number.NaN))
  )
}

/** Error codes of ours. Those of Node and libp2p only mean that the connection failed. */
const OWN_CODES = new Set(['UNASKED', 'CORRUPT', 'ENDED_EARLY', 'REFUSED', 'TIMEOUT'])

/** @param {unknown} code */
const chooseCode = code => (OWN_CODES.has(String(code)) ? String(code) : 'BROKEN')

/**
 * waitUntilAborted waits for work until a signal is aborted, even if the work ignores the signal.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} signal
 * @param {() => Error} why
 * @returns {Promise<T>}
 */
const waitUntilAborted = (work, signal, why) =>
  raceSignal(work, signal, { translateError: why }).catch(error => {
    throw signal.aborted ? why() : error
  })

/** @param {() => Promise<void>} roundTrip @returns {Promise<number>} ms */
async function measureRoundTrip(roundTrip) {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const beganMs = performance.now()
    await roundTrip()
    least = Math.min(least, performance.now() - beganMs)
  }
  return least
}

/**
 * @typedef {import('./protocol.js').ProtocolClient} ProtocolClient
 *
 * @typedef {object} HandshakeSummary - of one repeat
 * @property {number} due
 * @property {number} failed
 * @property {string | null} failure - why the first one that failed did
 * @property {number} completed
 * @property {readonly import('../figures.js').HandshakeTime[]} times - of each, in the order in which they were due
 * @property {number} elapsedMs - until the last one ended
 * @property {number} activeMs - of that, the event loop was busy
 */

/**
 * performHandshakes opens connections from each client at a rate, as in the second benchmark of the specification (libp2p/specs perf/perf.md),
 * then closes each of them. Handshakes are due on a schedule, independent of the ones before. The clients take turns.
 *
 * @param {ProtocolClient[]} clients
 * @param {{ handshakeRatePerSecond: number, handshakeForMs: number, timeoutMs: number }} how
 * @returns {Promise<HandshakeSummary>}
 */
export async function performHandshakes(clients, { handshakeRatePerSecond, handshakeForMs, timeoutMs }) {
  const perSecond = handshakeRatePerSecond * clients.length
  const due = Math.max(1, Math.floor((perSecond * handshakeForMs) / 1000))
  const [startMs, before] = [performance.now(), performance.eventLoopUtilization()]
  /** @type {import('../figures.js').HandshakeTime[]} */
  const times = []
  /** @type {string[]} */
  const failures = []
  const performHandshake = async (/** @type {number} */ index) => {
    const dueMs = startMs + (index * 1000) / perSecond
    await sleep(Math.max(0, dueMs - performance.now()))
    const lateMs = performance.now() - dueMs
    let link
    try {
      link = await clients[index % clients.length].connect(makeTimeLimit(timeoutMs))
    } catch (error) {
      times[index] = [performance.now() - dueMs, lateMs, false]
      failures.push(/** @type {Error} */ (error).message)
      return
    }
    times[index] = [performance.now() - dueMs, lateMs, true]
    try {
      await link.close()
    } catch {} // only the handshake is measured
  }
  await Promise.all(Array.from({ length: due }, (_, index) => performHandshake(index)))
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
 * @typedef {{ address: any, settings: NodeSettings }} ProviderAddress - address of the provider for a protocol
 *
 * @typedef {object} ZerosSetup
 * @property {import('../plan/transfer-plan.js').TransferPlan} plan
 * @property {number} maxTimes - times of exchanges or handshakes that it sends for a repeat; of more, a sample
 *
 * @typedef {Pick<import('../plan/transfer-plan.js').ZerosTransfer, 'way' | 'direction' | 'streams' | 'bytes'>} TransferRequest
 *
 * @typedef {object} TransferSummary
 * @property {number} bytes - that moved, as the client counts
 * @property {number} totalMs
 * @property {number | null} firstByteMs - the first byte that came back
 * @property {number | null} steadyBytesPerSecond - of a download: the rate of its second half
 * @property {number} cpuMicros - of the client's process
 * @property {number} rssBytes
 */

/** ZerosRequestor is the side that uploads zeros to the provider, or downloads them, over all protocols of a plan. */
export class ZerosRequestor {
  #plan
  #reader = new SettingsReader(NODE_REASONS)
  #maxTimes
  /** @type {Readonly<Record<string, ProviderAddress>>} by protocol */
  #met = {}
  /** @type {Map<string, Promise<ProtocolClient>>} */
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

  /** meet sets the addresses of the provider. It stops earlier clients. @param {Readonly<Record<string, ProviderAddress>>} met - by protocol */
  async meet(met) {
    await this.close()
    this.#met = met
  }

  /** @param {string} name @returns {Promise<ProtocolClient>} */
  async #make(name) {
    const { address, settings } = this.#met[name]
    const { client } = await loadProtocol(settings.way)
    return client(address, { ...settings, reader: this.#reader })
  }

  /** @param {string} name @param {AbortSignal} signal */
  async #connect(name, signal) {
    const client = this.#clients.get(name) ?? this.#make(name)
    this.#clients.set(name, client)
    return /** @type {Link} */ (await (await client).connect(signal))
  }

  /** @returns {AbortSignal} */
  get #deadline() {
    const signal = makeTimeLimit(this.#plan.timeoutMs)
    // every stream adds a listener
    setMaxListeners(0, signal)
    return signal
  }

  /** open opens the streams of a transfer. @param {Pick<TransferRequest, 'way' | 'streams'>} asked */
  async open({ way, streams }) {
    const signal = this.#deadline
    for (let i = 0; i < this.#plan.connections; i++) this.#links.push(await this.#connect(way, signal))
    this.#requests = await Promise.all(
      this.#links.flatMap(link => Array.from({ length: streams }, () => link.open(signal)))
    )
  }

  /**
   * move transfers bytes in one direction over the open streams.
   *
   * @param {Pick<TransferRequest, 'direction' | 'bytes'>} asked
   * @returns {Promise<TransferSummary>}
   */
  async move({ direction, bytes }) {
    const [requests, signal] = [this.#requests, this.#deadline]
    const receipts = new SteadyRate(bytes)
    const onReceived = (/** @type {number} */ count) => receipts.took(count, process.hrtime.bigint())
    const before = readOwnUsage()
    const beganNs = process.hrtime.bigint()
    const exchanged = await Promise.all(
      requests.map((request, index) => {
        const [from, to] = [index, index + 1].map(parts => Math.floor((bytes * parts) / requests.length))
        const part = to - from
        return request({
          uploadBytes: direction === 'upload' ? part : 0,
          downloadBytes: direction === 'download' ? part : 0,
          signal,
          onReceived
        })
      })
    )
    const { cpuMicros, rssBytes } = readOwnUsage()
    const firsts = exchanged.flatMap(({ firstByteNs }) => (firstByteNs === null ? [] : [firstByteNs]))
    return {
      bytes: direction === 'upload' ? bytes : computeSum(exchanged, ({ receivedBytes }) => receivedBytes),
      totalMs: computeMs(beganNs, findLatest(exchanged.map(({ endedNs }) => endedNs))),
      firstByteMs: firsts.length === 0 ? null : computeMs(beganNs, findEarliest(firsts)),
      steadyBytesPerSecond: direction === 'download' ? receipts.steadyBytesPerSecond : null,
      cpuMicros: cpuMicros - before.cpuMicros,
      rssBytes
    }
  }

  /** shut closes the connections. */
  async shut() {
    for (const link of this.#links.splice(0)) await link.close()
  }

  /**
   * exchanges sends one byte and receives one, again and again, on one connection.
   *
   * @param {{ way: string, count: number }} asked
   * @returns {Promise<readonly { openMs: number, exchangeMs: number }[]>} `openMs`: to open a stream; `exchangeMs`: from then until the byte arrived
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
          openMs: computeMs(startNs, openNs),
          exchangeMs: computeMs(openNs, firstByteNs ?? endedNs)
        })
      }
      return pickEvenly(times, this.#maxTimes)
    } finally {
      await link.close()
    }
  }

  /** handshakes opens connections on a schedule. @param {{ way: string }} asked */
  async handshakes({ way }) {
    const { clients, handshakeRatePerSecond, handshakeForMs, timeoutMs } = this.#plan
    const made = []
    for (let i = 0; i < clients; i++) made.push(await this.#make(way))
    const before = readOwnUsage()
    try {
      const measured = await performHandshakes(made, { handshakeRatePerSecond, handshakeForMs, timeoutMs })
      return {
        ...measured,
        times: pickEvenly(measured.times, this.#maxTimes),
        cpuMicros: readOwnUsage().cpuMicros - before.cpuMicros
      }
    } finally {
      for (const client of made) await client.stop()
    }
  }

  /** settings are those in which its nodes differ from the defaults of libp2p. */
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

/** @param {bigint} from @param {bigint} to */
const computeMs = (from, to) => Number(to - from) / 1e6

/** @param {bigint[]} times */
const findLatest = times => times.reduce((a, b) => (a > b ? a : b))

/** @param {bigint[]} times */
const findEarliest = times => times.reduce((a, b) => (a < b ? a : b))
