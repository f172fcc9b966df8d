import { setMaxListeners } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { spread } from '../../../kit/lists.js'
import { timeLimit } from '../../../kit/time-limit.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import { ownUsage, Receipts } from './side-usage.js'
import { NODE_REASONS } from './ways/node.js'
import { loadWay } from './ways/way.js'

/**
 * @typedef {import('./ways/way.js').WayClient} WayClient
 *
 * @typedef {object} Handshakes - of one repeat
 * @property {number} due
 * @property {number} failed
 * @property {string | null} failure - why the first one that failed did
 * @property {number} completed
 * @property {readonly import('../measure/handshakes.js').Shaken[]} times - of each, in the order in which they were due
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
  /** @type {import('../measure/handshakes.js').Shaken[]} */
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
 * @typedef {import('./ways/way.js').NodeSettings} NodeSettings
 * @typedef {import('./ways/way.js').Link & import('./ways/way.js').ZerosLink} Link
 * @typedef {{ address: any, settings: NodeSettings }} Met - where the provider is reached by a way
 *
 * @typedef {object} ZerosSetup
 * @property {import('../transfer-plan.js').TransferPlan} plan
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
