// Measures a server process from inside: CPU, memory, and the longest time that its event loop was busy.
import { readOwnCoreTime } from '../measure/resources.js'

const TICK_MS = 5
const TICKS_PER_SAMPLE = 20

/**
 * @typedef {object} ResourceUsage - resources used since the last call
 * @property {number} longestTurnMs - CPU time
 * @property {number} rssBytes - at most
 * @property {number} cpuMs - since the process began
 */

/** CPU time of this thread, or, where the system does not measure it, of all threads of the process, which may be too much. */
function readThreadCpuMs() {
  const time = readOwnCoreTime()
  if (time !== null) return time.onCore / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * ResourceMonitor measures the resources that a server uses. The longest turn of the event loop is the CPU time of its thread between two ticks
 * of a timer, which a busy machine does not lengthen; it is too large by at most the work of 5 ms. It exists only on request, because its
 * ticks cost CPU time as well.
 */
export class ResourceMonitor {
  #longestTurnMs = 0
  #rssBytes = process.memoryUsage.rss()
  #before = readThreadCpuMs()
  #ticks = 0
  #timer = setInterval(() => this.#tick(), TICK_MS).unref()

  #tick() {
    const now = readThreadCpuMs()
    this.#longestTurnMs = Math.max(this.#longestTurnMs, now - this.#before)
    if (++this.#ticks % TICKS_PER_SAMPLE === 0) this.#sample()
    this.#before = now
  }

  #sample() {
    this.#rssBytes = Math.max(this.#rssBytes, process.memoryUsage.rss())
  }

  /** takeUsage gives the resources used since the last call. @returns {ResourceUsage} */
  takeUsage() {
    this.#tick()
    this.#sample()
    const { user, system } = process.cpuUsage()
    const cpuMs = (user + system) / 1000
    const usage = { longestTurnMs: this.#longestTurnMs, rssBytes: this.#rssBytes, cpuMs }
    this.#longestTurnMs = 0
    this.#rssBytes = 0
    this.#before = readThreadCpuMs()
    return usage
  }

  stop() {
    clearInterval(this.#timer)
  }
}
