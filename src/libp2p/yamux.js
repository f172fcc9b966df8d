// The header format of Yamux frames, and a Yamux muxer that limits the size of its frames.
import { serviceCapabilities } from '@libp2p/interface'
import { Uint8ArrayList } from 'uint8arraylist'
import { ForwardingStream } from './forwarding-stream.js'

export const HEADER_BYTES = 12
export const [TYPE_AT, FLAGS_AT, STREAM_AT, LENGTH_AT] = [1, 2, 4, 8]

/** Types. */
export const [DATA, WINDOW_UPDATE, PING, GO_AWAY] = [0, 1, 2, 3]

/** Flags: SYN and ACK begin a stream, FIN and RST end it. */
export const [SYN, ACK, FIN, RST] = [1, 2, 4, 8]

/** @typedef {import('@libp2p/interface').StreamMuxerFactory} StreamMuxerFactory */

/** copyComponentMarks are what libp2p asks of a component besides its work. @param {any} component */
export const copyComponentMarks = component => ({
  [Symbol.toStringTag]: component[Symbol.toStringTag],
  [serviceCapabilities]: component[serviceCapabilities] ?? []
})

/** Flags of the first of several frames. */
const OPENING_FLAGS = SYN | ACK

/**
 * boundedFrames makes a Yamux none of whose frames carries more than `maxBytes` of data. By itself that of js-libp2p 3 puts all that
 * waits into one frame, up to the window of 16 MiB, and others refuse so much: rust-yamux ends the connection above 1 MiB. The bytes
 * of the streams stay the same, and what is sent in one go stays so.
 *
 *     streamMuxers: [boundedFrames(yamux(), 64 << 10)]
 *
 * @template C
 * @param {(components: C) => StreamMuxerFactory} muxer
 * @param {number} maxBytes - above 0
 * @returns {(components: C) => StreamMuxerFactory}
 */
export const boundedFrames = (muxer, maxBytes) => components => {
  /** @type {any} */
  const factory = muxer(components)
  return {
    ...copyComponentMarks(factory),
    protocol: factory.protocol,
    createStreamMuxer: (/** @type {import('@libp2p/interface').MessageStream} */ connection) =>
      factory.createStreamMuxer(new BoundedFrames(connection, maxBytes))
  }
}

/** BoundedFrames takes a frame at a time, as Yamux sends them, and sends large ones as several. */
class BoundedFrames extends ForwardingStream {
  #maxBytes

  /** @param {import('@libp2p/interface').MessageStream} stream @param {number} maxBytes */
  constructor(stream, maxBytes) {
    super(stream)
    this.#maxBytes = maxBytes
  }

  /** @param {Uint8Array | Uint8ArrayList} frame */
  send(frame) {
    if (frame.byteLength <= HEADER_BYTES + this.#maxBytes) return super.send(frame)
    return super.send(divideFrame(new Uint8ArrayList(frame), this.#maxBytes))
  }
}

/** @param {Uint8ArrayList} frame @param {number} maxBytes @returns {Uint8ArrayList} frames with the same data */
function divideFrame(frame, maxBytes) {
  const frames = new Uint8ArrayList()
  for (let from = HEADER_BYTES; from < frame.byteLength; from += maxBytes) {
    const to = Math.min(from + maxBytes, frame.byteLength)
    const isFirst = from === HEADER_BYTES
    frames.append(makeFrameHeader(frame, to - from, { isFirst, isLast: to === frame.byteLength }))
    frames.append(frame.sublist(from, to))
  }
  return frames
}

/**
 * @param {Uint8ArrayList} frame - of data
 * @param {number} length
 * @param {{ isFirst: boolean, isLast: boolean }} part - the first one begins the stream if the frame does, the last one ends it
 * @returns {Uint8Array}
 */
function makeFrameHeader(frame, length, { isFirst, isLast }) {
  const header = frame.slice(0, HEADER_BYTES)
  if (header[TYPE_AT] !== DATA)
    throw new Error(`a Yamux frame of type ${header[TYPE_AT]} has no data, and ${frame.byteLength} bytes`)
  const view = new DataView(header.buffer, header.byteOffset)
  const flags = view.getUint16(FLAGS_AT)
  view.setUint16(FLAGS_AT, (isFirst ? flags & OPENING_FLAGS : 0) | (isLast ? flags & ~OPENING_FLAGS : 0))
  view.setUint32(LENGTH_AT, length)
  return header
}
