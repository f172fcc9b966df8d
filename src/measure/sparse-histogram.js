/** SIGNIFICANT_DIGITS of everything that percentiles are read from: at most 0.1 % off. */
export const SIGNIFICANT_DIGITS = 3

/** MAX_VALUE is the largest value kept, an hour in µs; larger ones count as this. */
export const MAX_VALUE = 3_600_000_000

/**
 * quantize rounds a value down to the resolution of an HDR histogram (hdrhistogram.org: 2 × 10^digits sub-buckets, rounded
 * up to a power of two, and as many again for each doubling), so that values of one HDR bucket become one value.
 *
 * @param {number} value - whole number ≥ 0
 * @param {number} digits - significant decimal digits
 * @returns {number}
 */
export function quantize(value, digits) {
  const exactBelow = 2 ** Math.ceil(Math.log2(2 * 10 ** digits))
  let unit = 1
  while (value >= unit * exactBelow) unit *= 2
  return value - (value % unit)
}

/**
 * SparseHistogram counts values in µs, cheap to fill and to send between processes. Merging is associative.
 */
export class SparseHistogram {
  /** @type {Map<number, number>} */
  counts = new Map()
  count = 0
  sum = 0
  max = 0

  /** @param {number} value - µs, whole or not, ≥ 0 */
  record(value) {
    const whole = Math.min(MAX_VALUE, Math.max(0, Math.round(value)))
    const bucket = quantize(whole, SIGNIFICANT_DIGITS)
    this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + 1)
    this.count++
    this.sum += whole
    if (whole > this.max) this.max = whole
  }

  /** @param {SparseCounts} data */
  merge(data) {
    for (let i = 0; i < data.values.length; i++) {
      const value = data.values[i]
      this.counts.set(value, (this.counts.get(value) ?? 0) + data.counts[i])
    }
    this.count += data.count
    this.sum += data.sum
    if (data.max > this.max) this.max = data.max
  }

  /** addPairs counts what another one gave as `coarse`. @param {readonly [number, number][]} pairs - value in µs and count */
  addPairs(pairs) {
    for (const [value, count] of pairs) {
      this.counts.set(value, (this.counts.get(value) ?? 0) + count)
      this.count += count
    }
  }

  /** @returns {SparseData} */
  toData() {
    return {
      values: Float64Array.from(this.counts.keys()),
      counts: Uint32Array.from(this.counts.values()),
      count: this.count,
      sum: this.sum,
      max: this.max
    }
  }

  /**
   * coarse gives what a plot over time needs.
   *
   * @param {number} digits
   * @returns {[number, number][]} value in µs and count, ascending
   */
  coarse(digits) {
    /** @type {Map<number, number>} */
    const coarse = new Map()
    for (const [value, count] of this.counts) {
      const bucket = quantize(value, digits)
      coarse.set(bucket, (coarse.get(bucket) ?? 0) + count)
    }
    return [...coarse].sort((a, b) => a[0] - b[0])
  }
}

/**
 * @typedef {SparseCounts & { values: Float64Array, counts: Uint32Array }} SparseData - a SparseHistogram on its way between processes
 *
 * @typedef {object} SparseCounts - what it holds, in lists of any kind
 * @property {ArrayLike<number>} values - in µs
 * @property {ArrayLike<number>} counts - of each value
 * @property {number} count
 * @property {number} sum
 * @property {number} max
 */
