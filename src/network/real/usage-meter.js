import { performance } from 'node:perf_hooks'

const CHECK_MS = 5
const MOST_CHECK_MS = 100

/**
 * checkEveryMs says how often each of so many processes looks at its event loop: 200 times a second for those of a core together. 95 nodes
 * that wake up so often each would keep two cores busy with nothing.
 *
 * @param {number} processes - on this machine
 * @param {number} cores
 */
export const checkEveryMs = (processes, cores) =>
  Math.min(MOST_CHECK_MS, CHECK_MS * Math.max(1, processes / cores))

/**
 * @typedef {object} Around - what this process is in, where that is a namespace or a container of its own
 * @property {() => number | null} memoryBytes - in use; null: not known
 * @property {() => Partial<Counts>} counts - since it is there
 *
 * @typedef {Record<'receivedBytes' | 'sentBytes' | 'heldBackMs', number>} Counts
 */

/**
 * UsageMeter tells how busy this process was. The longest turn of the event loop is read from how late a timer comes, so it is
 * true to how often that does.
 */
export class UsageMeter {
  #before = reading()
  #lastCheckMs = performance.now()
  #maxTurnMs = 0
  #checkMs
  #timer
  #around
  /** @type {Partial<Counts> | null} */
  #counts = null

  /** @param {Partial<Around>} around @param {number} checkMs */
  constructor(around, checkMs) {
    this.#around = around
    this.#checkMs = checkMs
    this.#timer = setInterval(() => this.#check(), checkMs).unref()
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
    this.#maxTurnMs = Math.max(this.#maxTurnMs, nowMs - this.#lastCheckMs - this.#checkMs)
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
