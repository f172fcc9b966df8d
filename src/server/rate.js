import { Waiting } from './waiting.js'

const SECOND_MS = 1000
// what is let in between is done in one go: who waits is not woken for each small part of it
const SHORTEST_WAIT_MS = 10
// of those who wait: the first takes what there is, and all others would have been woken to wait again
const WOKEN_AT_ONCE = 16

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
  #waiting = new Waiting()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

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

  /**
   * wait is until the next may come; then it must be asked again.
   *
   * @param {import('./waiting.js').Waiter} [who] - waits, until it closes
   * @returns {Promise<void> | undefined} undefined: it may now
   */
  wait(who) {
    if (this.untilMs === 0) return undefined
    this.#wakeLater()
    return this.#waiting.add(who)
  }

  #wakeLater() {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(this.#wake, Math.max(SHORTEST_WAIT_MS, Math.ceil(this.untilMs))).unref()
  }

  #wake = () => {
    this.#timer = undefined
    if (this.untilMs === 0) this.#waiting.wake(WOKEN_AT_ONCE)
    if (this.#waiting.size > 0) this.#wakeLater()
  }
}

// beyond which those are forgotten that nobody holds, and that are as if new
const MOST_KEPT = 1024

/** @typedef {{ addEventListener: (type: 'close', listener: () => void) => void }} Holder - until it closes */

/**
 * Rates are those of many, by name: one for all who have a connection under it. Whoever goes and comes again has what was left.
 *
 * @template {{ idle: boolean }} R
 */
export class Rates {
  #make
  /** @type {Map<string, { rate: R, holders: number }>} */
  #kept = new Map()

  /** @param {() => R} make */
  constructor(make) {
    this.#make = make
  }

  get size() {
    return this.#kept.size
  }

  /** @param {string} name @param {Holder} holder @returns {R} */
  of(name, holder) {
    const kept = this.#kept.get(name) ?? this.#add(name)
    kept.holders++
    holder.addEventListener('close', () => kept.holders--)
    return kept.rate
  }

  /** @param {string} name */
  #add(name) {
    if (this.#kept.size >= MOST_KEPT) this.#forget()
    const kept = { rate: this.#make(), holders: 0 }
    this.#kept.set(name, kept)
    return kept
  }

  #forget() {
    for (const [name, { rate, holders }] of this.#kept)
      if (holders === 0 && rate.idle) this.#kept.delete(name)
  }
}
