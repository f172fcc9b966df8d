import { performance } from 'node:perf_hooks'

/**
 * Turns tells how long events waited because the event loop was busy with other ones: the part of a response time that the
 * load generator added. It cannot see when bytes reached the kernel, so it reckons: an event that opens a turn right after
 * another busy turn (the loop did not sleep in between) came on average half that turn ago; a later event of a turn also
 * waited for those before it.
 */
export class Turns {
  #clock
  #schedule
  #idleMs
  #startNs = 0n
  #lastLengthNs = 0
  #lastIdleMs = -1
  #waitNs = 0
  #open = false
  #onTurn

  /**
   * @param {object} components
   * @param {() => bigint} [components.clock] - ns
   * @param {(end: () => void) => unknown} [components.schedule] - calls when the present turn's events are handled
   * @param {() => number} [components.idleMs] - how long the loop has slept since the process began
   * @param {(lengthNs: number) => void} [components.onTurn] - told the length of every turn with events
   */
  constructor({
    clock = process.hrtime.bigint,
    schedule = setImmediate,
    idleMs = () => performance.nodeTiming.idleTime,
    onTurn = () => {}
  } = {}) {
    this.#clock = clock
    this.#schedule = schedule
    this.#idleMs = idleMs
    this.#onTurn = onTurn
  }

  /**
   * event is called when something arrived from the network.
   *
   * @param {bigint} nowNs
   * @returns {number} ns the event is reckoned to have waited
   */
  event(nowNs) {
    if (!this.#open) this.#begin(nowNs)
    return this.#waitNs + Number(nowNs - this.#startNs)
  }

  /** busy says whether events are being handled right now. */
  get busy() {
    return this.#open
  }

  /** idle is called when the loop turned without having to: whatever comes next did not wait for the turn before. */
  idle() {
    if (!this.#open) this.#lastLengthNs = 0
  }

  /** @param {bigint} nowNs */
  #begin(nowNs) {
    const slept = this.#idleMs() !== this.#lastIdleMs
    this.#waitNs = slept ? 0 : this.#lastLengthNs / 2
    this.#startNs = nowNs
    this.#open = true
    this.#schedule(() => this.#end())
  }

  #end() {
    this.#open = false
    this.#lastLengthNs = Number(this.#clock() - this.#startNs)
    this.#lastIdleMs = this.#idleMs()
    this.#onTurn(this.#lastLengthNs)
  }
}
