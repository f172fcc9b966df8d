/** SIGNIFICANT_DIGITS of everything that percentiles are read from: at most 0.1 % off. */
export const SIGNIFICANT_DIGITS = 3

/** MAX_VALUE is the largest value kept, an hour in µs; larger ones count as this. */
export const MAX_VALUE = 3_600_000_000

/** Numbers of at most so many bits have buckets of their own, by significant digits. */
const EXACT_BITS = Object.freeze([0, 1, 2, 3].map(digits => Math.ceil(Math.log2(2 * 10 ** digits))))

/** How many values have one bucket: a power of two. @param {number} value - whole number ≥ 0, below 2^32 @param {number} digits */
const bucketSize = (value, digits) => 2 ** Math.max(0, 32 - Math.clz32(value) - EXACT_BITS[digits])

/**
 * quantize rounds a value down to the resolution of an HDR histogram (hdrhistogram.org: 2 × 10^digits sub-buckets, rounded
 * up to a power of two, and as many again for each doubling), so that values of one HDR bucket become one value.
 *
 * @param {number} value - whole number ≥ 0, below 2^32
 * @param {number} digits - significant decimal digits, at most 3
 * @returns {number}
 */
export const quantize = (value, digits) => value - (value % bucketSize(value, digits))

/**
 * Histogram counts values in µs with the resolution of an HDR histogram, and keeps their exact sum and maximum. It is cheap to fill and to
 * send between processes. Merging is associative.
 */
export class Histogram {
  /** @type {Map<number, number>} */
  counts = new Map()
  count = 0
  sum = 0
  max = 0
  /** Buckets by value, and how many values are at most there. @type {{ values: Float64Array, upTo: Float64Array } | null} */
  #ascending = null

  /** @param {number} value - µs, whole or not, ≥ 0 */
  record(value) {
    const whole = Math.min(MAX_VALUE, Math.max(0, Math.round(value)))
    const bucket = quantize(whole, SIGNIFICANT_DIGITS)
    this.#count(bucket, 1)
    this.sum += whole
    if (whole > this.max) this.max = whole
  }

  /** @param {number} bucket @param {number} times */
  #count(bucket, times) {
    this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + times)
    this.count += times
    this.#ascending = null
  }

  /** @param {HistogramCounts} data */
  merge(data) {
    for (let i = 0; i < data.values.length; i++) this.#count(data.values[i], data.counts[i])
    this.#addExact(data)
  }

  /** @param {Histogram} other */
  add(other) {
    this.addPairs(other.counts)
    this.#addExact(other)
  }

  /** addPairs counts what another one gave as `coarse`, of which no sum is known. @param {Iterable<readonly [number, number]>} pairs - value in µs and count */
  addPairs(pairs) {
    for (const [value, count] of pairs) this.#count(value, count)
  }

  /** @param {{ sum: number, max: number }} exact */
  #addExact({ sum, max }) {
    this.sum += sum
    if (max > this.max) this.max = max
  }

  /** @returns {HistogramData} */
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

  #inOrder() {
    if (this.#ascending !== null) return this.#ascending
    const values = Float64Array.from(this.counts.keys()).sort()
    const upTo = new Float64Array(values.length)
    let sum = 0
    for (let i = 0; i < values.length; i++) {
      sum += this.counts.get(values[i]) ?? 0
      upTo[i] = sum
    }
    this.#ascending = { values, upTo }
    return this.#ascending
  }

  /**
   * bucketAt is the bucket of the smallest recorded value that a share of all values does not exceed.
   *
   * @param {number} share - 0 to 1
   * @returns {number} µs, the least value of the bucket; of an empty histogram there is none
   */
  bucketAt(share) {
    const { values, upTo } = this.#inOrder()
    // what is just above a whole number is that number, multiplied
    const rank = Math.max(1, Math.ceil(share * this.count * (1 - Number.EPSILON)))
    let [low, high] = [0, upTo.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (upTo[middle] >= rank) high = middle
      else low = middle + 1
    }
    return values[low]
  }

  /**
   * quantile is the smallest recorded value that a share of all values does not exceed, rounded up within its bucket.
   *
   * @param {number} share - 0 to 1; above 1: nothing recorded is as large
   * @returns {number} µs
   */
  quantile(share) {
    if (this.count === 0) return Number.NaN
    if (share > 1) return Infinity
    const bucket = this.bucketAt(share)
    if (share === 0) return Math.min(bucket, this.max)
    return Math.min(bucket + bucketSize(bucket, SIGNIFICANT_DIGITS) - 1, this.max)
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

/**
 * @typedef {HistogramCounts & { values: Float64Array, counts: Uint32Array }} HistogramData - a Histogram on its way between processes
 *
 * @typedef {object} HistogramCounts - what it holds, in lists of any kind
 * @property {ArrayLike<number>} values - in µs
 * @property {ArrayLike<number>} counts - of each value
 * @property {number} count
 * @property {number} sum
 * @property {number} max
 */
