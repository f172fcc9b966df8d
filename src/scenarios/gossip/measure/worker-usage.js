import { Histogram } from '../../../measure/histogram.js'
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
  #longestTurns = new Histogram()
  /** @type {WorkerResources['series']} */
  #series = []
  #every = 1
  #seen = 0
  #maxCpuPercent = 0
  #readings = 0
  #rssSum = 0
  #maxRssBytes = 0
  /** @type {{ receivedBytes: number, sentBytes: number } | null} null: it has no device of its own */
  #traffic = null
  /** @type {number | null} null: it is in no container */
  #heldBackMs = null
  cpuMicros = 0
  backlogBytes = 0

  /** @param {number} startNs */
  constructor(startNs) {
    this.#startNs = startNs
  }

  /** @param {Pick<HostInterval, 'atNs' | 'usage' | 'backlogBytes'>} interval */
  add({ atNs, usage, backlogBytes }) {
    const { wallMs, activeMs, cpuMicros, rssBytes, heapBytes, maxTurnMs } = usage
    const { receivedBytes, sentBytes, heldBackMs } = usage
    if (heldBackMs !== undefined) this.#heldBackMs = (this.#heldBackMs ?? 0) + heldBackMs
    if (receivedBytes !== undefined && sentBytes !== undefined)
      this.#traffic = {
        receivedBytes: (this.#traffic?.receivedBytes ?? 0) + receivedBytes,
        sentBytes: (this.#traffic?.sentBytes ?? 0) + sentBytes
      }
    this.#wallMs += wallMs
    this.#activeMs += activeMs
    this.cpuMicros += cpuMicros
    this.backlogBytes = backlogBytes
    this.#readings++
    this.#maxRssBytes = Math.max(this.#maxRssBytes, rssBytes)
    this.#rssSum += rssBytes
    if (wallMs < LEAST_MS) return
    this.#longestTurns.record(maxTurnMs * 1000)
    const cpuPercent = cpuMicros / wallMs / 10
    this.#maxCpuPercent = Math.max(this.#maxCpuPercent, cpuPercent)
    this.#point({
      ...{ atMs: (atNs - this.#startNs) / 1e6, cpuPercent, rssBytes, heapBytes, backlogBytes },
      ...perSecond({ receivedBytes, sentBytes }, wallMs)
    })
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

  /** summary of what it used. @returns {import('../gossip-types.js').Used} */
  summary() {
    return {
      cpu: {
        averagePercent: this.#wallMs > 0 ? this.cpuMicros / this.#wallMs / 10 : null,
        maxPercent: this.#seen > 0 ? this.#maxCpuPercent : null,
        ...(this.#heldBackMs !== null &&
          this.#wallMs > 0 && { heldBackPercent: (100 * this.#heldBackMs) / this.#wallMs })
      },
      memory: {
        averageBytes: this.#readings > 0 ? this.#rssSum / this.#readings : null,
        maxBytes: this.#readings > 0 ? this.#maxRssBytes : null
      },
      ...(this.#traffic !== null && { traffic: this.#traffic })
    }
  }

  /** result. @param {number} worker @returns {Omit<WorkerResources, 'nodes' | 'phases'>} */
  result(worker) {
    return { worker, ...this.summary(), series: [...this.#series] }
  }

  /**
   * health says how busy the process was: `turns` are the longest ones of the event loop in each second.
   *
   * @param {number} worker
   * @returns {import('../../../result/types.js').WorkerHealth}
   */
  health(worker) {
    return {
      worker,
      utilization: this.utilization,
      cpuPercent: this.#wallMs > 0 ? this.cpuMicros / this.#wallMs / 10 : 0,
      turns: summarize(this.#longestTurns),
      overhead: summarize(new Histogram())
    }
  }
}

/** @param {{ receivedBytes?: number, sentBytes?: number }} bytes @param {number} wallMs */
const perSecond = ({ receivedBytes, sentBytes }, wallMs) =>
  receivedBytes === undefined || sentBytes === undefined
    ? {}
    : {
        receivedPerSecond: (1000 * receivedBytes) / wallMs,
        sentPerSecond: (1000 * sentBytes) / wallMs
      }
