/**
 * What one write costs on the wire. Sources: the yamux specification (header of 12 bytes, frames of up to 64 KiB), the Noise protocol
 * (messages of up to 65,535 bytes, a tag of 16 within, a length of 2 before), mplex (a header of varints), TCP over IPv4 with
 * timestamps on Ethernet (1,500 bytes: 20 of IP, 20 of TCP, 12 of timestamps, 1,448 of data).
 */
const YAMUX = { headerBytes: 12, mostBytes: 65_536 }
const NOISE = { overheadBytes: 18, mostBytes: 65_519 }
const MPLEX_MOST_BYTES = 1_048_576

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

/** @param {number} bytes @param {number} most */
const pieces = (bytes, most) => Math.ceil(bytes / most)

/** A varint has 7 bits in each byte. @param {number} value */
function varintBytes(value) {
  let bytes = 1
  for (let left = value; left >= 128; left = Math.floor(left / 128)) bytes += 1
  return bytes
}

/** Streams are few: their number with its type fits one byte. @param {number} bytes */
function mplexBytes(bytes) {
  const full = Math.floor(bytes / MPLEX_MOST_BYTES)
  const rest = bytes % MPLEX_MOST_BYTES
  return bytes + full * (1 + varintBytes(MPLEX_MOST_BYTES)) + (rest > 0 ? 1 + varintBytes(rest) : 0)
}

/**
 * connectionBytes is what a write to a stream becomes on its connection: with the headers of the muxer's frames, encrypted.
 *
 * @param {number} bytes - written to the stream: the RPC with the length before it
 * @param {Layers} layers
 * @returns {number}
 */
export function connectionBytes(bytes, { muxer, security }) {
  const framed =
    muxer === 'yamux'
      ? bytes + YAMUX.headerBytes * pieces(bytes, YAMUX.mostBytes)
      : muxer === 'mplex'
        ? mplexBytes(bytes)
        : bytes
  return security === 'noise' ? framed + NOISE.overheadBytes * pieces(framed, NOISE.mostBytes) : framed
}

/**
 * wireBytes is what a write to a stream becomes on the wire, when it has segments of its own.
 *
 * @param {number} bytes - written to the stream
 * @param {Layers} layers
 * @returns {number}
 */
export function wireBytes(bytes, layers) {
  const sent = connectionBytes(bytes, layers)
  return layers.tcp ? sent + SEGMENT_HEADER_BYTES * pieces(sent, SEGMENT_BYTES) : sent
}
