import { quantize } from '../../../measure/histogram.js'

/**
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').Outcome} Outcome
 * @typedef {import('../../../measure/histogram.js').HistogramData} HistogramData
 *
 * @typedef {object} Series - of one operation type and outcome
 * @property {OperationType} type
 * @property {Outcome} outcome
 * @property {Map<number, Uint32Array>} points - by the second that a point begins with: value in µs and count in turn, ascending
 */

/** Plots over time need less than percentiles do. */
const PLOT_DIGITS = 2

/** MOST_POINTS of plots over time, those of ten minutes. In a longer run each covers 2 s, then 4 s, 8 s … */
export const MOST_POINTS = 600

/** MOST_PAIRS of a value and its count, which take 2 MB in a result: points that hold more than that are joined too, */
const MOST_PAIRS = 200_000
/** unless so few are left of those there may be: plots have half as many columns. */
const LEAST_SHARE = 1 / 3

/** HOUR_OF_POINTS are as many as there may be of a run in which every second is of interest: one with faults. */
export const HOUR_OF_POINTS = 3600

/**
 * PointsOverTime keeps when operations ended and how long they took, in room that does not grow with the run: when there are too many
 * points, or too much in them, each two neighbours become one. What is kept is packed: a number takes 4 bytes.
 */
export class PointsOverTime {
  #most
  #pairs = 0
  /** @type {Map<string, Series>} */
  #series = new Map()
  /** secondsPerPoint is the time that a point covers. */
  secondsPerPoint = 1
  /** @type {Map<number, number>} by point: connections that were dialled again because one was lost */
  reconnects = new Map()

  /** @param {number} [most] - points; 0: none are kept */
  constructor(most = MOST_POINTS) {
    this.#most = most
  }

  /**
   * add counts operations of a second.
   *
   * @param {number} second - since the measurement began
   * @param {{ type: string, outcome: string, data: HistogramData }} ended
   */
  add(second, { type, outcome, data }) {
    if (this.#most === 0) return
    const point = this.#pointOf(second)
    const { points } = this.#seriesOf(/** @type {OperationType} */ (type), outcome)
    this.#set(points, point, packed(data))
    if (this.#pairs > MOST_PAIRS && point >= LEAST_SHARE * this.#most * this.secondsPerPoint) this.#coarsen()
  }

  /** @param {Series['points']} points @param {number} point @param {Uint32Array} more */
  #set(points, point, more) {
    const before = points.get(point)
    const after = before === undefined ? more : joined(before, more)
    this.#pairs += (after.length - (before?.length ?? 0)) / 2
    points.set(point, after)
  }

  /** reconnect counts connections that were dialled again. @param {number} second @param {number} count */
  reconnect(second, count) {
    if (this.#most === 0 || count === 0) return
    const point = this.#pointOf(second)
    this.reconnects.set(point, (this.reconnects.get(point) ?? 0) + count)
  }

  /** @param {OperationType} type @param {Outcome} outcome */
  #seriesOf(type, outcome) {
    const key = `${type} ${outcome}`
    const series = this.#series.get(key) ?? { type, outcome, points: new Map() }
    this.#series.set(key, series)
    return series
  }

  /** The point that a second is in; there is room for it. @param {number} second */
  #pointOf(second) {
    while (second >= this.#most * this.secondsPerPoint) this.#coarsen()
    return second - (second % this.secondsPerPoint)
  }

  /** Joins each two neighbouring points. */
  #coarsen() {
    this.secondsPerPoint *= 2
    this.#pairs = 0
    for (const series of this.#series.values()) {
      const narrow = series.points
      series.points = new Map()
      for (const [second, pairs] of narrow)
        this.#set(series.points, second - (second % this.secondsPerPoint), pairs)
    }
    const dials = this.reconnects
    this.reconnects = new Map()
    for (const [second, count] of dials) this.reconnect(second, count)
  }

  /** entries are the points, ascending in time. @returns {import('../../../result/types.js').Result['outcome']['perSecond']} */
  entries() {
    return [...this.#series.values()]
      .flatMap(({ type, outcome, points }) =>
        [...points].map(([second, pairs]) => ({ second, type, outcome, histogram: inPairs(pairs) }))
      )
      .sort((a, b) => a.second - b.second)
  }
}

/** @param {HistogramData} data */
function packed({ values, counts }) {
  /** @type {Map<number, number>} */
  const sums = new Map()
  for (let i = 0; i < values.length; i++) {
    const value = quantize(values[i], PLOT_DIGITS)
    sums.set(value, (sums.get(value) ?? 0) + counts[i])
  }
  return Uint32Array.from([...sums].sort((a, b) => a[0] - b[0]).flat())
}

/** Both ascend by value, and so does what they make together. @param {Uint32Array} a @param {Uint32Array} b */
function joined(a, b) {
  const both = new Uint32Array(a.length + b.length)
  let length = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; length += 2) {
    const value = Math.min(a[i] ?? Infinity, b[j] ?? Infinity)
    both[length] = value
    if (a[i] === value) {
      both[length + 1] += a[i + 1]
      i += 2
    }
    if (b[j] === value) {
      both[length + 1] += b[j + 1]
      j += 2
    }
  }
  return both.slice(0, length)
}

/** @param {Uint32Array} pairs @returns {[number, number][]} value and count, ascending */
const inPairs = pairs => Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1]])
