/**
 * @typedef {import('./elsewhere.js').Box} Box
 *
 * @typedef {object} Told - what a process of a simulation tells the others when they meet
 * @property {(Box | null)[]} boxes - for each of them
 * @property {number} nextNs - before which nothing happens that it knows of
 * @property {boolean} settled - what it waits for has come
 * @property {boolean} ended - it was asked to end
 *
 * @typedef {object} Heard - of all of them
 * @property {Box[]} boxes - for this one
 * @property {number} nextNs
 * @property {boolean} settled - at all of them
 * @property {boolean} ended - at one of them at least
 *
 * @typedef {object} JointParts
 * @property {import('./driver.js').Driver} driver
 * @property {import('./virtual-time.js').VirtualTime} time
 * @property {number} lookaheadNs - above 0
 * @property {import('./elsewhere.js').Elsewhere} elsewhere
 * @property {(told: Told) => Promise<Heard>} meet - resolves when all have told
 * @property {(box: Box) => void} take - puts into the network what came
 */

/**
 * JointPassage is how the time of a simulation passes that several processes share: each lets its own nodes go on for as long as nothing of
 * what the others do can have arrived, which is the lookahead; then they hand over what was sent. It stops where Passage stops.
 */
export class JointPassage {
  #parts
  /** All that the others send and that happens before it is known. */
  #horizonNs = 0
  /** Nothing happens before it anywhere. */
  #nextNs = 0
  /** meetings so far, and what was handed over at them. */
  meetings = 0
  handedOver = 0

  /** @param {JointParts} parts */
  constructor(parts) {
    this.#parts = parts
  }

  /** @param {number} ns @param {() => boolean} [ended] - ends it early */
  async pass(ns, ended) {
    this.#begin()
    await this.#passTo(this.#parts.time.nowNs + ns, ended)
  }

  /**
   * @template T
   * @param {Promise<T>} promise
   * @param {number} [withinNs]
   * @returns {Promise<T>}
   */
  async passUntil(promise, withinNs = Infinity) {
    const { time, lookaheadNs } = this.#parts
    let settled = false
    const onSettled = () => {
      settled = true
    }
    promise.then(onSettled, onSettled)
    this.#begin()
    this.#nextNs = time.nowNs
    const lastNs = time.nowNs + withinNs
    for (;;) {
      const fromNs = Math.max(time.nowNs, this.#nextNs)
      if (fromNs === Infinity || fromNs > lastNs)
        throw new Error('the simulation waits in vain: what it waits for has not come')
      const endNs = (Math.floor(fromNs / lookaheadNs) + 1) * lookaheadNs
      await this.#passTo(endNs - 1)
      time.rest(endNs)
      if ((await this.#meet(settled, false)).settled) return promise
    }
  }

  /** What was asked for from outside can begin something now. */
  #begin() {
    const { time, lookaheadNs } = this.#parts
    this.#horizonNs = Math.min(this.#horizonNs, time.nowNs + lookaheadNs)
  }

  /** @param {number} untilNs @param {() => boolean} [ended] */
  async #passTo(untilNs, ended = () => false) {
    const { driver, time } = this.#parts
    while (untilNs >= this.#horizonNs) {
      if (this.#horizonNs > time.nowNs) await driver.pass(this.#horizonNs - 1 - time.nowNs)
      if ((await this.#meet(false, ended())).ended) return
    }
    await driver.pass(untilNs - time.nowNs)
  }

  /** @param {boolean} settled @param {boolean} ended */
  async #meet(settled, ended) {
    const { time, elsewhere, meet, take, lookaheadNs } = this.#parts
    this.meetings += 1
    this.handedOver += elsewhere.size
    const nextNs = Math.min(time.nextNs, elsewhere.soonestNs)
    const heard = await meet({ boxes: elsewhere.take(), nextNs, settled, ended })
    for (const box of heard.boxes) take(box)
    this.#nextNs = heard.nextNs
    this.#horizonNs = Math.max(heard.nextNs, time.nowNs) + lookaheadNs
    return heard
  }
}
