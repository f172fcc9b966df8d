import { Departures } from './departures.js'
import { Fifo } from './fifo.js'
import { TcpSender } from './tcp-sender.js'
import { connectionBytes, SEGMENT_HEADER_BYTES } from './wire-bytes.js'

/**
 * @typedef {import('./tcp-sender.js').Segment} Segment
 *
 * @typedef {object} Flight - of a segment to the other end, and of its acknowledgement back
 * @property {Segment} segment
 * @property {number} place - of the segment
 * @property {number} bytes - on the wire
 * @property {number} firstNs - the first byte reaches the down-link
 * @property {number} lastNs - the last byte reaches the down-link
 * @property {number} atNs - the segment is at the other end, then the acknowledgement here
 * @property {number} next - what is acknowledged: the receiver has all segments before this one
 *
 * @typedef {object} TcpParts
 * @property {import('./path.js').Path} path
 * @property {import('./wire-bytes.js').Layers} layers
 * @property {number} rttNs - of the handshake
 * @property {number} returnNs - latency of acknowledgements
 * @property {number} lossShare - of the segments, 0 to below 1
 * @property {() => number} random - in [0, 1); drawn once for each segment when lossShare is above 0
 * @property {((nowNs: number) => boolean) | null} cut - whether the nodes are cut off from one another; null: they never are
 */

/**
 * TcpDirection is one way of a TCP connection: segments are lost, found missing and sent again, and all that comes after them waits until
 * they are there. Acknowledgements take the way back in `returnNs` and are lost only while the nodes are cut off from one another: each
 * says all that the ones before it said. It is a Direction.
 */
export class TcpDirection {
  #parts
  #sender
  #receiver = new TcpReceiver()
  /** @type {Fifo<Flight>} to the down-link */
  #underWay = new Fifo()
  /** @type {Fifo<Flight>} that have passed the down-link */
  #arriving = new Fifo()
  /** @type {Fifo<Flight>} */
  #returning = new Fifo()
  /** @type {Fifo<number>} where writes end that cannot be read yet */
  #unread = new Fifo()
  #writtenBytes = 0
  #departures = new Departures()

  /** @param {TcpParts} parts */
  constructor(parts) {
    this.#parts = parts
    const transmit = this.#transmit.bind(this)
    this.#sender = new TcpSender({ rttNs: parts.rttNs, transmit })
  }

  /** @param {number} bytes @param {number} nowNs */
  send(bytes, nowNs) {
    // acknowledgements that did not matter so far
    this.#run(nowNs)
    const onConnection = connectionBytes(bytes, this.#parts.layers)
    this.#writtenBytes += onConnection
    this.#unread.push(this.#writtenBytes)
    this.#departures.add(bytes, this.#writtenBytes)
    this.#sender.write(onConnection, nowNs)
  }

  get nextNs() {
    const answerNs = this.#sender.waits ? this.#answerNs : Infinity
    return Math.min(this.#reachNs, this.#arriveNs, answerNs, this.#sender.timeoutNs)
  }

  /** @param {number} nowNs @returns {number} writes that can be read now, too */
  advance(nowNs) {
    this.#run(nowNs)
    let readable = 0
    for (; (this.#unread.peek() ?? Infinity) <= this.#receiver.endByte; readable += 1) this.#unread.shift()
    return readable
  }

  get departsNs() {
    return this.#departures.nextNs
  }

  /** @param {number} nowNs */
  departed(nowNs) {
    return this.#departures.count(nowNs)
  }

  /** @param {number} nowNs */
  waitingBytes(nowNs) {
    return this.#departures.bytes(nowNs)
  }

  get #reachNs() {
    return this.#underWay.peek()?.firstNs ?? Infinity
  }

  get #arriveNs() {
    return this.#arriving.peek()?.atNs ?? Infinity
  }

  get #answerNs() {
    return this.#returning.peek()?.atNs ?? Infinity
  }

  /** Does what is due in the order of time: each step can bring on the next one. @param {number} nowNs */
  #run(nowNs) {
    for (;;) {
      const reachNs = this.#reachNs
      const arriveNs = this.#arriveNs
      const answerNs = this.#answerNs
      const firstNs = Math.min(reachNs, arriveNs, answerNs, this.#sender.timeoutNs)
      if (firstNs > nowNs || firstNs === Infinity) return
      if (firstNs === reachNs) this.#reach()
      else if (firstNs === arriveNs) this.#arrive()
      else if (firstNs === answerNs) this.#answer()
      else this.#sender.timeOut(firstNs)
    }
  }

  /** @param {Segment} segment @param {number} nowNs @returns {boolean} whether it will be acknowledged */
  #transmit(segment, nowNs) {
    const { path, lossShare, random, cut } = this.#parts
    const bytes = segment.bytes + SEGMENT_HEADER_BYTES
    const { leftNs, firstNs, lastNs } = path.sendOff(bytes, nowNs)
    this.#departures.leave(this.#sender.sentBytes, leftNs)
    const lost = (lossShare > 0 && random() < lossShare) || cut?.(leftNs) === true
    if (lost) return false
    const onItsWay = path.endsInQueue ? this.#underWay : this.#arriving
    onItsWay.push({ segment, place: segment.place, bytes, firstNs, lastNs, atNs: lastNs, next: 0 })
    return true
  }

  /** The next segment reaches the down-link. */
  #reach() {
    const flight = this.#underWay.shift()
    if (flight === undefined) return
    flight.atNs = this.#parts.path.arrive(flight)
    this.#arriving.push(flight)
  }

  /** The next segment is there. */
  #arrive() {
    const flight = this.#arriving.shift()
    if (flight === undefined) return
    const { segment, atNs } = flight
    this.#receiver.take(segment)
    if (this.#parts.cut?.(atNs)) return this.#sender.silence(segment, atNs)
    flight.atNs += this.#parts.returnNs
    flight.next = this.#receiver.next
    this.#returning.push(flight)
  }

  /** The next acknowledgement is there. */
  #answer() {
    const flight = this.#returning.shift()
    if (flight) this.#sender.acknowledge(flight)
  }
}

/** TcpReceiver puts segments in order. It holds no more than what was under way at once. */
class TcpReceiver {
  #next = 0
  #endByte = 0
  /** @type {Map<number, number>} places of segments that came before their turn, with where they end */
  #early = new Map()

  /** Place of the first segment that is missing. */
  get next() {
    return this.#next
  }

  /** Bytes that can be read, since the beginning. */
  get endByte() {
    return this.#endByte
  }

  /** @param {{ place: number, endByte: number }} segment - it may have come before */
  take({ place, endByte }) {
    if (place > this.#next) this.#early.set(place, endByte)
    if (place !== this.#next) return
    this.#append(endByte)
    while (this.#early.size > 0) {
      const end = this.#early.get(this.#next)
      if (end === undefined) return
      this.#early.delete(this.#next)
      this.#append(end)
    }
  }

  /** @param {number} endByte */
  #append(endByte) {
    this.#next += 1
    this.#endByte = endByte
  }
}
