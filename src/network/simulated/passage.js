/**
 * Passage is how the time of a simulation passes. Where it waits for something that happens in the network, it goes on to the end of that lookahead:
 * at such moments several processes can know of one another, so that one process has to stop there, too.
 */
export class Passage {
  #driver
  #time
  #cellNs

  /**
   * @param {import('./driver.js').Driver} driver
   * @param {import('./virtual-time.js').VirtualTime} time
   * @param {number} lookaheadNs - of the network; 0: none
   */
  constructor(driver, time, lookaheadNs) {
    this.#driver = driver
    this.#time = time
    this.#cellNs = lookaheadNs
  }

  /** pass lets time pass. @param {number} ns @param {() => boolean} [ended] - ends it early */
  pass(ns, ended) {
    return this.#driver.pass(ns, ended)
  }

  /**
   * passUntil lets time pass until a promise is settled, and to the end of that lookahead.
   *
   * @template T
   * @param {Promise<T>} promise
   * @param {number} [withinNs]
   * @returns {Promise<T>}
   * @throws {Error} as Driver
   */
  async passUntil(promise, withinNs) {
    const value = await this.#driver.passUntil(promise, withinNs)
    if (this.#cellNs === 0) return value
    const endNs = (Math.floor(this.#time.nowNs / this.#cellNs) + 1) * this.#cellNs
    // what happens at that moment is of the next one
    await this.#driver.pass(endNs - 1 - this.#time.nowNs)
    this.#time.rest(endNs)
    return value
  }
}
