import { Departures } from './departures.js'
import { Fifo } from './fifo.js'
import { SegmentsInOrder } from './queued-receiving.js'
import { TcpSender } from './tcp-sender.js'
import { bytesOf, SEGMENT_HEADER_BYTES, socketWrites } from './wire-bytes.js'

/**
 * @typedef {import('./outstanding.js').Packet} Packet
 * @typedef {import('./direction.js').Answer} Answer
 *
 * @typedef {object} TcpParts
 * @property {import('./path.js').Path} path
 * @property {import('./wire-bytes.js').Layers} layers
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
  /** @type {Fifo<Answer>} */
  #returning = new Fifo()
  /** @type {Fifo<number>} where writes end that are not on their way as a whole; of a receiver that is known */
  #unsent = new Fifo()
  #writtenBytes = 0
  departures = new Departures()

  /** @param {TcpParts} parts @param {import('./direction.js').Far} far */
  constructor(parts, far) {
    this.#parts = { answerLossShare: parts.lossShare, ...parts }
    this.#far = far
    this.#received = parts.path.endsInQueue ? null : new SegmentsInOrder()
    const transmit = this.#transmit.bind(this)
    this.#sender = new TcpSender({ rttNs: parts.rttNs, transmit })
  }

  /** @param {import('./wire-bytes.js').Written} written @param {number} nowNs */
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

  /** @param {Answer} answer */
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

  /** Packets arrive in the order of sending. @param {SegmentsInOrder} received @param {import('./queued-receiving.js').Arrived} arrived @param {number} atNs */
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
