import { FLAGS_AT, HEADER_BYTES, LENGTH_AT, RST, STREAM_AT, TYPE_AT, WINDOW_UPDATE } from './yamux-header.js'

/** @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList */

/** A quarter of the window that a stream begins with: the other side always has the rest. */
const WORTH_SENDING_BYTES = 65_536
const MOST_STREAMS = 64

/**
 * HeldUpdates keep updates of Yamux windows until they are worth a frame, as the implementations in Go and Rust do (from half of the window
 * on; here from a quarter). By itself the one in JavaScript has one for whatever arrives, which the other side reads, decrypts and works off
 * for nothing. No update is lost: what a stream is owed goes out with its end, or once too many streams are owed something.
 */
export class HeldUpdates {
  /** bytes by stream @type {Map<number, number>} */
  #owed = new Map()

  /**
   * pass gives what is to be sent in place of a frame.
   *
   * @param {Uint8Array | Uint8ArrayList} frame - of Yamux
   * @returns {Uint8Array | Uint8ArrayList | undefined} undefined: nothing yet
   */
  pass(frame) {
    if (!(frame instanceof Uint8Array) || frame.length !== HEADER_BYTES || frame[TYPE_AT] !== WINDOW_UPDATE)
      return frame
    const stream = numberAt(frame, STREAM_AT)
    const owed = (this.#owed.get(stream) ?? 0) + numberAt(frame, LENGTH_AT)
    const isPlain = frame[FLAGS_AT] === 0 && frame[FLAGS_AT + 1] === 0
    if (isPlain && owed < WORTH_SENDING_BYTES) return this.#hold(stream, owed)
    if (!this.#owed.delete(stream) || (frame[FLAGS_AT + 1] & RST) !== 0) return frame
    return updateOf(stream, owed, frame)
  }

  /** @param {number} stream @param {number} bytes */
  #hold(stream, bytes) {
    this.#owed.set(stream, bytes)
    if (this.#owed.size <= MOST_STREAMS) return
    const all = Buffer.concat([...this.#owed].map(([id, owed]) => updateOf(id, owed)))
    this.#owed.clear()
    return all
  }
}

/** @param {Uint8Array} bytes @param {number} at - of four, the highest first */
const numberAt = (bytes, at) =>
  bytes[at] * 0x1000000 + ((bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3])

/** @param {number} stream @param {number} bytes @param {Uint8Array} [flagged] - a frame with flags of its own */
function updateOf(stream, bytes, flagged) {
  const frame = Buffer.alloc(HEADER_BYTES, flagged)
  frame[TYPE_AT] = WINDOW_UPDATE
  frame.writeUInt32BE(stream, STREAM_AT)
  frame.writeUInt32BE(bytes, LENGTH_AT)
  return frame
}
