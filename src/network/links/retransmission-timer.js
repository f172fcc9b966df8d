/** A probe waits for two round trips and so much: one segment alone may be acknowledged late (RFC 8985, 7.2; `tcp_schedule_loss_probe`). */
const WAITS_NS = { alone: 200e6, several: 2e6 }

/**
 * @typedef {object} Outstanding
 * @property {number} count - segments outstanding
 * @property {boolean} isOpen - no loss is known, nothing has come before something that is missing
 * @property {number} firstSentNs - when the first of them was sent, the last time
 * @property {number} smoothedRttNs
 * @property {number} rtoNs
 */

/**
 * RetransmissionTimer is the one timer that Linux has for both: the probe for a lost tail (RFC 8985, 7), which asks for an acknowledgement
 * where nothing later brings one, and the time-out (RFC 6298). While no loss is known, each new segment puts it off, be it behind one that has
 * been waiting for long; the probe is sent once, and when it is due once more it is the time-out that comes.
 *
 *     what happens                  | due
 *     new segment, no loss known    | probe: two round trips, not behind the first segment's time-out unless that is over
 *     acknowledged, no loss known   | probe: two round trips, not behind a time-out from now
 *     acknowledged, losses known    | time-out: from now; where a probe was due, from the first segment's sending
 *     probe sent                    | time-out: from now
 *     first segment sent again      | time-out: from now
 */
export class RetransmissionTimer {
  #dueNs = Infinity
  #isProbe = false
  /** Up to which a probe that is under way asks; 0: there is none. */
  #probeEnd = 0
  #repeats = false

  /** When it is due, ns; Infinity: nothing is outstanding. */
  get dueNs() {
    return this.#dueNs
  }

  /** A probe is due then, instead of a time-out. */
  get isProbe() {
    return this.#isProbe
  }

  /** A probe is under way. */
  get hasProbed() {
    return this.#probeEnd > 0
  }

  /** sentNew is told of a segment that was not sent before. @param {number} nowNs @param {Outstanding} outstanding - with it */
  sentNew(nowNs, outstanding) {
    if (outstanding.count === 1 || this.#isProbe) this.timeOut(nowNs, outstanding)
    const timeOutNs = outstanding.firstSentNs + outstanding.rtoNs
    if (outstanding.isOpen) this.#armProbe(nowNs, outstanding, timeOutNs > nowNs ? timeOutNs : Infinity)
  }

  /** advanced: the first segment outstanding was acknowledged. @param {number} nowNs @param {Outstanding} outstanding */
  advanced(nowNs, outstanding) {
    if (outstanding.count === 0) this.#dueNs = Infinity
    else if (outstanding.isOpen) this.#armProbe(nowNs, outstanding, nowNs + outstanding.rtoNs)
    else this.timeOut(nowNs, outstanding)
  }

  /** timeOut waits for the time-out. @param {number} nowNs @param {Outstanding} outstanding */
  timeOut(nowNs, { firstSentNs, rtoNs }) {
    this.#dueNs = this.#isProbe ? Math.max(nowNs, firstSentNs + rtoNs) : nowNs + rtoNs
    this.#isProbe = false
  }

  /** sentFirst: the first segment was sent again. @param {number} nowNs @param {number} rtoNs */
  sentFirst(nowNs, rtoNs) {
    this.#isProbe = false
    this.#dueNs = nowNs + rtoNs
  }

  /** probed is told of a probe. @param {{ end: number, repeats: boolean }} probe - place after its segment; whether that was sent before */
  probed({ end, repeats }) {
    this.#probeEnd = end
    this.#repeats = repeats
  }

  /**
   * answered is told how far acknowledgements reach.
   *
   * @param {number} next - the receiver has all segments before this one
   * @returns {boolean} whether that is what a probe has repaired: there was a loss (RFC 8985, 7.4.2)
   */
  answered(next) {
    if (!this.hasProbed || next < this.#probeEnd) return false
    this.#probeEnd = 0
    return this.#repeats
  }

  /** forgetProbe is for when losses are known. */
  forgetProbe() {
    this.#probeEnd = 0
  }

  /** notBefore: what would have come by now comes now. @param {number} nowNs */
  notBefore(nowNs) {
    this.#dueNs = Math.max(this.#dueNs, nowNs)
  }

  /** @param {number} nowNs @param {Outstanding} outstanding @param {number} atMostNs */
  #armProbe(nowNs, { count, smoothedRttNs }, atMostNs) {
    const waitsNs = 2 * smoothedRttNs + (count === 1 ? WAITS_NS.alone : WAITS_NS.several)
    this.#isProbe = true
    this.#dueNs = Math.min(nowNs + waitsNs, atMostNs)
  }
}
