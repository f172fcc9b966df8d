import { setTimeout as sleep } from 'node:timers/promises'

/** Node's timers count whole milliseconds and come up to one late, so the last stretch is not slept. */
const TIMER_SLACK_MS = 1.5

/** About 20 µs. Each turn of the loop leaves garbage: without a pause it is collected 200 times a second, while operations are under way. */
const PAUSE_READS = 2000
/** Shortly before an operation is due there is none. */
const LAST_NS = 50_000n
const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

function pause() {
  for (let reads = 0; reads < PAUSE_READS; reads++) Atomics.load(cell, 0)
}

/**
 * Pacer waits until an operation is due. A precise one turns the event loop without sleeping for the last stretch, which
 * takes a whole core at high rates but sends within microseconds of the due time; otherwise it sleeps only, and what is due
 * goes out up to a few milliseconds late.
 */
export class Pacer {
  #precise
  #turns
  #clock
  /** spunNs is how long the loop turned for nothing but waiting: no work, though the runtime counts it as active. */
  spunNs = 0

  /**
   * @param {object} options
   * @param {boolean} options.precise
   * @param {import('../measure/turns.js').Turns} options.turns
   * @param {() => bigint} [options.clock]
   */
  constructor({ precise, turns, clock = process.hrtime.bigint }) {
    this.#precise = precise
    this.#turns = turns
    this.#clock = clock
  }

  /**
   * @param {bigint} dueNs
   * @param {AbortSignal} [signal] - aborted: wait no longer
   */
  async until(dueNs, signal) {
    for (let leftMs = this.#left(dueNs); leftMs > 0 && !signal?.aborted; leftMs = this.#left(dueNs)) {
      if (!this.#precise) await interruptible(leftMs, signal)
      else if (leftMs > 2 * TIMER_SLACK_MS) await interruptible(leftMs - TIMER_SLACK_MS, signal)
      else await this.#spin(dueNs, signal)
    }
  }

  /** @param {bigint} dueNs */
  #left(dueNs) {
    return Number(dueNs - this.#clock()) / 1e6
  }

  /** Turns the loop until the operation is due. @param {bigint} dueNs @param {AbortSignal} [signal] */
  #spin(dueNs, signal) {
    return new Promise(resolve => {
      let beforeNs = this.#clock()
      const turn = () => {
        const nowNs = this.#clock()
        const over = nowNs >= dueNs || signal?.aborted
        if (!this.#turns.busy) {
          this.#turns.idle()
          if (dueNs - nowNs > LAST_NS) pause()
          this.spunNs += Number(this.#clock() - beforeNs)
        }
        if (over) return resolve(undefined)
        beforeNs = this.#clock()
        setImmediate(turn)
      }
      setImmediate(turn)
    })
  }
}

/** @param {number} ms @param {AbortSignal} [signal] */
const interruptible = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {})
