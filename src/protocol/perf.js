// The wire format of libp2p's perf protocol, for client and server. Also sends zeros as fast as the transport accepts
// them.
import { waitForEvent } from '../kit/time.js'

/** PERF_PROTOCOL is the multistream id of the perf protocol (libp2p/specs perf/perf.md). */
export const PERF_PROTOCOL = '/perf/1.0.0'

/** A request begins with the length of its download: an unsigned integer of 64 bits, big-endian. */
const WANTED_BYTES = 8

const MAX_WANTED = 2n ** 64n - 1n

/**
 * encodeDownloadSize encodes the first bytes of a request.
 *
 * @param {number | bigint} wanted - length of the download, from 0 to 2^64 − 1
 * @returns {Uint8Array}
 * @throws {RangeError}
 */
export function encodeDownloadSize(wanted) {
  const value = BigInt(wanted)
  if (value < 0n || value > MAX_WANTED)
    throw new RangeError(`${wanted} bytes cannot be requested: the request has 64 bits for the number`)
  const bytes = new Uint8Array(WANTED_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}

/** PerfRequestReader reads the first bytes of a request, which may come in pieces, and counts the bytes after them. */
export class PerfRequestReader {
  #head = new Uint8Array(WANTED_BYTES)
  #filled = 0
  /** uploadedBytes is the length of the upload so far. */
  uploadedBytes = 0

  /** push takes received bytes. @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} data */
  push(data) {
    const ofHead = Math.min(WANTED_BYTES - this.#filled, data.byteLength)
    if (ofHead > 0) this.#head.set(data.subarray(0, ofHead), this.#filled)
    this.#filled += ofHead
    this.uploadedBytes += data.byteLength - ofHead
  }

  /** wanted is the length of the download; null: the number is incomplete. */
  get wanted() {
    return this.#filled < WANTED_BYTES ? null : new DataView(this.#head.buffer).getBigUint64(0)
  }
}

/**
 * @typedef {Pick<import('@libp2p/interface').Stream, 'send' | 'status' | 'writeBufferLength' | 'addEventListener' | 'removeEventListener'>}
 *   Sending
 */

const BLOCK = new Uint8Array(64 << 10)

/** Bytes that may wait in the buffer of a stream. */
const MAX_WAITING_BYTES = 256 << 10

const TAKEN = /** @type {const} */ (['drain', 'idle', 'close'])

/**
 * sendBytes sends zeros on a stream, no faster than the transport takes them, judged by the buffer of the stream.
 *
 * @param {Sending} stream
 * @param {number | bigint} count - of bytes
 * @param {(bytes: number) => void} [onSent] - called with the length of each piece
 * @throws {Error} the stream was closed before
 */
export async function sendBytes(stream, count, onSent = () => {}) {
  let left = BigInt(count)
  while (left > 0n) {
    const piece = left < BLOCK.length ? BLOCK.subarray(0, Number(left)) : BLOCK
    stream.send(piece)
    left -= BigInt(piece.length)
    onSent(piece.length)
    while (stream.writeBufferLength > MAX_WAITING_BYTES) await waitForEvent(stream, TAKEN)
    if (stream.status !== 'open') throw new Error('the stream was closed before all was sent')
  }
}
