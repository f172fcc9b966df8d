// Records the operations of clients while they are measured, and delivers the metrics of each second.

import { Overheads } from './client-overhead.js'
import { Histogram } from './histogram.js'

/**
 * @typedef {object} Timing - one operation; times in ns on the monotonic clock of the host
 * @property {import('../report/schema.js').OperationType} type
 * @property {bigint | null} dueNs - null in the closed model: it is due when it is sent
 * @property {bigint} sentNs
 * @property {bigint} repliedNs - when it ended, whatever its outcome
 * @property {number} overheadNs - client overhead between send and reply, see Turns and WireTimer
 */

/**
 * startTiming begins the timing of an operation that is sent now.
 *
 * @param {Timing['type']} type
 * @param {bigint | null} dueNs
 * @returns {Timing}
 */
export function startTiming(type, dueNs) {
  const sentNs = process.hrtime.bigint()
  return { type, dueNs, sentNs, repliedNs: sentNs, overheadNs: 0 }
}

/**
 * OperationRecorder turns timings into the metrics of a run: response time from when an operation was due (open model) or sent
 * (closed model), and in the open model service time and lag beside it.
 */
export class OperationRecorder {
  #meter
  #log

  /**
   * @param {Meter} meter
   * @param {(timing: Timing, outcome: string) => void} [log] - told every single operation
   */
  constructor(meter, log = () => {}) {
    this.#meter = meter
    this.#log = log
  }

  /**
   * dropped counts an operation that was due but never sent: all that is known is that it had no reply when it was due.
   *
   * @param {Timing} timing
   */
  dropped(timing) {
    this.#meter.record('rt', timing.type, 'DROPPED', 0)
    this.#meter.overhead(timing.type, 'DROPPED', 0, 0)
    this.#log(timing, 'DROPPED')
  }

  /**
   * @param {Timing} timing
   * @param {string} outcome
   */
  record(timing, outcome) {
    const { type, dueNs, sentNs, repliedNs, overheadNs } = timing
    const serviceNs = Number(repliedNs - sentNs)
    const lagNs = dueNs == null ? 0 : Number(sentNs - dueNs)
    const rtNs = lagNs + serviceNs
    this.#meter.record('rt', type, outcome, rtNs)
    this.#meter.overhead(type, outcome, rtNs, Math.min(rtNs, lagNs + overheadNs))
    if (dueNs != null) {
      this.#meter.record('service', type, outcome, serviceNs)
      this.#meter.record('lag', type, '', lagNs)
    }
    this.#log(timing, outcome)
  }
}

/**
 * @typedef {'rt' | 'overhead' | 'service' | 'lag' | 'turn' | 'sight'} Metric - `rt` response time, `overhead` operations by that and by the client
 *   overhead in it (Overheads), `service` from the actual send, `lag` how late it was sent, `turn` the lengths of event-loop turns, `sight` from
 *   the acknowledgement of a registration to its first sight at another server
 * @typedef {import('../report/schema.js').OperationType} OperationType
 *
 * @typedef {object} MeterCell - the values of one metric, or what Overheads gave, operation type and outcome in one interval
 * @property {Metric} metric
 * @property {OperationType | ''} type
 * @property {string} outcome
 * @property {import('./histogram.js').HistogramData} data
 *
 * @typedef {object} MeterInterval - what a worker measured since its last interval
 * @property {number} seq - 0, 1, 2 … without a gap
 * @property {number} second - whole seconds since the measure phase began
 * @property {MeterCell[]} cells
 * @property {number} replies
 * @property {Partial<Record<OperationType, { count: number, bytes: number }>>} replyBytes
 * @property {number} [reconnects] - connections that were dialled again because one was lost
 * @property {number} [failovers] - connections to another server than the one before
 * @property {number} [limited] - replies that the server's limits held back, by its own word
 * @property {Usage} [usage] - of the worker
 * @property {DueSlot[]} [dueSlots] - with hostile peers
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
    const cell = this.#cells.get(key) ?? { metric, type, outcome, values: new Values() }
    this.#cells.set(key, cell)
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
   * @returns {MeterInterval}
   */
  take(second) {
    const interval = {
      seq: this.#seq++,
      second,
      cells: [...this.#cells.values()].map(({ values, ...cell }) => ({ ...cell, data: values.toData() })),
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

/**
 * @typedef {object} DueSlot - operations that were due in one slot, of one outcome
 * @property {number} slot - 0: the first since the load began
 * @property {string} outcome
 * @property {import('./histogram.js').HistogramData} data - response times
 */

/** Operations that are no requests of a load to a server. */
const OTHERS = new Set(['CONNECT', 'PUBLISH'])

/** DueSlots count requests of a load in short slots of time, by when they were due, whenever they end. */
export class DueSlots {
  #slotMs
  #startNs
  /** @type {Map<string, { slot: number, outcome: string, times: Histogram }>} */
  #slots = new Map()

  /** @param {number} slotMs @param {bigint} startNs - of the load */
  constructor(slotMs, startNs) {
    this.#slotMs = slotMs
    this.#startNs = startNs
  }

  /** add takes an operation that has ended. @param {Timing} timing @param {string} outcome */
  add({ type, dueNs, sentNs, repliedNs }, outcome) {
    if (OTHERS.has(type)) return
    const fromNs = dueNs ?? sentNs
    const slot = Math.max(0, Math.floor(Number(fromNs - this.#startNs) / 1e6 / this.#slotMs))
    const key = `${slot} ${outcome}`
    const counted = this.#slots.get(key) ?? { slot, outcome, times: new Histogram() }
    this.#slots.set(key, counted)
    counted.times.record(Number(repliedNs - fromNs) / 1000)
  }

  /** take gives those since it was called last. @returns {DueSlot[]} */
  take() {
    const taken = [...this.#slots.values()].map(({ times, ...slot }) => ({ ...slot, data: times.toData() }))
    this.#slots = new Map()
    return taken
  }
}

const INTERVAL_MS = 1000

/**
 * handOverWhile hands over once a second while work goes on, and once more at its end. It waits until everything was received, so
 * that a process that dies loses at most the last second.
 *
 * @template T
 * @param {() => Promise<unknown> | unknown} handOver - gives on what is new; resolves when it was received
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function handOverWhile(handOver, work) {
  /** @type {Set<Promise<unknown>>} */
  const unacknowledged = new Set()
  const send = () => {
    /** @type {Promise<unknown>} */
    const acknowledged = new Promise(resolve => resolve(handOver())).then(() =>
      unacknowledged.delete(acknowledged)
    )
    unacknowledged.add(acknowledged)
    return acknowledged
  }
  const timer = setInterval(() => send().catch(() => {}), INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    send()
    await Promise.all(unacknowledged)
  }
}

/**
 * reportWhile hands over what the meter collected once a second while work goes on, and the rest at its end. Every interval is
 * acknowledged, so that a worker that dies loses at most the last second.
 *
 * @template T
 * @param {object} options
 * @param {Meter} options.meter
 * @param {bigint} options.startNs
 * @param {(interval: MeterInterval) => Promise<unknown>} options.report
 * @param {() => bigint} [options.clock] - ns
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function reportWhile({ meter, startNs, report, clock = process.hrtime.bigint }, work) {
  let sinceNs = clock()
  const handOver = () => {
    const untilNs = clock()
    // its middle tells which second an interval belongs to: timers are a little late or early
    const middleNs = Number(sinceNs + untilNs - 2n * startNs) / 2
    sinceNs = untilNs
    return report(meter.take(Math.floor(Math.max(0, middleNs) / 1e9)))
  }
  return handOverWhile(handOver, work)
}
