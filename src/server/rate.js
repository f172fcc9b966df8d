import { setTimeout as sleep } from 'node:timers/promises'

const SECOND_MS = 1000

/**
 * Rate spreads what somebody takes over time: so much at once, and so much a second. What is beyond is not refused, it comes later. (Generic
 * cell rate algorithm, ITU-T I.371.)
 */
export class Rate {
  #each
  #ahead
  #now
  /** when all that was taken would have come at the rate, ms */
  #due = Number.NEGATIVE_INFINITY

  /**
   * @param {number} perSecond - Infinity: without bound
   * @param {number} aheadMs - at once may come what may come in so long
   * @param {() => number} [now] - ms
   */
  constructor(perSecond, aheadMs, now = () => performance.now()) {
    this.#each = SECOND_MS / perSecond
    this.#ahead = aheadMs
    this.#now = now
  }

  /** take counts what comes now, be it early or not. @param {number} [count] */
  take(count = 1) {
    this.#due = Math.max(this.#due, this.#now()) + count * this.#each
  }

  /** untilMs is how long the next has to wait. */
  get untilMs() {
    return Math.max(0, this.#due - this.#ahead - this.#now())
  }
}

/**
 * wait is for both of two rates.
 *
 * @param {Rate} one
 * @param {Rate} other
 * @returns {Promise<void> | undefined} undefined: neither has anybody wait
 */
export function wait(one, other) {
  const ms = Math.max(one.untilMs, other.untilMs)
  return ms > 0 ? sleep(Math.ceil(ms), undefined, { ref: false }) : undefined
}
