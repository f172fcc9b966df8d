import { Fifo } from './fifo.js'

/**
 * @typedef {object} Departure - of a write
 * @property {number} bytes
 * @property {number} end - where it ends in what is sent
 * @property {number} leftNs - when it leaves; Infinity: that is not known yet
 */

/** Departures keeps the writes that have not left their node yet. */
export class Departures {
  /** @type {Fifo<Departure>} */
  #waiting = new Fifo()
  /** Of those, the ones of which it is known when they leave. */
  #known = 0
  #waitingBytes = 0
  #left = 0

  /** When the next write leaves, ns; Infinity: that is not known yet. */
  get nextNs() {
    return this.#waiting.peek()?.leftNs ?? Infinity
  }

  /** @param {number} bytes - of a write @param {number} end - where it ends in what is sent; after the one before */
  add(bytes, end) {
    this.#waiting.push({ bytes, end, leftNs: Infinity })
    this.#waitingBytes += bytes
  }

  /**
   * leave says when writes leave.
   *
   * @param {number} end - those that end up to there
   * @param {number} leftNs - not before the ones before
   * @returns {number} how many they are
   */
  leave(end, leftNs) {
    const known = this.#known
    for (let next = this.#waiting.peek(this.#known); next && next.end <= end; ) {
      next.leftNs = leftNs
      this.#known += 1
      next = this.#waiting.peek(this.#known)
    }
    return this.#known - known
  }

  /** @param {number} nowNs @returns {number} writes that have left by now, since the beginning */
  count(nowNs) {
    for (let next = this.#waiting.peek(); next && next.leftNs <= nowNs; next = this.#waiting.peek()) {
      this.#waiting.shift()
      this.#known -= 1
      this.#waitingBytes -= next.bytes
      this.#left += 1
    }
    return this.#left
  }

  /** @param {number} nowNs @returns {number} bytes of the writes that have not left by now */
  bytes(nowNs) {
    this.count(nowNs)
    return this.#waitingBytes
  }
}
