/** INITIAL_SEGMENTS is the initial window (RFC 6928). */
const INITIAL_SEGMENTS = 10
const LEAST_THRESHOLD = 2

/**
 * CongestionWindow is how many segments may be under way (RFC 5681): it grows by a segment for each one acknowledged in slow start, and by
 * one a round trip above the threshold; a loss halves it, a time-out sets it to 1, an idle connection begins anew. It grows only while it
 * is used (as Linux has it): what nobody tried is not known to be possible.
 *
 *     state        | leaves it                      | window
 *     slow start   | at the threshold               | + 1 per segment acknowledged
 *     avoidance    | by a loss, a time-out, idling  | + 1/window per segment acknowledged
 *     (a loss)     | to avoidance                   | threshold = half of what was outstanding, window = threshold
 *     (time-out)   | to slow start                  | threshold = half of what was outstanding, window = 1
 *     (idle)       | to slow start, if below        | at most 10
 */
export class CongestionWindow {
  #size = INITIAL_SEGMENTS
  #threshold = Infinity
  #filled = false
  #mostUnderWay = 0
  #spanEnd = 0

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

  /** @param {number} outstanding - segments, when a loss was noticed */
  halve(outstanding) {
    this.#lower(outstanding)
    this.#size = this.#threshold
  }

  /** @param {number | null} outstanding - segments, when the time-out came; null: it came again, and the threshold stays */
  collapse(outstanding) {
    if (outstanding !== null) this.#lower(outstanding)
    this.#size = 1
  }

  /** restart is for a connection that was idle for longer than its time-out. */
  restart() {
    this.#size = Math.min(this.#size, INITIAL_SEGMENTS)
  }

  /** More than the window is outstanding when segments after a missing one have been acknowledged. @param {number} outstanding */
  #lower(outstanding) {
    this.#threshold = Math.max(Math.min(outstanding, this.#size) / 2, LEAST_THRESHOLD)
  }
}
