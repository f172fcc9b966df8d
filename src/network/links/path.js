/**
 * @typedef {import('./bandwidth-queue.js').BandwidthQueue} BandwidthQueue
 *
 * @typedef {object} PathParts - one way from one node to another
 * @property {BandwidthQueue} upLink - of the sender, shared by all its connections
 * @property {BandwidthQueue} link - of this direction
 * @property {BandwidthQueue} downLink - of the receiver, shared by all its connections
 * @property {() => number} latency - of the next segment, ns
 *
 * @typedef {object} UnderWay - what is under way to the down-link
 * @property {number} bytes - on the wire
 * @property {number} leftNs - the last byte left the sender's up-link
 * @property {number} firstNs - the first byte reaches the down-link
 * @property {number} lastNs - the last byte reaches the down-link
 */

/**
 * Path takes bytes from one node to another: up-link, link, latency, down-link. It keeps their order, whatever the jitter. Its calls
 * come in the order of their times: `sendOff` at the sender's, `arrive` when the first byte reaches the down-link, where bytes of all
 * connections of the receiver meet.
 */
export class Path {
  #parts
  #arrivedNs = 0

  /** @param {PathParts} parts */
  constructor(parts) {
    this.#parts = parts
  }

  /** Whether bytes can have to wait at the down-link. */
  get endsInQueue() {
    return this.#parts.downLink.limited
  }

  /** When all that was sent so far is at the down-link, ns. */
  get arrivedNs() {
    return this.#arrivedNs
  }

  /** @param {number} bytes - on the wire @param {number} nowNs @returns {UnderWay} */
  sendOff(bytes, nowNs) {
    const { upLink, link, latency } = this.#parts
    const leftNs = upLink.pass(bytes, nowNs)
    const passedNs = link.pass(bytes, upLink.startedNs, leftNs)
    const latencyNs = latency()
    const firstNs = Math.max(link.startedNs + latencyNs, this.#arrivedNs)
    const lastNs = Math.max(passedNs + latencyNs, firstNs)
    this.#arrivedNs = lastNs
    return { bytes, leftNs, firstNs, lastNs }
  }

  /** @param {Omit<UnderWay, 'leftNs'>} underWay @returns {number} when the last byte is there, ns */
  arrive({ bytes, firstNs, lastNs }) {
    return this.#parts.downLink.pass(bytes, firstNs, lastNs)
  }
}
