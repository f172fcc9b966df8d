const LEAST_RTO_NS = 200e6
const MOST_RTO_NS = 120e9

/**
 * RttEstimate keeps the retransmission time-out of a connection as RFC 6298 says: srtt moves by 1/8 and rttvar by 1/4 with each sample,
 * RTO = srtt + 4·rttvar, doubled by each time-out until the next sample. Its bounds are those of Linux, 200 ms and 120 s.
 */
export class RttEstimate {
  #srttNs
  #rttvarNs
  #doublings = 1

  /** @param {number} rttNs - of the handshake, the first sample */
  constructor(rttNs) {
    this.#srttNs = rttNs
    this.#rttvarNs = rttNs / 2
  }

  /** The retransmission time-out, ns, whole. */
  get rtoNs() {
    const rtoNs = Math.max(LEAST_RTO_NS, Math.round(this.#srttNs + 4 * this.#rttvarNs))
    return Math.min(MOST_RTO_NS, rtoNs * this.#doublings)
  }

  /** @param {number} rttNs - of a segment that was sent once */
  sample(rttNs) {
    this.#rttvarNs += (Math.abs(this.#srttNs - rttNs) - this.#rttvarNs) / 4
    this.#srttNs += (rttNs - this.#srttNs) / 8
    this.#doublings = 1
  }

  /** backOff doubles the time-out: it came. */
  backOff() {
    if (this.rtoNs < MOST_RTO_NS) this.#doublings *= 2
  }
}
