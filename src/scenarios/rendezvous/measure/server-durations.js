import { Histogram } from '../../../measure/histogram.js'
import { summarize } from '../../../measure/summary.js'

/** ServerDurations pools what our server says of its own work: from the decoded request to the reply handed over. */
export class ServerDurations {
  /** @type {Map<string, Histogram>} */
  #byType = new Map()

  /** @param {Record<string, string>} encoded - HDR V2 base64 in µs, by operation type */
  add(encoded) {
    for (const [type, base64] of Object.entries(encoded)) {
      const round = Histogram.decode(base64)
      const pooled = this.#byType.get(type) ?? new Histogram()
      pooled.add(round)
      round.destroy()
      this.#byType.set(type, pooled)
    }
  }

  /**
   * @param {string[]} types - that were measured
   * @returns {Record<string, import('../../../result/types.js').Summary>}
   */
  summaries(types) {
    return Object.fromEntries(
      [...this.#byType]
        .filter(([type, histogram]) => types.includes(type) && histogram.count > 0)
        .map(([type, histogram]) => [type, summarize(histogram)])
    )
  }

  destroy() {
    for (const histogram of this.#byType.values()) histogram.destroy()
  }
}
