import { FairQueue } from './fair-queue.js'

/** @typedef {import('./fair-queue.js').Caller} Caller */

// others are read after twice as many at most
const REQUESTS_PER_TURN = 32
const MS_PER_TURN = 10

/**
 * Turns shares the event loop among those that send requests. One request is served after the other: the next when all promises of the
 * one before have settled. That is at once while little was done in this turn of the loop; what has to wait is served in turn
 * (FairQueue), so much in each turn of the loop that sockets are read in between.
 */
export class Turns {
  #now
  #nextTurn
  /** @type {FairQueue<() => void>} */
  #waiting = new FairQueue()
  /** a turn of the loop in which something was asked for */
  #open = false
  #began = 0
  #served = 0
  #busy = false

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
   * take asks for a turn to serve one request.
   *
   * @param {Caller} caller
   * @returns {Promise<void> | undefined} undefined: at once
   */
  take(caller) {
    if (!this.#open) this.#begin()
    if (this.#busy || this.#waiting.size > 0 || this.#over) {
      return new Promise(resolve => this.#waiting.push(caller, resolve))
    }
    this.#start()
  }

  get #over() {
    return this.#served >= REQUESTS_PER_TURN || this.#now() - this.#began >= MS_PER_TURN
  }

  #begin() {
    this.#open = true
    this.#began = this.#now()
    this.#served = 0
    this.#nextTurn(this.#onTurn)
  }

  #start() {
    this.#busy = true
    this.#served++
    queueMicrotask(this.#settle)
  }

  /** Ticks run before microtasks; one queued from a microtask runs when all promises have settled. */
  #settle = () => process.nextTick(this.#serveNext)

  #serveNext = () => {
    this.#busy = false
    if (this.#waiting.size === 0 || this.#over) return
    const go = this.#waiting.shift()
    this.#start()
    go()
  }

  #onTurn = () => {
    this.#open = false
    if (this.#waiting.size === 0) return
    this.#begin()
    if (!this.#busy) this.#serveNext()
  }
}
