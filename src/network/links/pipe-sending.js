import { Departures } from './departures.js'
import { bytesOf, wireBytes } from './wire-bytes.js'

/**
 * PipeSending sends over a path that loses nothing, without a congestion window: what closed formulas are about. A write passes as a whole.
 * It is a Sending.
 */
export class PipeSending {
  #path
  #layers
  #far
  departures = new Departures()
  #writes = 0
  nextNs = Infinity

  /**
   * @param {{ path: import('./path.js').Path, layers: import('./wire-bytes.js').Layers }} parts
   * @param {import('./direction.js').Far} far
   */
  constructor({ path, layers }, far) {
    this.#path = path
    this.#layers = layers
    this.#far = far
  }

  /** @param {import('./wire-bytes.js').Written} written @param {number} nowNs */
  send(written, nowNs) {
    const { leftNs, ...underWay } = this.#path.sendOff(wireBytes(written, this.#layers), nowNs)
    const place = this.#writes
    this.#writes += 1
    this.departures.add(bytesOf(written), this.#writes)
    this.departures.leave(this.#writes, leftNs)
    if (!this.#path.endsInQueue) return this.#far.arrives(1, underWay.lastNs)
    this.#far.written(this.#writes)
    this.#far.flies({ place, places: 1, end: this.#writes, ...underWay })
  }

  run() {}

  answered() {}
}
