import { afterPromises } from './after-promises.js'
import { Rates } from './rate.js'

/**
 * @typedef {object} LoopShare - of somebody
 * @property {() => void} begin - something is done for it from now on, until its promises have settled or something else begins
 * @property {() => Promise<void> | undefined} wait - until it may have more; undefined: it may now
 */

// what may be done at once, in time of the event loop
const AHEAD_MS = 50
// nothing is served for longer: what is beyond was a pause of the process, which nobody asked for
const MOST_MS = 4

/** UNTIMED is the share of whom nobody limits. @type {LoopShare} */
export const UNTIMED = { begin: () => {}, wait: () => undefined }

/**
 * LoopTime shares the time of the event loop among groups of addresses: what is done for one counts, with the promises behind it, and who
 * had its share waits.
 */
export class LoopTime {
  #rates
  #now
  /** @type {{ rate: import('./rate.js').Rate, since: number } | undefined} */
  #running

  /** @param {number} msPerSecond - for each group @param {() => number} [now] - ms */
  constructor(msPerSecond, now = () => performance.now()) {
    this.#rates = new Rates(msPerSecond, AHEAD_MS, now)
    this.#now = now
  }

  /** of is the share of a group. @param {string} group @returns {LoopShare} */
  of(group) {
    const rate = this.#rates.of(group)
    return { begin: () => this.#begin(rate), wait: () => rate.wait() }
  }

  /** @param {import('./rate.js').Rate} rate */
  #begin(rate) {
    this.#end()
    const running = { rate, since: this.#now() }
    this.#running = running
    afterPromises(() => {
      if (this.#running === running) this.#end()
    })
  }

  #end() {
    if (this.#running === undefined) return
    const { rate, since } = this.#running
    rate.take(Math.min(MOST_MS, this.#now() - since))
    this.#running = undefined
  }
}
