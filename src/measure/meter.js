import { Histogram } from './histogram.js'
import { Overheads } from './overhead.js'

/**
 * @typedef {'rt' | 'overhead' | 'service' | 'lag' | 'turn' | 'sight'} Metric - `rt` response time, `overhead` operations by that and by the client
 *   overhead in it (Overheads), `service` from the actual send, `lag` how late it was sent, `turn` the lengths of event-loop turns, `sight` from
 *   the acknowledgement of a registration to its first sight at another server
 * @typedef {import('../result/types.js').OperationType} OperationType
 *
 * @typedef {object} Cell - the values of one metric, or what Overheads gave, operation type and outcome in one interval
 * @property {Metric} metric
 * @property {OperationType | ''} type
 * @property {string} outcome
 * @property {import('./histogram.js').HistogramData} data
 *
 * @typedef {object} Interval - what a worker measured since its last interval
 * @property {number} seq - 0, 1, 2 … without a gap
 * @property {number} second - whole seconds since the measure phase began
 * @property {Cell[]} cells
 * @property {number} replies
 * @property {Partial<Record<OperationType, { count: number, bytes: number }>>} replyBytes
 * @property {number} [reconnects] - connections that were dialled again because one was lost
 * @property {number} [failovers] - connections to another server than the one before
 * @property {number} [limited] - replies that the server's limits held back, by its own word
 * @property {Usage} [usage] - of the worker
 * @property {import('./due-slots.js').DueSlot[]} [dueSlots] - with hostile peers
 *
 * @typedef {object} Usage - how busy a worker was
 * @property {number} wallMs
 * @property {number} activeMs - of the event loop, without what it only spent waiting for the next due time
 * @property {number} cpuMicros
 * @property {OwnMemory} [memory] - just now
 *
 * @typedef {object} OwnMemory - of a process of ours
 * @property {number} residentBytes - its resident set
 * @property {number | null} inUseBytes - by objects and buffers, just after the last full garbage collection; null: there was none since
 *   this was last asked for
 */

/** Meter collects what a worker measures and hands it over interval by interval; its size does not grow with the run. */
export class Meter {
  /** @type {Map<string, { metric: Metric, type: OperationType | '', outcome: string, values: { toData: () => import('./histogram.js').HistogramData } }>} */
  #cells = new Map()
  /** @type {Partial<Record<OperationType, { count: number, bytes: number }>>} */
  #replyBytes = {}
  #replies = 0
  #reconnects = 0
  #failovers = 0
  #limited = 0
  #seq = 0

  /**
   * @param {Metric} metric
   * @param {OperationType | ''} type
   * @param {string} outcome
   * @param {number} ns
   */
  record(metric, type, outcome, ns) {
    this.#cell(metric, type, outcome, Histogram).record(ns / 1000)
  }

  /**
   * overhead records the client overhead of an operation.
   *
   * @param {OperationType} type
   * @param {string} outcome
   * @param {number} rtNs
   * @param {number} overheadNs - of that
   */
  overhead(type, outcome, rtNs, overheadNs) {
    this.#cell('overhead', type, outcome, Overheads).record(rtNs / 1000, overheadNs / 1000)
  }

  /**
   * @template {{ toData: () => import('./histogram.js').HistogramData }} T
   * @param {Metric} metric
   * @param {OperationType | ''} type
   * @param {string} outcome
   * @param {new () => T} Values
   */
  #cell(metric, type, outcome, Values) {
    const key = `${metric} ${type} ${outcome}`
    let cell = this.#cells.get(key)
    if (cell == null) {
      cell = { metric, type, outcome, values: new Values() }
      this.#cells.set(key, cell)
    }
    return /** @type {T} */ (cell.values)
  }

  /** @param {OperationType} type @param {number} bytes */
  reply(type, bytes) {
    this.#replies++
    this.#replyBytes[type] ??= { count: 0, bytes: 0 }
    this.#replyBytes[type].count++
    this.#replyBytes[type].bytes += bytes
  }

  /** reconnect counts a connection that is dialled again. */
  reconnect() {
    this.#reconnects++
  }

  /** failover counts a connection to another server than the one before. */
  failover() {
    this.#failovers++
  }

  /** limited counts a reply that the server's limits held back. */
  limited() {
    this.#limited++
  }

  /**
   * @param {number} second
   * @returns {Interval}
   */
  take(second) {
    const interval = {
      seq: this.#seq++,
      second,
      cells: [...this.#cells.values()].map(({ values, ...cell }) => ({
        ...cell,
        data: values.toData()
      })),
      replies: this.#replies,
      replyBytes: this.#replyBytes,
      reconnects: this.#reconnects,
      failovers: this.#failovers,
      limited: this.#limited
    }
    this.discard()
    return interval
  }

  /** discard forgets what was not taken yet. */
  discard() {
    this.#cells = new Map()
    this.#replyBytes = {}
    this.#replies = 0
    this.#reconnects = 0
    this.#failovers = 0
    this.#limited = 0
  }
}
