import { CongestionWindow } from './congestion-window.js'
import { Departures } from './departures.js'
import { RttEstimate } from './rtt-estimate.js'
import { Times } from './times.js'
import { bytesOf, SEGMENT_BYTES, SEGMENT_HEADER_BYTES, socketWrites } from './wire-bytes.js'

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
  #acknowledgements = new Times()
  #acknowledged = 0
  #sent = 0
  #writtenBytes = 0
  #sentBytes = 0
  #lastSentNs = 0
  /** When they were sent. */
  #sentTimes = new Times()
  departures = new Departures()

  /** @param {import('./tcp-sending.js').TcpParts} parts @param {import('./direction.js').Far} far */
  constructor({ path, layers, rttNs, returnNs }, far) {
    this.#path = path
    this.#layers = layers
    this.#returnNs = returnNs
    this.#far = far
    this.#rtt = new RttEstimate(rttNs)
  }

  /** @param {import('./wire-bytes.js').Written} written @param {number} nowNs */
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
