import { performance } from 'node:perf_hooks'

/** @typedef {import('../node-host.js').Usage} Usage */

/** ProcessUsage tells how busy this process really was; a simulation has no turns of an event loop that anything would wait for. */
export class ProcessUsage {
  #nowMs
  #before

  /** @param {() => number} nowMs - of the real clock */
  constructor(nowMs) {
    this.#nowMs = nowMs
    this.#before = this.#reading()
  }

  /** take gives the usage since the last time. @returns {Usage} */
  take() {
    const before = this.#before
    const now = this.#reading()
    const { rss, heapUsed } = process.memoryUsage()
    this.#before = now
    return {
      wallMs: now.wallMs - before.wallMs,
      activeMs: now.activeMs - before.activeMs,
      cpuMicros: now.cpuMicros - before.cpuMicros,
      rssBytes: rss,
      heapBytes: heapUsed,
      maxTurnMs: 0
    }
  }

  #reading() {
    const { user, system } = process.cpuUsage()
    return {
      wallMs: this.#nowMs(),
      activeMs: performance.eventLoopUtilization().active,
      cpuMicros: user + system
    }
  }
}
