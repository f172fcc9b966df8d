import { Heap } from '../../kit/heap.js'
import { destinationOf, flowOf, sourceOf } from './frames.js'

/**
 * @typedef {import('../links/packet-direction.js').PacketDirection} PacketDirection
 *
 * @typedef {object} Held - a packet under way
 * @property {Buffer} packet
 * @property {number} atNs - when it is at the down-link, then when it is there
 * @property {number} place - among all that came: what is due at the same time stays in order
 * @property {PacketDirection} direction
 * @property {import('../links/path.js').UnderWay | null} underWay - to the down-link; null: it has passed it
 *
 * @typedef {object} RouterCounts - since the beginning
 * @property {number} packets - that came
 * @property {number} bytes
 * @property {number} lost - as asked for
 * @property {number} cut - between nodes that were cut off from one another
 * @property {number} overflowed - for which there was no room
 */

/** Packets are handed over so much before they are due, for timers of Node count whole ms; what is nearer them is more punctual. */
export const LEAD_NS = 3e6
/** Queues of a line have no end, memory has. */
const MOST_BYTES = 512e6

/**
 * PacketRouter takes packets of namespaces over the links of a model. It has no clock: whoever drives it calls `take` in the order of
 * times, and `due` at `nextNs`.
 */
export class PacketRouter {
  #links
  #namespaces
  #mostBytes
  #queueLeadNs
  /** @type {Map<number, PacketDirection>} by the numbers of both ends */
  #directions = new Map()
  /** @type {Heap<Held>} */
  #held = new Heap({ isBefore: (a, b) => a.place < b.place })
  #heldBytes = 0
  /** @type {RouterCounts} */
  counts = { packets: 0, bytes: 0, lost: 0, cut: 0, overflowed: 0 }

  /**
   * @param {Pick<import('../links/link-model.js').LinkModel, 'packets' | 'shortestNs'>} links
   * @param {{ namespaces: number, mostBytes?: number }} of
   */
  constructor(links, { namespaces, mostBytes = MOST_BYTES }) {
    this.#links = links
    this.#namespaces = namespaces
    this.#mostBytes = mostBytes
    // a queue serves in the order of asking: what leaves its node later must not be at the down-link before what was asked for
    this.#queueLeadNs = Math.min(LEAD_NS, links.shortestNs)
  }

  /** nextNs is when `due` has something to hand over; Infinity: not before a packet comes. */
  get nextNs() {
    return this.#held.firstKey
  }

  /** take takes a packet that left its node. @param {Buffer} packet @param {number} stampNs */
  take(packet, stampNs) {
    const [from, to] = [sourceOf(packet), destinationOf(packet)]
    // multicast, or an address that nobody has
    if (from >= this.#namespaces || to >= this.#namespaces || from === to) return
    this.counts.packets += 1
    this.counts.bytes += packet.length
    const direction = this.#direction(from, to)
    const underWay = direction.send(packet.length, stampNs, flowOf(packet))
    if (typeof underWay === 'string') this.counts[underWay] += 1
    else if (this.#heldBytes + packet.length > this.#mostBytes) this.counts.overflowed += 1
    else this.#hold(packet, direction, underWay)
  }

  /** due gives the packets that are due soon, those for a node in order. @param {number} nowNs @returns {Held[]} */
  due(nowNs) {
    const due = []
    while (this.nextNs <= nowNs) {
      const held = /** @type {Held} */ (this.#held.take())
      if (held.underWay === null) {
        this.#heldBytes -= held.packet.length
        due.push(held)
      } else {
        held.atNs = held.direction.arrive(held.underWay)
        held.underWay = null
        this.#held.add(held, held.atNs - LEAD_NS)
      }
    }
    return due
  }

  /** @param {Buffer} packet @param {PacketDirection} direction @param {import('../links/path.js').UnderWay} underWay */
  #hold(packet, direction, underWay) {
    this.#heldBytes += packet.length
    const { endsInQueue } = direction
    const atNs = endsInQueue ? underWay.firstNs : underWay.lastNs
    const place = this.counts.packets
    const key = atNs - (endsInQueue ? this.#queueLeadNs : LEAD_NS)
    this.#held.add({ packet, atNs, place, direction, underWay: endsInQueue ? underWay : null }, key)
  }

  /** @param {number} from @param {number} to */
  #direction(from, to) {
    const place = from * this.#namespaces + to
    const direction = this.#directions.get(place) ?? this.#links.packets(from, to)
    this.#directions.set(place, direction)
    return direction
  }
}
