/** A probe waits for two round trips and so much: one segment alone may be acknowledged late (RFC 8985, 7.2; `tcp_schedule_loss_probe`). */
const WAITS_NS = { alone: 200e6, several: 2e6 }

/**
 * TailLossProbe says when to ask for an acknowledgement where nothing later brings one (RFC 8985, 7): one probe at a time, and none while
 * acknowledgements tell what is missing.
 */
export class TailLossProbe {
  #dueNs = Infinity
  /** Up to which a probe that is under way asks; 0: there is none. */
  #end = 0
  #repeats = false

  /** When a probe is due, ns; Infinity: none is. */
  get dueNs() {
    return this.#dueNs
  }

  /**
   * arm says when a probe would be due, if nothing is heard until then.
   *
   * @param {number} nowNs
   * @param {{ isOpen: boolean, alone: boolean, smoothedRttNs: number, timeoutNs: number }} state - `isOpen`: no loss is known; `alone`: one segment is
   *   outstanding; `timeoutNs`: when the time-out comes, which a probe is not later than
   */
  arm(nowNs, { isOpen, alone, smoothedRttNs, timeoutNs }) {
    const waitsNs = 2 * smoothedRttNs + (alone ? WAITS_NS.alone : WAITS_NS.several)
    this.#dueNs = isOpen && this.#end === 0 ? Math.min(nowNs + waitsNs, timeoutNs) : Infinity
  }

  /** notBefore: what would have come by now comes now. @param {number} nowNs */
  notBefore(nowNs) {
    this.#dueNs = Math.max(this.#dueNs, nowNs)
  }

  /** sent is told of a probe. @param {{ end: number, repeats: boolean }} probe - place after its segment; whether that was sent before */
  sent({ end, repeats }) {
    this.#dueNs = Infinity
    this.#end = end
    this.#repeats = repeats
  }

  /**
   * answered is told how far acknowledgements reach.
   *
   * @param {number} next - the receiver has all segments before this one
   * @returns {boolean} whether that is what a probe has repaired: there was a loss (RFC 8985, 7.4.2)
   */
  answered(next) {
    if (this.#end === 0 || next < this.#end) return false
    this.#end = 0
    return this.#repeats
  }

  /** stop is for when losses are known. */
  stop() {
    this.#dueNs = Infinity
    this.#end = 0
  }
}
