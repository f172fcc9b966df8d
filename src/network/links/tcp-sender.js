import { CongestionWindow } from './congestion-window.js'
import { Fifo } from './fifo.js'
import { RttEstimate } from './rtt-estimate.js'
import { SEGMENT_BYTES } from './wire-bytes.js'

/** So many acknowledgements of later segments tell that one is lost (RFC 5681). */
const LATER_SEGMENTS = 3

/**
 * @typedef {object} Segment
 * @property {number} place - among all of the connection, from 0
 * @property {number} bytes
 * @property {number} endByte - of the connection, up to which it reaches
 * @property {boolean} underWay - as far as the sender knows
 * @property {boolean} acknowledged
 * @property {boolean} answered - an acknowledgement will come: its last sending is not lost
 * @property {number} later - segments after it that have been acknowledged since it was lost
 *
 * @typedef {object} Acknowledgement
 * @property {number} atNs - at the sender
 * @property {number} place - of the segment that caused it
 * @property {number} next - the receiver has all segments before this one
 */

/**
 * TcpSender decides what one end of a connection sends when: as much as the congestion window allows, lost segments first. A loss is
 * noticed when three later segments are acknowledged (selective acknowledgements, RFC 6675), else by the time-out (RFC 6298), after which
 * all that is missing is sent again. It knows what is lost, and uses that only to spare itself time-outs that prove wrong.
 */
export class TcpSender {
  #transmit
  #rtt
  #window = new CongestionWindow()
  /** @type {Fifo<Segment>} sent and not yet acknowledged up to there; the first is at place `#firstPlace` */
  #outstanding = new Fifo()
  #firstPlace = 0
  #nextPlace = 0
  #underWay = 0
  #writtenBytes = 0
  #sentBytes = 0
  /** Outstanding segments of which nothing will be heard. */
  #unanswered = 0
  /** @type {Segment[]} of those, the ones whose loss is not noticed yet */
  #missing = []
  /** @type {Segment[]} to be sent again, by place */
  #again = []
  /** @type {{ place: number, sentNs: number } | null} whose round trip is being timed: one at a time, as RFC 6298 has it */
  #timed = null
  /** The time-out counts from when the first outstanding segment was sent, or became the first. */
  #timerNs = 0
  #lastSentNs = 0
  /** Losses of segments before this one have been answered for by the window. */
  #recoveryEnd = 0
  #recoversFast = false
  #timedOutPlace = -1

  /**
   * @param {object} parts
   * @param {number} parts.rttNs - of the handshake
   * @param {(segment: Segment, nowNs: number) => boolean} parts.transmit - sends a segment off; says whether an acknowledgement will come
   */
  constructor({ rttNs, transmit }) {
    this.#rtt = new RttEstimate(rttNs)
    this.#transmit = transmit
  }

  /** Bytes that have been sent at least once. */
  get sentBytes() {
    return this.#sentBytes
  }

  /** Whether acknowledgements change what is sent; while they do not, they can be handed in later, with their own times. */
  get waits() {
    return this.#sentBytes < this.#writtenBytes || this.#unanswered > 0
  }

  /** When the time-out comes, ns; Infinity: no segment is waiting in vain. */
  get timeoutNs() {
    const first = this.#outstanding.peek()
    return first === undefined || first.answered ? Infinity : this.#timerNs + this.#rtt.rtoNs
  }

  /** @param {number} bytes @param {number} nowNs */
  write(bytes, nowNs) {
    const idle = this.#outstanding.length === 0 && nowNs - this.#lastSentNs >= this.#rtt.rtoNs
    if (idle) this.#window.restart()
    this.#writtenBytes += bytes
    this.#fill(nowNs)
  }

  /** @param {Acknowledgement} acknowledgement */
  acknowledge({ atNs, place, next }) {
    if (this.#timed !== null && (place === this.#timed.place || next > this.#timed.place)) {
      this.#rtt.sample(atNs - this.#timed.sentNs)
      this.#timed = null
    }
    const segments = this.#select(place) + this.#pass(next, atNs)
    if (!this.#recoversFast || this.#firstPlace >= this.#recoveryEnd) this.#window.grow(segments)
    if (this.#missing.length > 0) this.#notice(place)
    this.#fill(atNs)
  }

  /**
   * silence says that the acknowledgement of a segment is lost.
   *
   * @param {number} place - of the segment
   * @param {number} nowNs - when it would have been there
   */
  silence(place, nowNs) {
    const segment = place < this.#firstPlace ? undefined : this.#outstanding.peek(place - this.#firstPlace)
    if (segment === undefined || segment.acknowledged || !segment.answered) return
    segment.answered = false
    this.#unanswered += 1
    // a time-out that would have come by now comes now
    this.#timerNs = Math.max(this.#timerNs, nowNs - this.#rtt.rtoNs)
  }

  /** @param {number} nowNs - `timeoutNs` has come */
  timeOut(nowNs) {
    const first = this.#outstanding.peek()
    if (first === undefined) return
    this.#window.collapse(this.#timedOutPlace === first.place ? null : this.#nextPlace - this.#firstPlace)
    this.#timedOutPlace = first.place
    this.#recoveryEnd = this.#nextPlace
    this.#recoversFast = false
    this.#rtt.backOff()
    this.#missing = []
    this.#again = this.#giveUp().slice(1)
    this.#sendAgain(first, nowNs)
    this.#fill(nowNs)
  }

  /** @param {number} place @returns {number} segments acknowledged by it that were not */
  #select(place) {
    const segment = place < this.#firstPlace ? undefined : this.#outstanding.peek(place - this.#firstPlace)
    return segment === undefined ? 0 : this.#settle(segment)
  }

  /** @param {number} next @param {number} atNs @returns {number} segments acknowledged by it that were not */
  #pass(next, atNs) {
    if (next <= this.#firstPlace) return 0
    let segments = 0
    for (; this.#firstPlace < next; this.#firstPlace += 1) {
      segments += this.#settle(/** @type {Segment} */ (this.#outstanding.shift()))
    }
    this.#timerNs = atNs
    return segments
  }

  /** @param {Segment} segment @returns {number} 1: it was not acknowledged yet */
  #settle(segment) {
    if (segment.acknowledged) return 0
    segment.acknowledged = true
    if (!segment.answered) this.#unanswered -= 1
    this.#leave(segment)
    return 1
  }

  /** @param {Segment} segment - that is no longer under way */
  #leave(segment) {
    if (segment.underWay) this.#underWay -= 1
    segment.underWay = false
  }

  /** @param {number} place - of a segment that was acknowledged */
  #notice(place) {
    for (const segment of this.#missing) {
      if (segment.place < place) segment.later += 1
      if (segment.later === LATER_SEGMENTS) this.#recover(segment)
    }
    this.#missing = this.#missing.filter(({ later }) => later < LATER_SEGMENTS)
  }

  /** @param {Segment} segment - whose loss has been noticed */
  #recover(segment) {
    this.#leave(segment)
    this.#again.push(segment)
    if (segment.place < this.#recoveryEnd) return
    this.#window.halve(this.#nextPlace - this.#firstPlace)
    this.#recoveryEnd = this.#nextPlace
    this.#recoversFast = true
  }

  /** @returns {Segment[]} of which nothing will be heard; they are no longer under way */
  #giveUp() {
    const all = Array.from({ length: this.#outstanding.length }, (_, index) => this.#outstanding.peek(index))
    const segments = /** @type {Segment[]} */ (all).filter(
      ({ acknowledged, answered }) => !acknowledged && !answered
    )
    for (const segment of segments) this.#leave(segment)
    return segments
  }

  /** @param {number} nowNs */
  #fill(nowNs) {
    while (this.#underWay < this.#window.segments) {
      const again = this.#again.shift()
      if (again !== undefined) this.#sendAgain(again, nowNs)
      else if (this.#sentBytes < this.#writtenBytes) this.#sendNext(nowNs)
      else break
    }
    this.#window.use({ underWay: this.#underWay, acknowledged: this.#firstPlace, sent: this.#nextPlace })
  }

  /** @param {number} nowNs */
  #sendNext(nowNs) {
    const bytes = Math.min(SEGMENT_BYTES, this.#writtenBytes - this.#sentBytes)
    this.#sentBytes += bytes
    const place = this.#nextPlace
    const state = { underWay: false, acknowledged: false, answered: false, later: 0 }
    const segment = { place, bytes, endByte: this.#sentBytes, ...state }
    this.#nextPlace += 1
    this.#outstanding.push(segment)
    this.#send(segment, nowNs)
    this.#timed ??= { place, sentNs: nowNs }
    if (!segment.answered) this.#missing.push(segment)
  }

  /** @param {Segment} segment @param {number} nowNs */
  #sendAgain(segment, nowNs) {
    if (segment.acknowledged) return
    // which sending an acknowledgement answers cannot be told (Karn)
    if (this.#timed?.place === segment.place) this.#timed = null
    this.#unanswered -= 1
    this.#send(segment, nowNs)
  }

  /** @param {Segment} segment @param {number} nowNs */
  #send(segment, nowNs) {
    if (segment.place === this.#firstPlace) this.#timerNs = nowNs
    this.#lastSentNs = nowNs
    this.#underWay += 1
    segment.underWay = true
    segment.answered = this.#transmit(segment, nowNs)
    if (!segment.answered) this.#unanswered += 1
  }
}
