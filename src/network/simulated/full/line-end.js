import { Carrier } from '../../links/carrier.js'

/** What may wait here before the connection is asked to hold on to more: the window that Yamux begins with. */
const SEND_BUFFER_BYTES = 256 * 1024

/**
 * LineEnd is where one node puts bytes on a line to another: one way of it. What was sent happens at the other node when its bytes are
 * there, in the order of sending.
 */
export class LineEnd {
  #time
  #carrier
  /** onRoom is called when the line takes more, after it took no more. */
  onRoom = () => {}

  /**
   * @param {object} parts
   * @param {import('../virtual-time.js').VirtualTime} parts.time
   * @param {import('../../links/direction.js').Direction} parts.direction
   * @param {number} parts.from - node
   * @param {number} parts.to - node
   */
  constructor({ time, direction, from, to }) {
    this.#time = time
    this.#carrier = new Carrier({
      direction,
      schedule: (atNs, run) => time.at(atNs, to, run),
      deliver: (/** @type {() => void} */ happen) => happen(),
      bufferBytes: SEND_BUFFER_BYTES,
      onRoom: () => time.at(time.nowNs, from, () => this.onRoom())
    })
  }

  /**
   * send takes bytes.
   *
   * @param {number} bytes - above 0
   * @param {() => void} happen - at the other node
   * @returns {boolean} false: it takes no more until `onRoom`, though what is sent all the same is not lost
   */
  send(bytes, happen) {
    return this.#carrier.send(happen, bytes, this.#time.nowNs)
  }
}
