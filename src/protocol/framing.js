import { MalformedMessageError } from './messages.js'

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/** DEFAULT_MAX_FRAME_BYTES bounds a frame when nothing else is said; other implementations stop at 1 MiB too. */
const DEFAULT_MAX_FRAME_BYTES = 1 << 20

// a length needs at most 32 bits, which is 5 groups of 7
const MAX_PREFIX_BITS = 35

/** FrameTooLargeError is thrown when a frame announces more bytes than the reader accepts. */
export class FrameTooLargeError extends Error {
  name = 'FrameTooLargeError'
  code = 'ERR_FRAME_TOO_LARGE'
}

/**
 * FrameDecoder cuts a byte stream into frames, each prefixed with its length as an unsigned varint. It holds at most
 * one unfinished frame, and never more bytes of it than have arrived, doubled. After it threw, it must not be used
 * again.
 */
export class FrameDecoder {
  #maxBytes
  #prefix = 0
  #prefixBits = 0
  /** bytes of the frame under way, or -1 while its prefix is incomplete */
  #length = -1
  #filled = 0
  #buffer = new Uint8Array(0)

  /** @param {number} [maxBytes] - largest frame accepted, prefix not counted */
  constructor(maxBytes = DEFAULT_MAX_FRAME_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** midFrame says whether the bytes so far end within a frame. */
  get midFrame() {
    return this.#length >= 0 || this.#prefixBits > 0
  }

  /** heldBytes is the memory that the frame under way takes. */
  get heldBytes() {
    return this.#buffer.length
  }

  /**
   * push takes the next bytes and gives the frames they complete, one after the other as they are asked for: all of them must
   * be, before the next bytes are pushed. A frame that arrived whole is a view into `data`; one that was assembled from
   * several pieces has its own memory.
   *
   * @param {Uint8Array | Uint8ArrayList} data
   * @returns {Generator<Uint8Array, void, void>}
   * @throws {FrameTooLargeError | MalformedMessageError} after the frames before the bad one
   */
  *push(data) {
    const chunk = data instanceof Uint8Array ? data : data.subarray()
    let at = 0
    while (at < chunk.length || this.#length === 0) {
      if (this.#length < 0) {
        this.#readPrefix(chunk[at++])
        continue
      }
      const missing = this.#length - this.#filled
      const available = Math.min(missing, chunk.length - at)
      const piece = chunk.subarray(at, at + available)
      at += available
      if (available < missing) this.#keep(piece)
      else yield this.#complete(piece)
    }
  }

  /** @param {number} byte */
  #readPrefix(byte) {
    this.#prefix += (byte & 0x7f) * 2 ** this.#prefixBits
    this.#prefixBits += 7
    if (byte >= 0x80 && this.#prefixBits >= MAX_PREFIX_BITS)
      throw new MalformedMessageError('frame length has no end')
    if (this.#prefix > this.#maxBytes) {
      throw new FrameTooLargeError(
        `frame of ${this.#prefix} bytes or more, at most ${this.#maxBytes} accepted`
      )
    }
    if (byte < 0x80) {
      this.#length = this.#prefix
      this.#prefix = 0
      this.#prefixBits = 0
    }
  }

  /** Grows by doubling, so that a frame sent byte by byte is not copied each time. @param {Uint8Array} piece */
  #keep(piece) {
    const filled = this.#filled + piece.length
    if (filled > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#length, Math.max(filled, this.#buffer.length * 2)))
      grown.set(this.#buffer.subarray(0, this.#filled))
      this.#buffer = grown
    }
    this.#buffer.set(piece, this.#filled)
    this.#filled = filled
  }

  /** @param {Uint8Array} lastPiece */
  #complete(lastPiece) {
    const whole = this.#filled === 0
    if (!whole) this.#keep(lastPiece)
    const frame = whole ? lastPiece : this.#buffer
    this.#buffer = new Uint8Array(0)
    this.#filled = 0
    this.#length = -1
    return frame
  }
}

/**
 * prefixBytes is how many bytes the varint prefix of a frame takes.
 *
 * @param {number} length - bytes of the frame
 */
export function prefixBytes(length) {
  let bytes = 1
  for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++
  return bytes
}

/**
 * writePrefix writes the varint prefix of a frame and returns the position after it.
 *
 * @param {Uint8Array} target
 * @param {number} at
 * @param {number} length - bytes of the frame
 */
export function writePrefix(target, at, length) {
  let rest = length
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  target[at++] = rest
  return at
}

/**
 * encodeFrame puts a message behind its length prefix, in one piece of memory.
 *
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function encodeFrame(message) {
  const prefix = prefixBytes(message.length)
  const frame = new Uint8Array(prefix + message.length)
  writePrefix(frame, 0, message.length)
  frame.set(message, prefix)
  return frame
}
