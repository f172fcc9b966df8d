// Timeouts: abort signals with a time limit, waits with a time limit, and a clock that never jumps.
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * makeTimeLimit makes a signal that is aborted in so many ms. One that only `AbortSignal.any` knows of may be collected before, and then never
 * is (Node 20, https://github.com/nodejs/node/issues/57736): what somebody listens to is kept.
 *
 * @param {number} ms
 */
export function makeTimeLimit(ms) {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => {}, { once: true })
  return signal
}

/** limitSignal makes a signal that is aborted with another, or in so many ms. @param {AbortSignal} signal @param {number} ms */
export const limitSignal = (signal, ms) => AbortSignal.any([signal, makeTimeLimit(ms)])

/** waitAtMost waits for some work, but no longer than so many ms. It does not keep the process alive. @template T @param {Promise<T> | undefined} work @param {number} ms @returns {Promise<T | undefined>} */
export const waitAtMost = (work, ms) => Promise.race([work, sleep(ms, undefined, { ref: false })])

const LOOK_EVERY_MS = 20

/** What begins within so long has one signal: to make one costs more than to send a request. */
const TOGETHER_MS = 5

/**
 * @typedef {object} Batch - of what began together
 * @property {number} untilMs - more may begin
 * @property {AbortController} controller
 * @property {number} size - that are under way
 */

/**
 * Deadlines aborts what takes longer than the timeout, with one timer for all instead of one each. It looks every 50 ms, so a
 * timeout may come 55 ms late.
 */
export class Deadlines {
  #timeoutMs
  #clock
  /** oldest first @type {Set<Batch>} */
  #batches = new Set()
  /** @type {Batch | undefined} */
  #newest
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

  /** @returns {{ signal: AbortSignal, release: () => void }} the signal may be aborted when this was released, for others */
  guard() {
    const batch = this.#open()
    batch.size++
    let released = false
    const release = () => {
      if (released) return
      released = true
      if (--batch.size === 0) this.#batches.delete(batch)
    }
    return { signal: batch.controller.signal, release }
  }

  /** The batch of what begins now. */
  #open() {
    const now = this.#clock()
    if (this.#newest === undefined || now >= this.#newest.untilMs) {
      const controller = new AbortController()
      setMaxListeners(0, controller.signal)
      this.#newest = { untilMs: now + TOGETHER_MS, controller, size: 0 }
    }
    this.#batches.add(this.#newest)
    return this.#newest
  }

  sweep() {
    const now = this.#clock()
    for (const batch of this.#batches) {
      if (batch.untilMs + this.#timeoutMs > now) return
      this.#end(batch, new DOMException('no reply in time', 'TimeoutError'))
    }
  }

  /** @param {Batch} batch @param {unknown} reason */
  #end(batch, reason) {
    this.#batches.delete(batch)
    if (batch === this.#newest) this.#newest = undefined
    batch.controller.abort(reason)
  }

  /**
   * lastReplies waits until nothing is under way any more.
   *
   * @param {number} maxMs
   */
  async lastReplies(maxMs) {
    const untilMs = this.#clock() + maxMs
    while (this.#batches.size > 0 && this.#clock() < untilMs) await sleep(LOOK_EVERY_MS)
  }

  /** abortAll ends everything under way. @param {unknown} reason */
  abortAll(reason) {
    for (const batch of this.#batches) this.#end(batch, reason)
  }

  stop() {
    clearInterval(this.#timer)
  }
}

/**
 * waitForEvent waits for the next of some events, of a stream of libp2p as a rule: its `onDrain` comes back at once from the second time on
 * (@libp2p/utils 7.4).
 *
 * @template {string} E
 * @param {{ addEventListener(event: E, listener: () => void): void, removeEventListener(event: E, listener: () => void): void }} target
 * @param {readonly E[]} events
 * @returns {Promise<void>}
 */
export function waitForEvent(target, events) {
  return new Promise(resolve => {
    const done = () => {
      for (const event of events) target.removeEventListener(event, done)
      resolve()
    }
    for (const event of events) target.addEventListener(event, done)
  })
}

/**
 * makeClock is a clock that goes on from a time by what has passed since then: the machine's own may be set meanwhile, and what has
 * ended would have ended before it began.
 *
 * @param {Date} time - it is now
 * @returns {() => Date}
 */
export function makeClock(time) {
  const sinceMs = performance.now()
  return () => new Date(time.getTime() + performance.now() - sinceMs)
}
