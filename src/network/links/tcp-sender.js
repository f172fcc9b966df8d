import { CongestionWindow } from './congestion-window.js'
import { LossDetection } from './loss-detection.js'
import { Outstanding } from './outstanding.js'
import { RetransmissionTimer } from './retransmission-timer.js'
import { RttEstimate } from './rtt-estimate.js'
import { SEGMENT_BYTES } from './wire-bytes.js'

/**
 * @typedef {import('./outstanding.js').Segment} Segment
 * @typedef {import('./direction.js').Answer} Acknowledgement
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
  #sentBytes = 0
  #losses = new LossDetection()
  #outstanding = new Outstanding(this.#losses)
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
   * @param {(packet: import('./outstanding.js').Packet, nowNs: number) => boolean} parts.transmit - sends a packet off; says whether an acknowledgement will come
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
    return this.#sentBytes < this.#writtenBytes || this.#outstanding.hasUnanswered
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
    if (advanced) this.#advance(next, atNs)
    const noticed = caused === undefined ? 0 : this.#notice(caused, atNs)
    this.#open(packets, { advanced, noticed })
    this.#test(advanced)
    this.#fill(atNs)
  }

  /** The first outstanding segment is another one now. @param {number} next @param {number} atNs */
  #advance(next, atNs) {
    if (this.#timer.answered(next) && !this.#repairs) this.#window.halve()
    this.#timer.advanced(atNs, this.#state)
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
  silence(acknowledgement) {
    this.#outstanding.silence(acknowledgement)
    this.#timer.notBefore(acknowledgement.atNs)
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
    const { underWay } = this.#outstanding
    if (this.#recoversFast) this.#window.recover({ acknowledged: 1, underWay, advanced: false })
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
    const sendsNew = this.#sentBytes < this.#writtenBytes
    if (sendsNew) this.#sendNext(nowNs)
    else if (!last.answered) this.#sendAgain(last, nowNs)
    this.#timer.probed({ end: this.#outstanding.nextPlace, repeats: !sendsNew })
    this.#timer.sentFirst(nowNs, this.#rtt.rtoNs)
  }

  /** @returns {import('./retransmission-timer.js').Outstanding} */
  get #state() {
    return {
      count: this.#outstanding.count,
      isOpen: !this.#repairs && !this.#outstanding.hasGaps,
      firstSentNs: this.#outstanding.first?.sentNs ?? 0,
      smoothedRttNs: this.#rtt.smoothedNs,
      rtoNs: this.#rtt.rtoNs
    }
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
      this.#outstanding.leave(segment)
      this.#again.push(segment)
      if (segment.place >= this.#recoveryEnd) this.#repair(nowNs)
    }
  }

  /** @param {number} nowNs */
  #repair(nowNs) {
    this.#window.beginRecovery()
    this.#recoveryEnd = this.#outstanding.nextPlace
    this.#recoversFast = true
    this.#timer.forgetProbe()
    this.#timer.timeOut(nowNs, this.#state)
  }

  /** @param {number} nowNs */
  #fill(nowNs) {
    while (this.#outstanding.underWay < this.#window.segments) {
      const again = this.#timeOutIs === 'tested' ? undefined : this.#again.shift()
      if (again !== undefined) this.#sendAgain(again, nowNs)
      else if (this.#sentBytes < this.#writtenBytes) this.#sendNext(nowNs)
      else break
    }
    const { underWay, firstPlace, nextPlace } = this.#outstanding
    this.#window.use({ underWay, acknowledged: firstPlace, sent: nextPlace })
  }

  /** @param {number} nowNs */
  #sendNext(nowNs) {
    const bytes = Math.min(SEGMENT_BYTES, this.#writtenBytes - this.#sentBytes)
    this.#sentBytes += bytes
    const segment = this.#outstanding.add({ bytes, endByte: this.#sentBytes, sentNs: nowNs })
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
