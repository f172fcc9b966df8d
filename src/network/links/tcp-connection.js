// One direction of a simulated TCP connection, with loss and retransmission, and a faster version for links without
// loss.

import { Fifo } from '../../kit/collections.js'
import {
  bytesOf,
  DepartureQueue,
  SEGMENT_BYTES,
  SEGMENT_HEADER_BYTES,
  SegmentsInOrder,
  socketWrites
} from './direction.js'
import { CongestionWindow, RttEstimate } from './tcp-congestion.js'
import { TcpSender } from './tcp-sender.js'

/**
 * openTcpSending opens the sender's half of one way of a TCP connection.
 *
 * @param {TcpParts} parts
 * @param {import('./direction.js').FarEnd} far
 * @returns {import('./direction.js').Sending}
 */
export function openTcpSending(parts, far) {
  const { path, lossShare, answerLossShare = lossShare, cut } = parts
  const isLossless = lossShare === 0 && answerLossShare === 0 && cut === null && !path.endsInQueue
  return isLossless ? new LosslessSending(parts, far) : new TcpSending(parts, far)
}

/**
 * @typedef {import('./tcp-sender.js').Packet} Packet
 * @typedef {import('./direction.js').SegmentAck} SegmentAck
 *
 * @typedef {object} TcpParts
 * @property {import('../link-model.js').Path} path
 * @property {import('./direction.js').Layers} layers
 * @property {number} rttNs - of the handshake
 * @property {number} returnNs - latency of acknowledgements
 * @property {number} lossShare - of the segments, 0 to below 1
 * @property {() => number} random - in [0, 1); drawn once for each segment when lossShare is above 0
 * @property {number} [answerLossShare] - of the acknowledgements; default: that of the segments
 * @property {() => number} answerRandom - in [0, 1); drawn once for each acknowledgement when answerLossShare is above 0
 * @property {((nowNs: number) => boolean) | null} cut - whether the nodes are cut off from one another; null: they never are
 */

/**
 * TcpSending is the sender's half of one way of a TCP connection: segments are lost, found missing and sent again, and all that comes after them
 * waits until they are there. Acknowledgements take the way back in `returnNs`, and are lost as segments are; each says all that the ones before
 * it said. Where no line into the receiver is limited, it knows when segments arrive as it sends them, and
 * with that what the receiver answers: nothing has to come back. It is a Sending.
 */
export class TcpSending {
  #parts
  #far
  #sender
  /** What the receiver has, as soon as it is on its way there; null: only the receiver knows. @type {SegmentsInOrder | null} */
  #received
  /** @type {Fifo<SegmentAck>} */
  #returning = new Fifo()
  /** @type {Fifo<number>} where writes end that are not on their way as a whole; of a receiver that is known */
  #unsent = new Fifo()
  #writtenBytes = 0
  departures = new DepartureQueue()

  /** @param {TcpParts} parts @param {import('./direction.js').FarEnd} far */
  constructor(parts, far) {
    this.#parts = { answerLossShare: parts.lossShare, ...parts }
    this.#far = far
    this.#received = parts.path.endsInQueue ? null : new SegmentsInOrder()
    const transmit = this.#transmit.bind(this)
    this.#sender = new TcpSender({ rttNs: parts.rttNs, transmit })
  }

  /** @param {import('./direction.js').WriteSize} written @param {number} nowNs */
  send(written, nowNs) {
    // acknowledgements that did not matter so far
    this.run(nowNs)
    const parts = socketWrites(written, this.#parts.layers)
    for (const part of parts) this.#writtenBytes += part
    if (this.#received === null) this.#far.written(this.#writtenBytes)
    else this.#unsent.push(this.#writtenBytes)
    this.departures.add(bytesOf(written), this.#writtenBytes)
    for (const part of parts) this.#sender.write(part, nowNs)
  }

  get nextNs() {
    // where none can be lost, they matter only to a sender that waits
    const { cut, lossShare, answerLossShare } = this.#parts
    const loses = cut !== null || lossShare > 0 || answerLossShare > 0
    const answerNs = this.#sender.waits || loses ? this.#answerNs : Infinity
    return Math.min(answerNs, this.#sender.timeoutNs)
  }

  /** Does what is due in the order of time: each step can bring on the next one. @param {number} nowNs */
  run(nowNs) {
    for (;;) {
      const answerNs = this.#answerNs
      const firstNs = Math.min(answerNs, this.#sender.timeoutNs)
      if (firstNs > nowNs || firstNs === Infinity) return
      if (firstNs === answerNs) this.#answer()
      else this.#sender.timeOut(firstNs)
    }
  }

  /** @param {SegmentAck} answer */
  answered(answer) {
    this.#returning.push(answer)
  }

  get #answerNs() {
    return this.#returning.peek()?.atNs ?? Infinity
  }

  /** @param {Packet} packet @param {number} nowNs @returns {boolean} whether it will be acknowledged */
  #transmit(packet, nowNs) {
    const { path, lossShare, random, cut } = this.#parts
    const bytes = packet.bytes + SEGMENT_HEADER_BYTES
    const { leftNs, firstNs, lastNs } = path.sendOff(bytes, nowNs)
    this.departures.leave(this.#sender.sentBytes, leftNs)
    const lost = (lossShare > 0 && random() < lossShare) || cut?.(leftNs) === true
    if (lost) return false
    const { place, places, endByte: end } = packet
    if (this.#received === null) this.#far.flies({ place, places, end, bytes, firstNs, lastNs })
    else this.#willArrive(this.#received, { place, places, end }, lastNs)
    return true
  }

  /** Packets arrive in the order of sending. @param {SegmentsInOrder} received @param {import('./direction.js').ArrivedPacket} arrived @param {number} atNs */
  #willArrive(received, arrived, atNs) {
    received.take(arrived)
    const { place, places } = arrived
    this.#returning.push({ place, places, next: received.next, atNs: atNs + this.#parts.returnNs })
    let writes = 0
    for (; (this.#unsent.peek() ?? Infinity) <= received.end; writes += 1) this.#unsent.shift()
    if (writes > 0) this.#far.arrives(writes, atNs)
  }

  /** The next acknowledgement is there, or would be. */
  #answer() {
    const answer = this.#returning.shift()
    if (answer === undefined) return
    const { cut, returnNs, answerLossShare, answerRandom } = this.#parts
    const lost =
      (answerLossShare > 0 && answerRandom() < answerLossShare) || cut?.(answer.atNs - returnNs) === true
    if (lost) this.#sender.silence(answer)
    else this.#sender.acknowledge(answer)
  }
}

/**
 * LosslessSending is TcpSending where nothing is lost, nobody is cut off and no line into the receiver is limited: segments arrive and are
 * acknowledged in the order of sending, at moments that are known as they are sent. No segment has to be remembered, then, and there is no time-out;
 * of TCP stays the window, which an acknowledgement of each segment opens. It is a Sending.
 */
export class LosslessSending {
  #path
  #layers
  #returnNs
  #far
  #rtt
  #window = new CongestionWindow()
  /** When segments that are under way are acknowledged. */
  #acknowledgements = new TimeQueue()
  #acknowledged = 0
  #sent = 0
  #writtenBytes = 0
  #sentBytes = 0
  #lastSentNs = 0
  /** When they were sent. */
  #sentTimes = new TimeQueue()
  departures = new DepartureQueue()

  /** @param {TcpParts} parts @param {import('./direction.js').FarEnd} far */
  constructor({ path, layers, rttNs, returnNs }, far) {
    this.#path = path
    this.#layers = layers
    this.#returnNs = returnNs
    this.#far = far
    this.#rtt = new RttEstimate(rttNs)
  }

  /** @param {import('./direction.js').WriteSize} written @param {number} nowNs */
  send(written, nowNs) {
    // acknowledgements that did not matter so far
    this.run(nowNs)
    if (this.#sent === this.#acknowledged) this.#window.restart(nowNs - this.#lastSentNs, this.#rtt.rtoNs)
    const parts = socketWrites(written, this.#layers)
    const endBytes = parts.reduce((sum, part) => sum + part, this.#writtenBytes)
    this.departures.add(bytesOf(written), endBytes)
    for (const part of parts) {
      this.#writtenBytes += part
      this.#fill(nowNs)
    }
  }

  /** Acknowledgements matter only while something waits for them. */
  get nextNs() {
    return this.#sentBytes < this.#writtenBytes ? this.#acknowledgements.first : Infinity
  }

  /** @param {number} nowNs */
  run(nowNs) {
    for (let atNs = this.#acknowledgements.first; atNs <= nowNs; atNs = this.#acknowledgements.first) {
      this.#acknowledgements.drop()
      this.#acknowledge(atNs)
    }
  }

  answered() {}

  /** @param {number} atNs - when the oldest segment that is under way is acknowledged */
  #acknowledge(atNs) {
    this.#acknowledged += 1
    this.#rtt.sample(atNs - this.#sentTimes.first, atNs)
    this.#sentTimes.drop()
    this.#window.grow(1)
    this.#fill(atNs)
  }

  /** @param {number} nowNs */
  #fill(nowNs) {
    while (this.#sentBytes < this.#writtenBytes && this.#sent - this.#acknowledged < this.#window.segments)
      this.#sendNext(nowNs)
    const underWay = this.#sent - this.#acknowledged
    this.#window.use({ underWay, acknowledged: this.#acknowledged, sent: this.#sent })
  }

  /** @param {number} nowNs */
  #sendNext(nowNs) {
    const bytes = Math.min(SEGMENT_BYTES, this.#writtenBytes - this.#sentBytes)
    this.#sentBytes += bytes
    this.#sentTimes.push(nowNs)
    this.#sent += 1
    this.#lastSentNs = nowNs
    const { leftNs, lastNs } = this.#path.sendOff(bytes + SEGMENT_HEADER_BYTES, nowNs)
    this.#acknowledgements.push(lastNs + this.#returnNs)
    const writes = this.departures.leave(this.#sentBytes, leftNs)
    if (writes > 0) this.#far.arrives(writes, lastNs)
  }
}

const MIN_SLOTS = 4

/** TimeQueue is a queue of times, side by side: as Fifo, of numbers alone, which take no object each. */
class TimeQueue {
  /** As many as a power of two. */
  #slots = new Float64Array(MIN_SLOTS)
  #head = 0
  #length = 0

  /** The oldest; Infinity: there is none. */
  get first() {
    return this.#length === 0 ? Infinity : this.#slots[this.#head]
  }

  /** @param {number} time */
  push(time) {
    if (this.#length === this.#slots.length) this.#grow()
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = time
    this.#length += 1
  }

  /** drop takes the oldest out, which has to be there. */
  drop() {
    this.#head = (this.#head + 1) & (this.#slots.length - 1)
    this.#length -= 1
  }

  #grow() {
    const slots = new Float64Array(2 * this.#length)
    slots.set(this.#slots.subarray(this.#head))
    slots.set(this.#slots.subarray(0, this.#head), this.#length - this.#head)
    this.#slots = slots
    this.#head = 0
  }
}
