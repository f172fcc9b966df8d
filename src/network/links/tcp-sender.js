import { CongestionWindow } from './congestion-window.js'
import { Fifo } from './fifo.js'
import { LossDetection } from './loss-detection.js'
import { RetransmissionTimer } from './retransmission-timer.js'
import { RttEstimate } from './rtt-estimate.js'
import { SEGMENT_BYTES } from './wire-bytes.js'

/**
 * @typedef {object} Packet
 * @property {number} place - of its first segment, among all of the connection, from 0
 * @property {number} places - how many segments are in it
 * @property {number} bytes
 * @property {number} endByte - of the connection, up to which it reaches
 *
 * @typedef {object} Segment
 * @property {number} place - among all of the connection, from 0
 * @property {number} places - that go in one packet with it, itself the first
 * @property {boolean} isJoined - it goes with one before it
 * @property {number} bytes
 * @property {number} endByte - of the connection, up to which it reaches
 * @property {boolean} underWay - as far as the sender knows
 * @property {boolean} acknowledged
 * @property {boolean} answered - an acknowledgement will come: its last sending is not lost
 * @property {number} sentNs - the last time
 * @property {boolean} repeated - it was sent more than once
 * @property {number} later - segments sent after it that have been acknowledged since it was lost
 * @property {number} noticedNs - when its loss is noticed, as far as acknowledgements tell; Infinity: they do not
 *
 * @typedef {object} Acknowledgement
 * @property {number} atNs - at the sender
 * @property {number} place - of the first segment that caused it
 * @property {number} places - how many segments came with that
 * @property {number} next - the receiver has all segments before this one
 */

/**
 * TcpSender decides what one end of a connection sends when: as much as the congestion window allows, lost segments first. A loss is
 * noticed by acknowledgements of what was sent later (RACK), where there are none by a probe (RFC 8985), else by the time-out (RFC 6298),
 * after which all that is missing is sent again, once new segments have shown that it is (F-RTO, RFC 5682), small ones joined: as Linux has it.
 * It knows what is lost, and uses that only to spare itself probes and time-outs that prove wrong.
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
  #lastSentNs = 0
  /** Losses of segments before this one have been answered for by the window. */
  #recoveryEnd = 0
  /** Losses that acknowledgements told of are being repaired; after a time-out they are not. */
  #recoversFast = false
  #timedOutPlace = -1
  /** After a time-out: `doubted` until something is acknowledged; then, where there is something new to send, `tested` until the next acknowledgement. */
  #timeOutIs = /** @type {'doubted' | 'tested' | 'believed'} */ ('believed')
  #timer = new RetransmissionTimer()
  /** Outstanding segments that have been acknowledged: one before them is missing. */
  #selected = 0

  /**
   * @param {object} parts
   * @param {number} parts.rttNs - of the handshake
   * @param {(packet: Packet, nowNs: number) => boolean} parts.transmit - sends a packet off; says whether an acknowledgement will come
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
    if (this.#unanswered === 0) return Infinity
    const waits = this.#outstanding.peek()?.answered === false
    return Math.min(this.#losses.nextNs, waits ? this.#timer.dueNs : Infinity)
  }

  /** Losses are being repaired. */
  get #repairs() {
    return this.#firstPlace < this.#recoveryEnd
  }

  /** @param {number} bytes @param {number} nowNs */
  write(bytes, nowNs) {
    if (this.#outstanding.length === 0) this.#window.restart(nowNs - this.#lastSentNs, this.#rtt.rtoNs)
    this.#writtenBytes += bytes
    this.#fill(nowNs)
  }

  /** @param {Acknowledgement} acknowledgement */
  acknowledge({ atNs, place, places, next }) {
    const caused = this.#outstandingAt(place)
    const firstPlace = this.#firstPlace
    this.#measure(caused, next, atNs)
    const acknowledged = this.#select(place, places) + this.#pass(next, atNs)
    const noticed = caused === undefined ? 0 : this.#notice(caused, atNs)
    const advanced = this.#firstPlace > firstPlace
    this.#open(acknowledged, { advanced, noticed })
    this.#test(advanced)
    this.#fill(atNs)
  }

  /**
   * The round trip of the oldest segment acknowledged just now; one that was sent again is told by the time stamp of what caused the
   * acknowledgement (RFC 7323).
   *
   * @param {Segment | undefined} caused
   * @param {number} next
   * @param {number} atNs
   */
  #measure(caused, next, atNs) {
    let oldest = caused
    for (let place = next - 1; place >= this.#firstPlace; place -= 1) {
      const segment = /** @type {Segment} */ (this.#outstandingAt(place))
      if (segment.repeated) oldest = caused
      if (segment.repeated) break
      if (!segment.acknowledged) oldest = segment
    }
    if (oldest === undefined || oldest.acknowledged) return
    this.#rtt.sample(atNs - oldest.sentNs, atNs)
  }

  /** @param {number} acknowledged @param {{ advanced: boolean, noticed: number }} by */
  #open(acknowledged, { advanced, noticed }) {
    if (this.#recoversFast && !this.#repairs) {
      this.#recoversFast = false
      this.#window.endRecovery()
    }
    if (this.#recoversFast) {
      const further = { underWay: this.#underWay, advanced: advanced && noticed === 0 }
      if (acknowledged > 0) this.#window.recover({ acknowledged, ...further })
    } else if (advanced) this.#window.grow(acknowledged)
  }

  /** A time-out that may have been wrong is tested by new segments, if there are any (F-RTO, RFC 5682). @param {boolean} advanced */
  #test(advanced) {
    const tests = this.#timeOutIs === 'doubted' && advanced && this.#repairs
    this.#timeOutIs = tests && this.#sentBytes < this.#writtenBytes ? 'tested' : 'believed'
  }

  /**
   * silence says that an acknowledgement is lost.
   *
   * @param {Acknowledgement} acknowledgement - `atNs`: when it would have been there
   */
  silence({ atNs, place, places }) {
    for (let each = place; each < place + places; each += 1) {
      const segment = this.#outstandingAt(each)
      if (segment === undefined || segment.acknowledged || !segment.answered) continue
      segment.answered = false
      this.#unanswered += 1
    }
    this.#timer.notBefore(atNs)
  }

  /** @param {number} nowNs - `timeoutNs` has come */
  timeOut(nowNs) {
    if (this.#losses.nextNs <= nowNs) this.#recoverAt(nowNs)
    else if (!this.#timer.isProbe) this.#startOver(nowNs)
    else if (this.#timer.hasProbed) this.#timer.timeOut(nowNs, this.#state)
    else this.#sendProbe(nowNs)
    this.#fill(nowNs)
  }

  /** Losses are noticed without an acknowledgement: Linux counts one all the same. @param {number} nowNs */
  #recoverAt(nowNs) {
    this.#recover(this.#losses.due(nowNs), nowNs)
    if (this.#recoversFast)
      this.#window.recover({ acknowledged: 1, underWay: this.#underWay, advanced: false })
  }

  /** The time-out has come. @param {number} nowNs */
  #startOver(nowNs) {
    const first = this.#outstanding.peek()
    if (first === undefined) return
    const again = this.#timedOutPlace === first.place
    this.#window.collapse({ again: this.#recoversFast || again })
    this.#timeOutIs = again || !this.#repairs ? 'doubted' : 'believed'
    this.#timedOutPlace = first.place
    this.#recoveryEnd = this.#nextPlace
    this.#recoversFast = false
    this.#timer.forgetProbe()
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
    this.#timer.probed({ end: this.#nextPlace, repeats: !sendsNew })
    this.#timer.sentFirst(nowNs, this.#rtt.rtoNs)
  }

  /** @returns {import('./retransmission-timer.js').Outstanding} */
  get #state() {
    return {
      count: this.#outstanding.length,
      isOpen: !this.#repairs && this.#selected === 0,
      firstSentNs: this.#outstanding.peek()?.sentNs ?? 0,
      smoothedRttNs: this.#rtt.smoothedNs,
      rtoNs: this.#rtt.rtoNs
    }
  }

  /** @param {number} place @returns {Segment | undefined} */
  #outstandingAt(place) {
    return place < this.#firstPlace ? undefined : this.#outstanding.peek(place - this.#firstPlace)
  }

  /** @param {number} place @param {number} places @returns {number} packets acknowledged by it that were not */
  #select(place, places) {
    let packets = 0
    for (let each = place; each < place + places; each += 1) {
      const segment = this.#outstandingAt(each)
      if (segment === undefined || !this.#settle(segment)) continue
      this.#selected += 1
      packets += Number(!segment.isJoined)
    }
    return packets
  }

  /** @param {number} next @param {number} atNs @returns {number} packets acknowledged by it that were not */
  #pass(next, atNs) {
    if (next <= this.#firstPlace) return 0
    let packets = 0
    let placesEnd = next
    for (; this.#firstPlace < next; this.#firstPlace += 1) {
      const segment = /** @type {Segment} */ (this.#outstanding.shift())
      if (!this.#settle(segment)) this.#selected -= 1
      else if (!segment.isJoined) packets += 1
      placesEnd = Math.max(placesEnd, segment.place + segment.places)
    }
    this.#part(placesEnd)
    if (this.#timer.answered(next) && !this.#repairs) this.#window.halve()
    this.#timer.advanced(atNs, this.#state)
    return packets
  }

  /** Of what went in one packet the beginning had been there: the rest is on its own. @param {number} end - place after it */
  #part(end) {
    const rest = this.#outstanding.peek()
    if (rest === undefined || !rest.isJoined) return
    rest.isJoined = false
    rest.places = end - rest.place
    if (!rest.answered) this.#again.unshift(rest)
  }

  /** @param {Segment} segment @returns {boolean} whether it was not acknowledged yet */
  #settle(segment) {
    if (segment.acknowledged) return false
    segment.acknowledged = true
    if (!segment.answered) {
      this.#unanswered -= 1
      this.#losses.forget(segment)
    }
    this.#leave(segment)
    return true
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
    this.#recover(noticed, nowNs)
    return noticed.length
  }

  /** @param {readonly Segment[]} segments - whose loss has been noticed @param {number} nowNs */
  #recover(segments, nowNs) {
    for (const segment of segments) {
      this.#leave(segment)
      this.#again.push(segment)
      if (segment.place >= this.#recoveryEnd) this.#repair(nowNs)
    }
  }

  /** @param {number} nowNs */
  #repair(nowNs) {
    this.#window.beginRecovery()
    this.#recoveryEnd = this.#nextPlace
    this.#recoversFast = true
    this.#timer.forgetProbe()
    this.#timer.timeOut(nowNs, this.#state)
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
      const again = this.#timeOutIs === 'tested' ? undefined : this.#again.shift()
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
    const told = { sentNs: nowNs, repeated: false, later: 0, noticedNs: Infinity }
    const segment = { place, places: 1, isJoined: false, bytes, endByte: this.#sentBytes, ...state, ...told }
    this.#nextPlace += 1
    this.#outstanding.push(segment)
    this.#send(segment, nowNs)
    this.#timer.sentNew(nowNs, this.#state)
  }

  /** @param {Segment} segment @param {number} nowNs */
  #sendAgain(segment, nowNs) {
    if (segment.acknowledged || segment.answered || segment.isJoined) return
    this.#join(segment)
    segment.repeated = true
    this.#unanswered -= segment.places
    this.#send(segment, nowNs)
    if (segment.place === this.#firstPlace) this.#timer.sentFirst(nowNs, this.#rtt.rtoNs)
  }

  /** @param {Segment} segment @param {number} nowNs */
  #send(segment, nowNs) {
    this.#lastSentNs = nowNs
    if (this.#recoversFast) this.#window.sends()
    if (!segment.underWay) this.#underWay += 1
    segment.underWay = true
    segment.sentNs = nowNs
    const answered = this.#transmit(this.#packet(segment), nowNs)
    for (const each of this.#together(segment)) each.answered = answered
    if (answered) return this.#losses.forget(segment)
    this.#unanswered += segment.places
    this.#losses.lost(segment)
  }

  /** Losses that follow a segment go with it when it is sent again, as far as they fit (`tcp_retrans_try_collapse`). @param {Segment} segment */
  #join(segment) {
    let { bytes } = this.#packet(segment)
    for (;;) {
      const next = this.#outstandingAt(segment.place + segment.places)
      if (next === undefined || next.acknowledged || next.answered || next.place >= this.#recoveryEnd) return
      bytes += this.#packet(next).bytes
      if (bytes > SEGMENT_BYTES) return
      segment.places += next.places
      next.isJoined = true
      this.#leave(next)
      this.#losses.forget(next)
    }
  }

  /** What goes with a segment, itself the first. @param {Segment} segment @returns {Segment[]} */
  #together(segment) {
    if (segment.places === 1) return [segment]
    const all = Array.from({ length: segment.places }, (_, each) => this.#outstandingAt(segment.place + each))
    return /** @type {Segment[]} */ (all)
  }

  /** @param {Segment} segment @returns {Packet} that it goes in */
  #packet(segment) {
    if (segment.places === 1) return segment
    const all = this.#together(segment)
    const bytes = all.reduce((sum, each) => sum + each.bytes, 0)
    return { place: segment.place, places: segment.places, bytes, endByte: all[all.length - 1].endByte }
  }
}
