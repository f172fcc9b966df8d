import { nextOf } from '../kit/next-of.js'

/**
 * @typedef {Pick<import('@libp2p/interface').Stream, 'send' | 'status' | 'writeBufferLength' | 'addEventListener' | 'removeEventListener'>}
 *   Sending
 */

const BLOCK = new Uint8Array(64 << 10)

/** What is handed to a stream and not taken is kept by it: more than this is never there. */
export const MOST_WAITING_BYTES = 256 << 10

const TAKEN = /** @type {const} */ (['drain', 'idle', 'close'])

/**
 * sendBytes sends so many bytes on a stream, no faster than they are taken. It goes by what waits in the stream.
 *
 * @param {Sending} stream
 * @param {number | bigint} count - zeros to be sent
 * @param {(bytes: number) => void} [onSent] - is told of each piece that was handed over
 * @throws {Error} the stream was closed before
 */
export async function sendBytes(stream, count, onSent = () => {}) {
  let left = BigInt(count)
  while (left > 0n) {
    const piece = left < BLOCK.length ? BLOCK.subarray(0, Number(left)) : BLOCK
    stream.send(piece)
    left -= BigInt(piece.length)
    onSent(piece.length)
    while (stream.writeBufferLength > MOST_WAITING_BYTES) await nextOf(stream, TAKEN)
    if (stream.status !== 'open') throw new Error('the stream was closed before all was sent')
  }
}
