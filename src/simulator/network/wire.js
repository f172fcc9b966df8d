// The two ends of one direction of a simulated connection: send buffer, then delivery in order at the times that
// network/links/direction.js computes.
import { Fifo } from '../../kit/collections.js'
import { QUIET } from '../virtual-time.js'

/**
 * @typedef {import('../virtual-time.js').VirtualTime} VirtualTime
 * @typedef {import('../../network/links/direction.js').FarEnd} FarEnd
 * @typedef {import('../../network/links/direction.js').Flight} Flight
 * @typedef {import('../../network/links/direction.js').SegmentAck} SegmentAck
 * @typedef {import('../../network/links/direction.js').Sending} Sending
 * @typedef {import('../../network/links/direction.js').Receiving} Receiving
 *
 * @typedef {object} WireDirection - one way of a connection
 * @property {number} from
 * @property {number} to
 * @property {number} connection - its number among those of the two nodes
 */

/**
 * What the sender's end of a wire passes to the receiver's end: plain data, so that the receiver can be in another process.
 *
 * @template T
 * @typedef {object} WireReceiver
 * @property {(load: T, atNs: number) => void} brings - the load arrives at this time
 * @property {(load: T, end: number) => void} written - the load is under way towards a limited line; `end`: where it ends in what is sent
 * @property {(flight: Flight) => void} flies
 */

/** SEND_BUFFER_BYTES may wait for the line before streams hold on to more themselves: the window that Yamux begins with. */
export const SEND_BUFFER_BYTES = 256 * 1024

/**
 * WireOut is the sender's end of one way of a connection: what goes in here is there at the other end, in order, when its last byte is.
 *
 * @template T
 */
export class WireOut {
  #time
  #direction
  #sending
  #bufferBytes
  /** @type {Fifo<T>} of which it is not known yet when they are there */
  #loads = new Fifo()
  #dueNs = Infinity
  #isFull = false
  #isClosed = false
  /** sent is how many writes it has taken. */
  sent = 0

  /**
   * @param {WireDirection & { time: VirtualTime, sending: (far: FarEnd) => Sending, other: WireReceiver<T>, bufferBytes?: number }} parts
   */
  constructor({ time, from, to, connection, sending, other, bufferBytes = SEND_BUFFER_BYTES }) {
    this.#time = time
    this.#direction = { from, to, connection }
    this.#bufferBytes = bufferBytes
    /** Called at the sender when the wire takes more again. */
    this.onDrain = () => {}
    this.#sending = sending({
      arrives: (writes, atNs) => {
        for (let left = writes; left > 0; left -= 1) other.brings(this.#next(), atNs)
      },
      written: end => other.written(this.#next(), end),
      flies: flight => other.flies(flight)
    })
  }

  /** departed is how many of them have left the node. */
  get departed() {
    return this.#sending.departures.count(this.#time.nowNs)
  }

  /**
   * send brings something to the other end.
   *
   * @param {import('../../network/links/direction.js').WriteSize} written
   * @param {T} load
   * @returns {boolean} whether it takes more; false: not until `onDrain`, though what is sent all the same is not lost
   */
  send(written, load) {
    if (this.#isClosed) return true
    const { nowNs } = this.#time
    this.sent += 1
    this.#loads.push(load)
    this.#sending.send(written, nowNs)
    this.#isFull = this.#sending.departures.bytes(nowNs) >= this.#bufferBytes
    this.#arm()
    return !this.#isFull
  }

  /** answered tells of an acknowledgement that is on its way. @param {SegmentAck} answer */
  answered(answer) {
    if (this.#isClosed) return
    this.#sending.answered(answer)
    this.#arm()
  }

  /** close sends nothing more, not even what waits. */
  close() {
    this.#isClosed = true
    this.#loads = new Fifo()
  }

  /** Each load is passed on once. */
  #next() {
    return /** @type {T} */ (this.#loads.shift())
  }

  /** An event that was scheduled for a later moment stays, and does nothing then. */
  #arm() {
    const { nextNs, departures } = this.#sending
    const dueNs = this.#isFull ? Math.min(nextNs, departures.nextNs) : nextNs
    if (dueNs >= this.#dueNs) return
    this.#dueNs = dueNs
    const { from, to, connection } = this.#direction
    // in its place whoever asks for it: its own node, or what comes from the other one
    this.#time.at(dueNs, from, this.#turn, to, 2 * connection + 1)
  }

  #turn = () => {
    const { nowNs } = this.#time
    if (this.#isClosed || nowNs !== this.#dueNs) return QUIET
    this.#dueNs = Infinity
    this.#sending.run(nowNs)
    const isWritable = this.#isFull && this.#sending.departures.bytes(nowNs) < this.#bufferBytes
    if (isWritable) this.#isFull = false
    this.#arm()
    if (!isWritable) return QUIET
    this.onDrain()
  }
}

/**
 * WireIn is the receiver's end of one way of a connection. It is a WireReceiver.
 *
 * @template T
 */
export class WireIn {
  #time
  #direction
  #receiving
  #deliver
  /** @type {Fifo<T>} in the order in which they will be there */
  #loads = new Fifo()
  #dueNs = Infinity
  #isClosed = false

  /**
   * @param {WireDirection & { time: VirtualTime, receiving: Receiving | null, deliver: (load: T) => typeof QUIET | undefined | void }} parts - `deliver` gives
   *   QUIET when its node has not come to it yet
   */
  constructor({ time, from, to, connection, receiving, deliver }) {
    this.#time = time
    this.#direction = { from, to, connection }
    this.#receiving = receiving
    this.#deliver = deliver
  }

  /** Whether a limited line leads to it. */
  get endsInQueue() {
    return this.#receiving !== null
  }

  /** @param {T} load @param {number} atNs */
  brings(load, atNs) {
    if (this.#isClosed) return
    this.#loads.push(load)
    this.#at(atNs, this.#arrive)
  }

  /** @param {T} load @param {number} end */
  written(load, end) {
    if (this.#isClosed) return
    this.#loads.push(load)
    this.#receiving?.written(end)
  }

  /** @param {Flight} flight */
  flies(flight) {
    if (this.#isClosed) return
    this.#receiving?.flies(flight)
    this.#arm()
  }

  /** close takes nothing more, not even what is under way. */
  close() {
    this.#isClosed = true
    this.#loads = new Fifo()
  }

  #arm() {
    const nextNs = this.#receiving?.nextNs ?? Infinity
    if (nextNs >= this.#dueNs) return
    this.#dueNs = nextNs
    this.#at(nextNs, this.#turn)
  }

  /** @param {number} atNs @param {() => unknown} run */
  #at(atNs, run) {
    const { from, to, connection } = this.#direction
    this.#time.at(atNs, to, run, from, 2 * connection)
  }

  #arrive = () => this.#hand(1)

  #turn = () => {
    const { nowNs } = this.#time
    if (this.#isClosed || this.#receiving === null || nowNs !== this.#dueNs) return QUIET
    this.#dueNs = Infinity
    const readable = this.#receiving.advance(nowNs)
    this.#arm()
    return this.#hand(readable)
  }

  /** @param {number} loads */
  #hand(loads) {
    let isQuiet = true
    for (let left = loads; left > 0 && !this.#isClosed; left -= 1)
      if (this.#deliver(/** @type {T} */ (this.#loads.shift())) !== QUIET) isQuiet = false
    return isQuiet ? QUIET : undefined
  }
}
