// Faster muxer and encrypter for libp2p 3: they join small writes into one, delay Yamux window updates, and shorten
// protocol negotiation.
import { UnsupportedProtocolError } from '@libp2p/interface'
import { UnexpectedEOFError } from '@libp2p/utils'
import { ForwardingStream, makeForwardingClass, ReportingStream } from '../forwarding-stream.js'
import {
  copyComponentMarks,
  FLAGS_AT,
  GO_AWAY,
  HEADER_BYTES,
  LENGTH_AT,
  RST,
  STREAM_AT,
  TYPE_AT,
  WINDOW_UPDATE
} from '../yamux.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('@libp2p/interface').StreamHandler} StreamHandler
 *
 * @typedef {object} MuxerComponents
 * @property {Pick<import('@libp2p/interface-internal').Registrar, 'getProtocols' | 'getHandler' | 'getMiddleware'>} registrar
 * @property {import('@libp2p/interface').TypedEventTarget<import('@libp2p/interface').Libp2pEvents>} events
 */

/**
 * makeDirectHandlers makes a function that gives a stream of the other side to its handler as soon as it has its protocol. By itself libp2p first
 * makes a signal with a timer of ten seconds, for an agreement that is already there, and looks into the peer store: a twentieth of what a
 * short stream costs.
 *
 * @param {MuxerComponents} components - the registrar is among them later than the muxers
 * @returns {(stream: Stream, streams: readonly Stream[]) => boolean} for a stream with its protocol, and all streams of its muxer; false:
 *   libp2p has to hand the stream over, or to refuse it
 */
function makeDirectHandlers(components) {
  /** by their lists of streams, which are those of their muxers @type {WeakMap<readonly Stream[], Connection>} */
  const connections = new WeakMap()
  components.events.addEventListener('connection:open', ({ detail }) =>
    connections.set(detail.streams, detail)
  )
  return (stream, streams) => {
    const { protocol } = stream
    const { registrar } = components
    const connection = connections.get(streams)
    if (connection === undefined || connection.limits !== undefined) return false
    if (registrar.getMiddleware(protocol).length > 0) return false
    const { handler, options } = registrar.getHandler(protocol)
    let inbound = 0
    for (const each of streams) if (each.direction === 'inbound' && each.protocol === protocol) inbound++
    if (inbound > Number(options.maxInboundStreams)) return false
    runHandler(handler, stream, connection)
    return true
  }
}

/** @param {StreamHandler} handler @param {Stream} stream @param {Connection} connection */
async function runHandler(handler, stream, connection) {
  try {
    await handler(stream, connection)
  } catch (error) {
    stream.abort(/** @type {Error} */ (error))
  }
}

/** @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList */

/** A quarter of the window that a stream begins with: the other side always has the rest. */
const MIN_UPDATE_BYTES = 65_536
const MAX_STREAMS = 64

/**
 * DelayedWindowUpdates keep updates of Yamux windows until they are worth a frame, as the implementations in Go and Rust do (from half of the window
 * on; here from a quarter). By itself the one in JavaScript has one for whatever arrives, which the other side reads, decrypts and works off
 * for nothing. No update is lost: what a stream is owed goes out with its end, or once too many streams are owed something.
 */
export class DelayedWindowUpdates {
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
    if (isPlain && owed < MIN_UPDATE_BYTES) {
      this.#owed.set(stream, owed)
      if (this.#owed.size <= MAX_STREAMS) return undefined
      const all = Buffer.concat([...this.#owed].map(([id, bytes]) => updateOf(id, bytes)))
      this.#owed.clear()
      return all
    }
    if (!this.#owed.delete(stream) || (frame[FLAGS_AT + 1] & RST) !== 0) return frame
    return updateOf(stream, owed, frame)
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
 * @typedef {import('@libp2p/interface').StreamMuxerFactory} StreamMuxerFactory
 * @typedef {import('../layers/node-parts.js').ConnectionGuard} ConnectionGuard
 * @typedef {import('../layers/node-parts.js').WireListener} WireListener
 */

// a Noise message holds 65,519 bytes
const MAX_MESSAGE_BYTES = 65_519

/**
 * coalescingMuxer makes a Yamux that sends what it produces in one turn as one message: a window update and the reply
 * that follows it are then encrypted once and written once, instead of twice. Frames and their order stay the same but for updates of
 * windows (DelayedWindowUpdates), and nothing else waits longer than for the promises of the present turn. Its streams agree on their protocol
 * without libp2p where that goes the usual way (QuickNegotiation), and go to who handles it (makeDirectHandlers). It serves servers and clients
 * alike, of nodes whose peer store keeps nothing.
 *
 *     streamMuxers: [coalescingMuxer(yamux())]
 *
 * @template {MuxerComponents} C
 * @param {(components: C) => StreamMuxerFactory} muxer
 * @param {ConnectionGuard} [guard]
 * @returns {(components: C) => StreamMuxerFactory}
 */
export const coalescingMuxer = (muxer, guard) => components => {
  const factory = muxer(components)
  const handOver = makeDirectHandlers(components)
  return {
    ...copyComponentMarks(factory),
    protocol: factory.protocol,
    createStreamMuxer(connection) {
      const guarded = guard?.muxed(connection, () => made) ?? connection
      const made = factory.createStreamMuxer(new CoalescingStream(guarded))
      return new QuickNegotiation(made, () => components.registrar.getProtocols(), handOver)
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
 * @param {{ guard?: ConnectionGuard, wire?: WireListener }} [told]
 * @returns {(components: C) => ConnectionEncrypter}
 */
export const coalescingEncrypter =
  (encrypter, { guard, wire } = {}) =>
  components => {
    const inner = encrypter(components)
    return {
      ...copyComponentMarks(inner),
      protocol: inner.protocol,
      async secureInbound(connection, options) {
        const secured = await inner.secureInbound(new SingleChunkStream(connection), options)
        guard?.secured(connection, secured)
        return secured
      },
      secureOutbound: (connection, options) =>
        inner.secureOutbound(new SingleChunkStream(connection, wire), options)
    }
  }

/** SingleChunkStream hands lists of chunks on as one chunk. */
class SingleChunkStream extends ReportingStream {
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
  #updates = new DelayedWindowUpdates()

  /** @param {Uint8Array | Uint8ArrayList} frame */
  send(frame) {
    const data = this.#updates.pass(frame)
    if (data === undefined) return !this.stream.writableNeedsDrain
    const chunks = data instanceof Uint8Array ? [data] : data
    for (const chunk of chunks) this.#gathered.push(chunk)
    this.#gatheredBytes += data.byteLength
    const isGoAway = (data instanceof Uint8Array ? data[TYPE_AT] : data.get(TYPE_AT)) === GO_AWAY
    // after GoAway the connection is closed without asking here
    if (this.#gatheredBytes >= MAX_MESSAGE_BYTES || isGoAway) return this.#flush()
    if (!this.#scheduled) {
      this.#scheduled = true
      // ticks run before microtasks; one queued from a microtask runs when all the promises of this turn have settled
      queueMicrotask(() => process.nextTick(this.#flushLater))
    }
    return !this.stream.writableNeedsDrain
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  close(options) {
    this.#flush()
    return super.close(options)
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

/** @typedef {import('@libp2p/interface').StreamMuxer} StreamMuxer */

/**
 * ForwardingMuxer is a muxer that passes everything on to another one. Listeners are added to that other muxer itself. Extend it to change
 * how streams begin.
 *
 * @type {new (muxer: StreamMuxer) => StreamMuxer & { muxer: StreamMuxer }}
 */
export const ForwardingMuxer = makeForwardingClass(
  'muxer',
  ['protocol', 'status', 'streams'],
  [
    ...['close', 'abort', 'createStream', 'addEventListener', 'removeEventListener'],
    ...['listenerCount', 'dispatchEvent', 'safeDispatchEvent']
  ]
)

/** What opens a stream, and what agrees to that: https://github.com/multiformats/multistream-select. */
const HEADER = '/multistream/1.0.0'

/** @type {Map<string, Buffer>} by protocol: those of this program, so few */
const linesByProtocol = new Map()

/**
 * protocolLines are the two lines with which a side names a protocol: to ask for it, and to agree to it.
 *
 * @param {string} protocol - shorter than 127 bytes
 */
export function protocolLines(protocol) {
  const known = linesByProtocol.get(protocol)
  if (known !== undefined) return known
  const lines = [HEADER, protocol].flatMap(text => {
    const line = Buffer.from(`${text}\n`)
    return [Buffer.of(line.length), line]
  })
  const made = Buffer.concat(lines)
  linesByProtocol.set(protocol, made)
  return made
}

/**
 * QuickNegotiation is a muxer whose streams agree on their protocol by lines that are compared as a whole. libp2p reads each of them byte by
 * byte, which is a tenth of what a short stream costs. The bytes are the same. A stream of the other side on which anything else
 * comes, or not all of it at once, is left to libp2p.
 */
export class QuickNegotiation extends ForwardingMuxer {
  #protocols
  #hand
  /** @type {Map<unknown, any>} what listens behind an agreement, by who listens */
  #behind = new Map()

  /**
   * @param {StreamMuxer} muxer
   * @param {() => readonly string[]} protocols - that there is somebody for
   * @param {(stream: Stream, streams: readonly Stream[]) => boolean} [hand] - gives a stream that has agreed to who handles it; false:
   *   libp2p has to, as by default
   */
  constructor(muxer, protocols, hand = () => false) {
    super(muxer)
    this.#protocols = protocols
    this.#hand = hand
  }

  /** @param {[type: any, listener: any, options?: any]} args */
  addEventListener(...[type, listener, ...others]) {
    super.addEventListener(type, type === 'stream' ? this.#agreeing(listener) : listener, ...others)
  }

  /** @param {[type: any, listener: any, options?: any]} args */
  removeEventListener(...[type, listener, ...others]) {
    super.removeEventListener(type, this.#behind.get(listener) ?? listener, ...others)
  }

  /** What came with the opening of a stream is there when the promises of this turn settle. @param {(event: any) => void} listener */
  #agreeing(listener) {
    const agreeing = (/** @type {CustomEvent<Stream>} */ event) =>
      queueMicrotask(() => {
        const { detail: stream } = event
        readOpening(stream, bytes => {
          const agreed = bytes !== undefined && acceptProtocol(stream, bytes, this.#protocols())
          if (!agreed || !this.#hand(stream, this.streams)) listener(event)
        })
      })
    this.#behind.set(listener, agreeing)
    return agreeing
  }

  /**
   * createStream opens a stream, and agrees on its protocol where one is named.
   *
   * @param {{ protocol?: string, signal?: AbortSignal }} options
   * @returns {Promise<Stream>}
   * @throws {Error} what the negotiation of libp2p throws
   */
  async createStream(options = {}) {
    const stream = await super.createStream(options)
    if (options.protocol === undefined) return stream
    try {
      await requestProtocol(stream, options.protocol, options.signal)
    } catch (error) {
      stream.abort(/** @type {Error} */ (error))
      throw error
    }
    stream.protocol = options.protocol
    return stream
  }
}

/** @param {Stream} stream @param {Uint8Array} bytes - that came @param {readonly string[]} protocols @returns {boolean} whether it has its protocol now */
function acceptProtocol(stream, bytes, protocols) {
  const protocol = protocols.find(each => {
    const lines = protocolLines(each)
    return bytes.byteLength >= lines.length && lines.equals(bytes.subarray(0, lines.length))
  })
  const rest = protocol === undefined ? bytes : bytes.subarray(protocolLines(protocol).length)
  stream.unshift(rest)
  if (protocol === undefined) return false
  stream.send(protocolLines(protocol))
  stream.protocol = protocol
  return true
}

/** @param {Stream} stream @param {string} protocol @param {AbortSignal} [signal] @returns {Promise<void>} */
async function requestProtocol(stream, protocol, signal) {
  signal?.throwIfAborted()
  const answered = awaitProtocolLines(stream, protocolLines(protocol), signal)
  stream.send(protocolLines(protocol))
  const rest = await answered
  if (rest === undefined)
    throw new UnsupportedProtocolError(`Protocol selection failed - could not negotiate ${protocol}`)
  if (rest.length > 0) stream.unshift(rest)
}

/**
 * @param {Stream} stream
 * @param {Buffer} lines - that are to come
 * @param {AbortSignal} [signal]
 * @returns {Promise<Uint8Array | undefined>} what came behind them; undefined: others came
 */
function awaitProtocolLines(stream, lines, signal) {
  /** @type {Uint8Array} */
  let got = new Uint8Array(0)
  return new Promise((resolve, reject) => {
    let over = false
    // what tells that the stream is over stays: to remove it costs more than to hear of that
    const end = (/** @type {() => void} */ settle) => {
      if (over) return
      over = true
      stream.removeEventListener('message', onMessage)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const onMessage = (/** @type {{ data: Uint8Array | Uint8ArrayList }} */ { data }) => {
      got = got.length === 0 ? data.subarray() : Buffer.concat([got, data.subarray()])
      const compared = Math.min(got.length, lines.length)
      if (!lines.subarray(0, compared).equals(got.subarray(0, compared))) end(() => resolve(undefined))
      else if (got.length >= lines.length) end(() => resolve(got.subarray(lines.length)))
    }
    const onAbort = () => end(() => reject(signal?.reason))
    const ended = (/** @type {string} */ how) =>
      new UnexpectedEOFError(`the stream ${how} before it had a protocol`)
    stream.addEventListener('message', onMessage)
    stream.addEventListener('close', ({ error }) => end(() => reject(error ?? ended('closed'))))
    stream.addEventListener('remoteCloseWrite', () => end(() => reject(ended('ended'))))
    signal?.addEventListener('abort', onAbort)
  })
}

/**
 * What waits on a stream, as anybody has it who listens. A stream whose other side ends with that would end by it: that one is
 * left as it is.
 *
 * @param {Stream} stream - of the other side, to which nobody listens
 * @param {(bytes?: Uint8Array) => void} take - undefined: nothing waits, or it is not to be taken
 */
function readOpening(stream, take) {
  const isOpen = stream.readStatus === 'readable' && stream.remoteWriteStatus === 'writable'
  if (!isOpen || stream.readBufferLength === 0) return take()
  const onMessage = (/** @type {{ data: Uint8Array | Uint8ArrayList }} */ { data }) => {
    stream.removeEventListener('message', onMessage)
    take(data.subarray())
  }
  stream.addEventListener('message', onMessage)
}
