/** `tcp_rto_min`: what deviations count at least. */
const LEAST_SPREAD_NS = 200e6
const MOST_RTO_NS = 120e9
/** What is sent in answer to what came with an acknowledgement belongs to the next round trip. Here either can come first, within jitter. */
const AT_ONCE_SHARE = 1 / 20

/**
 * RttEstimate keeps the retransmission time-out of a connection as Linux does (`tcp_rtt_estimator`): RFC 6298 with a sample for each
 * acknowledgement, of which the largest deviation of a round trip counts, 200 ms at least; it rises at once, and falls by a quarter of the
 * difference each round trip. So a connection that is new has a longer time-out than one that has been used for a while. RTO = srtt + that
 * deviation, doubled by each time-out until the next sample, 120 s at most.
 */
export class RttEstimate {
  #srttNs
  /** Four times the mean deviation, as all three of them. */
  #deviationNs
  #spanDeviationNs
  #spreadNs
  /** The round trip whose largest deviation is being looked for began then; it ends when something that was sent since is acknowledged. */
  #spanNs = -Infinity
  #doublings = 1
  #leastNs

  /** @param {number} rttNs - of the handshake, the first sample */
  constructor(rttNs) {
    this.#srttNs = rttNs
    this.#deviationNs = 2 * rttNs
    this.#spreadNs = Math.max(this.#deviationNs, LEAST_SPREAD_NS)
    this.#spanDeviationNs = this.#spreadNs
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
    return Math.min(MOST_RTO_NS, Math.round(this.#srttNs + this.#spreadNs) * this.#doublings)
  }

  /** @param {number} rttNs @param {number} nowNs */
  sample(rttNs, nowNs) {
    const error = rttNs - this.#srttNs
    const more = Math.abs(error) - this.#deviationNs / 4
    this.#srttNs += error / 8
    // round trips that get shorter are not to raise the time-out much
    this.#deviationNs += error < 0 && more > 0 ? more / 8 : more
    this.#spanDeviationNs = Math.max(this.#spanDeviationNs, this.#deviationNs)
    this.#spreadNs = Math.max(this.#spreadNs, this.#spanDeviationNs)
    if (nowNs - rttNs >= this.#spanNs) this.#endSpan(nowNs)
    this.#doublings = 1
    this.#leastNs = Math.min(this.#leastNs, rttNs)
  }

  /** @param {number} nowNs */
  #endSpan(nowNs) {
    this.#spreadNs -= (this.#spreadNs - this.#spanDeviationNs) / 4
    this.#spanNs = nowNs - this.#leastNs * AT_ONCE_SHARE
    this.#spanDeviationNs = LEAST_SPREAD_NS
  }

  /** backOff doubles the time-out: it came. */
  backOff() {
    if (this.rtoNs < MOST_RTO_NS) this.#doublings *= 2
  }
}
