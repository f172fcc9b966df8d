// What is collected while operations are measured, as far as the measurement has come.
import { sumOf } from '../../kit/collections.js'
import { isCensored } from '../../load/registrations.js'
import { mergedOverheads, Overheads } from '../../measure/client-overhead.js'
import { Histogram, mergedHistogram, quantize, summarize } from '../../measure/histogram.js'
import { OwnMemoryWatch } from '../../measure/resources.js'
import { ResourceSeries } from '../../measure/series.js'
import { LiveThresholds, ThresholdError } from '../../report/checks.js'
import { utilizations } from './outcome.js'

/** Measurement is everything a measure phase collects, as far as it has come. */
export class Measurement {
  load
  resources = new ResourceSeries()
  /** @type {Map<string, ResourceSeries>} of each of several servers, and of their database */
  members = new Map()
  /** @type {Map<number, number>} operations that succeeded, by client */
  succeeded = new Map()
  /** @type {Map<string, Record<string, number>>} what pools of servers, and their database, did in `wallMs` */
  storeWork = new Map()
  /** @type {Totals[]} by worker: how busy it was */
  workerTotals
  /** @type {import('../../measure/operations.js').Usage[]} by worker */
  workerUsage
  /** measuredMs is how long the load went on, once it has ended. */
  measuredMs = 0
  /** @type {ServerDurations | null} */
  serverDurations = null
  /** @type {Map<string, ServerDurations>} of each of several servers that was there at the end */
  memberDurations = new Map()
  namespacesUsed = 0
  /** beganMs is when the measurement did, on the clock of `performance.now`. */
  beganMs = 0
  /** @type {Map<string, { resident: BoundedSeries, inUse: BoundedSeries }>} memory of our own processes, by name */
  ownMemory = new Map()
  /** @type {import('./outcome.js').FaultEvent[]} what was done to the server */
  faults = []
  /** @type {import('./measure/churn.js').ChurnMeasurement | null} null: clients stay, or nothing is measured yet */
  churn = null
  /** @type {((startNs: number) => import('./measure/churn.js').ChurnMeasurement) | null} makes it, where clients come and go */
  churnFrom = null
  /** @type {bigint | null} when the load under way began */
  runningSinceNs = null
  /** @type {number[]} by worker: operations */
  workerOperations
  /** @type {bigint[]} by worker: when its last interval came */
  #heardNs
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
    this.#heardNs = Array.from({ length: workers }, () => 0n)
    this.workerUsage = Array.from({ length: workers }, () => ({ wallMs: 0, activeMs: 0, cpuMicros: 0 }))
  }

  /** resourcesOf are the resources of a server among several, or of their database. @param {string} name */
  resourcesOf(name) {
    const series = this.members.get(name) ?? new ResourceSeries()
    this.members.set(name, series)
    return series
  }

  /** addLoad takes an interval of a worker. @param {import('../../measure/operations.js').Interval & { churn?: import('./measure/churn.js').ChurnInterval }} interval @param {number} worker */
  addLoad(interval, worker) {
    if (interval.churn !== undefined) this.churn?.take(interval.churn, worker)
    this.load.add(interval)
    const cells = interval.cells.filter(({ metric }) => metric === 'turn' || metric === 'overhead')
    this.workerTotals[worker].add({ ...interval, cells })
    const sent = interval.cells.filter(({ metric, type }) => metric === 'rt' && type !== 'CONNECT')
    this.workerOperations[worker] += sumOf(sent, ({ data }) => data.count)
    this.#heardNs[worker] = process.hrtime.bigint()
    if (interval.usage !== undefined) this.#addUsage(interval.usage, worker)
  }

  /** lost notes that nothing more will come of a worker, or little. @param {number} worker */
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
   * addOwnMemory takes how much memory a process of ours has just now, and had in use after a garbage collection just before.
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

  /** addSucceeded takes how many operations of clients succeeded. @param {readonly (readonly [client: number, count: number])[]} counts */
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

  /** coveredMs is measuredMs and what all workers have told of the load under way: the time of the operations in `load`. */
  get coveredMs() {
    if (this.runningSinceNs === null) return this.measuredMs
    const sinceNs = this.runningSinceNs
    const left = this.#heardNs.filter((_, worker) => !this.#lost.has(worker))
    const told = Math.min(...left.map(ns => Number(ns - sinceNs)))
    return this.measuredMs + Math.max(0, told / 1e6)
  }

  /** soFarMs is measuredMs and what has passed of the load under way. */
  get soFarMs() {
    const running =
      this.runningSinceNs == null ? 0 : Number(process.hrtime.bigint() - this.runningSinceNs) / 1e6
    return this.measuredMs + Math.max(0, running)
  }
}

/**
 * @typedef {import('../../measure/operations.js').Interval} Interval
 * @typedef {import('../../measure/operations.js').Cell} Cell
 * @typedef {import('../../measure/operations.js').Metric} Metric
 * @typedef {import('../../report/schema.js').OperationType} OperationType
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
    return mergedHistogram(cells.map(({ histogram }) => histogram))
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

/**
 * @typedef {import('../../report/schema.js').Outcome} Outcome
 * @typedef {import('../../measure/histogram.js').HistogramData} HistogramData
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

  /** entries are the points, ascending in time. @returns {import('../../report/schema.js').Result['outcome']['perSecond']} */
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

/** ServerDurations pools what our server says of its own work: from the decoded request to the reply handed over. */
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

/** MOST_READINGS are ten for each stretch that a long run is looked at in. */
const MOST_READINGS = 600

/**
 * BoundedSeries keeps readings of a whole run in little room: when there are too many, every other one is left out, and from then on
 * as many are passed over.
 */
export class BoundedSeries {
  #most
  #every = 1
  #seen = 0
  /** @type {import('../../measure/steady-state.js').Reading[]} */
  readings = []

  /** @param {number} [most] */
  constructor(most = MOST_READINGS) {
    this.#most = most
  }

  /** @param {import('../../measure/steady-state.js').Reading} reading */
  add(reading) {
    if (this.#seen++ % this.#every === 0) this.readings.push(reading)
    if (this.readings.length <= this.#most) return
    this.readings = this.readings.filter((_, place) => place % 2 === 0)
    this.#every *= 2
  }
}

const EVERY_MS = 1000

/**
 * @typedef {object} Watched - what was measured so far
 * @property {Measurement} measurement
 * @property {() => import('../../report/schema.js').Figures} figures
 * @property {readonly import('../../measure/figure.js').Figure[]} rows - of the scenario
 */

/**
 * watchIntervals tells once a second what was measured so far, and ends the run when a threshold with abortOnFail has failed
 * for its grace time.
 *
 * @param {object} parts
 * @param {Pick<import('./options.js').Plan, 'thresholds'>} parts.plan
 * @param {import('../../run/run-header.js').RunLog} parts.log
 * @param {import('../../run/run.js').Trouble} parts.trouble
 * @param {Watched} watched
 * @param {() => number} [clock] - ms
 * @returns {{ stop: () => void }}
 */
export function watchIntervals(
  { plan, log, trouble },
  { measurement, figures: figuresSoFar, rows },
  clock = () => performance.now()
) {
  const thresholds = new LiveThresholds(plan.thresholds, rows)
  const memory = new OwnMemoryWatch()
  const look = () => {
    measurement.addOwnMemory('main process', memory.read())
    const figures = figuresSoFar()
    const { results, brokeOff } = thresholds.look(figures, clock())
    log.interval({ figures, utilizations: utilizations(measurement), thresholds: results })
    if (brokeOff !== null) trouble.raise(new ThresholdError(brokeOff))
  }
  const timer = setInterval(look, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      memory.stop()
    }
  }
}
