import { performance } from 'node:perf_hooks'

const CHECK_MS = 5

/**
 * @typedef {object} Around - what this process is in, where that is a namespace or a container of its own
 * @property {() => number | null} memoryBytes - in use; null: not known
 * @property {() => Partial<Counts>} counts - since it is there
 *
 * @typedef {Record<'receivedBytes' | 'sentBytes' | 'heldBackMs', number>} Counts
 */

/**
 * UsageMeter tells how busy this process was. The longest turn of the event loop is read from how late a timer of 5 ms comes, so
 * it is true to 5 ms.
 */
export class UsageMeter {
  #before = reading()
  #lastCheckMs = performance.now()
  #maxTurnMs = 0
  #timer = setInterval(() => this.#check(), CHECK_MS).unref()
  #around
  /** @type {Partial<Counts> | null} */
  #counts = null

  /** @param {Partial<Around>} [around] */
  constructor(around = {}) {
    this.#around = around
  }

  /** take gives the usage since the last time. @returns {import('../node-host.js').Usage} */
  take() {
    // a turn that lasts right now has not let the timer come
    this.#check()
    const before = this.#before
    const now = reading()
    const { rss, heapUsed } = process.memoryUsage()
    const usage = {
      wallMs: now.wallMs - before.wallMs,
      activeMs: now.activeMs - before.activeMs,
      cpuMicros: now.cpuMicros - before.cpuMicros,
      rssBytes: this.#around.memoryBytes?.() ?? rss,
      heapBytes: heapUsed,
      maxTurnMs: this.#maxTurnMs,
      ...this.#counted()
    }
    this.#before = now
    this.#maxTurnMs = 0
    return usage
  }

  stop() {
    clearInterval(this.#timer)
  }

  /** @returns {Partial<Counts>} since the last time */
  #counted() {
    const now = this.#around.counts?.() ?? {}
    const before = /** @type {Record<string, number>} */ (this.#counts ?? now)
    this.#counts = now
    return Object.fromEntries(Object.entries(now).map(([name, count]) => [name, count - before[name]]))
  }

  #check() {
    const nowMs = performance.now()
    this.#maxTurnMs = Math.max(this.#maxTurnMs, nowMs - this.#lastCheckMs - CHECK_MS)
    this.#lastCheckMs = nowMs
  }
}

function reading() {
  const { user, system } = process.cpuUsage()
  return {
    wallMs: performance.now(),
    activeMs: performance.eventLoopUtilization().active,
    cpuMicros: user + system
  }
}
