import { abortedError } from '../client/errors.js'
import { MAX_OUTBOUND_STREAMS } from '../client/session.js'
import { openError } from '../client/stream-errors.js'
import { encodeFrame, FrameDecoder } from '../protocol/framing.js'
import { decodeMessage } from '../protocol/messages.js'
import { PROTOCOL, statusName } from '../protocol/status.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('../protocol/messages.js').Message} Message
 *
 * @typedef {'reply' | 'reset' | 'closed' | 'silent' | 'malformed' | 'too much'} How
 *
 * @typedef {object} Answer
 * @property {How} how
 * @property {boolean} ok - a reply of status OK
 * @property {string} says - in words
 * @property {number} [status]
 * @property {Message} [message]
 */

/** A reply is not waited for longer. */
const REPLY_MS = 3000
/** Replies are below 1 MiB, as far as other implementations read them. */
const MAX_REPLY_BYTES = 2 << 20
const MAX_REGISTRATIONS = 20_000
/** Of all that one stream brings. */
const MAX_BYTES = 16 << 20
/** That nobody has asked for yet. */
const MAX_ANSWERS = 200

/** @type {Record<string, string>} */
const WORDS = {
  reset: 'a reset of the stream',
  closed: 'a closed stream',
  silent: `nothing for ${REPLY_MS / 1000} s`,
  malformed: 'bytes that are no message',
  'too much': 'more bytes than are read'
}

/** @param {How} how @returns {Answer} */
const withoutReply = how => ({ how, ok: false, says: WORDS[how] })

/** @param {Message} message @returns {Answer} */
function answerOf(message) {
  const body = message.registerResponse ?? message.discoverResponse
  if (body === undefined) return withoutReply('malformed')
  if ('registrations' in body && body.registrations.length > MAX_REGISTRATIONS)
    return withoutReply('too much')
  return { how: 'reply', ok: body.status === 0, status: body.status, says: statusName(body.status), message }
}

/**
 * Exchange is one stream to the target, on which anything can be sent. Nothing that a client would do about an answer is done here.
 * What is read is bounded, and how long it is waited for.
 */
export class Exchange {
  #stream
  #signal
  #decoder = new FrameDecoder(MAX_REPLY_BYTES)
  #bytes = 0
  /** @type {Answer[]} */
  #answers = []
  /** how it ended @type {How | null} */
  #over = null
  #wake = () => {}

  /** @param {import('@libp2p/interface').Stream} stream @param {AbortSignal} signal */
  constructor(stream, signal) {
    this.#stream = stream
    this.#signal = signal
    stream.addEventListener('message', ({ data }) => this.#receive(data.subarray()))
    // a frame of the muxer may carry data and the end together, and libp2p tells of the end first
    stream.addEventListener('remoteCloseWrite', () => queueMicrotask(() => this.#end('closed')))
    stream.addEventListener('close', () => this.#end(stream.status === 'reset' ? 'reset' : 'closed'))
    if (stream.status !== 'open') this.#end(stream.status === 'reset' ? 'reset' : 'closed')
    const onAbort = () => this.#wake()
    signal.addEventListener('abort', onAbort)
    stream.addEventListener('close', () => signal.removeEventListener('abort', onAbort))
  }

  /**
   * open opens a stream.
   *
   * @param {Connection} connection
   * @param {AbortSignal} signal - for all that is done on it
   * @throws {import('../client/errors.js').ClientError}
   */
  static async open(connection, signal) {
    try {
      const how = { signal, maxOutboundStreams: MAX_OUTBOUND_STREAMS }
      return new Exchange(await connection.newStream(PROTOCOL, how), signal)
    } catch (error) {
      throw openError(error, connection, signal)
    }
  }

  /** send sends bytes as they are; nothing where the stream is over. @param {Uint8Array} bytes */
  send(bytes) {
    if (this.#stream.status === 'open' && this.#stream.writeStatus === 'writable') this.#stream.send(bytes)
    return this
  }

  /** ask sends a message and gives its answer. @param {Uint8Array} message */
  ask(message) {
    return this.send(encodeFrame(message)).answer()
  }

  /**
   * answer is the next reply, or how the stream ended instead.
   *
   * @param {number} [waitMs]
   * @returns {Promise<Answer>}
   * @throws {import('../client/errors.js').ClientError} when the signal aborts
   */
  async answer(waitMs = REPLY_MS) {
    const untilMs = performance.now() + waitMs
    for (;;) {
      if (this.#signal.aborted) throw abortedError(this.#signal, 'a check')
      const answer = this.#answers.shift()
      if (answer !== undefined) return answer
      if (this.#over !== null) return withoutReply(this.#over)
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) return withoutReply('silent')
      await this.#news(leftMs)
    }
  }

  /** finish ends our half of the stream. */
  async finish() {
    if (this.#stream.status === 'open') await this.#stream.close({ signal: this.#signal }).catch(() => {})
    return this
  }

  /** drop lets go of the stream, whatever it does. */
  drop() {
    this.#stream.abort(new Error('the check is over'))
  }

  /** @param {number} withinMs @returns {Promise<void>} */
  #news(withinMs) {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, withinMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** @param {Uint8Array} data */
  #receive(data) {
    if (this.#over !== null) return
    this.#bytes += data.length
    if (this.#bytes > MAX_BYTES || this.#answers.length > MAX_ANSWERS) return this.#end('too much', true)
    try {
      for (const frame of this.#decoder.push(data)) this.#answers.push(answerOf(decodeMessage(frame.slice())))
    } catch (error) {
      this.#end(/** @type {any} */ (error).code === 'ERR_FRAME_TOO_LARGE' ? 'too much' : 'malformed', true)
    }
    this.#wake()
  }

  /** @param {How} how @param {boolean} [abort] */
  #end(how, abort = false) {
    this.#over ??= how
    if (abort) this.drop()
    this.#wake()
  }
}
