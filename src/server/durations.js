import { build, encodeIntoCompressedBase64, initWebAssembly } from 'hdr-histogram-js'

const MAX_MICROS = 3.6e9
const MICROS_PER_MS = 1000

/** @typedef {import('hdr-histogram-js').Histogram} Histogram */

/**
 * createDurations keeps the server's own time for each operation, in µs, for a load tester to read.
 */
export async function createDurations() {
  await initWebAssembly()
  /** @type {Map<string, Histogram>} */
  const byOperation = new Map()

  /** @param {string} operation */
  function add(operation) {
    const histogram = build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: MAX_MICROS,
      numberOfSignificantValueDigits: 3,
      useWebAssembly: true
    })
    byOperation.set(operation, histogram)
    return histogram
  }

  return {
    /** @param {string} operation @param {number} durationMs */
    record(operation, durationMs) {
      const histogram = byOperation.get(operation) ?? add(operation)
      histogram.recordValue(Math.min(Math.round(durationMs * MICROS_PER_MS), MAX_MICROS))
    },
    /** @returns {Record<string, string>} HDR histograms by operation: V2, compressed, base64 */
    encoded() {
      return Object.fromEntries(
        [...byOperation].map(([operation, histogram]) => [operation, encodeIntoCompressedBase64(histogram)])
      )
    },
    reset() {
      for (const histogram of byOperation.values()) histogram.reset()
    }
  }
}
