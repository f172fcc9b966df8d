import { Histogram } from '../../../measure/histogram.js'
import { summarize } from '../../../measure/summary.js'

/** ServerDurations pools what our server says of its own work: from the decoded request to the reply handed over. */
export class ServerDurations {
  /** @type {Map<string, Histogram>} */
  #byType = new Map()

  /** @param {Record<string, import('../../../measure/histogram.js').HistogramCounts>} counts - by operation type */
  add(counts) {
    for (const [type, more] of Object.entries(counts)) {
      const pooled = this.#byType.get(type) ?? new Histogram()
      pooled.merge(more)
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
}
