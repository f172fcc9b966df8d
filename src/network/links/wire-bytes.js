/**
 * What one write costs on the wire. Sources: the yamux specification (header of 12 bytes), mplex (a header of varints), the Noise protocol
 * (messages of up to 65,535 bytes, a tag of 16 within, a length of 2 before), TCP over IPv4 with timestamps on Ethernet (1,500 bytes: 20
 * of IP, 20 of TCP, 12 of timestamps, 1,448 of data); and how `@libp2p/tcp` 11 hands a socket what it gets in parts, one after the other:
 * a Noise message's length is one; `@libp2p/noise` 17 makes one of what is below 1,200 bytes, and encrypts what is larger part by
 * part, with the tag as one more. A frame of `@libp2p/yamux` 8 is as long as the stream's window.
 */
const YAMUX = { headerBytes: 12, mostBytes: 262_132 }
const NOISE = { lengthBytes: 2, tagBytes: 16, mostBytes: 65_519, inPartsFromBytes: 1200 }
const MPLEX = { typeBytes: 1, mostBytes: 1_048_576 }

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

/** @param {number} bytes - of a write: what is sent, with its length before it @returns {number} of that length */
function lengthBytes(bytes) {
  let length = 1
  while (varintBytes(bytes - length) > length) length += 1
  return length
}

/** @param {readonly number[]} parts - bytes of each @param {number} mostBytes @returns {number[][]} the same bytes in groups */
function grouped(parts, mostBytes) {
  const groups = /** @type {number[][]} */ ([[]])
  let room = mostBytes
  for (const part of parts)
    for (let left = part; left > 0; ) {
      if (room === 0) {
        groups.push([])
        room = mostBytes
      }
      const piece = Math.min(left, room)
      groups[groups.length - 1].push(piece)
      left -= piece
      room -= piece
    }
  return groups
}

/** @param {readonly number[]} parts */
const sumOf = parts => parts.reduce((sum, part) => sum + part, 0)

/** Streams are few: their number with its type fits one byte. @param {number[]} parts */
const mplexFrame = parts => [MPLEX.typeBytes + varintBytes(sumOf(parts)), ...parts]

/** @param {number[]} parts */
const yamuxFrame = parts => [YAMUX.headerBytes, ...parts]

/** @param {number} bytes @param {Layers['muxer']} muxer @returns {number[][]} parts of each frame */
function framesOf(bytes, muxer) {
  if (muxer === null) return [[bytes]]
  const length = lengthBytes(bytes)
  const parts = bytes === 0 ? [] : [length, bytes - length]
  return muxer === 'yamux'
    ? grouped(parts, YAMUX.mostBytes).map(yamuxFrame)
    : grouped(parts, MPLEX.mostBytes).map(mplexFrame)
}

/** @param {number[]} parts - of a Noise message @returns {number[]} */
function encrypted(parts) {
  const bytes = sumOf(parts)
  return bytes < NOISE.inPartsFromBytes
    ? [NOISE.lengthBytes, bytes + NOISE.tagBytes]
    : [NOISE.lengthBytes, ...parts, NOISE.tagBytes]
}

/**
 * Bytes that are written to a stream: an RPC with the length before it; 0: a frame without content. Or what a socket is handed for what belongs
 * to no stream, write by write.
 *
 * @typedef {number | readonly number[]} Written
 */

/** bytesOf is how many bytes are written. @param {Written} written */
export const bytesOf = written => (typeof written === 'number' ? written : sumOf(written))

/**
 * socketWrites is what a write to a stream becomes on its connection: with the headers of the muxer's frames, encrypted, in the parts that
 * the socket is handed one after the other.
 *
 * @param {Written} written
 * @param {Layers} layers
 * @returns {readonly number[]} bytes of each
 */
export function socketWrites(written, { muxer, security }) {
  if (typeof written !== 'number') return written
  const frames = framesOf(written, muxer)
  return security === 'noise'
    ? frames.flatMap(parts => grouped(parts, NOISE.mostBytes).flatMap(encrypted))
    : frames.flat()
}

/**
 * wireBytes is what a write to a stream becomes on the wire, when each part has segments of its own.
 *
 * @param {Written} written
 * @param {Layers} layers
 * @returns {number}
 */
export function wireBytes(written, layers) {
  const headerBytes = layers.tcp ? SEGMENT_HEADER_BYTES : 0
  return sumOf(socketWrites(written, layers).map(part => part + headerBytes * pieces(part, SEGMENT_BYTES)))
}
