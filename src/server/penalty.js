// without a break
const STAYS_BEYOND_MS = 150
const FORGIVEN_AFTER_MS = 5000
// who has waited asks again at once, but the process may be late
const BREAK_MS = 50

/**
 * Penalty is what the time of the event loop costs somebody who stays beyond a share: the price doubles quickly, so that the share is soon
 * a small one, and halves slowly once nobody has to wait (multiplicative decrease, as of senders in congested networks: RFC 5681, 3.1).
 */
export class Penalty {
  #mostDoublings
  #now
  #doublings = 0
  /** of a stretch in which somebody had to wait, ms */
  #since = Number.NEGATIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY
  /** from when on the price goes down */
  #calmSince = Number.NEGATIVE_INFINITY

  /** @param {number} mostDoublings @param {() => number} now - ms */
  constructor(mostDoublings, now) {
    this.#mostDoublings = mostDoublings
    this.#now = now
  }

  /** price is how much one ms counts as. */
  get price() {
    this.#forgive()
    return 2 ** this.#doublings
  }

  /** idle says whether it is as if nobody had ever been late. */
  get idle() {
    return this.price === 1 && this.#now() > this.#until
  }

  /** late is told of somebody who has to wait. @param {number} ms */
  late(ms) {
    const now = this.#now()
    this.#forgive()
    if (now > this.#until + BREAK_MS) this.#since = now
    else if (now - this.#since >= STAYS_BEYOND_MS) {
      this.#since = now
      this.#doublings = Math.min(this.#mostDoublings, this.#doublings + 1)
    }
    this.#until = Math.max(this.#until, now + ms)
    this.#calmSince = this.#until
  }

  #forgive() {
    const times = Math.floor((this.#now() - this.#calmSince) / FORGIVEN_AFTER_MS)
    if (times < 1 || this.#doublings === 0) return
    this.#doublings = Math.max(0, this.#doublings - times)
    this.#calmSince += times * FORGIVEN_AFTER_MS
  }
}
