import { Fifo } from './fifo.js'
import { SegmentsInOrder } from './segments-in-order.js'

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
  /** @type {Fifo<import('./segments-in-order.js').Arrived & { atNs: number }>} that have passed it */
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
