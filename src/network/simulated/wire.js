import { Carrier } from '../links/carrier.js'
import { QUIET } from './virtual-time.js'

/**
 * @typedef {import('./processing.js').Processing} Processing
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 *
 * @typedef {object} Load - what a wire brings to the other end
 * @property {() => void} happen - there, when its node has come to it
 * @property {Uint8Array | Uint8ArrayList | undefined} data - that its node has to read; undefined: nothing that costs it anything
 */

/** SEND_BUFFER_BYTES may wait for the line before streams hold on to more themselves: the window that Yamux begins with. */
export const SEND_BUFFER_BYTES = 256 * 1024

/** Wire is one way of a connection: what goes in here happens at the other end, in order, when its last byte is there. */
export class Wire {
  #time
  #to
  #carrier
  #isQuiet = true
  #sent = 0

  /**
   * @param {object} parts
   * @param {import('./virtual-time.js').VirtualTime} parts.time
   * @param {import('../links/direction.js').Direction} parts.direction
   * @param {number} parts.from
   * @param {{ number: number, processing: Processing }} parts.to
   * @param {number} [parts.bufferBytes]
   */
  constructor({ time, direction, from, to, bufferBytes = SEND_BUFFER_BYTES }) {
    this.#time = time
    this.#to = to
    /** Called at the sender when the wire takes more again. */
    this.onRoom = () => {}
    /** @type {Carrier<Load>} */
    this.#carrier = new Carrier({
      direction,
      bufferBytes,
      schedule: atNs => void time.at(atNs, to.number, this.#turn),
      deliver: load => this.#deliver(load),
      onRoom: () => void time.at(time.nowNs, from, () => this.onRoom())
    })
  }

  /** sent is how many writes it has taken. */
  get sent() {
    return this.#sent
  }

  /** departed is how many of them have left the node. */
  get departed() {
    return this.#carrier.departed(this.#time.nowNs)
  }

  /**
   * send brings something to the other end.
   *
   * @param {number} bytes - written to a stream
   * @param {() => void} happen
   * @param {Uint8Array | Uint8ArrayList} [data]
   * @returns {boolean} whether it takes more; false: not until `onRoom`
   */
  send(bytes, happen, data) {
    this.#sent += 1
    return this.#carrier.send({ happen, data }, bytes, this.#time.nowNs)
  }

  /** close drops what is under way. */
  close() {
    this.#carrier.close()
  }

  /** Most turns bring segments on their way, or something to a node that is busy. */
  #turn = () => {
    this.#isQuiet = true
    this.#carrier.run(this.#time.nowNs)
    return this.#isQuiet ? QUIET : undefined
  }

  /** @param {Load} load */
  #deliver({ happen, data }) {
    if (this.#to.processing.take(data, happen) !== QUIET) this.#isQuiet = false
  }
}
