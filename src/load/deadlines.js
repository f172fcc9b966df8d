import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/**
 * Deadlines aborts what takes longer than the timeout, with one timer for all instead of one each. It looks every 50 ms, so a
 * timeout may come that much late.
 */
export class Deadlines {
  #timeoutMs
  #clock
  /** @type {Set<{ deadlineMs: number, controller: AbortController }>} oldest first */
  #guards = new Set()
  #timer

  /**
   * @param {number} timeoutMs
   * @param {() => number} [clock] - ms, monotonic
   */
  constructor(timeoutMs, clock = () => performance.now()) {
    this.#timeoutMs = timeoutMs
    this.#clock = clock
    this.#timer = setInterval(() => this.sweep(), 50)
    this.#timer.unref()
  }

  /** @returns {{ signal: AbortSignal, release: () => void }} */
  guard() {
    const controller = new AbortController()
    const guard = { deadlineMs: this.#clock() + this.#timeoutMs, controller }
    this.#guards.add(guard)
    return { signal: controller.signal, release: () => this.#guards.delete(guard) }
  }

  sweep() {
    const now = this.#clock()
    for (const guard of this.#guards) {
      if (guard.deadlineMs > now) return
      this.#guards.delete(guard)
      guard.controller.abort(new DOMException('no reply in time', 'TimeoutError'))
    }
  }

  /**
   * lastReplies waits until nothing is under way any more.
   *
   * @param {number} mostMs - no longer than this
   */
  async lastReplies(mostMs) {
    const untilMs = this.#clock() + mostMs
    while (this.#guards.size > 0 && this.#clock() < untilMs) await sleep(LOOK_EVERY_MS)
  }

  /** abortAll ends everything under way. @param {unknown} reason */
  abortAll(reason) {
    for (const guard of this.#guards) guard.controller.abort(reason)
    this.#guards.clear()
  }

  stop() {
    clearInterval(this.#timer)
  }
}
