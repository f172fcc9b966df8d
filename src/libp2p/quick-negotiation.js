import { UnsupportedProtocolError } from '@libp2p/interface'
import { UnexpectedEOFError } from '@libp2p/utils'

/** @typedef {import('@libp2p/interface').StreamMuxer} StreamMuxer */

/**
 * ForwardingMuxer is a muxer that hands everything on to another one. Listeners are added to that other muxer itself. Extend it to change
 * how streams begin.
 *
 * @implements {StreamMuxer}
 */
export class ForwardingMuxer {
  /** @param {StreamMuxer} muxer */
  constructor(muxer) {
    this.muxer = muxer
  }

  get protocol() {
    return this.muxer.protocol
  }

  get status() {
    return this.muxer.status
  }

  get streams() {
    return this.muxer.streams
  }

  /** @param {Parameters<StreamMuxer['close']>} args */
  close(...args) {
    return this.muxer.close(...args)
  }

  /** @param {Error} error */
  abort(error) {
    this.muxer.abort(error)
  }

  /** @param {string} type */
  listenerCount(type) {
    return this.muxer.listenerCount(type)
  }

  /** @param {Event} event */
  dispatchEvent(event) {
    return this.muxer.dispatchEvent(event)
  }

  /** @param {Parameters<StreamMuxer['safeDispatchEvent']>} args */
  safeDispatchEvent(...args) {
    return this.muxer.safeDispatchEvent(...args)
  }

  /** @param {[type: any, listener: any, options?: any]} args */
  addEventListener(...args) {
    /** @type {any} */
    this.muxer.addEventListener(...args)
  }

  /** @param {[type: any, listener: any, options?: any]} args */
  removeEventListener(...args) {
    /** @type {any} */
    this.muxer.removeEventListener(...args)
  }

  /** @param {Parameters<StreamMuxer['createStream']>} args */
  createStream(...args) {
    return this.muxer.createStream(...args)
  }
}

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/** What opens a stream, and what agrees to that: https://github.com/multiformats/multistream-select. */
const HEADER = '/multistream/1.0.0'

/** @type {Map<string, Buffer>} by protocol: those of this program, so few */
const known = new Map()

/**
 * linesOf are the two lines with which a side names a protocol: to ask for it, and to agree to it.
 *
 * @param {string} protocol - shorter than 127 bytes
 */
export function linesOf(protocol) {
  const made = known.get(protocol) ?? Buffer.concat([HEADER, protocol].map(lineOf))
  known.set(protocol, made)
  return made
}

/** @param {string} text */
function lineOf(text) {
  const line = Buffer.from(`${text}\n`)
  return Buffer.concat([Buffer.of(line.length), line])
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
        opening(stream, bytes => {
          const agreed = bytes !== undefined && agree(stream, bytes, this.#protocols())
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
      await ask(stream, options.protocol, options.signal)
    } catch (error) {
      stream.abort(/** @type {Error} */ (error))
      throw error
    }
    stream.protocol = options.protocol
    return stream
  }
}

/** @param {Stream} stream @param {Uint8Array} bytes - that came @param {readonly string[]} protocols @returns {boolean} whether it has its protocol now */
function agree(stream, bytes, protocols) {
  const protocol = protocols.find(each => startsWith(bytes, linesOf(each)))
  const rest = protocol === undefined ? bytes : bytes.subarray(linesOf(protocol).length)
  stream.unshift(rest)
  if (protocol === undefined) return false
  stream.send(linesOf(protocol))
  stream.protocol = protocol
  return true
}

/** @param {Uint8Array} bytes @param {Buffer} lines */
const startsWith = (bytes, lines) =>
  bytes.byteLength >= lines.length && lines.equals(bytes.subarray(0, lines.length))

/** @param {Stream} stream @param {string} protocol @param {AbortSignal} [signal] @returns {Promise<void>} */
async function ask(stream, protocol, signal) {
  signal?.throwIfAborted()
  const answered = answer(stream, linesOf(protocol), signal)
  stream.send(linesOf(protocol))
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
function answer(stream, lines, signal) {
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
function opening(stream, take) {
  const isOpen = stream.readStatus === 'readable' && stream.remoteWriteStatus === 'writable'
  if (!isOpen || stream.readBufferLength === 0) return take()
  const onMessage = (/** @type {{ data: Uint8Array | Uint8ArrayList }} */ { data }) => {
    stream.removeEventListener('message', onMessage)
    take(data.subarray())
  }
  stream.addEventListener('message', onMessage)
}
