// One direction of a simulated connection: the size of writes on the wire, queues, and a sender for paths without loss
// or congestion.
import { computeSum, Fifo } from '../../kit/collections.js'

/**
 * @typedef {object} Sending - the sender's half
 * @property {(written: WriteSize, nowNs: number) => void} send
 * @property {number} nextNs - when `run` has something to do; Infinity: nothing, until something is sent
 * @property {(nowNs: number) => void} run - does what is due
 * @property {(answer: SegmentAck) => void} answered - an acknowledgement is on its way, of a receiver's half that is a queue
 * @property {DepartureQueue} departures - of its writes
 *
 * @typedef {object} FarEnd - what the sender's half tells the other end, long before anything is there: no sooner than the latency of the link
 * @property {(writes: number, atNs: number) => void} arrives - so many more can be read then: where no line into the receiver is limited, the
 *   sender's half knows
 * @property {(end: number) => void} written - a write ends there
 * @property {(flight: Flight) => void} flies - towards a limited line
 *
 * @typedef {object} Receiving - the receiver's half, where a limited line leads to it: bytes of all its connections meet there, so that all these
 *   halves of a node are driven in the order of time
 * @property {(end: number) => void} written
 * @property {(flight: Flight) => void} flies
 * @property {number} nextNs - when `advance` has something to do
 * @property {(nowNs: number) => number} advance - does what is due, and gives how many more writes can be read, oldest first
 *
 * @typedef {object} Flight - of a packet, or of a write that passes as a whole
 * @property {number} place - of its first segment, among all of this way, from 0
 * @property {number} places - how many segments are in it
 * @property {number} end - of what is written, up to which it reaches
 * @property {number} bytes - on the wire
 * @property {number} firstNs - the first byte reaches the line
 * @property {number} lastNs - the last byte reaches it
 *
 * @typedef {object} SegmentAck - an acknowledgement
 * @property {number} place - of the first segment that caused it
 * @property {number} places - how many segments came with that
 * @property {number} next - the receiver has all segments before this one
 * @property {number} atNs - at the sender
 */

/**
 * What one write costs on the wire. Sources: the yamux specification (header of 12 bytes), mplex (a header of varints), the Noise protocol
 * (messages of up to 65,535 bytes, a tag of 16 within, a length of 2 before), TCP over IPv4 with timestamps on Ethernet (1,500 bytes: 20
 * of IP, 20 of TCP, 12 of timestamps, 1,448 of data); and how `@libp2p/tcp` 11 hands a socket what it gets in parts, one after the other:
 * a Noise message's length is one; `@libp2p/noise` 17 makes one of what is below 1,200 bytes, and encrypts what is larger part by
 * part, with the tag as one more. A frame of `@libp2p/yamux` 8 is as long as the stream's window.
 */
const YAMUX = { headerBytes: 12, maxBytes: 262_132 }
const NOISE = { lengthBytes: 2, tagBytes: 16, maxBytes: 65_519, inPartsFromBytes: 1200 }
const MPLEX = { typeBytes: 1, maxBytes: 1_048_576 }

/** SEGMENT_BYTES is what a TCP segment carries at most. */
export const SEGMENT_BYTES = 1448
/** SEGMENT_HEADER_BYTES goes with every TCP segment. */
export const SEGMENT_HEADER_BYTES = 52

/**
 * @typedef {object} Layers - that are counted
 * @property {'yamux' | 'mplex' | null} muxer
 * @property {'noise' | 'plaintext' | null} security - plaintext costs nothing once a connection is open
 * @property {boolean} tcp - headers of TCP and IP
 */

/** A varint has 7 bits in each byte. @param {number} value */
function varintBytes(value) {
  let bytes = 1
  for (let left = value; left >= 128; left = Math.floor(left / 128)) bytes += 1
  return bytes
}

/** @param {number} bytes - of a write: what is sent, with its length before it @returns {number} of that length */
function lengthBytes(bytes) {
  let length = 1
  while (varintBytes(bytes - length) > length) length += 1
  return length
}

/** @param {readonly number[]} parts - bytes of each @param {number} maxBytes @returns {number[][]} the same bytes in groups */
function groupBytes(parts, maxBytes) {
  const groups = /** @type {number[][]} */ ([[]])
  let freeBytes = maxBytes
  for (const part of parts)
    for (let left = part; left > 0; ) {
      if (freeBytes === 0) {
        groups.push([])
        freeBytes = maxBytes
      }
      const piece = Math.min(left, freeBytes)
      groups[groups.length - 1].push(piece)
      left -= piece
      freeBytes -= piece
    }
  return groups
}

/** @param {number} bytes @param {Layers['muxer']} muxer @returns {number[][]} parts of each frame */
function framesOf(bytes, muxer) {
  if (muxer === null) return [[bytes]]
  const length = lengthBytes(bytes)
  const parts = bytes === 0 ? [] : [length, bytes - length]
  return muxer === 'yamux'
    ? groupBytes(parts, YAMUX.maxBytes).map(frame => [YAMUX.headerBytes, ...frame])
    : // streams are few: the number of one fits one byte, together with the type
      groupBytes(parts, MPLEX.maxBytes).map(frame => [
        MPLEX.typeBytes + varintBytes(computeSum(frame)),
        ...frame
      ])
}

/** @param {number[]} parts - of a Noise message @returns {number[]} */
function encryptParts(parts) {
  const bytes = computeSum(parts)
  return bytes < NOISE.inPartsFromBytes
    ? [NOISE.lengthBytes, bytes + NOISE.tagBytes]
    : [NOISE.lengthBytes, ...parts, NOISE.tagBytes]
}

/**
 * Bytes that are written to a stream: an RPC with the length before it; 0: a frame without content. Or what a socket is handed for what belongs
 * to no stream, write by write.
 *
 * @typedef {number | readonly number[]} WriteSize
 */

/** bytesOf is how many bytes are written. @param {WriteSize} written */
export const bytesOf = written => (typeof written === 'number' ? written : computeSum(written))

/**
 * socketWrites is what a write to a stream becomes on its connection: with the headers of the muxer's frames, encrypted, in the parts that
 * the socket is handed one after the other.
 *
 * @param {WriteSize} written
 * @param {Layers} layers
 * @returns {readonly number[]} bytes of each
 */
export function socketWrites(written, { muxer, security }) {
  if (typeof written !== 'number') return written
  const frames = framesOf(written, muxer)
  return security === 'noise'
    ? frames.flatMap(parts => groupBytes(parts, NOISE.maxBytes).flatMap(encryptParts))
    : frames.flat()
}

/**
 * wireBytesOf is what a write to a stream becomes on the wire, when each part has segments of its own.
 *
 * @param {WriteSize} written
 * @param {Layers} layers
 * @returns {number}
 */
export function wireBytesOf(written, layers) {
  const headerBytes = layers.tcp ? SEGMENT_HEADER_BYTES : 0
  return computeSum(
    socketWrites(written, layers),
    part => part + headerBytes * Math.ceil(part / SEGMENT_BYTES)
  )
}

/**
 * @typedef {object} Departure - of a write
 * @property {number} bytes
 * @property {number} end - where it ends in what is sent
 * @property {number} leftNs - when it leaves; Infinity: that is not known yet
 */

/** DepartureQueue keeps the writes that have not left their node yet. */
export class DepartureQueue {
  /** @type {Fifo<Departure>} */
  #waiting = new Fifo()
  /** Of those, the ones of which it is known when they leave. */
  #known = 0
  #waitingBytes = 0
  #left = 0

  /** When the next write leaves, ns; Infinity: that is not known yet. */
  get nextNs() {
    return this.#waiting.peek()?.leftNs ?? Infinity
  }

  /** @param {number} bytes - of a write @param {number} end - where it ends in what is sent; after the one before */
  add(bytes, end) {
    this.#waiting.push({ bytes, end, leftNs: Infinity })
    this.#waitingBytes += bytes
  }

  /**
   * leave says when writes leave.
   *
   * @param {number} end - those that end up to there
   * @param {number} leftNs - not before the ones before
   * @returns {number} how many they are
   */
  leave(end, leftNs) {
    const known = this.#known
    for (let next = this.#waiting.peek(this.#known); next && next.end <= end; ) {
      next.leftNs = leftNs
      this.#known += 1
      next = this.#waiting.peek(this.#known)
    }
    return this.#known - known
  }

  /** @param {number} nowNs @returns {number} writes that have left by now, since the beginning */
  count(nowNs) {
    for (let next = this.#waiting.peek(); next && next.leftNs <= nowNs; next = this.#waiting.peek()) {
      this.#waiting.shift()
      this.#known -= 1
      this.#waitingBytes -= next.bytes
      this.#left += 1
    }
    return this.#left
  }

  /** @param {number} nowNs @returns {number} bytes of the writes that have not left by now */
  bytes(nowNs) {
    this.count(nowNs)
    return this.#waitingBytes
  }
}

/**
 * PipeSending sends over a path that loses nothing, without a congestion window: what closed formulas are about. A write passes as a whole.
 * It is a Sending.
 */
export class PipeSending {
  #path
  #layers
  #far
  departures = new DepartureQueue()
  #writes = 0
  nextNs = Infinity

  /**
   * @param {{ path: import('../link-model.js').Path, layers: Layers }} parts
   * @param {FarEnd} far
   */
  constructor({ path, layers }, far) {
    this.#path = path
    this.#layers = layers
    this.#far = far
  }

  /** @param {WriteSize} written @param {number} nowNs */
  send(written, nowNs) {
    const { leftNs, ...underWay } = this.#path.sendOff(wireBytesOf(written, this.#layers), nowNs)
    const place = this.#writes
    this.#writes += 1
    this.departures.add(bytesOf(written), this.#writes)
    this.departures.leave(this.#writes, leftNs)
    if (!this.#path.endsInQueue) return this.#far.arrives(1, underWay.lastNs)
    this.#far.written(this.#writes)
    this.#far.flies({ place, places: 1, end: this.#writes, ...underWay })
  }

  run() {}

  answered() {}
}

/** @typedef {Pick<Flight, 'place' | 'places' | 'end'>} ArrivedPacket - a packet */

/** SegmentsInOrder puts segments in order, as the receiver of a TCP connection. It holds no more than what was under way at once. */
export class SegmentsInOrder {
  /** Place of the first segment that is missing. */
  next = 0
  /** What can be read ends there, since the beginning. */
  end = 0
  /** @type {Map<number, ArrivedPacket>} by place, those that came before their turn */
  #early = new Map()

  /** take takes a packet, which may have come before, or in part. @param {ArrivedPacket} packet */
  take(packet) {
    if (packet.place > this.next) this.#early.set(packet.place, packet)
    else if (packet.place + packet.places > this.next) this.#append(packet)
  }

  /** @param {ArrivedPacket} packet */
  #append({ place, places, end }) {
    this.next = place + places
    this.end = end
    if (this.#early.size === 0) return
    // what came by itself before it was sent again with others
    for (let each = place; each < this.next; each += 1) this.#early.delete(each)
    const later = this.#early.get(this.next)
    if (later !== undefined) this.#append(later)
  }
}

/**
 * @typedef {object} QueuedParts
 * @property {(flight: Flight) => number} pass - through the line, when the first byte reaches it; gives when the last one has passed, ns
 * @property {((answer: SegmentAck) => void) | null} answer - acknowledges a segment that came; null: nobody waits for it
 */

/** QueuedReceiving is the end of a way that leads through a limited line into the receiver. It is a Receiving. */
export class QueuedReceiving {
  #parts
  /** @type {Fifo<Flight>} to the line */
  #underWay = new Fifo()
  /** @type {Fifo<ArrivedPacket & { atNs: number }>} that have passed it */
  #arriving = new Fifo()
  /** @type {Fifo<number>} where writes end that cannot be read yet */
  #unread = new Fifo()
  #segments = new SegmentsInOrder()

  /** @param {QueuedParts} parts */
  constructor(parts) {
    this.#parts = parts
  }

  /** @param {number} end */
  written(end) {
    this.#unread.push(end)
  }

  /** @param {Flight} flight */
  flies(flight) {
    this.#underWay.push(flight)
  }

  get nextNs() {
    return Math.min(this.#reachNs, this.#arriveNs)
  }

  /** @param {number} nowNs @returns {number} writes that can be read now, too */
  advance(nowNs) {
    for (;;) {
      const reachNs = this.#reachNs
      const arriveNs = this.#arriveNs
      if (reachNs > nowNs && arriveNs > nowNs) break
      if (reachNs <= arriveNs) {
        const flight = /** @type {Flight} */ (this.#underWay.shift())
        const { place, places, end } = flight
        this.#arriving.push({ place, places, end, atNs: this.#parts.pass(flight) })
      } else {
        const arrived = /** @type {ArrivedPacket & { atNs: number }} */ (this.#arriving.shift())
        this.#segments.take(arrived)
        const { place, places, atNs } = arrived
        this.#parts.answer?.({ place, places, next: this.#segments.next, atNs })
      }
    }
    let readable = 0
    for (; (this.#unread.peek() ?? Infinity) <= this.#segments.end; readable += 1) this.#unread.shift()
    return readable
  }

  get #reachNs() {
    return this.#underWay.peek()?.firstNs ?? Infinity
  }

  get #arriveNs() {
    return this.#arriving.peek()?.atNs ?? Infinity
  }
}
