import { Fifo } from './fifo.js'

/**
 * @template T
 * @typedef {object} CarrierParts
 * @property {import('./direction.js').Direction} direction
 * @property {(atNs: number) => void} schedule - has `run` called at a time of the simulation
 * @property {(payload: T) => void} deliver - at the other end, in the order of sending
 * @property {number} [bufferBytes] - may wait here before the sender is asked to pause
 * @property {() => void} [onRoom] - called when it may go on
 */

/**
 * Carrier drives one Direction: it keeps what was written while its bytes are under way, and advances the direction when that is due.
 *
 * @template T
 */
export class Carrier {
  #parts
  /** @type {Fifo<T>} */
  #underWay = new Fifo()
  #dueNs = Infinity
  #full = false
  #closed = false

  /** @param {CarrierParts<T>} parts */
  constructor(parts) {
    this.#parts = { bufferBytes: Infinity, ...parts }
  }

  /**
   * send takes a payload of so many bytes.
   *
   * @param {T} payload
   * @param {number} bytes
   * @param {number} nowNs
   * @returns {boolean} false: it takes no more until `onRoom`, though what is sent all the same is not lost
   */
  send(payload, bytes, nowNs) {
    if (this.#closed) return true
    const { direction, bufferBytes } = this.#parts
    this.#underWay.push(payload)
    direction.send(bytes, nowNs)
    this.#full = direction.waitingBytes(nowNs) >= bufferBytes
    this.#arm()
    return !this.#full
  }

  /** @param {number} nowNs @returns {number} payloads that have left the sender */
  departed(nowNs) {
    return this.#parts.direction.departed(nowNs)
  }

  /** close drops what is under way: the connection is gone. */
  close() {
    this.#closed = true
    this.#underWay = new Fifo()
  }

  /** run does what is due. @param {number} nowNs - a time that was asked for */
  run(nowNs) {
    if (this.#closed || nowNs !== this.#dueNs) return
    const { direction, bufferBytes, deliver, onRoom } = this.#parts
    this.#dueNs = Infinity
    const readable = direction.advance(nowNs)
    const roomAgain = this.#full && direction.waitingBytes(nowNs) < bufferBytes
    if (roomAgain) this.#full = false
    this.#arm()
    for (let left = readable; left > 0 && !this.#closed; left -= 1) {
      deliver(/** @type {T} */ (this.#underWay.shift()))
    }
    if (roomAgain && !this.#closed) onRoom?.()
  }

  /** An event that was scheduled for later stays, and finds nothing to do. */
  #arm() {
    const { direction, schedule } = this.#parts
    const nextNs = this.#full ? Math.min(direction.nextNs, direction.departsNs) : direction.nextNs
    if (nextNs >= this.#dueNs) return
    this.#dueNs = nextNs
    schedule(nextNs)
  }
}
