/** @typedef {import('../node-host.js').Usage} Usage */

/**
 * ProcessUsage tells how busy this process really was. Its event loop hardly turns while virtual time passes, and nothing waits for
 * it: its turns are of no meaning, and it was active for as long as it had a processor.
 */
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
    const wallMs = now.wallMs - before.wallMs
    const cpuMicros = now.cpuMicros - before.cpuMicros
    return {
      wallMs,
      activeMs: Math.min(wallMs, cpuMicros / 1000),
      cpuMicros,
      rssBytes: rss,
      heapBytes: heapUsed,
      maxTurnMs: 0
    }
  }

  #reading() {
    const { user, system } = process.cpuUsage()
    return { wallMs: this.#nowMs(), cpuMicros: user + system }
  }
}
