import { sumOf } from '../../../kit/lists.js'
import { isCensored } from '../../../load/outcomes.js'
import { Histogram, merged } from '../../../measure/histogram.js'
import { mergedOverheads, Overheads } from '../../../measure/overhead.js'
import { PointsOverTime } from './points-over-time.js'

/**
 * @typedef {import('../../../measure/meter.js').Interval} Interval
 * @typedef {import('../../../measure/meter.js').Cell} Cell
 * @typedef {import('../../../measure/meter.js').Metric} Metric
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 */

/** Totals merges the intervals of any number of workers; one worker or many take the same path. */
export class Totals {
  /** @type {Map<string, { metric: Metric, type: string, outcome: string, histogram: Histogram }>} */
  #cells = new Map()
  /** @type {Map<string, { type: string, outcome: string, overheads: Overheads }>} */
  #overheads = new Map()
  #points
  /** @type {Map<string, { count: number, bytes: number }>} */
  #replyBytes = new Map()
  replies = 0
  dialled = { reconnects: 0, failovers: 0 }
  limitedReplies = 0

  /** @param {{ points?: number }} [options] - `points`: of plots over time, at most; 0: none are kept */
  constructor({ points } = {}) {
    this.#points = new PointsOverTime(points)
  }

  /** @param {Interval} interval */
  add({ second, cells, replies, replyBytes, reconnects = 0, failovers = 0, limited = 0 }) {
    this.replies += replies
    this.dialled.reconnects += reconnects
    this.dialled.failovers += failovers
    this.limitedReplies += limited
    this.#points.reconnect(second, reconnects)
    for (const cell of cells) {
      if (cell.metric === 'overhead') this.#overheadsOf(cell).merge(cell.data)
      else this.#cell(cell).merge(cell.data)
      if (cell.metric === 'rt') this.#points.add(second, cell)
    }
    for (const [type, { count, bytes }] of Object.entries(replyBytes)) {
      const sum = this.replyBytes(/** @type {OperationType} */ (type))
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

  /** @param {Cell} cell */
  #overheadsOf({ type, outcome }) {
    const key = `${type} ${outcome}`
    const cell = this.#overheads.get(key) ?? { type, outcome, overheads: new Overheads() }
    this.#overheads.set(key, cell)
    return cell.overheads
  }

  /**
   * overheads are those of operations of the outcomes that are chosen.
   *
   * @param {string | null} type - null: of all operation types
   * @param {(outcome: string) => boolean} [chosen]
   */
  overheads(type, chosen = () => true) {
    const cells = [...this.#overheads.values()].filter(
      cell => (type == null || cell.type === type) && chosen(cell.outcome)
    )
    return mergedOverheads(cells.map(({ overheads }) => overheads))
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
   * pooled merges the histograms of a metric over the outcomes that are chosen.
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
   * pools are the merged histograms of all operations of a type and of those with a reply.
   *
   * @param {Metric} metric
   * @param {string | null} type - null: of all operation types
   */
  pools(metric, type) {
    return {
      all: this.pooled(metric, type),
      answered: this.pooled(metric, type, outcome => !isCensored(outcome))
    }
  }

  /** replyBytes are those of all replies to a type, and how many these were. @param {OperationType} type */
  replyBytes(type) {
    return this.#replyBytes.get(type) ?? { count: 0, bytes: 0 }
  }

  /** count of operations measured so far, of all types but CONNECT, which is part of the operation after it. */
  get operations() {
    return this.#count(({ type }) => type !== 'CONNECT')
  }

  /** answered is how many of them had a reply of a server: to publish asks none. */
  get answered() {
    return this.#count(({ type, outcome }) => !['CONNECT', 'PUBLISH'].includes(type) && !isCensored(outcome))
  }

  /** failed is how many operations, and of CONNECT, came to another outcome than OK. */
  get failed() {
    return this.#count(({ outcome }) => outcome !== 'OK')
  }

  /** @param {(cell: { type: string, outcome: string }) => boolean} chosen */
  #count(chosen) {
    const cells = [...this.#cells.values()].filter(cell => cell.metric === 'rt' && chosen(cell))
    return sumOf(cells, ({ histogram }) => histogram.count)
  }

  /** perSecond is what plots over time are made of. */
  perSecond() {
    return this.#points.entries()
  }

  /** secondsPerPoint is the time that an entry of perSecond covers. */
  get secondsPerPoint() {
    return this.#points.secondsPerPoint
  }

  /** reconnects are connections that were dialled again because one was lost, by point. @returns {ReadonlyMap<number, number>} */
  get reconnects() {
    return this.#points.reconnects
  }
}
