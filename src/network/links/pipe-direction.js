import { Departures } from './departures.js'
import { Fifo } from './fifo.js'
import { wireBytes } from './wire-bytes.js'

/**
 * @typedef {import('./path.js').UnderWay} UnderWay
 */

/**
 * PipeDirection is one way of a connection over a path that loses nothing, without a congestion window: what closed formulas are about.
 * A write passes as a whole. It is a Direction.
 */
export class PipeDirection {
  #path
  #layers
  /** @type {Fifo<UnderWay>} */
  #underWay = new Fifo()
  /** @type {Fifo<number>} */
  #arriving = new Fifo()
  #departures = new Departures()
  #writes = 0

  /** @param {{ path: import('./path.js').Path, layers: import('./wire-bytes.js').Layers }} parts */
  constructor({ path, layers }) {
    this.#path = path
    this.#layers = layers
  }

  /** @param {number} bytes @param {number} nowNs */
  send(bytes, nowNs) {
    const underWay = this.#path.sendOff(wireBytes(bytes, this.#layers), nowNs)
    this.#writes += 1
    this.#departures.add(bytes, this.#writes)
    this.#departures.leave(this.#writes, underWay.leftNs)
    if (this.#path.endsInQueue) this.#underWay.push(underWay)
    else this.#arriving.push(underWay.lastNs)
  }

  get nextNs() {
    return Math.min(this.#underWay.peek()?.firstNs ?? Infinity, this.#arriving.peek() ?? Infinity)
  }

  /** @param {number} nowNs @returns {number} writes that can be read now, too */
  advance(nowNs) {
    for (let next = this.#underWay.peek(); next && next.firstNs <= nowNs; next = this.#underWay.peek()) {
      this.#underWay.shift()
      this.#arriving.push(this.#path.arrive(next))
    }
    let readable = 0
    for (; (this.#arriving.peek() ?? Infinity) <= nowNs; readable += 1) this.#arriving.shift()
    return readable
  }

  get departsNs() {
    return this.#departures.nextNs
  }

  /** @param {number} nowNs */
  departed(nowNs) {
    return this.#departures.count(nowNs)
  }

  /** @param {number} nowNs */
  waitingBytes(nowNs) {
    return this.#departures.bytes(nowNs)
  }
}
