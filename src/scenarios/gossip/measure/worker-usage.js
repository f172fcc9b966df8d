import { Histogram } from '../../../measure/histogram.js'
import { SparseHistogram } from '../../../measure/sparse-histogram.js'
import { summarize } from '../../../measure/summary.js'

/**
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../gossip-types.js').WorkerResources} WorkerResources
 */

/** POINTS: a series that grows longer has every other point left out. */
const POINTS = 600
/** Shorter stretches of time tell of chance: the system counts CPU time in steps of 10 ms. */
const LEAST_MS = 200

/** WorkerUsage is how busy one worker process was while messages were under way. */
export class WorkerUsage {
  #startNs
  #wallMs = 0
  #activeMs = 0
  #longestTurns = new SparseHistogram()
  /** @type {WorkerResources['series']} */
  #series = []
  #every = 1
  #seen = 0
  #maxCpuPercent = 0
  #rssSum = 0
  #maxRssBytes = 0
  cpuMicros = 0
  backlogBytes = 0

  /** @param {number} startNs */
  constructor(startNs) {
    this.#startNs = startNs
  }

  /** @param {Pick<HostInterval, 'atNs' | 'usage' | 'backlogBytes'>} interval */
  add({ atNs, usage, backlogBytes }) {
    const { wallMs, activeMs, cpuMicros, rssBytes, heapBytes, maxTurnMs } = usage
    this.#wallMs += wallMs
    this.#activeMs += activeMs
    this.cpuMicros += cpuMicros
    this.backlogBytes = backlogBytes
    if (wallMs < LEAST_MS) return
    this.#longestTurns.record(maxTurnMs * 1000)
    const cpuPercent = cpuMicros / wallMs / 10
    this.#maxCpuPercent = Math.max(this.#maxCpuPercent, cpuPercent)
    this.#maxRssBytes = Math.max(this.#maxRssBytes, rssBytes)
    this.#rssSum += rssBytes
    this.#point({ atMs: (atNs - this.#startNs) / 1e6, cpuPercent, rssBytes, heapBytes, backlogBytes })
  }

  /** @param {WorkerResources['series'][number]} point */
  #point(point) {
    if (this.#seen++ % this.#every === 0) this.#series.push(point)
    if (this.#series.length <= POINTS) return
    this.#series = this.#series.filter((_, place) => place % 2 === 0)
    this.#every *= 2
  }

  /** utilization of the event loop, 0 to 1. */
  get utilization() {
    return this.#wallMs > 0 ? this.#activeMs / this.#wallMs : 0
  }

  /** result. @param {number} worker @returns {WorkerResources} */
  result(worker) {
    const known = this.#seen > 0
    return {
      worker,
      cpu: {
        averagePercent: this.#wallMs > 0 ? this.cpuMicros / this.#wallMs / 10 : null,
        maxPercent: known ? this.#maxCpuPercent : null
      },
      memory: {
        averageBytes: known ? this.#rssSum / this.#seen : null,
        maxBytes: known ? this.#maxRssBytes : null
      },
      series: [...this.#series]
    }
  }

  /**
   * health says how busy the process was: `turns` are the longest ones of the event loop in each second.
   *
   * @param {number} worker
   * @returns {import('../../../result/types.js').WorkerHealth}
   */
  health(worker) {
    const turns = new Histogram()
    const none = new Histogram()
    try {
      turns.merge(this.#longestTurns.toData())
      return {
        worker,
        utilization: this.utilization,
        cpuPercent: this.#wallMs > 0 ? this.cpuMicros / this.#wallMs / 10 : 0,
        turns: summarize(turns),
        added: summarize(none)
      }
    } finally {
      turns.destroy()
      none.destroy()
    }
  }
}
