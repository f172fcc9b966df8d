import { Histogram } from '../measure/histogram.js'

const MICROS_PER_MS = 1000

/**
 * createDurations keeps the server's own time for each operation, in µs, for a load tester to read: counts, from which it makes HDR
 * histograms without loss. The server itself does without the library.
 */
export function createDurations() {
  /** @type {Map<string, Histogram>} */
  const byOperation = new Map()

  return {
    /** @param {string} operation @param {number} durationMs */
    record(operation, durationMs) {
      const histogram = byOperation.get(operation) ?? new Histogram()
      byOperation.set(operation, histogram)
      histogram.record(durationMs * MICROS_PER_MS)
    },
    /** @returns {Record<string, import('../measure/histogram.js').HistogramCounts>} by operation */
    counts() {
      return Object.fromEntries(
        [...byOperation].map(([operation, { counts, count, sum, max }]) => [
          operation,
          { values: [...counts.keys()], counts: [...counts.values()], count, sum, max }
        ])
      )
    },
    reset() {
      for (const operation of byOperation.keys()) byOperation.set(operation, new Histogram())
    }
  }
}
