import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  initWebAssembly
} from 'hdr-histogram-js'
import { MAX_VALUE, SIGNIFICANT_DIGITS } from './sparse-histogram.js'

await initWebAssembly()

/**
 * @typedef {import('hdr-histogram-js').Histogram} HdrHistogram
 * @typedef {import('./sparse-histogram.js').SparseCounts} SparseCounts
 */

/** Histogram is an HDR histogram in µs that also keeps the exact sum and maximum. */
export class Histogram {
  #hdr = build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: MAX_VALUE,
    numberOfSignificantValueDigits: SIGNIFICANT_DIGITS,
    useWebAssembly: true
  })
  count = 0
  sum = 0
  max = 0

  /** @param {SparseCounts} data */
  merge(data) {
    for (let i = 0; i < data.values.length; i++)
      this.#hdr.recordValueWithCount(data.values[i], data.counts[i])
    this.#addTotals(data)
  }

  /** @param {Histogram} other */
  add(other) {
    this.#hdr.add(other.#hdr)
    this.#addTotals(other)
  }

  /** @param {{ count: number, sum: number, max: number }} totals */
  #addTotals({ count, sum, max }) {
    this.count += count
    this.sum += sum
    if (max > this.max) this.max = max
  }

  /**
   * quantile is the smallest recorded value that a share of all values does not exceed.
   *
   * @param {number} share - 0 to 1; above 1: nothing recorded is as large
   * @returns {number} µs
   */
  quantile(share) {
    if (this.count === 0) return Number.NaN
    if (share > 1) return Infinity
    return Math.min(this.#hdr.getValueAtPercentile(share * 100), this.max)
  }

  /** @returns {string} HDR V2, compressed, base64 */
  encode() {
    return encodeIntoCompressedBase64(this.#hdr)
  }

  /**
   * decode reads what encode, or another HDR histogram in µs with 3 digits, wrote. Sum and maximum are as exact as its
   * resolution.
   *
   * @param {string} base64
   */
  static decode(base64) {
    const hdr = /** @type {import('hdr-histogram-js').WasmHistogram} */ (
      decodeFromCompressedBase64(base64, 32, true)
    )
    const histogram = new Histogram()
    histogram.#hdr.add(hdr)
    histogram.#addTotals({ count: hdr.totalCount, sum: hdr.mean * hdr.totalCount, max: hdr.maxValue })
    hdr.destroy()
    return histogram
  }

  /** destroy gives the WebAssembly memory back: no garbage collector does. */
  destroy() {
    this.#hdr.destroy()
  }
}

/**
 * merged is a new histogram with everything the given ones hold.
 *
 * @param {Iterable<Histogram>} histograms
 */
export function merged(histograms) {
  const all = new Histogram()
  for (const histogram of histograms) all.add(histogram)
  return all
}
