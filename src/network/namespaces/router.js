// A router in user space that carries packets between network namespaces over simulated links.
import { Heap } from '../../kit/collections.js'
import { Histogram } from '../../measure/histogram.js'
import { readCoreTime } from '../../measure/resources.js'
import { makeLinkModel } from '../link-model.js'
import { Namespaces } from '../namespaces.js'
import { destinationNamespaceOf, flowOf, sourceNamespaceOf } from './tun-device.js'

/**
 * @typedef {import('../link-model.js').PacketDirection} PacketDirection
 *
 * @typedef {object} PacketUnderWay - a packet under way
 * @property {Buffer} packet
 * @property {number} atNs - when it is at the down-link, then when it is there
 * @property {number} place - among all that came: what is due at the same time stays in order
 * @property {PacketDirection} direction
 * @property {import('../link-model.js').UnderWay | null} underWay - to the down-link; null: it has passed it
 *
 * @typedef {object} RouterCounts - since the beginning
 * @property {number} packets - that came
 * @property {number} bytes
 * @property {number} lost - as asked for
 * @property {number} cut - between nodes that were cut off from one another
 * @property {number} overflowed - for which there was no room
 */

/** Packets are handed over so much before they are due, for timers of Node count whole ms; what is nearer them is more punctual. */
export const EARLY_DELIVERY_NS = 3e6
/** Queues of a line have no end, memory has. */
const MAX_UNDER_WAY_BYTES = 512e6

/**
 * PacketRouter takes packets of namespaces over the links of a model. It has no clock: whoever drives it calls `take` in the order of
 * times, and `due` at `nextNs`.
 */
export class PacketRouter {
  #links
  #namespaces
  #maxBytes
  #earlyQueueNs
  /** @type {Map<number, PacketDirection>} by the numbers of both ends */
  #directions = new Map()
  /** @type {Heap<PacketUnderWay>} */
  #packets = new Heap({ isBefore: (a, b) => a.place < b.place })
  #bufferedBytes = 0
  /** @type {RouterCounts} */
  counts = { packets: 0, bytes: 0, lost: 0, cut: 0, overflowed: 0 }

  /**
   * @param {Pick<import('../link-model.js').LinkModel, 'packets' | 'shortestNs'>} links
   * @param {{ namespaces: number, maxBytes?: number }} of
   */
  constructor(links, { namespaces, maxBytes = MAX_UNDER_WAY_BYTES }) {
    this.#links = links
    this.#namespaces = namespaces
    this.#maxBytes = maxBytes
    // a queue serves in the order of asking: what leaves its node later must not be at the down-link before what was asked for
    this.#earlyQueueNs = Math.min(EARLY_DELIVERY_NS, links.shortestNs)
  }

  /** nextNs is when `due` has something to hand over; Infinity: not before a packet comes. */
  get nextNs() {
    return this.#packets.firstKey
  }

  /** take takes a packet that left its node. @param {Buffer} packet @param {number} stampNs */
  take(packet, stampNs) {
    const [from, to] = [sourceNamespaceOf(packet), destinationNamespaceOf(packet)]
    // multicast, or an address that nobody has
    if (from >= this.#namespaces || to >= this.#namespaces || from === to) return
    this.counts.packets += 1
    this.counts.bytes += packet.length
    const direction = this.#direction(from, to)
    const underWay = direction.send(packet.length, stampNs, flowOf(packet))
    if (typeof underWay === 'string') this.counts[underWay] += 1
    else if (this.#bufferedBytes + packet.length > this.#maxBytes) this.counts.overflowed += 1
    else {
      this.#bufferedBytes += packet.length
      const { endsInQueue } = direction
      const atNs = endsInQueue ? underWay.firstNs : underWay.lastNs
      const key = atNs - (endsInQueue ? this.#earlyQueueNs : EARLY_DELIVERY_NS)
      const place = this.counts.packets
      this.#packets.add({ packet, atNs, place, direction, underWay: endsInQueue ? underWay : null }, key)
    }
  }

  /** due gives the packets that are due soon, those for a node in order. @param {number} nowNs @returns {PacketUnderWay[]} */
  due(nowNs) {
    const due = []
    while (this.nextNs <= nowNs) {
      const entry = /** @type {PacketUnderWay} */ (this.#packets.take())
      if (entry.underWay === null) {
        this.#bufferedBytes -= entry.packet.length
        due.push(entry)
      } else {
        entry.atNs = entry.direction.arrive(entry.underWay)
        entry.underWay = null
        this.#packets.add(entry, entry.atNs - EARLY_DELIVERY_NS)
      }
    }
    return due
  }

  /** @param {number} from @param {number} to */
  #direction(from, to) {
    const place = from * this.#namespaces + to
    const direction = this.#directions.get(place) ?? this.#links.packets(from, to)
    this.#directions.set(place, direction)
    return direction
  }
}

/**
 * @typedef {object} RouterReading - since the beginning
 * @property {number} atNs
 * @property {RouterCounts} counts
 * @property {number} cpuMicros - of the router and of what holds the namespaces
 * @property {number | null} waitedNs - for a core, of what holds the namespaces; null: this system does not tell
 *
 * @typedef {RouterCounts & { wallMs: number, cpuMicros: number, waitedMs: number | null,
 *   lateness: import('../../measure/histogram.js').HistogramData }} RouterUsage - since `begin`; `waitedMs`: for a core, of what holds the
 *   namespaces; `lateness`: when a packet was handed to its node after it was due, µs
 */

/** RouterTally is what a router has counted since it last began to. */
export class RouterTally {
  #read
  #began
  #lateness = new Histogram()
  #isMixed = true

  /** @param {() => RouterReading} read */
  constructor(read) {
    this.#read = read
    this.#began = read()
  }

  /** begin counts from now on. */
  begin() {
    this.#began = this.#read()
    this.#lateness = new Histogram()
    this.#isMixed = true
  }

  /** heard takes how late packets were since that was last told: what was told first since `begin` is of packets from before, too. @param {number} reportedNs @param {readonly number[]} micros */
  heard(reportedNs, micros) {
    if (!this.#isMixed) for (const late of micros) this.#lateness.record(late)
    else this.#isMixed = reportedNs < this.#began.atNs
  }

  /** @returns {RouterUsage} */
  get usage() {
    const [began, now] = [this.#began, this.#read()]
    const since = (/** @type {keyof RouterCounts} */ name) => now.counts[name] - began.counts[name]
    return {
      ...{ packets: since('packets'), bytes: since('bytes'), lost: since('lost') },
      ...{ cut: since('cut'), overflowed: since('overflowed') },
      wallMs: (now.atNs - began.atNs) / 1e6,
      cpuMicros: now.cpuMicros - began.cpuMicros,
      waitedMs:
        now.waitedNs === null || began.waitedNs === null ? null : (now.waitedNs - began.waitedNs) / 1e6,
      lateness: this.#lateness.toData()
    }
  }
}

const REPORT_EVERY_MS = 1000

/** Router carries the packets between the namespaces of a plan, over the very links of the simulated network. */
export class Router {
  #links
  #packets
  #count
  #namespaces
  #originNs
  /** @type {NodeJS.Timeout | null} */
  #timer = null
  #timerNs = Infinity
  /** @type {NodeJS.Timeout | undefined} */
  #asking
  #muxPid = 0
  #tally

  /**
   * @param {{ plan: Parameters<typeof makeLinkModel>[0], namespaces: number, congestion: string, existing?: readonly string[], originNs: bigint }} setup
   * @param {{ onUsage: (usage: RouterUsage) => void, onDied: (error: Error) => void }} components
   */
  constructor({ plan, namespaces, congestion, existing, originNs }, { onUsage, onDied }) {
    this.#originNs = Number(originNs)
    this.#count = namespaces
    this.#links = makeLinkModel(plan)
    this.#packets = new PacketRouter(this.#links, { namespaces })
    this.#tally = new RouterTally(() => this.#read())
    this.#namespaces = new Namespaces(
      { namespaces, congestion, existing },
      {
        onPacket: (stampNs, packet) => this.#packets.take(packet, stampNs),
        onChunk: () => this.#run(),
        onAnswer: (reportedNs, micros) => {
          this.#tally.heard(reportedNs, micros)
          onUsage(this.#tally.usage)
        },
        onDied
      }
    )
  }

  /** open makes the namespaces. @returns {Promise<import('../namespaces.js').OpenNamespaces>} */
  async open() {
    const namespaces = await this.#namespaces.open()
    this.#muxPid = namespaces.pid
    this.#asking = setInterval(() => this.#namespaces.ask(), REPORT_EVERY_MS)
    return namespaces
  }

  /** relink puts other links between the namespaces; what was under way on the old ones is lost. @param {Parameters<typeof makeLinkModel>[0]} plan */
  async relink(plan) {
    this.#links = makeLinkModel(plan)
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
    const ring = () => {
      this.#timer = null
      this.#timerNs = Infinity
      this.#run()
    }
    this.#timer = setTimeout(ring, Math.max(1, Math.floor((nextNs - now) / 1e6)))
  }

  /** @returns {RouterReading} */
  #read() {
    const { user, system } = process.cpuUsage()
    const ofMux = readCoreTime(this.#muxPid)
    return {
      atNs: nowNs(),
      counts: { ...this.#packets.counts },
      cpuMicros: user + system + (ofMux?.onCore ?? 0) / 1000,
      waitedNs: ofMux?.waited ?? null
    }
  }
}

const nowNs = () => Number(process.hrtime.bigint())
