import { StoreUnavailableError } from '../store-error.js'

/**
 * @typedef {object} LanesInit
 * @property {number} atOnce - of one caller
 * @property {number} [maxWaiting] - of one caller
 * @property {number} [maxWaitingInAll]
 * @property {() => number} now - ms
 *
 * @typedef {{ underWay: number, waiting: Array<() => void> }} Lane - of a caller
 */

/** For how long something waits behind what its own caller asked before: as long as for a connection. */
const MAX_WAIT_MS = 3000
/** As many streams as a connection of Yamux has, each with a request. */
const MAX_WAITING = 256
/** Each may be a request of 16 KiB, which counts in what may wait of its address. */
const MAX_WAITING_IN_ALL = 4096

/**
 * Lanes let so much of one caller go on at once: what else it asks waits behind that, and holds nothing that others need. Who has nothing
 * under way never waits, and is never refused.
 */
export class Lanes {
  #init
  /** @type {Map<string, Lane>} by caller */
  #lanes = new Map()
  #waiting = 0

  /** @param {LanesInit} init */
  constructor({ maxWaiting = MAX_WAITING, maxWaitingInAll = MAX_WAITING_IN_ALL, ...init }) {
    this.#init = { maxWaiting, maxWaitingInAll, ...init }
  }

  /** waiting is how much waits, of all callers. */
  get waiting() {
    return this.#waiting
  }

  /** admit throws where something of a caller would be refused. @param {string} caller @throws {StoreUnavailableError} */
  admit(caller) {
    const lane = this.#lanes.get(caller)
    const { maxWaiting, maxWaitingInAll } = this.#init
    if (lane === undefined || this.#isFree(lane)) return
    if (lane.waiting.length >= maxWaiting || this.#waiting >= maxWaitingInAll)
      throw new StoreUnavailableError('the store is busy')
  }

  /**
   * through does something for a caller when it is its turn.
   *
   * @template T
   * @param {string} caller
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   * @throws {StoreUnavailableError}
   */
  async through(caller, work) {
    this.admit(caller)
    const lane = this.#lanes.get(caller) ?? { underWay: 0, waiting: [] }
    this.#lanes.set(caller, lane)
    const sinceMs = this.#init.now()
    if (this.#isFree(lane)) lane.underWay++
    else await this.#turn(lane)
    try {
      if (this.#init.now() - sinceMs > MAX_WAIT_MS) throw new StoreUnavailableError('the store is slow')
      return await work()
    } finally {
      this.#end(caller, lane)
    }
  }

  /** @param {Lane} lane */
  #isFree({ underWay }) {
    return underWay < this.#init.atOnce
  }

  /** @param {Lane} lane @returns {Promise<void>} */
  #turn({ waiting }) {
    this.#waiting++
    return new Promise(resolve => waiting.push(resolve))
  }

  /** The place goes to the next, so that nobody comes in between. @param {string} caller @param {Lane} lane */
  #end(caller, lane) {
    const next = lane.waiting.shift()
    if (next !== undefined) {
      this.#waiting--
      next()
    } else if (--lane.underWay === 0) this.#lanes.delete(caller)
  }
}
