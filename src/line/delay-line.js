import { systemClock } from './clock.js'

/**
 * DelayLine runs what is pushed into it a fixed time later, in the order it was pushed. One timer serves the line, however much is
 * in it.
 */
export class DelayLine {
  #delayMs
  #clock
  /** @type {{ dueMs: number, run: () => void }[]} */
  #held = []
  /** @type {unknown} */
  #timer = null
  #holds = false
  #stopped = false

  /** @param {number} delayMs @param {import('./clock.js').LineClock} [clock] */
  constructor(delayMs, clock = systemClock) {
    this.#delayMs = delayMs
    this.#clock = clock
  }

  /** isIdle is true when nothing is in the line, and it would let something out. */
  get isIdle() {
    return this.#held.length === 0 && !this.#holds
  }

  /** isHeld is true from `hold` to `release`. */
  get isHeld() {
    return this.#holds
  }

  /** @param {() => void} run @param {number} [fromMs] - when its time begins; default now */
  push(run, fromMs = this.#clock.nowMs()) {
    if (this.#stopped) return
    this.#held.push({ dueMs: fromMs + this.#delayMs, run })
    if (this.#timer === null && !this.#holds) this.#wait()
  }

  /** hold lets nothing out until `release`, due or not. */
  hold() {
    this.#holds = true
    this.#unset()
  }

  /** release ends `hold`: what is due runs at once. */
  release() {
    if (!this.#holds) return
    this.#holds = false
    this.#runDue()
  }

  /** stop drops what is held, and whatever comes. */
  stop() {
    this.#stopped = true
    this.#held = []
    this.#unset()
  }

  #wait() {
    const leftMs = this.#held[0].dueMs - this.#clock.nowMs()
    this.#timer = this.#clock.setTimer(() => this.#runDue(), Math.max(1, Math.ceil(leftMs)))
  }

  #unset() {
    if (this.#timer !== null) this.#clock.clearTimer(this.#timer)
    this.#timer = null
  }

  /** What runs may stop the line, hold it, or push more into it. */
  #runDue() {
    this.#unset()
    const nowMs = this.#clock.nowMs()
    while (!this.#holds && this.#held.length > 0 && this.#held[0].dueMs <= nowMs) this.#held.shift()?.run()
    if (this.#timer === null && !this.#holds && this.#held.length > 0) this.#wait()
  }
}
