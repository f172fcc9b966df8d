import { Uint8ArrayList } from 'uint8arraylist'
import {
  ACK,
  DATA,
  FIN,
  FLAGS_AT,
  HEADER_BYTES,
  LENGTH_AT,
  PING,
  RST,
  STREAM_AT,
  SYN,
  TYPE_AT
} from '../../libp2p/yamux-header.js'

/** Flags of the first part of a frame that is cut up, and of the last. */
const FIRST = SYN | ACK
const LAST = FIN | RST

// what a piece can make anybody do takes about half a millisecond: open 4 streams, each of which counts as 4 of 16 frames, or answer 64
// lines of streams that have no protocol yet
const WEIGHT = 16
const OPENING_WEIGHT = 4
const FIRST_LINES = 64
const PART_BYTES = 4096
/** 64 lines at most: each has its length before it and a newline at its end (https://github.com/multiformats/multistream-select). */
const FIRST_LINES_BYTES = 128
const NEWLINE = 0x0a

/** FrameError is thrown for a frame that no stream could take. */
export class FrameError extends Error {
  name = 'FrameError'
  code = 'ERR_YAMUX_FRAME'
}

/**
 * FrameCutter cuts what arrives on a connection with Yamux into pieces of a few frames, so that others can come between. A long
 * frame of data is cut up into several, so that nobody can make the other side keep the beginning of one.
 */
export class FrameCutter {
  #maxFrameBytes
  #isNegotiated
  /** of the frame of data that is being cut up */
  #left = 0
  #header = Buffer.alloc(HEADER_BYTES)

  /**
   * @param {number} maxFrameBytes - the window of a stream
   * @param {(stream: number) => boolean} isNegotiated - whether a stream has its protocol
   */
  constructor(maxFrameBytes, isNegotiated) {
    this.#maxFrameBytes = maxFrameBytes
    this.#isNegotiated = isNegotiated
  }

  /**
   * cut takes the next piece.
   *
   * @param {Uint8ArrayList} bytes - that arrived; those of the piece are removed
   * @returns {Uint8ArrayList | undefined} whole frames; undefined: there is none yet
   * @throws {FrameError}
   */
  cut(bytes) {
    const wholeBytes = this.#left === 0 ? this.#wholeBytes(bytes) : 0
    if (wholeBytes > 0) return taken(bytes, wholeBytes)
    return this.#left > 0 || this.#begin(bytes) ? this.#part(bytes) : undefined
  }

  /** How much of what arrived is a piece as it is. @param {Uint8ArrayList} bytes */
  #wholeBytes(bytes) {
    const view = first(bytes, PART_BYTES)
    let at = 0
    let lines = 0
    for (let weight = 0; weight < WEIGHT && view.length - at >= HEADER_BYTES; ) {
      const dataBytes = this.#dataBytes(view, at)
      const end = at + HEADER_BYTES + dataBytes
      if (end > view.length) break
      lines += newlines(view, end - dataBytes, end)
      if (lines > FIRST_LINES && !this.#isNegotiated(view.readUInt32BE(at + STREAM_AT))) break
      weight += weightOf(view, at)
      at = end
    }
    return at
  }

  /** @param {Buffer} view @param {number} at - of a frame */
  #dataBytes(view, at) {
    const length = view[at + TYPE_AT] === DATA ? view.readUInt32BE(at + LENGTH_AT) : 0
    if (length > this.#maxFrameBytes) throw new FrameError(`a frame of ${length} bytes`)
    return length
  }

  /**
   * Begins to cut up a frame that is too long to be kept until all of it is there, or of which all is there and too many lines.
   *
   * @param {Uint8ArrayList} bytes
   */
  #begin(bytes) {
    if (bytes.byteLength < HEADER_BYTES) return false
    const header = Buffer.from(first(bytes, HEADER_BYTES))
    const dataBytes = this.#dataBytes(header, 0)
    const frameBytes = HEADER_BYTES + dataBytes
    if (frameBytes <= PART_BYTES && frameBytes > bytes.byteLength) return false
    bytes.consume(HEADER_BYTES)
    this.#left = dataBytes
    this.#header = header
    return true
  }

  /** A part of the frame that is being cut up, with a header of its own. @param {Uint8ArrayList} bytes */
  #part(bytes) {
    const isNegotiated = this.#isNegotiated(this.#header.readUInt32BE(STREAM_AT))
    const partBytes = Math.min(this.#left, isNegotiated ? PART_BYTES : FIRST_LINES_BYTES)
    if (bytes.byteLength < partBytes) return undefined
    const header = Buffer.from(this.#header)
    const flags = header.readUInt16BE(FLAGS_AT)
    const isLast = partBytes === this.#left
    header.writeUInt16BE(isLast ? flags : flags & ~LAST, FLAGS_AT)
    header.writeUInt32BE(partBytes, LENGTH_AT)
    this.#left -= partBytes
    this.#header.writeUInt16BE(flags & ~FIRST, FLAGS_AT)
    return new Uint8ArrayList(header, taken(bytes, partBytes))
  }
}

/** A view of the first bytes. @param {Uint8ArrayList} bytes @param {number} most */
function first(bytes, most) {
  const { buffer, byteOffset, byteLength } = bytes.subarray(0, Math.min(most, bytes.byteLength))
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** @param {Uint8ArrayList} bytes - of which they are removed @param {number} count */
function taken(bytes, count) {
  const piece = bytes.sublist(0, count)
  bytes.consume(count)
  return piece
}

/** @param {Buffer} view @param {number} at - of a frame */
const weightOf = (view, at) =>
  view[at + TYPE_AT] !== PING && (view.readUInt16BE(at + FLAGS_AT) & SYN) !== 0 ? OPENING_WEIGHT : 1

/** @param {Uint8Array} bytes @param {number} from @param {number} to */
function newlines(bytes, from, to) {
  let count = 0
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) count++
  return count
}
