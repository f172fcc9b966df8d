// Collects what the measure phase of a rendezvous or custom run reports: operations, server resources, points over time.
// Also watches thresholds that end a run early.
import { computeSum } from '../../kit/collections.js'
import { isCensored } from '../../load/registrations.js'
import { mergeOverheads, Overheads } from '../../measure/client-overhead.js'
import { Histogram, mergeHistograms, quantize, summarize } from '../../measure/histogram.js'
import { OwnMemoryWatch } from '../../measure/resources.js'
import { ResourceSeries } from '../../measure/series.js'
import { LiveThresholds, ThresholdError } from '../../report/checks.js'
import { readUtilizations } from './outcome.js'

/** Measurement collects all that a measure phase measures. */
export class Measurement {
  load
  resources = new ResourceSeries()
  /** @type {Map<string, ResourceSeries>} of each of several servers, and of their database */
  members = new Map()
  /** @type {Map<number, number>} operations that succeeded, by client */
  succeeded = new Map()
  /** @type {Map<string, Record<string, number>>} work of the servers' connection pools and of their database in `wallMs` */
  storeWork = new Map()
  /** @type {Totals[]} by worker: turns of its event loop, and overheads */
  workerTotals
  /** @type {import('../../measure/operations.js').Usage[]} by worker */
  workerUsage
  /** measuredMs is the duration of the load, once it has ended. */
  measuredMs = 0
  /** @type {ServerDurations | null} */
  serverDurations = null
  /** @type {Map<string, ServerDurations>} of each of several servers still running at the end */
  memberDurations = new Map()
  namespacesUsed = 0
  /** beganMs is the start of the measurement, on the clock of `performance.now`. */
  beganMs = 0
  /** @type {Map<string, { resident: BoundedSeries, inUse: BoundedSeries }>} memory of our own processes, by name */
  ownMemory = new Map()
  /** @type {import('./outcome.js').FaultEvent[]} carried-out faults */
  faults = []
  /** @type {import('./measure/churn.js').RegistrationChurnMeasurement | null} null: no churn, or not measuring yet */
  churn = null
  /** @type {((startNs: number) => import('./measure/churn.js').RegistrationChurnMeasurement) | null} makes the measurement of churn; null: no churn */
  churnFrom = null
  /** @type {bigint | null} start of the current load */
  runningSinceNs = null
  /** @type {number[]} by worker: operations */
  workerOperations
  /** @type {bigint[]} by worker: time of its last interval */
  #reportedNs
  /** @type {Set<number>} workers that were lost with their machine */
  #lost = new Set()

  /**
   * @param {number} workers
   * @param {{ points?: number }} [options] - `points`: of plots over time, at most
   */
  constructor(workers, { points } = {}) {
    this.load = new Totals({ points })
    this.workerTotals = Array.from({ length: workers }, () => new Totals({ points: 0 }))
    this.workerOperations = Array(workers).fill(0)
    this.#reportedNs = Array.from({ length: workers }, () => 0n)
    this.workerUsage = Array.from({ length: workers }, () => ({ wallMs: 0, activeMs: 0, cpuMicros: 0 }))
  }

  /** resourcesOf gives the resources of one of several servers, or of their database. @param {string} name */
  resourcesOf(name) {
    const series = this.members.get(name) ?? new ResourceSeries()
    this.members.set(name, series)
    return series
  }

  /** addLoad adds an interval of a worker. @param {import('../../measure/operations.js').MeterInterval & { churn?: import('./measure/churn.js').ChurnInterval }} interval @param {number} worker */
  addLoad(interval, worker) {
    if (interval.churn !== undefined) this.churn?.take(interval.churn, worker)
    this.load.add(interval)
    const cells = interval.cells.filter(({ metric }) => metric === 'turn' || metric === 'overhead')
    this.workerTotals[worker].add({ ...interval, cells })
    const sent = interval.cells.filter(({ metric, type }) => metric === 'rt' && type !== 'CONNECT')
    this.workerOperations[worker] += computeSum(sent, ({ data }) => data.count)
    this.#reportedNs[worker] = process.hrtime.bigint()
    if (interval.usage !== undefined) this.#addUsage(interval.usage, worker)
  }

  /** lost marks a worker as lost: it reports no more. @param {number} worker */
  lost(worker) {
    this.#lost.add(worker)
  }

  /** @param {import('../../measure/operations.js').Usage} usage @param {number} worker */
  #addUsage({ wallMs, activeMs, cpuMicros, memory }, worker) {
    if (memory !== undefined) this.addOwnMemory(`worker ${worker}`, memory)
    const sum = this.workerUsage[worker]
    sum.wallMs += wallMs
    sum.activeMs += activeMs
    sum.cpuMicros += cpuMicros
  }

  /**
   * addOwnMemory adds a reading of the memory of one of our processes, with the memory in use after its last garbage collection.
   *
   * @param {string} name
   * @param {import('../../measure/operations.js').OwnMemory} memory
   */
  addOwnMemory(name, { residentBytes, inUseBytes }) {
    const series = this.ownMemory.get(name) ?? { resident: new BoundedSeries(), inUse: new BoundedSeries() }
    this.ownMemory.set(name, series)
    const atMs = performance.now()
    series.resident.add({ atMs, value: residentBytes })
    if (inUseBytes !== null) series.inUse.add({ atMs, value: inUseBytes })
  }

  /** addSucceeded adds numbers of successful operations of clients. @param {readonly (readonly [client: number, count: number])[]} counts */
  addSucceeded(counts) {
    for (const [client, count] of counts)
      this.succeeded.set(client, count + (this.succeeded.get(client) ?? 0))
  }

  /** begin begins the load. @param {bigint} startNs - on the monotonic clock */
  begin(startNs) {
    this.runningSinceNs = startNs
    this.churn = this.churnFrom?.(Number(startNs)) ?? null
    this.beganMs = performance.now() + Number(startNs - process.hrtime.bigint()) / 1e6
  }

  /** end ends the load, unless it has ended. @param {bigint[]} endsNs - of each worker's last operation */
  end(endsNs) {
    if (this.runningSinceNs === null) return
    const sinceNs = this.runningSinceNs
    this.runningSinceNs = null
    this.measuredMs += Math.max(0, ...endsNs.map(endNs => Number(endNs - sinceNs))) / 1e6
    this.churn?.end(Math.max(...endsNs.map(Number)))
  }

  /** coveredMs is the time covered by the operations in `load`: measuredMs, and the current load as far as all workers have reported. */
  get coveredMs() {
    if (this.runningSinceNs === null) return this.measuredMs
    const sinceNs = this.runningSinceNs
    const left = this.#reportedNs.filter((_, worker) => !this.#lost.has(worker))
    const reported = Math.min(...left.map(ns => Number(ns - sinceNs)))
    return this.measuredMs + Math.max(0, reported / 1e6)
  }

  /** soFarMs is measuredMs, and the time since the current load began. */
  get soFarMs() {
    const running =
      this.runningSinceNs == null ? 0 : Number(process.hrtime.bigint() - this.runningSinceNs) / 1e6
    return this.measuredMs + Math.max(0, running)
  }
}

/**
 * @typedef {import('../../measure/operations.js').MeterInterval} MeterInterval
 * @typedef {import('../../measure/operations.js').MeterCell} MeterCell
 * @typedef {import('../../measure/operations.js').Metric} Metric
 * @typedef {import('../../report/schema.js').OperationType} OperationType
 */

/** Totals merges the intervals of any number of workers. */
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

  /** @param {MeterInterval} interval */
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

  /** @param {MeterCell} cell */
  #cell({ metric, type, outcome }) {
    const key = `${metric} ${type} ${outcome}`
    const cell = this.#cells.get(key) ?? { metric, type, outcome, histogram: new Histogram() }
    this.#cells.set(key, cell)
    return cell.histogram
  }

  /** @param {MeterCell} cell */
  #overheadsOf({ type, outcome }) {
    const key = `${type} ${outcome}`
    const cell = this.#overheads.get(key) ?? { type, outcome, overheads: new Overheads() }
    this.#overheads.set(key, cell)
    return cell.overheads
  }

  /**
   * overheads merges the overheads of operations over the chosen outcomes.
   *
   * @param {string | null} type - null: of all operation types
   * @param {(outcome: string) => boolean} [chosen]
   */
  overheads(type, chosen = () => true) {
    const cells = [...this.#overheads.values()].filter(
      cell => (type === null || cell.type === type) && chosen(cell.outcome)
    )
    return mergeOverheads(cells.map(({ overheads }) => overheads))
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
   * pooled merges the histograms of a metric over the chosen outcomes.
   *
   * @param {Metric} metric
   * @param {string | null} type - null: of all operation types
   * @param {(outcome: string) => boolean} [chosen]
   */
  pooled(metric, type, chosen = () => true) {
    const cells = [...this.#cells.values()].filter(
      cell => cell.metric === metric && (type === null || cell.type === type) && chosen(cell.outcome)
    )
    return mergeHistograms(cells.map(({ histogram }) => histogram))
  }

  /**
   * pools gives the merged histograms of all operations of a type, and of those with a reply.
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

  /** replyBytes gives the bytes of all replies to a type, with the number of replies. @param {OperationType} type */
  replyBytes(type) {
    return this.#replyBytes.get(type) ?? { count: 0, bytes: 0 }
  }

  /** operations is the number of measured operations. CONNECT is not counted: it is part of the operation after it. */
  get operations() {
    return this.#count(({ type }) => type !== 'CONNECT')
  }

  /** answered is the number of operations with a reply of the server; PUBLISH has none. */
  get answered() {
    return this.#count(({ type, outcome }) => !['CONNECT', 'PUBLISH'].includes(type) && !isCensored(outcome))
  }

  /** failed is the number of operations, CONNECT included, with another outcome than OK. */
  get failed() {
    return this.#count(({ outcome }) => outcome !== 'OK')
  }

  /** @param {(cell: { type: string, outcome: string }) => boolean} chosen */
  #count(chosen) {
    const cells = [...this.#cells.values()].filter(cell => cell.metric === 'rt' && chosen(cell))
    return computeSum(cells, ({ histogram }) => histogram.count)
  }

  /** perSecond gives the points over time. */
  perSecond() {
    return this.#points.entries()
  }

  /** secondsPerPoint is the time that an entry of perSecond covers. */
  get secondsPerPoint() {
    return this.#points.secondsPerPoint
  }

  /** reconnects counts the connections that replaced lost ones, by point. @returns {ReadonlyMap<number, number>} */
  get reconnects() {
    return this.#points.reconnects
  }
}

/**
 * @typedef {import('../../report/schema.js').Outcome} Outcome
 * @typedef {import('../../measure/histogram.js').HistogramData} HistogramData
 *
 * @typedef {object} Series - of one operation type and outcome
 * @property {OperationType} type
 * @property {Outcome} outcome
 * @property {Map<number, Uint32Array>} points - by the second that a point begins with: value in µs and count in turn, ascending
 */

/** Significant digits of times in points over time; percentiles need more. */
const PLOT_DIGITS = 2

/** MAX_POINTS_OVER_TIME is the number of points over time, at most: ten minutes. In a longer run a point covers 2 s, then 4 s, 8 s … */
export const MAX_POINTS_OVER_TIME = 600

/** Pairs of a value and its count that points hold, at most: 2 MB in a result. With more pairs neighbouring points are merged too, */
const MAX_PAIRS = 200_000
/** unless fewer than this share of the allowed points would be left: plots have half as many columns. */
const MIN_SHARE = 1 / 3

/** MAX_POINTS_WITH_FAULTS is the number of points of a run with faults, at most: there each second matters. */
export const MAX_POINTS_WITH_FAULTS = 3600

/**
 * PointsOverTime stores when operations ended and how long they took, in bounded memory: when there are too many points, or too many pairs in
 * them, each two neighbouring points are merged. Numbers are packed into 4 bytes.
 */
export class PointsOverTime {
  #max
  #pairs = 0
  /** @type {Map<string, Series>} */
  #series = new Map()
  /** secondsPerPoint is the time that a point covers. */
  secondsPerPoint = 1
  /** @type {Map<number, number>} by point: connections that replaced lost ones */
  reconnects = new Map()

  /** @param {number} [max] - points; 0: none are stored */
  constructor(max = MAX_POINTS_OVER_TIME) {
    this.#max = max
  }

  /**
   * add counts operations of a second.
   *
   * @param {number} second - since the measurement began
   * @param {{ type: string, outcome: string, data: HistogramData }} ended
   */
  add(second, { type, outcome, data }) {
    if (this.#max === 0) return
    const point = this.#pointOf(second)
    const { points } = this.#seriesOf(/** @type {OperationType} */ (type), outcome)
    this.#set(points, point, packPairs(data))
    if (this.#pairs > MAX_PAIRS && point >= MIN_SHARE * this.#max * this.secondsPerPoint) this.#coarsen()
  }

  /** @param {Series['points']} points @param {number} point @param {Uint32Array} more */
  #set(points, point, more) {
    const before = points.get(point)
    const after = before === undefined ? more : mergePairs(before, more)
    this.#pairs += (after.length - (before?.length ?? 0)) / 2
    points.set(point, after)
  }

  /** reconnect counts connections that replaced lost ones. @param {number} second @param {number} count */
  reconnect(second, count) {
    if (this.#max === 0 || count === 0) return
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

  /** The point of a second; points are merged until there is one. @param {number} second */
  #pointOf(second) {
    while (second >= this.#max * this.secondsPerPoint) this.#coarsen()
    return second - (second % this.secondsPerPoint)
  }

  /** Merges each two neighbouring points. */
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

  /** entries are the points, ascending in time. @returns {import('../../report/schema.js').Result['outcome']['perSecond']} */
  entries() {
    return [...this.#series.values()]
      .flatMap(({ type, outcome, points }) =>
        [...points].map(([second, pairs]) => ({ second, type, outcome, histogram: unpackPairs(pairs) }))
      )
      .sort((a, b) => a.second - b.second)
  }
}

/** @param {HistogramData} data */
function packPairs({ values, counts }) {
  /** @type {Map<number, number>} */
  const sums = new Map()
  for (let i = 0; i < values.length; i++) {
    const value = quantize(values[i], PLOT_DIGITS)
    sums.set(value, (sums.get(value) ?? 0) + counts[i])
  }
  return Uint32Array.from([...sums].sort((a, b) => a[0] - b[0]).flat())
}

/** Merges two lists of pairs that ascend by value. @param {Uint32Array} a @param {Uint32Array} b */
function mergePairs(a, b) {
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
const unpackPairs = pairs =>
  Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1]])

/** ServerDurations merges our server's own histograms: from the decoded request to the reply handed over. */
export class ServerDurations {
  /** @type {Map<string, Histogram>} */
  #byType = new Map()

  /** @param {Record<string, import('../../measure/histogram.js').HistogramCounts>} counts - by operation type */
  add(counts) {
    for (const [type, more] of Object.entries(counts)) {
      const pooled = this.#byType.get(type) ?? new Histogram()
      pooled.merge(more)
      this.#byType.set(type, pooled)
    }
  }

  /**
   * @param {string[]} types - that were measured
   * @returns {Record<string, import('../../report/schema.js').Summary>}
   */
  summaries(types) {
    return Object.fromEntries(
      [...this.#byType]
        .filter(([type, histogram]) => types.includes(type) && histogram.count > 0)
        .map(([type, histogram]) => [type, summarize(histogram)])
    )
  }
}

/** Ten readings for each stretch of a trend. */
const MAX_READINGS = 600

/**
 * BoundedSeries stores readings of a whole run in bounded memory: when there are too many, every other one is dropped, and later readings are
 * taken half as often.
 */
export class BoundedSeries {
  #max
  #every = 1
  #count = 0
  /** @type {import('../../measure/steady-state.js').TrendReading[]} */
  readings = []

  /** @param {number} [max] */
  constructor(max = MAX_READINGS) {
    this.#max = max
  }

  /** @param {import('../../measure/steady-state.js').TrendReading} reading */
  add(reading) {
    if (this.#count++ % this.#every === 0) this.readings.push(reading)
    if (this.readings.length <= this.#max) return
    this.readings = this.readings.filter((_, place) => place % 2 === 0)
    this.#every *= 2
  }
}

const EVERY_MS = 1000

/**
 * @typedef {object} IntervalSource - figures so far
 * @property {Measurement} measurement
 * @property {() => import('../../report/schema.js').Figures} figures
 * @property {readonly import('../../measure/figure.js').Figure[]} rows - of the scenario
 */

/**
 * watchIntervals reports once a second the figures so far, and ends the run when a threshold with abortOnFail has failed for its grace time.
 *
 * @param {object} parts
 * @param {Pick<import('./options.js').Plan, 'thresholds'>} parts.plan
 * @param {import('../../run/run-header.js').RunLog} parts.log
 * @param {import('../../run/run.js').RunFailure} parts.failure
 * @param {IntervalSource} watched
 * @param {() => number} [clock] - ms
 * @returns {{ stop: () => void }}
 */
export function watchIntervals(
  { plan, log, failure },
  { measurement, figures: figuresSoFar, rows },
  clock = () => performance.now()
) {
  const thresholds = new LiveThresholds(plan.thresholds, rows)
  const memory = new OwnMemoryWatch()
  const look = () => {
    measurement.addOwnMemory('main process', memory.read())
    const figures = figuresSoFar()
    const { results, brokeOff } = thresholds.look(figures, clock())
    log.interval({ figures, utilizations: readUtilizations(measurement), thresholds: results })
    if (brokeOff !== null) failure.raise(new ThresholdError(brokeOff))
  }
  const timer = setInterval(look, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      memory.stop()
    }
  }
}
