import { FrameDecoder } from '../protocol/framing.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 *
 * @typedef {object} SessionInit
 * @property {(frame: Uint8Array, send: (reply: Uint8Array) => Promise<void>) => Promise<void>} answer - serves a request;
 *   throws when the stream must end. `send` hands the reply over at once and resolves when the next can follow
 * @property {number} maxMessageBytes
 * @property {number} idleTimeoutMs
 * @property {(error: Error) => void} onRefused - the stream is reset because of what the other side did
 * @property {() => void} onEnd - called once, whatever the reason
 */

// requests decoded but not answered, beyond which no more are read from the stream
const MAX_WAITING = 64

/** StreamError is why a session resets its stream. */
export class StreamError extends Error {
  name = 'StreamError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/**
 * StreamSession answers the requests of one stream, in order, however many are sent ahead.
 *
 * | state    | on             | does                                        |
 * |----------|----------------|---------------------------------------------|
 * | idle     | request        | → serving                                   |
 * | idle     | end of requests| closes the stream, or resets it in mid-request |
 * | idle     | timeout        | resets the stream                           |
 * | serving  | reply sent     | next request, or → idle                     |
 * | serving  | reply stuck    | reads no more until it is gone              |
 * | any      | malformed, too large | resets the stream                     |
 * | any      | stream closed  | forgets everything                          |
 */
export class StreamSession {
  #stream
  #init
  #decoder
  /** @type {Uint8Array[]} */
  #waiting = []
  #serving = false
  #requestsEnded = false
  #idleTimer

  /** @param {Stream} stream @param {SessionInit} init */
  constructor(stream, init) {
    this.#stream = stream
    this.#init = init
    this.#decoder = new FrameDecoder(init.maxMessageBytes)
    this.#idleTimer = setTimeout(this.#onIdle, init.idleTimeoutMs).unref()
    stream.addEventListener('message', this.#onMessage)
    stream.addEventListener('end', this.#onRequestsEnd)
    stream.addEventListener('close', this.#onClose)
    // the other side may have ended its requests before anyone listened
    if (stream.readableEnded) this.#onRequestsEnd()
  }

  /** @param {{ data: Uint8Array | import('uint8arraylist').Uint8ArrayList }} event */
  #onMessage = ({ data }) => {
    try {
      const frames = this.#decoder.push(data)
      if (frames.length === 0) return
      for (const frame of frames) this.#waiting.push(frame)
      if (!this.#serving) this.#serve()
      else if (this.#waiting.length > MAX_WAITING) this.#readNoMore()
    } catch (error) {
      this.#refuse(error)
    }
  }

  #onRequestsEnd = () => {
    this.#requestsEnded = true
    if (!this.#serving) this.#finish()
  }

  #onIdle = () => this.#refuse(new StreamError('ERR_STREAM_IDLE', 'stream was idle for too long'))

  #onClose = () => {
    clearTimeout(this.#idleTimer)
    this.#waiting = []
    this.#init.onEnd()
  }

  async #serve() {
    this.#serving = true
    try {
      for (let at = 0; at < this.#waiting.length && this.#stream.status === 'open'; at++) {
        await this.#init.answer(this.#waiting[at], this.#send)
        this.#idleTimer.refresh()
      }
      this.#waiting = []
      this.#serving = false
      if (this.#stream.status === 'open' && this.#stream.readStatus === 'paused') this.#stream.resume()
      if (this.#requestsEnded) this.#finish()
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** @param {Uint8Array} reply */
  #send = async reply => {
    // the client may have gone while its request was served
    if (this.#stream.status !== 'open') return
    if (!this.#stream.send(reply)) await this.#drained()
  }

  /**
   * Waits until a reply is out of our hands. `stream.onDrain()` will not do: from the second time on it resolves at once
   * (@libp2p/utils 7.4).
   */
  async #drained() {
    this.#readNoMore()
    while (
      this.#stream.status === 'open' &&
      (this.#stream.writableNeedsDrain || this.#stream.writeBufferLength > 0)
    ) {
      await nextOf(this.#stream, ['drain', 'close'])
      this.#idleTimer.refresh()
    }
  }

  #readNoMore() {
    if (this.#stream.readStatus === 'readable') this.#stream.pause()
  }

  #finish() {
    if (this.#stream.status !== 'open') return
    if (this.#decoder.midFrame) {
      this.#refuse(new StreamError('ERR_TRUNCATED', 'stream ended within a request'))
    } else {
      this.#stream.close().catch(error => this.#stream.abort(error))
    }
  }

  /** @param {unknown} reason */
  #refuse(reason) {
    const error = reason instanceof Error ? reason : new Error(String(reason))
    if (this.#stream.status === 'open') this.#init.onRefused(error)
    this.#waiting = []
    this.#stream.abort(error)
  }
}

/**
 * @param {Stream} stream
 * @param {Array<'drain' | 'close'>} events
 * @returns {Promise<void>}
 */
function nextOf(stream, events) {
  return new Promise(resolve => {
    const done = () => {
      for (const event of events) stream.removeEventListener(event, done)
      resolve()
    }
    for (const event of events) stream.addEventListener(event, done)
  })
}
