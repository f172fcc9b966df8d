/** @typedef {import('./outstanding.js').Segment} Segment */

/** So many acknowledgements of later segments tell that one is lost without further waiting (RFC 5681). */
const LATER_SEGMENTS = 3

/**
 * LossDetection notices losses as RACK does (RFC 8985, and Linux): a segment is lost when one that was sent after it is acknowledged, and it is
 * not within a quarter of the least round trip more; at once when three later ones are, or while losses are being repaired. It is told
 * only of segments that are lost indeed: what is only late is never taken for lost.
 */
export class LossDetection {
  /** @type {Segment[]} whose loss is not noticed yet */
  #missing = []

  /** When the loss of one is noticed, ns; Infinity: nothing tells of any. */
  get nextNs() {
    let firstNs = Infinity
    for (const { noticedNs } of this.#missing) if (noticedNs < firstNs) firstNs = noticedNs
    return firstNs
  }

  /** @param {Segment} segment - that was sent just now, in vain */
  lost(segment) {
    segment.later = 0
    segment.noticedNs = Infinity
    if (!this.#missing.includes(segment)) this.#missing.push(segment)
  }

  /** @param {Segment} segment - that arrived after all, or that is given up */
  forget(segment) {
    if (this.#missing.length > 0) this.#missing = this.#missing.filter(each => each !== segment)
  }

  /**
   * acknowledged gives the segments whose loss it tells.
   *
   * @param {Segment} caused - the acknowledgement
   * @param {number} nowNs
   * @param {{ repairs: boolean, leastRttNs: number }} state
   * @returns {Segment[]}
   */
  acknowledged(caused, nowNs, { repairs, leastRttNs }) {
    if (this.#missing.length === 0) return []
    const rttNs = nowNs - caused.sentNs
    for (const segment of this.#missing) {
      if (!isBefore(segment, caused)) continue
      segment.later += 1
      const isCertain = repairs || segment.later >= LATER_SEGMENTS
      const noticedNs = isCertain ? nowNs : segment.sentNs + rttNs + Math.round(leastRttNs / 4)
      segment.noticedNs = Math.min(segment.noticedNs, noticedNs)
    }
    return this.due(nowNs)
  }

  /** @param {number} nowNs @returns {Segment[]} whose loss is noticed by now */
  due(nowNs) {
    const noticed = this.#missing.filter(({ noticedNs }) => noticedNs <= nowNs)
    if (noticed.length > 0) this.#missing = this.#missing.filter(({ noticedNs }) => noticedNs > nowNs)
    return noticed
  }
}

/** @param {Segment} one @param {Segment} other @returns {boolean} whether it was sent before */
const isBefore = (one, other) =>
  one.sentNs < other.sentNs || (one.sentNs === other.sentNs && one.place < other.place)
