/** @typedef {import('../../src/libp2p/line.js').LineClock} LineClock */

/**
 * VirtualClock is time that passes when it is told to. Its timers are those of Node at their worst: of whole milliseconds, and late.
 *
 * @implements {LineClock}
 */
export class VirtualClock {
  #nowMs = 0
  /** @type {{ atMs: number, run: () => void }[]} */
  #timers = []
  #lateMs

  /** @param {object} [options] @param {(timer: number) => number} [options.lateMs] - of each timer, by how many were set before */
  constructor({ lateMs = () => 0 } = {}) {
    this.#lateMs = lateMs
  }

  #set = 0

  nowMs = () => this.#nowMs

  setTimer = (/** @type {() => void} */ run, /** @type {number} */ ms) => {
    const timer = { atMs: this.#nowMs + Math.max(1, Math.floor(ms)) + this.#lateMs(this.#set++), run }
    this.#timers.push(timer)
    return timer
  }

  clearTimer = (/** @type {any} */ timer) => {
    this.#timers = this.#timers.filter(each => each !== timer)
  }

  /** runUntil lets time pass. @param {number} ms */
  runUntil(ms) {
    for (let next = this.#next(ms); next !== undefined; next = this.#next(ms)) {
      this.#nowMs = next.atMs
      this.clearTimer(next)
      next.run()
    }
    this.#nowMs = ms
  }

  /** @param {number} ms */
  #next(ms) {
    return this.#timers.filter(({ atMs }) => atMs <= ms).sort((a, b) => a.atMs - b.atMs)[0]
  }
}
