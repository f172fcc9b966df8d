import { Fifo } from './fifo.js'

/** @typedef {Pick<import('./direction.js').Flight, 'place' | 'places' | 'end'>} Arrived - a packet */

/** SegmentsInOrder puts segments in order, as the receiver of a TCP connection. It holds no more than what was under way at once. */
export class SegmentsInOrder {
  #next = 0
  #end = 0
  /** @type {Map<number, Arrived>} by place, those that came before their turn */
  #early = new Map()

  /** Place of the first segment that is missing. */
  get next() {
    return this.#next
  }

  /** What can be read ends there, since the beginning. */
  get end() {
    return this.#end
  }

  /** take takes a packet, which may have come before, or in part. @param {Arrived} packet */
  take(packet) {
    if (packet.place > this.#next) this.#early.set(packet.place, packet)
    else if (packet.place + packet.places > this.#next) this.#append(packet)
  }

  /** @param {Arrived} packet */
  #append({ place, places, end }) {
    this.#next = place + places
    this.#end = end
    if (this.#early.size === 0) return
    // what came by itself before it was sent again with others
    for (let each = place; each < this.#next; each += 1) this.#early.delete(each)
    const later = this.#early.get(this.#next)
    if (later !== undefined) this.#append(later)
  }
}

/**
 * @typedef {import('./direction.js').Flight} Flight
 * @typedef {import('./direction.js').Answer} Answer
 *
 * @typedef {object} QueuedParts
 * @property {(flight: Flight) => number} pass - through the line, when the first byte reaches it; gives when the last one has passed, ns
 * @property {((answer: Answer) => void) | null} answer - acknowledges a segment that came; null: nobody waits for it
 */

/** QueuedReceiving is the end of a way that leads through a limited line into the receiver. It is a Receiving. */
export class QueuedReceiving {
  #parts
  /** @type {Fifo<Flight>} to the line */
  #underWay = new Fifo()
  /** @type {Fifo<Arrived & { atNs: number }>} that have passed it */
  #arriving = new Fifo()
  /** @type {Fifo<number>} where writes end that cannot be read yet */
  #unread = new Fifo()
  #segments = new SegmentsInOrder()

  /** @param {QueuedParts} parts */
  constructor(parts) {
    this.#parts = parts
  }

  /** @param {number} end */
  written(end) {
    this.#unread.push(end)
  }

  /** @param {Flight} flight */
  flies(flight) {
    this.#underWay.push(flight)
  }

  get nextNs() {
    return Math.min(this.#reachNs, this.#arriveNs)
  }

  /** @param {number} nowNs @returns {number} writes that can be read now, too */
  advance(nowNs) {
    for (;;) {
      const reachNs = this.#reachNs
      const arriveNs = this.#arriveNs
      if (reachNs > nowNs && arriveNs > nowNs) break
      if (reachNs <= arriveNs) this.#reach()
      else this.#arrive()
    }
    let readable = 0
    for (; (this.#unread.peek() ?? Infinity) <= this.#segments.end; readable += 1) this.#unread.shift()
    return readable
  }

  get #reachNs() {
    return this.#underWay.peek()?.firstNs ?? Infinity
  }

  get #arriveNs() {
    return this.#arriving.peek()?.atNs ?? Infinity
  }

  #reach() {
    const flight = /** @type {Flight} */ (this.#underWay.shift())
    const { place, places, end } = flight
    this.#arriving.push({ place, places, end, atNs: this.#parts.pass(flight) })
  }

  #arrive() {
    const arrived = this.#arriving.shift()
    if (arrived === undefined) return
    this.#segments.take(arrived)
    const { place, places, atNs } = arrived
    this.#parts.answer?.({ place, places, next: this.#segments.next, atNs })
  }
}
