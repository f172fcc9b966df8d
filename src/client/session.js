// The streams on which a client sends its rendezvous requests: one stream for many requests, or one stream for each
// request.
import {
  decodeMessage,
  encodeFrame,
  encodeUnregister,
  FrameDecoder,
  PROTOCOL
} from '../protocol/rendezvous.js'
import {
  ClientError,
  ClientErrorCode,
  makeAbortError,
  makeBrokenStreamError,
  makeOpenError
} from './errors.js'

/**
 * @typedef {object} WaitingRequest - a request without its reply, a link of the queue
 * @property {(reply: Reply) => void} resolve
 * @property {(error: import('./errors.js').ClientError) => void} reject
 * @property {WaitingRequest | null} next
 */

/** WaitingRequests is a first-in-first-out queue that allocates nothing besides the requests. */
class WaitingRequests {
  /** @type {WaitingRequest | null} */
  oldest = null
  /** @type {WaitingRequest | null} */
  newest = null

  /** @param {WaitingRequest} request */
  add(request) {
    if (this.newest == null) this.oldest = request
    else this.newest.next = request
    this.newest = request
  }

  /** take removes the oldest request. @returns {WaitingRequest | null} */
  take() {
    const request = this.oldest
    this.oldest = request?.next ?? null
    if (this.oldest == null) this.newest = null
    return request
  }

  /** has looks through the whole queue. @param {WaitingRequest | null} request */
  has(request) {
    let at = this.oldest
    while (at != null && at !== request) at = at.next
    return at != null
  }
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('../protocol/rendezvous.js').Message} Message
 *
 * @typedef {object} Reply
 * @property {Message} message - byte fields are views into received memory
 * @property {number} byteLength - bytes of the encoded message, length prefix not counted
 *
 * @typedef {object} SessionOptions
 * @property {number} [maxReplyBytes] - a longer reply is MALFORMED; default 4 MiB
 * @property {(error?: ClientError) => void} [onClosed] - called once, when the session is over: without an error after
 *   close(), otherwise with its reason
 * @property {() => void} [onUnasked] - called for each reply that no request waits for, up to MAX_UNASKED of them
 */

/** MAX_OUTBOUND_STREAMS replaces libp2p's 64 per protocol: streams whose remote side is still closing count. */
export const MAX_OUTBOUND_STREAMS = 100_000

const DEFAULT_MAX_REPLY_BYTES = 4 << 20

/** A stream is reset after so many replies without a request. */
const MAX_UNASKED = 10_000

/**
 * openSession opens a rendezvous stream on a connection.
 *
 * @param {Connection} connection
 * @param {SessionOptions & { signal?: AbortSignal }} [options] - `signal` covers the opening only; without it libp2p
 *   makes a timer of its own for each stream
 * @returns {Promise<Session>}
 * @throws {ClientError} UNSUPPORTED, TIMEOUT, ABORTED, RESET, ENDED, LOST, or STREAM_FAILED
 */
export async function openSession(connection, { signal, ...options } = {}) {
  try {
    const stream = await connection.newStream(PROTOCOL, { signal, maxOutboundStreams: MAX_OUTBOUND_STREAMS })
    // the peer may have ended it before any listener was added
    if (stream.status !== 'open') throw makeBrokenStreamError(stream)
    if (stream.readableEnded) {
      stream.abort(new Error('the peer closed the stream'))
      throw new ClientError(ClientErrorCode.ENDED, 'the peer closed the stream at once')
    }
    return new Session(stream, options)
  } catch (err) {
    throw makeOpenError(err, connection, signal)
  }
}

/**
 * Session is one stream to a rendezvous server: replies come in the order of the requests, so any number of requests
 * may be in flight. It has no timers.
 *
 * After the abort of a request it is unknown whether its reply is late or will never come, hence which request the next reply answers. So
 * the abort of one request ends the session: the stream is reset, and the other requests in flight fail with ABANDONED. The same holds for
 * a reply that cannot be decoded. When the peer or the network ends the stream (RESET, ENDED, LOST), every request in flight fails with
 * that code. A reply without a request ends the session too; then the stream is closed, not reset, so that further replies can be counted.
 */
export class Session {
  #stream
  #decoder
  #onClosed
  #onUnasked
  #unasked = 0
  #waiting = new WaitingRequests()
  #closing = false
  #peerEnded = false
  #over = false
  /** @type {ClientError | undefined} */
  #error

  /**
   * @param {Stream} stream - with the rendezvous protocol negotiated
   * @param {SessionOptions} [options]
   */
  constructor(stream, { maxReplyBytes = DEFAULT_MAX_REPLY_BYTES, onClosed, onUnasked } = {}) {
    this.#stream = stream
    this.#decoder = new FrameDecoder(maxReplyBytes)
    this.#onClosed = onClosed
    this.#onUnasked = onUnasked
    stream.addEventListener('message', event => this.#receive(event.data))
    stream.addEventListener('remoteCloseWrite', () => this.#peerEnds())
    stream.addEventListener('close', ({ error }) => {
      if (!this.#peerEnded || error != null) this.#end(makeBrokenStreamError(stream, error))
    })
  }

  /** closed is true as soon as no further request is accepted. */
  get closed() {
    return this.#closing || this.#over
  }

  /** error is the reason for the end of the session; undefined while it is open and after a graceful close. */
  get error() {
    return this.#error
  }

  /**
   * request sends a message and gives its reply, whatever status that carries.
   *
   * @param {Uint8Array} message - encoded, without length prefix
   * @param {{ signal?: AbortSignal }} [options] - its abort ends the whole session, see above
   * @returns {Promise<Reply>}
   * @throws {ClientError} RESET, ENDED, LOST, TIMEOUT, ABORTED, ABANDONED, CLOSED, MALFORMED or UNEXPECTED_REPLY
   */
  request(message, { signal } = {}) {
    if (this.closed) return Promise.reject(this.#closedError())
    if (signal == null) return this.#exchange(message)
    if (signal.aborted) return Promise.reject(makeAbortError(signal, 'request'))
    return this.#abortableExchange(message, signal)
  }

  /**
   * requestBehind sends messages that have no reply, then a request, whose reply means that the messages were served.
   *
   * @param {Uint8Array[]} silent
   * @param {Uint8Array} message
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<Reply>}
   * @throws {ClientError} as request and send
   */
  requestBehind(silent, message, options) {
    for (const one of silent) this.send(one)
    return this.request(message, options)
  }

  /**
   * send sends a message that has no reply.
   *
   * @param {Uint8Array} message - encoded, without length prefix
   * @returns {boolean} false when the stream's buffer is full: better wait before sending more
   * @throws {ClientError} CLOSED or LOST
   */
  send(message) {
    if (this.closed) throw this.#closedError()
    try {
      return this.#stream.send(encodeFrame(message))
    } catch (cause) {
      this.#end(makeBrokenStreamError(this.#stream, cause))
      throw this.#error
    }
  }

  /**
   * close ends our half of the stream once everything is handed to the connection. Requests in flight still get their
   * replies.
   *
   * @param {{ signal?: AbortSignal }} [options]
   * @throws {ClientError} TIMEOUT or ABORTED, after which the stream is reset
   */
  async close({ signal } = {}) {
    if (this.closed) return
    this.#closing = true
    try {
      await this.#stream.close({ signal })
    } catch (err) {
      this.abort(signal?.aborted ? makeAbortError(signal, 'closing the stream') : err)
      if (signal?.aborted) throw this.#error
    }
  }

  /**
   * abort resets the stream; every request in flight fails.
   *
   * @param {unknown} reason - a ClientError is passed on to them as it is, anything else becomes the cause of ABORTED
   */
  abort(reason) {
    const error =
      reason instanceof ClientError
        ? reason
        : new ClientError(ClientErrorCode.ABORTED, 'session was aborted', { cause: reason })
    this.#end(error)
  }

  /**
   * @param {Uint8Array} message
   * @returns {Promise<Reply>}
   */
  #exchange(message) {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ resolve, reject, next: null })
      try {
        this.#stream.send(encodeFrame(message))
      } catch (cause) {
        this.#end(makeBrokenStreamError(this.#stream, cause))
      }
    })
  }

  /**
   * @param {Uint8Array} message
   * @param {AbortSignal} signal
   * @returns {Promise<Reply>}
   */
  async #abortableExchange(message, signal) {
    const reply = this.#exchange(message)
    const request = this.#waiting.newest
    const onAbort = () => {
      // not once its reply is there
      if (this.#waiting.has(request)) this.#endBy(request, makeAbortError(signal, 'request'))
    }
    signal.addEventListener('abort', onAbort)
    try {
      return await reply
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} data */
  #receive(data) {
    if (this.#over && !this.#countsUnasked) return
    try {
      for (const frame of this.#decoder.push(data)) {
        if (this.#waiting.oldest == null) {
          this.#countUnasked()
          continue
        }
        const message = decodeMessage(frame)
        this.#waiting.take()?.resolve({ message, byteLength: frame.length })
      }
    } catch (cause) {
      const error = new ClientError(ClientErrorCode.MALFORMED, 'reply is not a rendezvous message', { cause })
      if (this.#over) this.#stopCounting(error)
      else this.#endBy(this.#waiting.oldest, error)
    }
  }

  get #countsUnasked() {
    return this.#unasked > 0 && this.#unasked < MAX_UNASKED
  }

  #countUnasked() {
    if (this.#over && !this.#countsUnasked) return
    this.#unasked++
    this.#onUnasked?.()
    this.#end(new ClientError(ClientErrorCode.UNEXPECTED_REPLY, 'the peer sent a reply without a request'))
    if (this.#unasked === MAX_UNASKED) this.#stopCounting(/** @type {ClientError} */ (this.#error))
  }

  /** @param {ClientError} error */
  #stopCounting(error) {
    this.#unasked = MAX_UNASKED
    this.#stream.abort(error)
  }

  // a frame of the muxer may carry data and the end of the stream together, and libp2p emits the end first
  #peerEnds() {
    this.#peerEnded = true
    queueMicrotask(() => {
      if (this.#closing && this.#waiting.oldest == null) return this.#end()
      const where = this.#decoder.midFrame ? 'in the middle of a reply' : 'without a reply'
      this.#end(new ClientError(ClientErrorCode.ENDED, `the peer closed the stream ${where}`))
    })
  }

  /**
   * Ends the session because of one request: the other requests are only abandoned.
   *
   * @param {WaitingRequest | null} failed
   * @param {ClientError} error
   */
  #endBy(failed, error) {
    const text = 'another request ended the session'
    const others = new ClientError(ClientErrorCode.ABANDONED, text, { cause: error })
    this.#end(error, request => (request === failed ? error : others))
  }

  /**
   * @param {ClientError} [error] - none: closed gracefully
   * @param {(request: WaitingRequest) => ClientError} [errorOf]
   */
  #end(error, errorOf = () => error ?? this.#closedError()) {
    if (this.#over) return
    this.#over = true
    this.#error = error
    for (let request = this.#waiting.take(); request != null; request = this.#waiting.take()) {
      request.reject(errorOf(request))
    }
    const { ENDED, UNEXPECTED_REPLY } = ClientErrorCode
    // neither has an effect on a closed stream
    if (error == null || error.code === ENDED || error.code === UNEXPECTED_REPLY)
      this.#stream.close().catch(() => {})
    else this.#stream.abort(error)
    this.#onClosed?.(error)
  }

  #closedError() {
    return new ClientError(ClientErrorCode.CLOSED, 'session is closed', { cause: this.#error })
  }
}

/** Time for a server to end the stream of a message without reply, which means that it was served. */
const SERVED_WITHIN_MS = 1000

/**
 * StreamPerRequest is for a server that serves one request on each stream, as rust-libp2p does. It has the interface of a Session, and
 * opens a stream for every message.
 */
export class StreamPerRequest {
  #connection
  #open

  /**
   * @param {Connection} connection
   * @param {(connection: Connection, options: { signal?: AbortSignal }) => Promise<Session>} [open]
   */
  constructor(connection, open = openSession) {
    this.#connection = connection
    this.#open = open
  }

  /**
   * request sends a message and gives its reply, whatever status that carries.
   *
   * @param {Uint8Array} message - encoded, without length prefix
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<Reply>}
   * @throws {ClientError} as openSession and Session.request
   */
  async request(message, { signal } = {}) {
    const session = await this.#open(this.#connection, { signal })
    try {
      return await session.request(message, { signal })
    } finally {
      // after the reply it does not matter how the stream ends
      session.close({ signal }).catch(() => {})
    }
  }

  /**
   * requestBehind sends messages that have no reply, and a request once the server has ended their streams.
   *
   * @param {Uint8Array[]} silent
   * @param {Uint8Array} message
   * @param {{ signal: AbortSignal }} options
   * @returns {Promise<Reply>}
   */
  async requestBehind(silent, message, { signal }) {
    const options = { signal, waitMs: SERVED_WITHIN_MS }
    await Promise.all(silent.map(one => sendOnOwnStream(this.#connection, one, options)))
    return this.request(message, { signal })
  }

  async close() {}
}

/**
 * sendUnregister sends UNREGISTER as sendOnOwnStream does.
 *
 * @param {Connection} connection
 * @param {string} ns
 * @param {Parameters<typeof sendOnOwnStream>[2]} options
 */
export const sendUnregister = (connection, ns, options) =>
  sendOnOwnStream(connection, encodeUnregister({ ns }), options)

/**
 * sendOnOwnStream sends a message without reply, as UNREGISTER, on a stream of its own. It waits until the server ends the stream too, closed or
 * reset, which is the nearest thing to a confirmation.
 *
 * @param {Connection} connection
 * @param {Uint8Array} message - encoded, without length prefix
 * @param {{ signal: AbortSignal, waitMs: number }} options - `waitMs`: for the server's end of the stream
 * @throws {ClientError} LOST, TIMEOUT, ABORTED, and as openSession
 */
export async function sendOnOwnStream(connection, message, { signal, waitMs }) {
  /** @type {PromiseWithResolvers<ClientError | undefined>} */
  const over = Promise.withResolvers()
  const session = await openSession(connection, { signal, onClosed: over.resolve })
  session.send(message)
  await session.close({ signal })
  const onAbort = () => session.abort(makeAbortError(signal, 'UNREGISTER'))
  const timer = setTimeout(() => session.abort('the server keeps the stream open'), waitMs)
  signal.addEventListener('abort', onAbort)
  const error = await over.promise
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  if (error != null && (signal.aborted || error.code === ClientErrorCode.LOST)) throw error
}
