import { Fifo } from './fifo.js'
import { SEGMENT_BYTES } from './wire-bytes.js'

/**
 * @typedef {import('./direction.js').Answer} Acknowledgement
 *
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
 */

/**
 * Outstanding are the segments of one end of a connection that were sent and are not yet acknowledged up to there, each with what the
 * sender knows of it.
 */
export class Outstanding {
  /** @type {Fifo<Segment>} the first is at place `#firstPlace` */
  #segments = new Fifo()
  #firstPlace = 0
  #nextPlace = 0
  #underWay = 0
  /** Of which nothing will be heard. */
  #unanswered = 0
  /** That have been acknowledged: one before them is missing. */
  #selected = 0
  #losses

  /** @param {import('./loss-detection.js').LossDetection} losses - of these segments that are not noticed yet */
  constructor(losses) {
    this.#losses = losses
  }

  get count() {
    return this.#segments.length
  }

  /** Place of the first one that is outstanding, or will be. */
  get firstPlace() {
    return this.#firstPlace
  }

  /** Place of the next one that will be sent. */
  get nextPlace() {
    return this.#nextPlace
  }

  /** Packets under way, as far as the sender knows. */
  get underWay() {
    return this.#underWay
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
    return place < this.#firstPlace ? undefined : this.#segments.peek(place - this.#firstPlace)
  }

  /** add takes a segment that is sent now. @param {{ bytes: number, endByte: number, sentNs: number }} segment @returns {Segment} */
  add({ bytes, endByte, sentNs }) {
    const state = { underWay: false, acknowledged: false, answered: true }
    const told = { sentNs, repeated: false, later: 0, noticedNs: Infinity }
    const segment = { place: this.#nextPlace, places: 1, isJoined: false, bytes, endByte, ...state, ...told }
    this.#nextPlace += 1
    this.#segments.push(segment)
    return segment
  }

  /** sent is told whether an acknowledgement of a packet will come. @param {Segment} segment - its first one @param {boolean} answered */
  sent(segment, answered) {
    if (!segment.underWay) this.#underWay += 1
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
    for (let each = next - 1; each >= this.#firstPlace; each -= 1) {
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
    for (let each = place; each < place + places; each += 1) packets += this.#select(this.at(each))
    let packetEnd = next
    for (; this.#firstPlace < next; this.#firstPlace += 1) {
      const segment = /** @type {Segment} */ (this.#segments.shift())
      if (!this.#settle(segment)) this.#selected -= 1
      else packets += Number(!segment.isJoined)
      packetEnd = Math.max(packetEnd, segment.place + segment.places)
    }
    return { packets, parted: this.#part(packetEnd) }
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
    if (segment.underWay) this.#underWay -= 1
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

  /** @param {Segment | undefined} segment @returns {number} 1: a packet that was not acknowledged before */
  #select(segment) {
    if (segment === undefined || !this.#settle(segment)) return 0
    this.#selected += 1
    return Number(!segment.isJoined)
  }

  /** @param {number} packetEnd - place after the packet that the last acknowledged segment was in @returns {Segment | null} */
  #part(packetEnd) {
    const rest = this.first
    if (rest === undefined || !rest.isJoined) return null
    rest.isJoined = false
    rest.places = packetEnd - rest.place
    return rest.answered ? null : rest
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
