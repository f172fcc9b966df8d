import { sumOf } from '../../../kit/lists.js'
import { ResourceSeries } from '../../../measure/resource-series.js'
import { BoundedSeries } from './bounded-series.js'
import { Totals } from './totals.js'

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
  /** @type {import('../../../measure/meter.js').Usage[]} by worker */
  workerUsage
  /** measuredMs is how long the load went on, once it has ended. */
  measuredMs = 0
  /** @type {import('./server-durations.js').ServerDurations | null} */
  serverDurations = null
  /** @type {Map<string, import('./server-durations.js').ServerDurations>} of each of several servers that was there at the end */
  memberDurations = new Map()
  namespacesUsed = 0
  /** beganMs is when the measurement did, on the clock of `performance.now`. */
  beganMs = 0
  /** @type {Map<string, { resident: BoundedSeries, inUse: BoundedSeries }>} memory of our own processes, by name */
  ownMemory = new Map()
  /** @type {import('./recovery.js').FaultEvent[]} what was done to the server */
  faults = []
  /** @type {import('./churn.js').ChurnMeasurement | null} null: clients stay, or nothing is measured yet */
  churn = null
  /** @type {((startNs: number) => import('./churn.js').ChurnMeasurement) | null} makes it, where clients come and go */
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

  /** addLoad takes an interval of a worker. @param {import('../../../measure/meter.js').Interval & { churn?: import('./churn.js').ChurnInterval }} interval @param {number} worker */
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

  /** @param {import('../../../measure/meter.js').Usage} usage @param {number} worker */
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
   * @param {import('../../../measure/meter.js').OwnMemory} memory
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
