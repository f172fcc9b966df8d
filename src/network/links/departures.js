import { Fifo } from './fifo.js'

/** Departures keeps the writes that have not left their node yet. */
export class Departures {
  /** @type {Fifo<number>} bytes of each that has not left */
  #waiting = new Fifo()
  /** @type {Fifo<number>} when they leave, as far as that is known */
  #leaving = new Fifo()
  #waitingBytes = 0
  #left = 0

  /** When the next write leaves, ns; Infinity: that is not known yet. */
  get nextNs() {
    return this.#leaving.peek() ?? Infinity
  }

  /** @param {number} bytes - of a write */
  add(bytes) {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes
  }

  /** @param {number} leftNs - when the next write leaves; not before the one before */
  leave(leftNs) {
    this.#leaving.push(leftNs)
  }

  /** @param {number} nowNs @returns {number} writes that have left by now, since the beginning */
  count(nowNs) {
    for (; this.nextNs <= nowNs; this.#left += 1) {
      this.#leaving.shift()
      this.#waitingBytes -= this.#waiting.shift() ?? 0
    }
    return this.#left
  }

  /** @param {number} nowNs @returns {number} bytes of the writes that have not left by now */
  bytes(nowNs) {
    this.count(nowNs)
    return this.#waitingBytes
  }
}
