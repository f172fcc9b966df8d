import { CongestionWindow } from './congestion-window.js'
import { Fifo } from './fifo.js'
import { LossDetection } from './loss-detection.js'
import { RttEstimate } from './rtt-estimate.js'
import { TailLossProbe } from './tail-loss-probe.js'
import { SEGMENT_BYTES } from './wire-bytes.js'

/**
 * @typedef {object} Segment
 * @property {number} place - among all of the connection, from 0
 * @property {number} bytes
 * @property {number} endByte - of the connection, up to which it reaches
 * @property {boolean} underWay - as far as the sender knows
 * @property {boolean} acknowledged
 * @property {boolean} answered - an acknowledgement will come: its last sending is not lost
 * @property {number} sentNs - the last time
 * @property {number} later - segments sent after it that have been acknowledged since it was lost
 * @property {number} noticedNs - when its loss is noticed, as far as acknowledgements tell; Infinity: they do not
 *
 * @typedef {object} Acknowledgement
 * @property {number} atNs - at the sender
 * @property {number} place - of the segment that caused it
 * @property {number} next - the receiver has all segments before this one
 */

/**
 * TcpSender decides what one end of a connection sends when: as much as the congestion window allows, lost segments first. A loss is
 * noticed by acknowledgements of what was sent later (RACK), where there are none by a probe (RFC 8985), else by the time-out (RFC 6298),
 * after which all that is missing is sent again: as Linux has it. It knows what is lost, and uses that only to spare itself probes and
 * time-outs that prove wrong.
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
  /** Of those, the ones whose loss is not noticed yet. */
  #losses = new LossDetection()
  /** @type {Segment[]} to be sent again, as their losses were noticed */
  #again = []
  /** @type {{ place: number, sentNs: number } | null} whose round trip is being timed: one at a time, as RFC 6298 has it */
  #timed = null
  /** The time-out counts from when the first outstanding segment was sent, or became the first. */
  #timerNs = 0
  #lastSentNs = 0
  /** Losses of segments before this one have been answered for by the window. */
  #recoveryEnd = 0
  /** Losses that acknowledgements told of are being repaired; after a time-out they are not. */
  #recoversFast = false
  #timedOutPlace = -1
  #probe = new TailLossProbe()
  /** Outstanding segments that have been acknowledged: one before them is missing. */
  #selected = 0

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

  /** When something is due without an acknowledgement, ns; Infinity: no segment is waiting in vain. */
  get timeoutNs() {
    return this.#unanswered === 0 ? Infinity : Math.min(this.#losses.nextNs, this.#waitsInVainNs)
  }

  /** When the probe or the time-out for the first segment comes. */
  get #waitsInVainNs() {
    const first = this.#outstanding.peek()
    if (first === undefined || first.answered) return Infinity
    return Math.min(this.#probe.dueNs, this.#timerNs + this.#rtt.rtoNs)
  }

  /** Losses are being repaired. */
  get #repairs() {
    return this.#firstPlace < this.#recoveryEnd
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
      this.#notBefore(atNs)
    }
    const caused = this.#outstandingAt(place)
    const firstPlace = this.#firstPlace
    const acknowledged = this.#select(caused) + this.#pass(next, atNs)
    const noticed = caused === undefined ? 0 : this.#notice(caused, atNs)
    this.#open(acknowledged, this.#firstPlace > firstPlace && noticed === 0)
    this.#fill(atNs)
  }

  /** @param {number} acknowledged @param {boolean} advanced */
  #open(acknowledged, advanced) {
    if (this.#recoversFast && !this.#repairs) {
      this.#recoversFast = false
      this.#window.endRecovery()
    }
    if (!this.#recoversFast) this.#window.grow(acknowledged)
    else if (acknowledged > 0) this.#window.recover({ acknowledged, underWay: this.#underWay, advanced })
  }

  /**
   * silence says that the acknowledgement of a segment is lost.
   *
   * @param {number} place - of the segment
   * @param {number} nowNs - when it would have been there
   */
  silence(place, nowNs) {
    const segment = this.#outstandingAt(place)
    if (segment === undefined || segment.acknowledged || !segment.answered) return
    segment.answered = false
    this.#unanswered += 1
    this.#notBefore(nowNs)
  }

  /** A probe or a time-out that would have come by now comes now. @param {number} nowNs */
  #notBefore(nowNs) {
    this.#probe.notBefore(nowNs)
    this.#timerNs = Math.max(this.#timerNs, nowNs - this.#rtt.rtoNs)
  }

  /** @param {number} nowNs - `timeoutNs` has come */
  timeOut(nowNs) {
    if (this.#losses.nextNs <= nowNs) this.#recoverAt(nowNs)
    else if (this.#probe.dueNs <= nowNs) this.#sendProbe(nowNs)
    else this.#startOver(nowNs)
    this.#fill(nowNs)
  }

  /** Losses are noticed without an acknowledgement: Linux counts one all the same. @param {number} nowNs */
  #recoverAt(nowNs) {
    this.#recover(this.#losses.due(nowNs))
    if (this.#recoversFast)
      this.#window.recover({ acknowledged: 1, underWay: this.#underWay, advanced: false })
  }

  /** The time-out has come. @param {number} nowNs */
  #startOver(nowNs) {
    const first = this.#outstanding.peek()
    if (first === undefined) return
    this.#window.collapse({ again: this.#recoversFast || this.#timedOutPlace === first.place })
    this.#timedOutPlace = first.place
    this.#recoveryEnd = this.#nextPlace
    this.#recoversFast = false
    this.#probe.stop()
    this.#rtt.backOff()
    this.#again = this.#giveUp().slice(1)
    this.#sendAgain(first, nowNs)
  }

  /** Sends what brings an acknowledgement: something new, else the last segment again. The time-out counts from then. @param {number} nowNs */
  #sendProbe(nowNs) {
    const last = /** @type {Segment} */ (this.#outstanding.peek(this.#outstanding.length - 1))
    const sendsNew = this.#sentBytes < this.#writtenBytes
    if (sendsNew) this.#sendNext(nowNs)
    else if (!last.answered) this.#sendAgain(last, nowNs)
    this.#probe.sent({ end: this.#nextPlace, repeats: !sendsNew })
    this.#timerNs = nowNs
  }

  /** @param {number} nowNs @param {number} fromNs - that the time-out counts from */
  #armProbe(nowNs, fromNs) {
    this.#probe.arm(nowNs, {
      isOpen: !this.#repairs && this.#selected === 0,
      alone: this.#outstanding.length === 1,
      smoothedRttNs: this.#rtt.smoothedNs,
      timeoutNs: fromNs + this.#rtt.rtoNs
    })
  }

  /** @param {number} place @returns {Segment | undefined} */
  #outstandingAt(place) {
    return place < this.#firstPlace ? undefined : this.#outstanding.peek(place - this.#firstPlace)
  }

  /** @param {Segment | undefined} segment @returns {number} segments acknowledged by it that were not */
  #select(segment) {
    const segments = segment === undefined ? 0 : this.#settle(segment)
    this.#selected += segments
    return segments
  }

  /** @param {number} next @param {number} atNs @returns {number} segments acknowledged by it that were not */
  #pass(next, atNs) {
    if (next <= this.#firstPlace) return 0
    let segments = 0
    for (; this.#firstPlace < next; this.#firstPlace += 1) {
      const settled = this.#settle(/** @type {Segment} */ (this.#outstanding.shift()))
      this.#selected -= 1 - settled
      segments += settled
    }
    this.#timerNs = atNs
    if (this.#probe.answered(next) && !this.#repairs) this.#window.halve()
    this.#armProbe(atNs, atNs)
    return segments
  }

  /** @param {Segment} segment @returns {number} 1: it was not acknowledged yet */
  #settle(segment) {
    if (segment.acknowledged) return 0
    segment.acknowledged = true
    if (!segment.answered) {
      this.#unanswered -= 1
      this.#losses.forget(segment)
    }
    this.#leave(segment)
    return 1
  }

  /** @param {Segment} segment - that is no longer under way */
  #leave(segment) {
    if (segment.underWay) this.#underWay -= 1
    segment.underWay = false
  }

  /** @param {Segment} caused - an acknowledgement @param {number} nowNs @returns {number} losses that it tells of */
  #notice(caused, nowNs) {
    const state = { repairs: this.#repairs, leastRttNs: this.#rtt.leastNs }
    const noticed = this.#losses.acknowledged(caused, nowNs, state)
    this.#recover(noticed)
    return noticed.length
  }

  /** @param {readonly Segment[]} segments - whose loss has been noticed */
  #recover(segments) {
    for (const segment of segments) {
      this.#leave(segment)
      this.#again.push(segment)
      if (segment.place >= this.#recoveryEnd) this.#repair()
    }
  }

  #repair() {
    this.#window.beginRecovery()
    this.#recoveryEnd = this.#nextPlace
    this.#recoversFast = true
    this.#probe.stop()
  }

  /** @returns {Segment[]} of which nothing will be heard; they are no longer under way */
  #giveUp() {
    const all = Array.from({ length: this.#outstanding.length }, (_, index) => this.#outstanding.peek(index))
    const segments = /** @type {Segment[]} */ (all).filter(
      ({ acknowledged, answered }) => !acknowledged && !answered
    )
    for (const segment of segments) {
      this.#leave(segment)
      this.#losses.forget(segment)
    }
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
    const state = { underWay: false, acknowledged: false, answered: false }
    const told = { sentNs: nowNs, later: 0, noticedNs: Infinity }
    const segment = { place, bytes, endByte: this.#sentBytes, ...state, ...told }
    this.#nextPlace += 1
    this.#outstanding.push(segment)
    this.#send(segment, nowNs)
    this.#timed ??= { place, sentNs: nowNs }
    this.#armProbe(nowNs, this.#timerNs)
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
    if (this.#recoversFast) this.#window.sends()
    if (!segment.underWay) this.#underWay += 1
    segment.underWay = true
    segment.sentNs = nowNs
    segment.answered = this.#transmit(segment, nowNs)
    if (segment.answered) return this.#losses.forget(segment)
    this.#unanswered += 1
    this.#losses.lost(segment)
  }
}
