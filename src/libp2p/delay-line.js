/**
 * DelayLine runs what is pushed into it a fixed time later, in the order it was pushed. One timer serves the line, however much is
 * in it.
 */
export class DelayLine {
  #delayNs
  #clock
  /** @type {{ dueNs: bigint, run: () => void }[]} */
  #held = []
  /** @type {NodeJS.Timeout | null} */
  #timer = null
  #stopped = false

  /** @param {number} delayMs @param {() => bigint} [clock] - ns */
  constructor(delayMs, clock = process.hrtime.bigint) {
    this.#delayNs = BigInt(Math.round(delayMs * 1e6))
    this.#clock = clock
  }

  /** @param {() => void} run */
  push(run) {
    if (this.#stopped) return
    this.#held.push({ dueNs: this.#clock() + this.#delayNs, run })
    if (this.#timer === null) this.#wait()
  }

  /** stop drops what is held, and whatever comes. */
  stop() {
    this.#stopped = true
    this.#held = []
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #wait() {
    const leftMs = Number(this.#held[0].dueNs - this.#clock()) / 1e6
    this.#timer = setTimeout(() => this.#release(), Math.max(1, Math.ceil(leftMs)))
  }

  #release() {
    this.#timer = null
    const nowNs = this.#clock()
    const due = this.#held.findIndex(({ dueNs }) => dueNs > nowNs)
    const released = this.#held.splice(0, due === -1 ? this.#held.length : due)
    for (const { run } of released) {
      // what runs may stop the line
      if (this.#stopped) return
      run()
    }
    if (this.#held.length > 0 && this.#timer === null) this.#wait()
  }
}
