import { performance } from 'node:perf_hooks'

const CHECK_MS = 5

/**
 * UsageMeter tells how busy this process was. The longest turn of the event loop is read from how late a timer of 5 ms comes, so
 * it is true to 5 ms.
 */
export class UsageMeter {
  #before = reading()
  #lastCheckMs = performance.now()
  #maxTurnMs = 0
  #timer = setInterval(() => this.#check(), CHECK_MS).unref()

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
      rssBytes: rss,
      heapBytes: heapUsed,
      maxTurnMs: this.#maxTurnMs
    }
    this.#before = now
    this.#maxTurnMs = 0
    return usage
  }

  stop() {
    clearInterval(this.#timer)
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
