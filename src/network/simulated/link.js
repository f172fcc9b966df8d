/**
 * @typedef {object} Link - one direction of a connection
 * @property {(bytes: number, nowNs: number) => number} send - takes bytes for the other end and tells when the last of them is there
 *   (ns); never before what was sent earlier. Infinity: never
 * @property {(nowNs: number) => number} roomAtNs - when it takes more without piling up; a moment that has gone: now
 */

/** SteadyLinkOptions @typedef {object} SteadyLinkOptions
 * @property {number} latencyNs - one way
 * @property {number} jitterNs - each send takes up to so much longer or shorter
 * @property {() => number} random - uniform in [0, 1); drawn from only where there is jitter
 * @property {import('./up-link.js').UpLink} upLink - of the sending node
 */

/**
 * SteadyLink is a link that loses nothing. Bytes leave through the up-link of their node, which its connections share, travel for
 * the latency, and come in their order.
 *
 * @implements {Link}
 */
export class SteadyLink {
  #options
  #lastArrivalNs = 0

  /** @param {SteadyLinkOptions} options */
  constructor(options) {
    this.#options = options
  }

  /** @param {number} bytes @param {number} nowNs */
  send(bytes, nowNs) {
    const travelNs = this.#travelNs()
    const arrivalNs = this.#options.upLink.pass(bytes, nowNs) + travelNs
    this.#lastArrivalNs = Math.max(this.#lastArrivalNs, arrivalNs)
    return this.#lastArrivalNs
  }

  /** @param {number} nowNs */
  roomAtNs(nowNs) {
    return this.#options.upLink.roomAtNs(nowNs)
  }

  #travelNs() {
    const { latencyNs, jitterNs, random } = this.#options
    if (jitterNs === 0) return latencyNs
    return Math.max(0, latencyNs + Math.round((2 * random() - 1) * jitterNs))
  }
}
