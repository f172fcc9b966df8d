import { serviceCapabilities } from '@libp2p/interface'
import { ForwardingStream } from './forwarding-stream.js'
import { QuickNegotiation } from './quick-negotiation.js'
import { ToldStream } from './told-stream.js'
import {
  FLAGS_AT,
  GO_AWAY,
  HEADER_BYTES,
  LENGTH_AT,
  RST,
  STREAM_AT,
  TYPE_AT,
  WINDOW_UPDATE
} from './yamux-header.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('@libp2p/interface').StreamHandler} StreamHandler
 *
 * @typedef {object} Components
 * @property {Pick<import('@libp2p/interface-internal').Registrar, 'getProtocols' | 'getHandler' | 'getMiddleware'>} registrar
 * @property {import('@libp2p/interface').TypedEventTarget<import('@libp2p/interface').Libp2pEvents>} events
 */

/**
 * DirectHandlers hand a stream that has its protocol to who handles it. Libp2p makes a signal with a timer of ten seconds before, for an
 * agreement that there is already, and looks into the peer store: a twentieth of what a short stream costs.
 */
class DirectHandlers {
  /** the registrar is among them later than the muxers */
  #components
  /** by their lists of streams, which are those of their muxers @type {WeakMap<readonly Stream[], Connection>} */
  #connections = new WeakMap()

  /** @param {Components} components */
  constructor(components) {
    this.#components = components
    components.events.addEventListener('connection:open', ({ detail }) =>
      this.#connections.set(detail.streams, detail)
    )
  }

  /**
   * hand gives a stream of the other side to its handler.
   *
   * @param {Stream} stream - with its protocol
   * @param {readonly Stream[]} streams - of its muxer
   * @returns {boolean} false: it is libp2p's to hand over, or to refuse
   */
  hand(stream, streams) {
    const { protocol } = stream
    const { registrar } = this.#components
    const connection = this.#connections.get(streams)
    if (connection === undefined || connection.limits !== undefined) return false
    if (registrar.getMiddleware(protocol).length > 0) return false
    const { handler, options } = registrar.getHandler(protocol)
    if (inboundOf(streams, protocol) > Number(options.maxInboundStreams)) return false
    handled(handler, stream, connection)
    return true
  }
}

/** @param {readonly Stream[]} streams @param {string} protocol */
function inboundOf(streams, protocol) {
  let count = 0
  for (const stream of streams) if (stream.direction === 'inbound' && stream.protocol === protocol) count++
  return count
}

/** @param {StreamHandler} handler @param {Stream} stream @param {Connection} connection */
async function handled(handler, stream, connection) {
  try {
    await handler(stream, connection)
  } catch (error) {
    stream.abort(/** @type {Error} */ (error))
  }
}

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

/**
 * @typedef {import('@libp2p/interface').ConnectionEncrypter} ConnectionEncrypter
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 * @typedef {import('@libp2p/interface').StreamMuxerFactory} StreamMuxerFactory
 * @typedef {import('./types.js').Guard} Guard
 * @typedef {import('./types.js').Wire} Wire
 */

// a Noise message holds 65,519 bytes
const FULL_BYTES = 65_519

/**
 * coalescingMuxer makes a Yamux that sends what it produces in one turn as one message: a window update and the reply
 * that follows it are then encrypted once and written once, instead of twice. Frames and their order stay the same but for updates of
 * windows (HeldUpdates), and nothing else waits longer than for the promises of the present turn. Its streams agree on their protocol
 * without libp2p where that goes the usual way (QuickNegotiation), and go to who handles it (DirectHandlers). It serves servers and clients
 * alike, of nodes whose peer store keeps nothing.
 *
 *     streamMuxers: [coalescingMuxer(yamux())]
 *
 * @template {Components} C
 * @param {(components: C) => StreamMuxerFactory} muxer
 * @param {Guard} [guard]
 * @returns {(components: C) => StreamMuxerFactory}
 */
export const coalescingMuxer = (muxer, guard) => components => {
  const factory = muxer(components)
  const handlers = new DirectHandlers(components)
  return {
    ...described(factory),
    protocol: factory.protocol,
    createStreamMuxer(connection) {
      const guarded = guard?.muxed(connection, () => made) ?? connection
      const made = factory.createStreamMuxer(new CoalescingStream(guarded))
      return new QuickNegotiation(
        made,
        () => components.registrar.getProtocols(),
        (stream, streams) => handlers.hand(stream, streams)
      )
    }
  }
}

/**
 * coalescingEncrypter makes a Noise that writes each message in one piece. By itself it passes length and ciphertext on
 * as a list, and the TCP transport calls the system for each of its parts. It serves servers and clients alike.
 *
 *     connectionEncrypters: [coalescingEncrypter(noise())]
 *
 * @template C
 * @param {(components: C) => ConnectionEncrypter} encrypter
 * @param {{ guard?: Guard, wire?: Wire }} [told]
 * @returns {(components: C) => ConnectionEncrypter}
 */
export const coalescingEncrypter =
  (encrypter, { guard, wire } = {}) =>
  components => {
    const inner = encrypter(components)
    return {
      ...described(inner),
      protocol: inner.protocol,
      async secureInbound(connection, options) {
        const secured = await inner.secureInbound(new OnePieceStream(connection), options)
        guard?.secured(connection, secured)
        return secured
      },
      secureOutbound: (connection, options) =>
        inner.secureOutbound(new OnePieceStream(connection, wire), options)
    }
  }

/** What libp2p asks of a component besides its work. @param {any} component */
const described = component => ({
  [Symbol.toStringTag]: component[Symbol.toStringTag],
  [serviceCapabilities]: component[serviceCapabilities] ?? []
})

/** OnePieceStream hands lists of chunks on as one chunk. */
class OnePieceStream extends ToldStream {
  /** @param {Uint8Array | Uint8ArrayList} data */
  send(data) {
    return super.send(data.subarray())
  }
}

/** CoalescingStream gathers what is sent in one turn. */
export class CoalescingStream extends ForwardingStream {
  /** @type {Uint8Array[]} */
  #gathered = []
  #gatheredBytes = 0
  #scheduled = false
  #updates = new HeldUpdates()

  /** @param {Uint8Array | Uint8ArrayList} frame */
  send(frame) {
    const data = this.#updates.pass(frame)
    if (data === undefined) return !this.stream.writableNeedsDrain
    const chunks = data instanceof Uint8Array ? [data] : data
    for (const chunk of chunks) this.#gathered.push(chunk)
    this.#gatheredBytes += data.byteLength
    // after GoAway the connection is closed without asking here
    if (this.#gatheredBytes >= FULL_BYTES || typeOf(data) === GO_AWAY) return this.#flush()
    if (!this.#scheduled) this.#schedule()
    return !this.stream.writableNeedsDrain
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  close(options) {
    this.#flush()
    return super.close(options)
  }

  /** Ticks run before microtasks; one queued from a microtask runs when all the promises of this turn have settled. */
  #schedule() {
    this.#scheduled = true
    queueMicrotask(() => process.nextTick(this.#flushLater))
  }

  #flushLater = () => {
    this.#scheduled = false
    this.#flush()
  }

  #flush() {
    if (this.#gathered.length === 0) return !this.stream.writableNeedsDrain
    const data = Buffer.concat(this.#gathered, this.#gatheredBytes)
    this.#gathered = []
    this.#gatheredBytes = 0
    try {
      return this.stream.send(data)
    } catch (error) {
      // the connection is closed: the muxer is told by its event
      this.log.trace('dropping %d bytes - %e', data.byteLength, error)
      return false
    }
  }
}

/** @param {Uint8Array | Uint8ArrayList} data */
const typeOf = data => (data instanceof Uint8Array ? data[TYPE_AT] : data.get(TYPE_AT))
