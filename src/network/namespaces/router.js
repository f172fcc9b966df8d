import { coreTimeOf } from '../../measure/core-wait.js'
import { linkModelOf } from '../simulated/link-settings.js'
import { Namespaces } from './namespaces.js'
import { PacketRouter } from './packet-router.js'
import { RouterTally } from './router-tally.js'

/** @typedef {import('./router-tally.js').RouterUsage} RouterUsage */

const TELL_EVERY_MS = 1000

/** Router carries the packets between the namespaces of a plan, over the very links of the simulated network. */
export class Router {
  #links
  #packets
  #count
  #namespaces
  #originNs
  #onUsage
  /** @type {NodeJS.Timeout | null} */
  #timer = null
  #timerNs = Infinity
  /** @type {NodeJS.Timeout | undefined} */
  #asking
  #muxPid = 0
  #tally

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
    this.#tally = new RouterTally(() => this.#read())
    this.#namespaces = new Namespaces(
      { namespaces, congestion, given },
      {
        onPacket: (stampNs, packet) => this.#packets.take(packet, stampNs),
        onChunk: () => this.#run(),
        onAnswer: (toldNs, micros) => this.#heard(toldNs, micros),
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
    await this.begin()
  }

  /** ask has what was counted so far told soon. */
  async ask() {
    this.#namespaces.ask()
  }

  /** cut has partitions count from a moment on. @param {number} startNs - since the origin; Infinity: nobody is cut off */
  async cut(startNs) {
    this.#links.partitions.start(this.#originNs + startNs)
  }

  /** begin has what is told counted from now on. */
  async begin() {
    this.#tally.begin()
    // what it tells next is of packets from before, too
    this.#namespaces.ask()
  }

  async close() {
    clearInterval(this.#asking)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#namespaces.close()
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

  /** @param {number} toldNs @param {number[]} micros */
  #heard(toldNs, micros) {
    this.#tally.heard(toldNs, micros)
    this.#onUsage(this.#tally.usage)
  }

  /** @returns {import('./router-tally.js').Reading} */
  #read() {
    const { user, system } = process.cpuUsage()
    const ofMux = coreTimeOf(this.#muxPid)
    return {
      atNs: nowNs(),
      counts: { ...this.#packets.counts },
      cpuMicros: user + system + (ofMux?.onCore ?? 0) / 1000,
      waitedNs: ofMux?.waited ?? null
    }
  }
}

const nowNs = () => Number(process.hrtime.bigint())
