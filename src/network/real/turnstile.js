import { setImmediate as nextTurn } from 'node:timers/promises'

/** A turn of the event loop that takes longer has more to read than there is time for. */
const SHORT_NS = 25e6
/** Where no turn is short, somebody passes all the same. */
const LONGEST_WAIT_NS = 2e9

/**
 * Turnstile holds back who would add to the work of a process that does not keep up: one passes at a time, after a turn of its event
 * loop that was short. On one machine what nodes have not read yet waits in the system's sockets, where nobody sees it: long turns
 * are the sign of it.
 */
export class Turnstile {
  #now
  #turn
  /** @type {Promise<void>} */
  #last = Promise.resolve()

  /**
   * @param {object} components
   * @param {() => number} components.now - ns
   * @param {() => Promise<unknown>} [components.turn] - lets the event loop turn once
   */
  constructor({ now, turn = () => nextTurn() }) {
    this.#now = now
    this.#turn = turn
  }

  /** pass waits for its turn, those that came before first. @param {AbortSignal} signal - aborted: it waits no longer */
  pass(signal) {
    this.#last = this.#last.then(() => this.#shortTurn(signal))
    return this.#last
  }

  /** @param {AbortSignal} signal */
  async #shortTurn(signal) {
    const startNs = this.#now()
    let beforeNs = startNs
    do {
      if (signal.aborted) return
      beforeNs = this.#now()
      await this.#turn()
    } while (this.#now() - beforeNs > SHORT_NS && this.#now() - startNs < LONGEST_WAIT_NS)
  }
}
