import {
  DATA,
  FLAGS_AT,
  HEADER_BYTES,
  LENGTH_AT,
  PING,
  RST,
  STREAM_AT,
  SYN,
  TYPE_AT,
  WINDOW_UPDATE
} from '../../../../libp2p/yamux-header.js'

/**
 * frame is one of Yamux.
 *
 * @param {number} type
 * @param {number} flags
 * @param {number} stream
 * @param {number} length - of data: of the body, or of what it pretends to be
 * @param {Uint8Array} [body]
 */
export function frame(type, flags, stream, length, body = new Uint8Array(0)) {
  const bytes = Buffer.alloc(HEADER_BYTES + body.length)
  bytes.writeUInt8(type, TYPE_AT)
  bytes.writeUInt16BE(flags, FLAGS_AT)
  bytes.writeUInt32BE(stream, STREAM_AT)
  bytes.writeUInt32BE(length, LENGTH_AT)
  bytes.set(body, HEADER_BYTES)
  return bytes
}

const LINES = 60_000

/** @param {string} line - of multistream-select */
function lines(line) {
  const body = Buffer.from(line.repeat(LINES / line.length))
  return frame(DATA, SYN, 1, body.length, body)
}

/**
 * FLOODS are about 64 kB each of frames that carry nothing, and of lines that ask for protocols. Each may be sent again and again.
 *
 * @type {Readonly<Record<string, Buffer>>}
 */
export const FLOODS = Object.freeze({
  pings: Buffer.concat(Array.from({ length: 5000 }, (_, id) => frame(PING, SYN, 0, id))),
  'window updates': Buffer.concat(Array(5000).fill(frame(WINDOW_UPDATE, 0, 99, 1))),
  'streams that are opened': Buffer.concat(
    Array.from({ length: 5000 }, (_, i) => frame(WINDOW_UPDATE, SYN, 1 + 2 * i, 0))
  ),
  'streams that are opened and reset': Buffer.concat(
    Array.from({ length: 2500 }, (_, i) => [
      frame(WINDOW_UPDATE, SYN, 1 + 2 * i, 0),
      frame(WINDOW_UPDATE, RST, 1 + 2 * i, 0)
    ]).flat()
  ),
  'lines that ask what there is': lines('\x03ls\n'),
  'lines that ask for what is not there': lines('\x01\n')
})
