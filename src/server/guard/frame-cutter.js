import { Uint8ArrayList } from 'uint8arraylist'

// https://github.com/hashicorp/yamux/blob/master/spec.md
const HEADER_BYTES = 12
const DATA = 0
const FLAGS_AT = 2
const STREAM_AT = 4
const LENGTH_AT = 8
/** SYN and ACK stand in the first part of a frame that is cut up, FIN and RST in the last. */
const FIRST = 0x3
const LAST = 0xc

// what a piece can make anybody do takes about half a millisecond: open 4 streams, or answer 64 lines of a stream that has no protocol yet
const FRAMES = 4
const FIRST_LINES_BYTES = 128
const PART_BYTES = 4096

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
    const piece = new Uint8ArrayList()
    for (let weight = 0; weight < FRAMES && piece.byteLength < PART_BYTES; ) {
      const more = this.#cutFrame(bytes, piece)
      if (more === 0) break
      weight += more
    }
    return piece.byteLength > 0 ? piece : undefined
  }

  /** @param {Uint8ArrayList} bytes @param {Uint8ArrayList} piece @returns {number} how many frames it counts as; 0: there is none */
  #cutFrame(bytes, piece) {
    if (this.#left > 0) return this.#cutPart(bytes, piece)
    if (bytes.byteLength < HEADER_BYTES) return 0
    const header = Buffer.from(bytes.subarray(0, HEADER_BYTES))
    const length = header[1] === DATA ? header.readUInt32BE(LENGTH_AT) : 0
    if (length > this.#maxFrameBytes) throw new FrameError(`a frame of ${length} bytes`)
    bytes.consume(HEADER_BYTES)
    if (length === 0) {
      piece.append(header)
      return 1
    }
    this.#left = length
    this.#header = header
    return this.#cutPart(bytes, piece)
  }

  /** A part of the frame, with a header of its own. @param {Uint8ArrayList} bytes @param {Uint8ArrayList} piece */
  #cutPart(bytes, piece) {
    const isNegotiated = this.#isNegotiated(this.#header.readUInt32BE(STREAM_AT))
    const partBytes = Math.min(this.#left, isNegotiated ? PART_BYTES : FIRST_LINES_BYTES)
    if (bytes.byteLength < partBytes) return 0
    const header = Buffer.from(this.#header)
    const flags = header.readUInt16BE(FLAGS_AT)
    const isLast = partBytes === this.#left
    header.writeUInt16BE(isLast ? flags : flags & ~LAST, FLAGS_AT)
    header.writeUInt32BE(partBytes, LENGTH_AT)
    piece.append(header)
    piece.append(bytes.sublist(0, partBytes))
    bytes.consume(partBytes)
    this.#left -= partBytes
    this.#header.writeUInt16BE(flags & ~FIRST, FLAGS_AT)
    return isNegotiated ? 1 : 1 + (FRAMES * partBytes) / FIRST_LINES_BYTES
  }
}
