import { FairQueue } from './fair-queue.js'

/** @typedef {import('./fair-queue.js').Caller} Caller */

// others are read after twice as many at most
const REQUESTS_PER_TURN = 32
const MS_PER_TURN = 2

/**
 * Turns shares the event loop among those that send requests. One request is served after the other: the next when the one before is
 * done, or waits for something outside. That is at once while little was done in this turn of the loop; what has to wait is
 * served in turn (FairQueue), so much in each turn of the loop that sockets are read in between.
 *
 * Where one turn of the loop ends nobody says, unless it is asked for, which costs something: so the first request after 2 ms, or
 * after 32 others, waits for the next turn, too.
 */
export class Turns {
  #now
  #nextTurn
  /** @type {FairQueue<() => void>} */
  #waiting = new FairQueue()
  #began = Number.NEGATIVE_INFINITY
  #served = 0
  #busy = false
  #scheduled = false

  /**
   * @param {object} [parts]
   * @param {() => number} [parts.now] - ms
   * @param {(next: () => void) => void} [parts.nextTurn] - calls `next` when sockets have been read
   */
  constructor({ now = () => performance.now(), nextTurn = setImmediate } = {}) {
    this.#now = now
    this.#nextTurn = nextTurn
  }

  /**
   * take asks for a turn to serve one request; `done` is to be called behind it.
   *
   * @param {Caller} caller
   * @returns {Promise<void> | undefined} undefined: at once
   */
  take(caller) {
    if (!this.#busy && this.#waiting.size === 0 && !this.#over) {
      this.#busy = true
      this.#served++
      return
    }
    const turn = new Promise(resolve => this.#waiting.push(caller, () => resolve(undefined)))
    this.#schedule()
    return turn
  }

  done() {
    this.#busy = false
  }

  get #over() {
    return this.#served >= REQUESTS_PER_TURN || this.#now() - this.#began >= MS_PER_TURN
  }

  /** For when there is time, and all promises have settled: one queued from a microtask is a tick that runs after all of them. */
  #schedule() {
    if (this.#scheduled) return
    this.#scheduled = true
    if (this.#over) this.#nextTurn(this.#onTurn)
    else queueMicrotask(() => process.nextTick(this.#serveNext))
  }

  #onTurn = () => {
    this.#began = this.#now()
    this.#served = 0
    this.#serveNext()
  }

  #serveNext = () => {
    this.#scheduled = false
    const go = this.#waiting.shift()
    this.#busy = true
    this.#served++
    go()
    if (this.#waiting.size > 0) this.#schedule()
  }
}
