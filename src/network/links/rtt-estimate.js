const LEAST_SPREAD_NS = 200e6
const MOST_RTO_NS = 120e9

/**
 * RttEstimate keeps the retransmission time-out of a connection as RFC 6298 says: srtt moves by 1/8 and rttvar by 1/4 with each sample,
 * RTO = srtt + 4·rttvar, doubled by each time-out until the next sample. Its bounds are those of Linux: 4·rttvar is 200 ms at least
 * (`tcp_set_rto`, `tcp_rto_min`), the whole 120 s at most.
 */
export class RttEstimate {
  #srttNs
  #rttvarNs
  #doublings = 1
  #leastNs

  /** @param {number} rttNs - of the handshake, the first sample */
  constructor(rttNs) {
    this.#srttNs = rttNs
    this.#rttvarNs = rttNs / 2
    this.#leastNs = rttNs
  }

  /** Mean of the round trips, by their age. */
  get smoothedNs() {
    return Math.round(this.#srttNs)
  }

  /** The least round trip so far. */
  get leastNs() {
    return this.#leastNs
  }

  /** The retransmission time-out, ns, whole. */
  get rtoNs() {
    const rtoNs = Math.round(this.#srttNs + Math.max(LEAST_SPREAD_NS, 4 * this.#rttvarNs))
    return Math.min(MOST_RTO_NS, rtoNs * this.#doublings)
  }

  /** @param {number} rttNs - of a segment that was sent once */
  sample(rttNs) {
    this.#rttvarNs += (Math.abs(this.#srttNs - rttNs) - this.#rttvarNs) / 4
    this.#srttNs += (rttNs - this.#srttNs) / 8
    this.#doublings = 1
    this.#leastNs = Math.min(this.#leastNs, rttNs)
  }

  /** backOff doubles the time-out: it came. */
  backOff() {
    if (this.rtoNs < MOST_RTO_NS) this.#doublings *= 2
  }
}
