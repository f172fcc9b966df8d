import { setTimeout as sleep } from 'node:timers/promises'

const SECOND_MS = 1000
// what is let in between is done in one go: who waits is not woken for each small part of it
const SHORTEST_WAIT_MS = 10

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

  /** idle says whether it is as if nothing had ever come. */
  get idle() {
    return this.#due <= this.#now()
  }

  /** wait is until the next may come. @returns {Promise<void> | undefined} undefined: it may now */
  wait() {
    const ms = this.untilMs
    return ms > 0 ? sleep(Math.max(SHORTEST_WAIT_MS, Math.ceil(ms)), undefined, { ref: false }) : undefined
  }
}

// of those that nobody waits for
const MOST_IDLE = 1024

/** Rates are those of many, by name. Whoever goes and comes again has what was left. */
export class Rates {
  #perSecond
  #aheadMs
  #now
  /** @type {Map<string, Rate>} */
  #rates = new Map()

  /** @param {number} perSecond @param {number} aheadMs @param {() => number} [now] - as of a Rate */
  constructor(perSecond, aheadMs, now) {
    this.#perSecond = perSecond
    this.#aheadMs = aheadMs
    this.#now = now
  }

  /** @param {string} name */
  of(name) {
    const known = this.#rates.get(name)
    if (known !== undefined) return known
    if (this.#rates.size >= MOST_IDLE) this.#forgetIdle()
    const rate = new Rate(this.#perSecond, this.#aheadMs, this.#now)
    this.#rates.set(name, rate)
    return rate
  }

  #forgetIdle() {
    for (const [name, rate] of this.#rates) if (rate.idle) this.#rates.delete(name)
  }
}
