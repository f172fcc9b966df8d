import { sumOf } from '../kit/lists.js'
import { Histogram, quantize, SIGNIFICANT_DIGITS } from './histogram.js'
import { packHistogram, unpackHistogram } from './packed-histogram.js'
import { SAMPLES_BEYOND } from './summary.js'

/** Operations whose time lies within this share of a percentile are those at that percentile. */
const NEAR = 0.05

/** Bits of a whole number that are kept: times are told apart to 3 %, overheads to 6 %. */
const TIME_BITS = 6
const OVERHEAD_BITS = 5

/** More than an index of an overhead takes. */
const OVERHEADS = 512

/** @param {number} value - whole, ≥ 0, below 2^32 @param {number} bits */
const shiftOf = (value, bits) => Math.max(0, 32 - Math.clz32(value) - bits)

/** indexOf numbers buckets that are as wide as their values are large. @param {number} value @param {number} bits */
const indexOf = (value, bits) => {
  const shift = shiftOf(value, bits)
  return shift * 2 ** (bits - 1) + Math.floor(value / 2 ** shift)
}

/** middleOf is the value in the middle of a bucket. @param {number} index @param {number} bits */
const middleOf = (index, bits) => {
  const half = 2 ** (bits - 1)
  const shift = Math.max(0, Math.floor(index / half) - 1)
  return (index - shift * half + 0.5) * 2 ** shift - 0.5
}

/** @param {number} us */
const whole = us => Math.min(2 ** 32 - 1, Math.max(0, Math.round(us)))

/**
 * Overheads counts operations by their time and by their client overhead, the part of that time that the load generator added: how much of
 * a percentile was overhead is what the operations around it had, never a difference of two percentiles. Merging is exact.
 */
export class Overheads {
  /** @type {Map<number, number>} operations by the number of both buckets */
  #counts = new Map()
  #sum = 0
  #max = 0
  count = 0

  /**
   * @param {number} us - time of an operation
   * @param {number} overheadUs - of that
   * @param {number} [times] - so many operations
   */
  record(us, overheadUs, times = 1) {
    const overhead = whole(overheadUs)
    this.#count(indexOf(whole(us), TIME_BITS) * OVERHEADS + indexOf(overhead, OVERHEAD_BITS), times)
    this.#sum += overhead * times
    this.#max = Math.max(this.#max, overhead)
  }

  /** @param {number} key @param {number} times */
  #count(key, times) {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times)
    this.count += times
  }

  /** @param {import('./histogram.js').HistogramCounts} data - as `toData` gave it */
  merge({ values, counts, sum, max }) {
    for (let i = 0; i < values.length; i++) this.#count(values[i], counts[i])
    this.#sum += sum
    this.#max = Math.max(this.#max, max)
  }

  /** toData is what there is on its way between processes: whole numbers, as a histogram has. @returns {import('./histogram.js').HistogramData} */
  toData() {
    return {
      values: Float64Array.from(this.#counts.keys()),
      counts: Uint32Array.from(this.#counts.values()),
      count: this.count,
      sum: this.#sum,
      max: this.#max
    }
  }

  /**
   * near is the median overhead of the operations that took about as long: their times lie within 5 % of it, or they are the ten nearest.
   *
   * @param {number} us
   * @returns {number | null} µs; null: there is no operation
   */
  near(us) {
    const cells = [...this.#counts].map(([key, count]) => ({
      away: Math.abs(middleOf(Math.floor(key / OVERHEADS), TIME_BITS) - us),
      overhead: middleOf(key % OVERHEADS, OVERHEAD_BITS),
      count
    }))
    const near = cells.filter(({ away }) => away <= NEAR * us)
    const median = medianOverhead(sumOf(near, ({ count }) => count) < SAMPLES_BEYOND ? nearest(cells) : near)
    return median === null ? null : Math.min(us, median)
  }

  /** histogram is of the overheads alone, of operations of any time. */
  histogram() {
    const histogram = new Histogram()
    const pairs = [...this.#counts].map(([key, count]) => {
      const us = Math.round(middleOf(key % OVERHEADS, OVERHEAD_BITS))
      return /** @type {const} */ ([quantize(us, SIGNIFICANT_DIGITS), count])
    })
    histogram.addPairs(pairs)
    histogram.sum = this.#sum
    histogram.max = this.#max
    return histogram
  }
}

/** @typedef {{ away: number, overhead: number, count: number }} Near - operations alike: how far from a time, in µs; their overhead, in µs */

/** nearest are those nearest to a time that come to ten operations. @param {Near[]} cells */
function nearest(cells) {
  let count = 0
  return cells
    .sort((a, b) => a.away - b.away)
    .filter(cell => {
      const wanted = count < SAMPLES_BEYOND
      count += cell.count
      return wanted
    })
}

/** @param {Near[]} cells @returns {number | null} µs */
function medianOverhead(cells) {
  let left = sumOf(cells, ({ count }) => count) / 2
  for (const { overhead, count } of cells.sort((a, b) => a.overhead - b.overhead)) {
    left -= count
    if (left <= 0) return overhead
  }
  return null
}

/**
 * mergedOverheads are those of several together.
 *
 * @param {Iterable<Overheads>} each
 */
export function mergedOverheads(each) {
  const all = new Overheads()
  for (const overheads of each) all.merge(overheads.toData())
  return all
}

/**
 * encodedOverheads writes them as a result stores them, so that those of several results can be merged.
 *
 * @param {Overheads} overheads
 * @returns {string} base64
 */
export const encodedOverheads = overheads => Buffer.from(packHistogram(overheads.toData())).toString('base64')

/**
 * decodedOverheads reads what encodedOverheads wrote.
 *
 * @param {string} base64
 * @returns {Overheads}
 * @throws {RangeError} it is something else
 */
export function decodedOverheads(base64) {
  const overheads = new Overheads()
  const data = unpackHistogram(Buffer.from(base64, 'base64'))
  overheads.merge(data)
  if (overheads.count !== data.count) throw new RangeError('not every operation has an overhead')
  return overheads
}

/**
 * isEncodedOverheads says whether a text can be read as overheads.
 *
 * @param {string} base64
 */
export function isEncodedOverheads(base64) {
  try {
    decodedOverheads(base64)
    return true
  } catch {
    return false
  }
}
