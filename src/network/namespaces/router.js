import { coreTimeOf } from '../../measure/core-wait.js'
import { Histogram } from '../../measure/histogram.js'
import { linkModelOf } from '../simulated/link-settings.js'
import { Namespaces } from './namespaces.js'
import { PacketRouter } from './packet-router.js'

/**
 * @typedef {import('./packet-router.js').RouterCounts} RouterCounts
 *
 * @typedef {RouterCounts & { wallMs: number, cpuMicros: number, lateness: import('../../measure/histogram.js').HistogramData }} RouterUsage
 *   - since `begin`; `cpuMicros`: of the router and of what holds the namespaces; `lateness`: when a packet was handed to its node after it
 *   was due, µs
 */

const TELL_EVERY_MS = 1000

/** Router carries the packets between the namespaces of a plan, over the very links of the simulated network. */
export class Router {
  #links
  #packets
  #count
  #namespaces
  #originNs
  #onUsage
  #lateness = new Histogram()
  /** @type {NodeJS.Timeout | null} */
  #timer = null
  #timerNs = Infinity
  /** @type {NodeJS.Timeout | undefined} */
  #asking
  #muxPid = 0
  #began = { wallNs: 0, cpuMicros: 0, counts: zero() }

  /**
   * @param {{ plan: Parameters<typeof linkModelOf>[0], namespaces: number, congestion: string, given?: readonly string[], originNs: bigint }} setup
   * @param {{ onUsage: (usage: RouterUsage) => void, onDied: (error: Error) => void }} components
   */
  constructor({ plan, namespaces, congestion, given, originNs }, { onUsage, onDied }) {
    this.#originNs = Number(originNs)
    this.#onUsage = onUsage
    this.#count = namespaces
    this.#links = linkModelOf(plan)
    this.#packets = new PacketRouter(this.#links, { namespaces })
    this.#namespaces = new Namespaces(
      { namespaces, congestion, given },
      {
        onPacket: (stampNs, packet) => this.#packets.take(packet, stampNs),
        onChunk: () => this.#run(),
        onAnswer: micros => this.#heard(micros),
        onDied
      }
    )
  }

  /** open makes the namespaces. @returns {Promise<import('./namespaces.js').Held>} */
  async open() {
    const held = await this.#namespaces.open()
    this.#muxPid = held.pid
    this.#asking = setInterval(() => this.#namespaces.ask(), TELL_EVERY_MS)
    return held
  }

  /** relink puts other links between the namespaces; what was under way on the old ones is lost. @param {Parameters<typeof linkModelOf>[0]} plan */
  async relink(plan) {
    this.#links = linkModelOf(plan)
    this.#packets = new PacketRouter(this.#links, { namespaces: this.#count })
    this.#beginCounting()
  }

  /** ask has what was counted so far told soon. */
  async ask() {
    this.#namespaces.ask()
  }

  /** cut has partitions count from a moment on. @param {number} startNs - since the origin */
  async cut(startNs) {
    this.#links.partitions.start(this.#originNs + startNs)
  }

  /** begin is told when publishing begins: partitions count from there, and so does what is told. @param {number} startNs - since the origin */
  async begin(startNs) {
    await this.cut(startNs)
    this.#beginCounting()
  }

  async close() {
    clearInterval(this.#asking)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#namespaces.close()
  }

  #beginCounting() {
    this.#lateness = new Histogram()
    this.#began = { wallNs: nowNs(), cpuMicros: this.#cpuMicros(), counts: { ...this.#packets.counts } }
  }

  /** What is due soon is handed over; then a timer for what is due later. */
  #run() {
    const now = nowNs()
    this.#namespaces.deliver(this.#packets.due(now))
    const { nextNs } = this.#packets
    if (nextNs >= this.#timerNs || nextNs === Infinity) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerNs = nextNs
    this.#timer = setTimeout(() => this.#ring(), Math.max(1, Math.floor((nextNs - now) / 1e6)))
  }

  #ring() {
    this.#timer = null
    this.#timerNs = Infinity
    this.#run()
  }

  /** @param {number[]} micros */
  #heard(micros) {
    for (const late of micros) this.#lateness.record(late)
    const { wallNs, cpuMicros, counts } = this.#began
    this.#onUsage({
      .../** @type {RouterCounts} */ (
        Object.fromEntries(
          Object.entries(this.#packets.counts).map(([name, count]) => [
            name,
            count - counts[/** @type {keyof RouterCounts} */ (name)]
          ])
        )
      ),
      wallMs: (nowNs() - wallNs) / 1e6,
      cpuMicros: this.#cpuMicros() - cpuMicros,
      lateness: this.#lateness.toData()
    })
  }

  #cpuMicros() {
    const { user, system } = process.cpuUsage()
    return user + system + (coreTimeOf(this.#muxPid)?.onCore ?? 0) / 1000
  }
}

/** @returns {RouterCounts} */
const zero = () => ({ packets: 0, bytes: 0, lost: 0, cut: 0, overflowed: 0 })

const nowNs = () => Number(process.hrtime.bigint())
