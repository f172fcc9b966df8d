import { isCensored } from '../load/outcomes.js'
import { Histogram, merged } from './histogram.js'
import { SparseHistogram } from './sparse-histogram.js'

/**
 * @typedef {import('./meter.js').Interval} Interval
 * @typedef {import('./meter.js').Cell} Cell
 * @typedef {import('./meter.js').Metric} Metric
 * @typedef {import('../result/types.js').OperationType} OperationType
 */

/** Plots over time need less than percentiles do. */
const PLOT_DIGITS = 2

/** Points of plots over time: when a run gets longer, each covers twice the time. */
const MOST_POINTS = 3600

/** Totals merges the intervals of any number of workers; one worker or many take the same path. */
export class Totals {
  /** @type {Map<string, { metric: Metric, type: string, outcome: string, histogram: Histogram }>} */
  #cells = new Map()
  /** @type {Map<string, { second: number, type: OperationType, outcome: string, histogram: SparseHistogram }>} */
  #seconds = new Map()
  /** @type {Map<string, { count: number, bytes: number }>} */
  #replyBytes = new Map()
  /** secondsPerPoint is the time that an entry of perSecond covers. */
  secondsPerPoint = 1
  replies = 0
  /** @type {Map<number, number>} by point: connections that were dialled again because one was lost */
  reconnects = new Map()

  /** @param {Interval} interval */
  add({ second, cells, replies, replyBytes, reconnects = 0 }) {
    this.replies += replies
    if (reconnects > 0) this.#reconnect(second, reconnects)
    for (const cell of cells) {
      this.#cell(cell).merge(cell.data)
      // thousands of them stay in memory for as long as the run goes on
      if (cell.metric === 'rt') this.#second(second, cell).merge(cell.data, PLOT_DIGITS)
    }
    for (const [type, { count, bytes }] of Object.entries(replyBytes)) {
      const sum = this.#replyBytes.get(type) ?? { count: 0, bytes: 0 }
      this.#replyBytes.set(type, { count: sum.count + count, bytes: sum.bytes + bytes })
    }
  }

  /** @param {Cell} cell */
  #cell({ metric, type, outcome }) {
    const key = `${metric} ${type} ${outcome}`
    const cell = this.#cells.get(key) ?? { metric, type, outcome, histogram: new Histogram() }
    this.#cells.set(key, cell)
    return cell.histogram
  }

  /** @param {number} at - s @param {Cell} cell */
  #second(at, { type, outcome }) {
    while (at >= MOST_POINTS * this.secondsPerPoint) this.#coarsen()
    const second = this.#pointOf(at)
    const key = `${second} ${type} ${outcome}`
    const entry = this.#seconds.get(key) ?? {
      second,
      type: /** @type {OperationType} */ (type),
      outcome,
      histogram: new SparseHistogram()
    }
    this.#seconds.set(key, entry)
    return entry.histogram
  }

  /** @param {number} second */
  #pointOf(second) {
    return second - (second % this.secondsPerPoint)
  }

  /** Joins each two neighbouring points. */
  #coarsen() {
    const entries = [...this.#seconds.values()]
    const dials = [...this.reconnects]
    this.secondsPerPoint *= 2
    this.#seconds.clear()
    this.reconnects.clear()
    for (const { second, type, outcome, histogram } of entries)
      this.#second(second, { metric: 'rt', type, outcome, data: histogram.toData() }).merge(
        histogram.toData()
      )
    for (const [second, count] of dials) this.#reconnect(second, count)
  }

  /** @param {number} second @param {number} count */
  #reconnect(second, count) {
    const point = this.#pointOf(second)
    this.reconnects.set(point, (this.reconnects.get(point) ?? 0) + count)
  }

  /** types of operations that were measured. @returns {OperationType[]} */
  get types() {
    const types = [...this.#cells.values()].filter(cell => cell.metric === 'rt').map(cell => cell.type)
    return /** @type {OperationType[]} */ ([...new Set(types)])
  }

  /**
   * byOutcome gives the histograms of a metric of an operation type.
   *
   * @param {Metric} metric
   * @param {string} type
   * @returns {Map<string, Histogram>}
   */
  byOutcome(metric, type) {
    const cells = [...this.#cells.values()].filter(cell => cell.metric === metric && cell.type === type)
    return new Map(cells.map(cell => [cell.outcome, cell.histogram]))
  }

  /**
   * pooled merges the histograms of a metric over the outcomes that are chosen. The caller destroys it.
   *
   * @param {Metric} metric
   * @param {string | null} type - null: of all operation types
   * @param {(outcome: string) => boolean} [chosen]
   */
  pooled(metric, type, chosen = () => true) {
    const cells = [...this.#cells.values()].filter(
      cell => cell.metric === metric && (type == null || cell.type === type) && chosen(cell.outcome)
    )
    return merged(cells.map(({ histogram }) => histogram))
  }

  /**
   * withPools gives a function the merged histograms of all operations of a type and of those with a reply.
   *
   * @template T
   * @param {Metric} metric
   * @param {string | null} type - null: of all operation types
   * @param {(pools: { all: Histogram, answered: Histogram }) => T} use
   * @returns {T}
   */
  withPools(metric, type, use) {
    const all = this.pooled(metric, type)
    const answered = this.pooled(metric, type, outcome => !isCensored(outcome))
    try {
      return use({ all, answered })
    } finally {
      all.destroy()
      answered.destroy()
    }
  }

  /** @param {OperationType} type @returns {number | null} */
  bytesPerReply(type) {
    const { count, bytes } = this.#replyBytes.get(type) ?? { count: 0, bytes: 0 }
    return count === 0 ? null : bytes / count
  }

  /** count of operations measured so far, of all types but CONNECT, which is part of the operation after it. */
  get operations() {
    let count = 0
    for (const { metric, type, histogram } of this.#cells.values()) {
      if (metric === 'rt' && type !== 'CONNECT') count += histogram.count
    }
    return count
  }

  /** perSecond is what plots over time are made of. @returns {import('../result/types.js').Result['outcome']['perSecond']} */
  perSecond() {
    return [...this.#seconds.values()]
      .map(({ histogram, ...entry }) => ({ ...entry, histogram: histogram.coarse(PLOT_DIGITS) }))
      .sort((a, b) => a.second - b.second)
  }

  /** destroy gives the memory of the histograms back. */
  destroy() {
    for (const { histogram } of this.#cells.values()) histogram.destroy()
    this.#cells.clear()
  }
}
