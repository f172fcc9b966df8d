// HDR histograms of times: record, merge and pack them, and read percentiles, also when some operations had no reply.
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
 * mergeHistograms is a new histogram with everything the given ones hold.
 *
 * @param {Iterable<Histogram>} histograms
 */
export function mergeHistograms(histograms) {
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

/**
 * @typedef {import('../report/schema.js').Summary} Summary
 * @typedef {import('../report/schema.js').Percentile} Percentile
 */

/** QUANTILES that every table shows. */
export const QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 }

/** SAMPLES_BEYOND: a percentile with fewer samples beyond it says more about chance than about the server. */
export const SAMPLES_BEYOND = 10

/**
 * hasEnoughSamples says whether a percentile has enough samples beyond it.
 *
 * @param {number} share - below it
 * @param {number} count - of samples
 */
export const hasEnoughSamples = (share, count) => count * (1 - share) >= SAMPLES_BEYOND - 1e-9

/** CENSORED_TOLERANCE: moving the censored operations to infinity may move a percentile by this share before it counts as censored. */
export const CENSORED_TOLERANCE = 0.01

/**
 * summarize reads the figures of a distribution. Censored operations (no reply came: all that is known is that theirs would
 * have taken longer than the time recorded) count at their elapsed time; a figure that would change if they had taken for
 * ever is marked as a lower bound. What it gives knows other percentiles too, see readPercentile: no document has those.
 *
 * @param {Histogram} all - every operation, in µs
 * @param {object} [options]
 * @param {Histogram} [options.answered] - those with a reply; default: all of them
 * @param {import('./client-overhead.js').Overheads} [options.overheads] - of the same operations, for the client overhead at each percentile; default:
 *   that is not known, as where they are of other operations
 * @returns {Summary}
 */
export function summarize(all, { answered = all, overheads } = {}) {
  const censoredCount = all.count - answered.count
  const known = overheads?.count === all.count ? overheads : null
  /** @param {number} us */
  const overheadAt = us => {
    const overheadUs = known?.near(us) ?? null
    return overheadUs === null ? {} : { overheadMs: overheadUs / 1000 }
  }
  /** @param {number} share */
  const percentile = share => {
    if (!hasEnoughSamples(share, all.count)) return null
    const us = all.quantile(share)
    const ifNeverAnswered = answered.quantile((share * all.count) / answered.count)
    const censored = !(ifNeverAnswered <= us * (1 + CENSORED_TOLERANCE))
    return { ms: us / 1000, censored, ...overheadAt(us) }
  }
  const empty = all.count === 0
  const summary = {
    count: all.count,
    avg: empty ? null : { ms: all.sum / all.count / 1000, censored: censoredCount > 0 },
    p50: percentile(QUANTILES.p50),
    p90: percentile(QUANTILES.p90),
    p95: percentile(QUANTILES.p95),
    p99: percentile(QUANTILES.p99),
    p999: percentile(QUANTILES.p999),
    max: empty ? null : { ms: all.max / 1000, censored: censoredCount > 0 }
  }
  return Object.defineProperty(summary, 'at', { value: percentile })
}

/**
 * readPercentile is another percentile of a distribution, as long as that is not read from a result.
 *
 * @param {Summary} summary - as summarize gave it
 * @param {number} share - 0: the least
 * @returns {Percentile | null | undefined} null: too few samples; undefined: it is read from a result
 */
export const readPercentile = (summary, share) =>
  /** @type {{ at?: (share: number) => Percentile | null }} */ (summary).at?.(share)

/** Of a whole number, 7 bits in each. */
const MAX_BYTES = 8
/** Values are below 2 ** 32, and there are fewer of them than that. */
const PLACES = 2 ** 20

/**
 * packHistogram packs a histogram for a way on which bytes count: its values go in order, each as what it is more than the one before, and
 * their counts after them, all in as few bytes as they need. It stays as exact as it was.
 *
 * @param {HistogramData} data - of whole numbers
 * @returns {Uint8Array}
 */
export function packHistogram({ values, counts, count, sum, max }) {
  const bytes = new Uint8Array(MAX_BYTES * (4 + 2 * values.length))
  let length = 0
  // written by hand: with protons-runtime it took more than twice the CPU, and reading it five times
  const write = (/** @type {number} */ number) => {
    let rest = number
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) | 128
    bytes[length++] = rest
  }
  for (const total of [count, sum, max, values.length]) write(total)
  // sorted as numbers, each with its place: with a function to compare them it takes much longer
  const order = values.map((value, place) => value * PLACES + place).sort()
  let before = 0
  for (const each of order) {
    const value = Math.floor(each / PLACES)
    write(value - before)
    before = value
  }
  for (const each of order) write(counts[each % PLACES])
  return bytes.slice(0, length)
}

/**
 * unpackHistogram gives what was packed, values ascending.
 *
 * @param {Uint8Array} bytes
 * @returns {HistogramData}
 * @throws {RangeError} it is cut short, or has more to it
 */
export function unpackHistogram(bytes) {
  let place = 0
  const read = () => {
    let number = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[place++]
      number += (byte & 127) * unit
      if (!(byte > 127)) return number
    }
  }
  const totals = { count: read(), sum: read(), max: read() }
  const places = read()
  // each takes two bytes at least: a peer, or a file, asks for no more memory than it gives
  if (places > bytes.length) throw new RangeError('a packed histogram ends before its values do')
  const values = new Float64Array(places)
  let before = 0
  for (let i = 0; i < values.length; i++) values[i] = before += read()
  const counts = new Uint32Array(values.length)
  for (let i = 0; i < counts.length; i++) counts[i] = read()
  if (place !== bytes.length) throw new RangeError('a packed histogram is cut short, or has more to it')
  return { values, counts, ...totals }
}
