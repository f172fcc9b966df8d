import { ownCoreTime } from '../measure/core-wait.js'

const TICK_MS = 5
const TICKS_PER_SAMPLE = 20

/**
 * @typedef {object} Seen - since it was asked last
 * @property {number} longestTurnMs - CPU time
 * @property {number} rssBytes - at most
 * @property {number} cpuMs - since the process began
 */

/** What this thread has worked, or, where the system does not tell, all threads of the process, so that it may be too much. */
function cpuMsOfThread() {
  const time = ownCoreTime()
  if (time !== null) return time.onCore / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * LoopWatch sees what a server costs. The longest turn of the event loop is the CPU time of its thread between two ticks of a timer, which
 * a busy machine does not lengthen; it is too large by at most what is done in 5 ms. Nobody has it who did not ask for it: the ticks cost
 * something, too.
 */
export class LoopWatch {
  #longestTurnMs = 0
  #rssBytes = process.memoryUsage.rss()
  #before = cpuMsOfThread()
  #ticks = 0
  #timer = setInterval(() => this.#tick(), TICK_MS).unref()

  #tick() {
    const now = cpuMsOfThread()
    this.#longestTurnMs = Math.max(this.#longestTurnMs, now - this.#before)
    if (++this.#ticks % TICKS_PER_SAMPLE === 0) this.#sample()
    this.#before = now
  }

  #sample() {
    this.#rssBytes = Math.max(this.#rssBytes, process.memoryUsage.rss())
  }

  /** seen is what there was since it was asked last. @returns {Seen} */
  seen() {
    this.#tick()
    this.#sample()
    const { user, system } = process.cpuUsage()
    const seen = {
      longestTurnMs: this.#longestTurnMs,
      rssBytes: this.#rssBytes,
      cpuMs: (user + system) / 1000
    }
    this.#longestTurnMs = 0
    this.#rssBytes = 0
    this.#before = cpuMsOfThread()
    return seen
  }

  stop() {
    clearInterval(this.#timer)
  }
}
