// A simulated TCP sender: decides which segments to send, detects losses (RACK, RFC 8985), and retransmits.

import { Fifo } from '../../kit/collections.js'
import { SEGMENT_BYTES } from './direction.js'
import { CongestionWindow, RttEstimate } from './tcp-congestion.js'

/**
 * @typedef {import('./direction.js').SegmentAck} Acknowledgement
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
  #writtenBytes = 0
  /** Bytes that have been sent at least once. */
  sentBytes = 0
  #losses = new LossDetection()
  #outstanding = new OutstandingSegments(this.#losses)
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

  /**
   * @param {object} parts
   * @param {number} parts.rttNs - of the handshake
   * @param {(packet: Packet, nowNs: number) => boolean} parts.transmit - sends a packet off; says whether an acknowledgement will come
   */
  constructor({ rttNs, transmit }) {
    this.#rtt = new RttEstimate(rttNs)
    this.#transmit = transmit
  }

  /** Whether acknowledgements change what is sent; while they do not, they can be handed in later, with their own times. */
  get waits() {
    return this.sentBytes < this.#writtenBytes || this.#outstanding.hasUnanswered
  }

  /** When something is due without an acknowledgement, ns; Infinity: no segment is waiting in vain. */
  get timeoutNs() {
    if (!this.#outstanding.hasUnanswered) return Infinity
    const waits = this.#outstanding.first?.answered === false
    return Math.min(this.#losses.nextNs, waits ? this.#timer.dueNs : Infinity)
  }

  /** Losses are being repaired. */
  get #repairs() {
    return this.#outstanding.firstPlace < this.#recoveryEnd
  }

  /** @param {number} bytes @param {number} nowNs */
  write(bytes, nowNs) {
    if (this.#outstanding.count === 0) this.#window.restart(nowNs - this.#lastSentNs, this.#rtt.rtoNs)
    this.#writtenBytes += bytes
    this.#fill(nowNs)
  }

  /** @param {Acknowledgement} acknowledgement */
  acknowledge(acknowledgement) {
    const { atNs, place, next } = acknowledgement
    const outstanding = this.#outstanding
    const timed = outstanding.oldestOf(acknowledgement)
    if (timed !== undefined) this.#rtt.sample(atNs - timed.sentNs, atNs)
    const caused = outstanding.at(place)
    const { firstPlace } = outstanding
    const { packets, parted } = outstanding.acknowledge(acknowledgement)
    if (parted !== null) this.#again.unshift(parted)
    const advanced = outstanding.firstPlace > firstPlace
    if (advanced) {
      if (this.#timer.answered(next) && !this.#repairs) this.#window.halve()
      this.#timer.advanced(atNs, this.#state)
    }
    let noticed = 0
    if (caused !== undefined) {
      const state = { repairs: this.#repairs, minRttNs: this.#rtt.minNs }
      const lost = this.#losses.acknowledged(caused, atNs, state)
      noticed = lost.length
      this.#recover(lost, atNs)
    }
    this.#open(packets, { advanced, noticed })
    // a time-out that may have been wrong is tested by new segments, if there are any (F-RTO, RFC 5682)
    const tests = this.#timeOutIs === 'doubted' && advanced && this.#repairs
    this.#timeOutIs = tests && this.sentBytes < this.#writtenBytes ? 'tested' : 'believed'
    this.#fill(atNs)
  }

  /** @param {number} acknowledged @param {{ advanced: boolean, noticed: number }} by */
  #open(acknowledged, { advanced, noticed }) {
    if (this.#recoversFast && !this.#repairs) {
      this.#recoversFast = false
      this.#window.endRecovery()
    }
    if (this.#recoversFast) {
      const further = { underWay: this.#outstanding.underWay, advanced: advanced && noticed === 0 }
      if (acknowledged > 0) this.#window.recover({ acknowledged, ...further })
    } else if (advanced) this.#window.grow(acknowledged)
  }

  /**
   * silence says that an acknowledgement is lost.
   *
   * @param {Acknowledgement} acknowledgement - `atNs`: when it would have been there
   */
  silence(acknowledgement) {
    this.#outstanding.silence(acknowledgement)
    this.#timer.notBefore(acknowledgement.atNs)
  }

  /** @param {number} nowNs - `timeoutNs` has come */
  timeOut(nowNs) {
    if (this.#losses.nextNs <= nowNs) {
      this.#recover(this.#losses.due(nowNs), nowNs)
      const { underWay } = this.#outstanding
      // these losses are noticed without an acknowledgement: Linux counts one all the same
      if (this.#recoversFast) this.#window.recover({ acknowledged: 1, underWay, advanced: false })
    } else if (!this.#timer.isProbe) this.#startOver(nowNs)
    else if (this.#timer.hasProbed) this.#timer.timeOut(nowNs, this.#state)
    else this.#sendProbe(nowNs)
    this.#fill(nowNs)
  }

  /** The time-out has come. @param {number} nowNs */
  #startOver(nowNs) {
    const { first, nextPlace } = this.#outstanding
    if (first === undefined) return
    const again = this.#timedOutPlace === first.place
    this.#window.collapse({ again: this.#recoversFast || again })
    this.#timeOutIs = again || !this.#repairs ? 'doubted' : 'believed'
    this.#timedOutPlace = first.place
    this.#recoveryEnd = nextPlace
    this.#recoversFast = false
    this.#timer.forgetProbe()
    this.#rtt.backOff()
    this.#again = this.#outstanding.giveUp().slice(1)
    this.#sendAgain(first, nowNs)
  }

  /** Sends what brings an acknowledgement: something new, else the last segment again. The time-out counts from then. @param {number} nowNs */
  #sendProbe(nowNs) {
    const last = /** @type {Segment} */ (this.#outstanding.last)
    const sendsNew = this.sentBytes < this.#writtenBytes
    if (sendsNew) this.#sendNext(nowNs)
    else if (!last.answered) this.#sendAgain(last, nowNs)
    this.#timer.probed({ end: this.#outstanding.nextPlace, repeats: !sendsNew })
    this.#timer.sentFirst(nowNs, this.#rtt.rtoNs)
  }

  /** @returns {OutstandingState} */
  get #state() {
    return {
      count: this.#outstanding.count,
      isOpen: !this.#repairs && !this.#outstanding.hasGaps,
      firstSentNs: this.#outstanding.first?.sentNs ?? 0,
      smoothedRttNs: this.#rtt.smoothedNs,
      rtoNs: this.#rtt.rtoNs
    }
  }

  /** @param {readonly Segment[]} segments - whose loss has been noticed @param {number} nowNs */
  #recover(segments, nowNs) {
    for (const segment of segments) {
      this.#outstanding.leave(segment)
      this.#again.push(segment)
      if (segment.place < this.#recoveryEnd) continue
      this.#window.beginRecovery()
      this.#recoveryEnd = this.#outstanding.nextPlace
      this.#recoversFast = true
      this.#timer.forgetProbe()
      this.#timer.timeOut(nowNs, this.#state)
    }
  }

  /** @param {number} nowNs */
  #fill(nowNs) {
    while (this.#outstanding.underWay < this.#window.segments) {
      const again = this.#timeOutIs === 'tested' ? undefined : this.#again.shift()
      if (again !== undefined) this.#sendAgain(again, nowNs)
      else if (this.sentBytes < this.#writtenBytes) this.#sendNext(nowNs)
      else break
    }
    const { underWay, firstPlace, nextPlace } = this.#outstanding
    this.#window.use({ underWay, acknowledged: firstPlace, sent: nextPlace })
  }

  /** @param {number} nowNs */
  #sendNext(nowNs) {
    const bytes = Math.min(SEGMENT_BYTES, this.#writtenBytes - this.sentBytes)
    this.sentBytes += bytes
    const segment = this.#outstanding.add({ bytes, endByte: this.sentBytes, sentNs: nowNs })
    this.#send(segment, nowNs)
    this.#timer.sentNew(nowNs, this.#state)
  }

  /** @param {Segment} segment @param {number} nowNs */
  #sendAgain(segment, nowNs) {
    if (segment.acknowledged || segment.answered || segment.isJoined) return
    this.#outstanding.join(segment, this.#recoveryEnd)
    segment.repeated = true
    this.#send(segment, nowNs)
    if (segment === this.#outstanding.first) this.#timer.sentFirst(nowNs, this.#rtt.rtoNs)
  }

  /** @param {Segment} segment @param {number} nowNs */
  #send(segment, nowNs) {
    this.#lastSentNs = nowNs
    if (this.#recoversFast) this.#window.sends()
    segment.sentNs = nowNs
    this.#outstanding.sent(segment, this.#transmit(this.#outstanding.packetOf(segment), nowNs))
  }
}

/**
 * @typedef {object} Packet
 * @property {number} place - of its first segment, among all of the connection, from 0
 * @property {number} places - how many segments are in it
 * @property {number} bytes
 * @property {number} endByte - of the connection, up to which it reaches
 *
 * @typedef {Packet & SegmentState} Segment - with the segments that go in one packet with it, itself the first
 *
 * @typedef {object} SegmentState
 * @property {boolean} isJoined - it goes with one before it
 * @property {boolean} underWay - as far as the sender knows
 * @property {boolean} acknowledged
 * @property {boolean} answered - an acknowledgement will come: its last sending is not lost
 * @property {number} sentNs - the last time
 * @property {boolean} repeated - it was sent more than once
 * @property {number} later - segments sent after it that have been acknowledged since it was lost
 * @property {number} noticedNs - when its loss is noticed, as far as acknowledgements tell; Infinity: they do not
 */

/**
 * OutstandingSegments are the segments of one end of a connection that were sent and are not yet acknowledged up to there, each with what the
 * sender knows of it.
 */
class OutstandingSegments {
  /** @type {Fifo<Segment>} the first is at place `firstPlace` */
  #segments = new Fifo()
  /** Place of the first one that is outstanding, or will be. */
  firstPlace = 0
  /** Place of the next one that will be sent. */
  nextPlace = 0
  /** Packets under way, as far as the sender knows. */
  underWay = 0
  /** Of which nothing will be heard. */
  #unanswered = 0
  /** That have been acknowledged: one before them is missing. */
  #selected = 0
  #losses

  /** @param {LossDetection} losses - of these segments that are not noticed yet */
  constructor(losses) {
    this.#losses = losses
  }

  get count() {
    return this.#segments.length
  }

  /** There are some of which nothing will be heard. */
  get hasUnanswered() {
    return this.#unanswered > 0
  }

  /** Later ones have been acknowledged than the first. */
  get hasGaps() {
    return this.#selected > 0
  }

  get first() {
    return this.#segments.peek()
  }

  get last() {
    return this.#segments.peek(this.#segments.length - 1)
  }

  /** @param {number} place @returns {Segment | undefined} */
  at(place) {
    return place < this.firstPlace ? undefined : this.#segments.peek(place - this.firstPlace)
  }

  /** add takes a segment that is sent now. @param {{ bytes: number, endByte: number, sentNs: number }} segment @returns {Segment} */
  add({ bytes, endByte, sentNs }) {
    const state = { underWay: false, acknowledged: false, answered: true }
    const history = { sentNs, repeated: false, later: 0, noticedNs: Infinity }
    const segment = {
      place: this.nextPlace,
      places: 1,
      isJoined: false,
      bytes,
      endByte,
      ...state,
      ...history
    }
    this.nextPlace += 1
    this.#segments.push(segment)
    return segment
  }

  /** sent is told whether an acknowledgement of a packet will come. @param {Segment} segment - its first one @param {boolean} answered */
  sent(segment, answered) {
    if (!segment.underWay) this.underWay += 1
    segment.underWay = true
    for (const each of this.#together(segment)) this.#answer(each, answered)
    if (answered) this.#losses.forget(segment)
    else this.#losses.lost(segment)
  }

  /**
   * oldestOf gives which segment's round trip an acknowledgement tells: of the oldest that was not acknowledged; of one that was sent
   * again it is told by the time stamp of what caused the acknowledgement (RFC 7323).
   *
   * @param {Acknowledgement} acknowledgement
   * @returns {Segment | undefined} undefined: nothing new is acknowledged
   */
  oldestOf({ place, next }) {
    const caused = this.at(place)
    let oldest = caused
    for (let each = next - 1; each >= this.firstPlace; each -= 1) {
      const segment = /** @type {Segment} */ (this.at(each))
      if (segment.repeated) oldest = caused
      if (segment.repeated) break
      if (!segment.acknowledged) oldest = segment
    }
    return oldest?.acknowledged === true ? undefined : oldest
  }

  /**
   * acknowledge takes out what is acknowledged up to there, and notes what is beyond.
   *
   * @param {Acknowledgement} acknowledgement
   * @returns {{ packets: number, parted: Segment | null }} acknowledged by it that were not before; `parted`: of a packet the receiver had the
   *   beginning, the rest is on its own from here, and missing
   */
  acknowledge({ place, places, next }) {
    let packets = 0
    for (let each = place; each < place + places; each += 1) {
      const segment = this.at(each)
      if (segment === undefined || !this.#settle(segment)) continue
      this.#selected += 1
      packets += Number(!segment.isJoined)
    }
    let packetEnd = next
    for (; this.firstPlace < next; this.firstPlace += 1) {
      const segment = /** @type {Segment} */ (this.#segments.shift())
      if (!this.#settle(segment)) this.#selected -= 1
      else packets += Number(!segment.isJoined)
      packetEnd = Math.max(packetEnd, segment.place + segment.places)
    }
    const rest = this.first
    if (rest === undefined || !rest.isJoined) return { packets, parted: null }
    rest.isJoined = false
    rest.places = packetEnd - rest.place
    return { packets, parted: rest.answered ? null : rest }
  }

  /** silence says that an acknowledgement is lost. @param {Acknowledgement} acknowledgement */
  silence({ place, places }) {
    for (let each = place; each < place + places; each += 1) {
      const segment = this.at(each)
      if (segment !== undefined && !segment.acknowledged) this.#answer(segment, false)
    }
  }

  /** leave: a segment is no longer under way. @param {Segment} segment */
  leave(segment) {
    if (segment.underWay) this.underWay -= 1
    segment.underWay = false
  }

  /** giveUp gives all of which nothing will be heard; they are no longer under way. @returns {Segment[]} */
  giveUp() {
    const all = Array.from({ length: this.count }, (_, index) => this.#segments.peek(index))
    const segments = /** @type {Segment[]} */ (all).filter(
      ({ acknowledged, answered }) => !acknowledged && !answered
    )
    for (const segment of segments) {
      this.leave(segment)
      this.#losses.forget(segment)
    }
    return segments
  }

  /**
   * join has losses that follow a segment go with it, as far as they fit into one packet (`tcp_retrans_try_collapse`).
   *
   * @param {Segment} segment - that is sent again
   * @param {number} end - place after the losses that are being repaired
   */
  join(segment, end) {
    let { bytes } = this.packetOf(segment)
    for (;;) {
      const next = this.at(segment.place + segment.places)
      if (next === undefined || next.acknowledged || next.answered || next.place >= end) return
      bytes += this.packetOf(next).bytes
      if (bytes > SEGMENT_BYTES) return
      segment.places += next.places
      next.isJoined = true
      this.leave(next)
      this.#losses.forget(next)
    }
  }

  /** @param {Segment} segment - the first of it @returns {Packet} */
  packetOf(segment) {
    if (segment.places === 1) return segment
    const all = this.#together(segment)
    const bytes = all.reduce((sum, each) => sum + each.bytes, 0)
    return { place: segment.place, places: segment.places, bytes, endByte: all[all.length - 1].endByte }
  }

  /** @param {Segment} segment - the first of a packet @returns {Segment[]} */
  #together(segment) {
    if (segment.places === 1) return [segment]
    const all = Array.from({ length: segment.places }, (_, each) => this.at(segment.place + each))
    return /** @type {Segment[]} */ (all)
  }

  /** @param {Segment} segment @returns {boolean} whether it was not acknowledged yet */
  #settle(segment) {
    if (segment.acknowledged) return false
    if (!segment.answered) this.#losses.forget(segment)
    this.#answer(segment, true)
    segment.acknowledged = true
    this.leave(segment)
    return true
  }

  /** @param {Segment} segment @param {boolean} answered */
  #answer(segment, answered) {
    if (segment.answered && !answered) this.#unanswered += 1
    if (!segment.answered && answered) this.#unanswered -= 1
    segment.answered = answered
  }
}

/** So many acknowledgements of later segments tell that one is lost without further waiting (RFC 5681). */
const DUPLICATE_THRESHOLD = 3

/**
 * LossDetection notices losses as RACK does (RFC 8985, and Linux): a segment is lost when one that was sent after it is acknowledged, and it is
 * not within a quarter of the least round trip more; at once when three later ones are, or while losses are being repaired. It is told
 * only of segments that are lost indeed: what is only late is never taken for lost.
 */
class LossDetection {
  /** @type {Segment[]} whose loss is not noticed yet */
  #missing = []

  /** When the loss of one is noticed, ns; Infinity: nothing tells of any. */
  get nextNs() {
    let firstNs = Infinity
    for (const { noticedNs } of this.#missing) if (noticedNs < firstNs) firstNs = noticedNs
    return firstNs
  }

  /** @param {Segment} segment - that was sent just now, in vain */
  lost(segment) {
    segment.later = 0
    segment.noticedNs = Infinity
    if (!this.#missing.includes(segment)) this.#missing.push(segment)
  }

  /** @param {Segment} segment - that arrived after all, or that is given up */
  forget(segment) {
    if (this.#missing.length > 0) this.#missing = this.#missing.filter(each => each !== segment)
  }

  /**
   * acknowledged gives the segments whose loss it tells.
   *
   * @param {Segment} caused - the acknowledgement
   * @param {number} nowNs
   * @param {{ repairs: boolean, minRttNs: number }} state
   * @returns {Segment[]}
   */
  acknowledged(caused, nowNs, { repairs, minRttNs }) {
    if (this.#missing.length === 0) return []
    const rttNs = nowNs - caused.sentNs
    for (const segment of this.#missing) {
      const { sentNs, place } = segment
      if (sentNs > caused.sentNs || (sentNs === caused.sentNs && place >= caused.place)) continue
      segment.later += 1
      const isCertain = repairs || segment.later >= DUPLICATE_THRESHOLD
      const noticedNs = isCertain ? nowNs : segment.sentNs + rttNs + Math.round(minRttNs / 4)
      segment.noticedNs = Math.min(segment.noticedNs, noticedNs)
    }
    return this.due(nowNs)
  }

  /** @param {number} nowNs @returns {Segment[]} whose loss is noticed by now */
  due(nowNs) {
    const noticed = this.#missing.filter(({ noticedNs }) => noticedNs <= nowNs)
    if (noticed.length > 0) this.#missing = this.#missing.filter(({ noticedNs }) => noticedNs > nowNs)
    return noticed
  }
}

/** A probe waits for two round trips and so much: one segment alone may be acknowledged late (RFC 8985, 7.2; `tcp_schedule_loss_probe`). */
const PROBE_DELAYS_NS = { alone: 200e6, several: 2e6 }

/**
 * @typedef {object} OutstandingState
 * @property {number} count - segments outstanding
 * @property {boolean} isOpen - no loss is known, nothing has come before something that is missing
 * @property {number} firstSentNs - when the first of them was sent, the last time
 * @property {number} smoothedRttNs
 * @property {number} rtoNs
 */

/**
 * RetransmissionTimer is the one timer that Linux has for both: the probe for a lost tail (RFC 8985, 7), which asks for an acknowledgement
 * where nothing later brings one, and the time-out (RFC 6298). While no loss is known, each new segment puts it off, be it behind one that has
 * been waiting for long; the probe is sent once, and when it is due once more it is the time-out that comes.
 *
 *     what happens                  | due
 *     new segment, no loss known    | probe: two round trips, not behind the first segment's time-out unless that is over
 *     acknowledged, no loss known   | probe: two round trips, not behind a time-out from now
 *     acknowledged, losses known    | time-out: from now; where a probe was due, from the first segment's sending
 *     probe sent                    | time-out: from now
 *     first segment sent again      | time-out: from now
 */
class RetransmissionTimer {
  /** When it is due, ns; Infinity: nothing is outstanding. */
  dueNs = Infinity
  /** A probe is due then, instead of a time-out. */
  isProbe = false
  /** Up to which a probe that is under way asks; 0: there is none. */
  #probeEnd = 0
  #repeats = false

  /** A probe is under way. */
  get hasProbed() {
    return this.#probeEnd > 0
  }

  /** sentNew is told of a segment that was not sent before. @param {number} nowNs @param {OutstandingState} outstanding - with it */
  sentNew(nowNs, outstanding) {
    if (outstanding.count === 1 || this.isProbe) this.timeOut(nowNs, outstanding)
    const timeOutNs = outstanding.firstSentNs + outstanding.rtoNs
    if (outstanding.isOpen) this.#armProbe(nowNs, outstanding, timeOutNs > nowNs ? timeOutNs : Infinity)
  }

  /** advanced: the first segment outstanding was acknowledged. @param {number} nowNs @param {OutstandingState} outstanding */
  advanced(nowNs, outstanding) {
    if (outstanding.count === 0) this.dueNs = Infinity
    else if (outstanding.isOpen) this.#armProbe(nowNs, outstanding, nowNs + outstanding.rtoNs)
    else this.timeOut(nowNs, outstanding)
  }

  /** timeOut waits for the time-out. @param {number} nowNs @param {OutstandingState} outstanding */
  timeOut(nowNs, { firstSentNs, rtoNs }) {
    this.dueNs = this.isProbe ? Math.max(nowNs, firstSentNs + rtoNs) : nowNs + rtoNs
    this.isProbe = false
  }

  /** sentFirst: the first segment was sent again. @param {number} nowNs @param {number} rtoNs */
  sentFirst(nowNs, rtoNs) {
    this.isProbe = false
    this.dueNs = nowNs + rtoNs
  }

  /** probed is told of a probe. @param {{ end: number, repeats: boolean }} probe - place after its segment; whether that was sent before */
  probed({ end, repeats }) {
    this.#probeEnd = end
    this.#repeats = repeats
  }

  /**
   * answered is told how far acknowledgements reach.
   *
   * @param {number} next - the receiver has all segments before this one
   * @returns {boolean} whether that is what a probe has repaired: there was a loss (RFC 8985, 7.4.2)
   */
  answered(next) {
    if (!this.hasProbed || next < this.#probeEnd) return false
    this.#probeEnd = 0
    return this.#repeats
  }

  /** forgetProbe is for when losses are known. */
  forgetProbe() {
    this.#probeEnd = 0
  }

  /** notBefore: what would have come by now comes now. @param {number} nowNs */
  notBefore(nowNs) {
    this.dueNs = Math.max(this.dueNs, nowNs)
  }

  /** @param {number} nowNs @param {OutstandingState} outstanding @param {number} latestNs */
  #armProbe(nowNs, { count, smoothedRttNs }, latestNs) {
    const waitsNs = 2 * smoothedRttNs + (count === 1 ? PROBE_DELAYS_NS.alone : PROBE_DELAYS_NS.several)
    this.isProbe = true
    this.dueNs = Math.min(nowNs + waitsNs, latestNs)
  }
}
