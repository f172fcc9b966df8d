// The congestion window and round-trip time estimate of a simulated TCP sender (RFC 5681, RFC 6298).
/** INITIAL_SEGMENTS is the initial window (RFC 6928). */
const INITIAL_SEGMENTS = 10
const MIN_THRESHOLD = 2

/**
 * CongestionWindow is how many segments may be under way (RFC 5681): it grows by a segment for each one acknowledged in slow start, and by
 * one a round trip above the threshold; a loss halves it, a time-out sets it to 1, an idle connection begins anew. It grows only while it
 * is used (as Linux has it): what nobody tried is not known to be possible. While losses are repaired, what is sent follows what is
 * acknowledged (RFC 9937, proportional rate reduction): where little is under way, new segments wait for acknowledgements.
 *
 *     state        | leaves it                      | window
 *     slow start   | at the threshold               | + 1 per segment acknowledged
 *     avoidance    | by a loss, a time-out, idling  | + 1/window per segment acknowledged
 *     (a loss)     | to recovery                    | threshold = half of the window
 *     recovery     | to avoidance, when repaired    | under way + what may follow an acknowledgement; at its end the threshold
 *     (time-out)   | to slow start                  | threshold = half of the window, window = 1
 *     (idle)       | to slow start, if below        | at most 10
 */
export class CongestionWindow {
  #size = INITIAL_SEGMENTS
  #threshold = Infinity
  #filled = false
  #mostUnderWay = 0
  #spanEnd = 0
  /** Before the losses that are being repaired. */
  #before = 0
  /** Since then. */
  #delivered = 0
  #sent = 0

  /** Segments that may be under way, whole. */
  get segments() {
    return Math.floor(this.#size)
  }

  /**
   * use notes how much of the window is used, over spans of about a round trip.
   *
   * @param {{ underWay: number, acknowledged: number, sent: number }} segments - under way now; all acknowledged, all sent so far
   */
  use({ underWay, acknowledged, sent }) {
    const filled = underWay >= this.segments
    const more = !this.#filled && underWay > this.#mostUnderWay
    if (!filled && !more && acknowledged < this.#spanEnd) return
    this.#filled = filled
    this.#mostUnderWay = underWay
    this.#spanEnd = sent
  }

  /** @param {number} segments - that were acknowledged just now */
  grow(segments) {
    const slowStart = this.#size < this.#threshold
    if (!this.#filled && !(slowStart && this.#size < 2 * this.#mostUnderWay)) return
    this.#size = slowStart
      ? Math.min(this.#size + segments, this.#threshold)
      : this.#size + segments / this.#size
  }

  /** halve is for a loss that a probe has repaired. */
  halve() {
    this.#lower()
    this.#size = this.#threshold
  }

  /** beginRecovery is for a loss that was noticed. */
  beginRecovery() {
    this.#before = this.segments
    this.#lower()
    this.#delivered = 0
    this.#sent = 0
  }

  /**
   * recover says what may be sent after an acknowledgement, while losses are repaired.
   *
   * @param {{ acknowledged: number, underWay: number, advanced: boolean }} segments - acknowledged just now, and under way; `advanced`: the first one that
   *   was missing is there, and no other loss was noticed
   */
  recover({ acknowledged, underWay, advanced }) {
    this.#delivered += acknowledged
    const freeSegments = this.#threshold - underWay
    const more =
      freeSegments < 0
        ? Math.ceil((this.#threshold * this.#delivered) / this.#before) - this.#sent
        : Math.min(freeSegments, Math.max(this.#delivered - this.#sent, acknowledged) + Number(advanced))
    this.#size = underWay + Math.max(more, this.#sent === 0 ? 1 : 0)
  }

  /** sends is told of each segment that is sent while losses are repaired. */
  sends() {
    this.#sent += 1
  }

  /** endRecovery: all is repaired. */
  endRecovery() {
    this.#size = this.#threshold
  }

  /** @param {{ again: boolean }} of - the time-out: the same one again, or while losses were repaired; the threshold stays */
  collapse({ again }) {
    if (!again) this.#lower()
    this.#size = 1
  }

  /** restart is for a connection that was idle: halved for each time-out that it was, as long as it is above the initial one. @param {number} idleNs @param {number} rtoNs */
  restart(idleNs, rtoNs) {
    for (let leftNs = idleNs - rtoNs; leftNs > 0 && this.#size > INITIAL_SEGMENTS; leftNs -= rtoNs)
      this.#size = Math.max(this.#size / 2, INITIAL_SEGMENTS)
  }

  #lower() {
    this.#threshold = Math.max(Math.floor(this.segments / 2), MIN_THRESHOLD)
  }
}

/** `tcp_rto_min`: what deviations count at least. */
const MIN_SPREAD_NS = 200e6
const MAX_RTO_NS = 120e9
/** What is sent in answer to what came with an acknowledgement belongs to the next round trip. Here either can come first, within jitter. */
const SAME_ROUND_SHARE = 1 / 20

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
  /** The least round trip so far. */
  minNs

  /** @param {number} rttNs - of the handshake, the first sample */
  constructor(rttNs) {
    this.#srttNs = rttNs
    this.#deviationNs = 2 * rttNs
    this.#spreadNs = Math.max(this.#deviationNs, MIN_SPREAD_NS)
    this.#spanDeviationNs = this.#spreadNs
    this.minNs = rttNs
  }

  /** Mean of the round trips, by their age. */
  get smoothedNs() {
    return Math.round(this.#srttNs)
  }

  /** The retransmission time-out, ns, whole. */
  get rtoNs() {
    return Math.min(MAX_RTO_NS, Math.round(this.#srttNs + this.#spreadNs) * this.#doublings)
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
    this.minNs = Math.min(this.minNs, rttNs)
  }

  /** @param {number} nowNs */
  #endSpan(nowNs) {
    this.#spreadNs -= (this.#spreadNs - this.#spanDeviationNs) / 4
    this.#spanNs = nowNs - this.minNs * SAME_ROUND_SHARE
    this.#spanDeviationNs = MIN_SPREAD_NS
  }

  /** backOff doubles the time-out: it came. */
  backOff() {
    if (this.rtoNs < MAX_RTO_NS) this.#doublings *= 2
  }
}
