// Handles one client stream at the rendezvous server: answers its requests in order, and resets the stream on errors or
// timeouts.
import { waitForEvent } from '../../kit/time.js'
import { FrameDecoder } from '../../protocol/rendezvous.js'
import { ByteAccount } from '../admission/fair-share.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {Uint8Array | import('uint8arraylist').Uint8ArrayList} Reply
 *
 * @typedef {object} SessionInit
 * @property {(frame: Uint8Array, send: (reply: Reply) => Promise<void>, late: boolean) => Promise<void>} answer - serves a request;
 *   throws when the stream must end. `send` sends the reply at once and resolves when the next one can follow. `late`: the request had to
 *   wait for the promise of the function `late`
 * @property {() => Promise<void> | undefined} turn - to serve a request, or to send a part of a reply; undefined: at once
 * @property {() => void} done - ends a turn that was not used to serve a request
 * @property {() => Promise<void> | undefined} late - resolves when a request may be served whose client is over a limit; then it is called
 *   again; undefined: the client is over no limit
 * @property {() => void} onLate - a request has to wait for such a limit
 * @property {import('../rendezvous-server.js').Accounts} accounts - of the connection
 * @property {number} maxMessageBytes
 * @property {number} idleTimeoutMs
 * @property {number} stallTimeoutMs - time in which a client must take a part of a reply
 * @property {(error: Error) => void} onRefused - the stream is reset because of what the client did
 * @property {() => void} onTaken - the client took all of a reply that had been waiting for it
 * @property {(bytes: number) => void} onUntaken - the stream ended before the client took all of a reply of so many bytes
 * @property {() => void} onEnd - called once, whatever the reason
 */

// with more bytes of waiting requests, no more are read from the stream
const MAX_WAITING_BYTES = 16_384
// bytes that may still arrive on a stream that is not read
const WINDOW_BYTES = 262_144
// of a reply in each turn: more takes milliseconds to encrypt
const PART_BYTES = 65_536
// of a reply in each stall timeout
const MIN_TAKEN_BYTES = 32_768
// a request that waits for less time is not dropped
const DROP_AFTER_MS = 250

/** @type {Generator<Uint8Array, void, void>} */
const NO_FRAMES = (function* () {})()

/** StreamError is the reason for which a session resets its stream. */
class StreamError extends Error {
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
 * | serving  | request        | buffers it; stops reading when too many bytes wait |
 * | serving  | reply sent     | next request when it is its turn, or → idle |
 * | serving  | reply stuck    | waits until it is sent; resets the stream when too little is taken |
 * | any      | malformed, too large, too much waiting | resets the stream   |
 * | any      | stream closed  | forgets everything                          |
 */
export class StreamSession {
  #stream
  #init
  #decoder
  /** received bytes that are not decoded yet @type {Uint8Array[]} */
  #chunks = []
  /** frames of the chunk that is being decoded */
  #frames = NO_FRAMES
  /** length of that chunk, which is counted only when it has to wait */
  #framesBytes = 0
  #framesCounted = false
  /** counted bytes of a request that is incomplete, or whose chunk is being decoded */
  #unfinishedBytes = 0
  #serving = false
  #servingSince = 0
  #late = false
  /** whether the next request had to wait for a limit */
  #wasLate = false
  #paused = false
  #requestsEnded = false
  #idleTimer
  #requests
  #replies

  /** @param {Stream} stream @param {SessionInit} init */
  constructor(stream, init) {
    this.#stream = stream
    this.#init = init
    this.#decoder = new FrameDecoder(init.maxMessageBytes)
    this.#requests = new ByteAccount(Infinity, init.accounts.requests, this.#drop)
    this.#replies = new ByteAccount(Infinity, init.accounts.replies, this.#drop)
    this.#idleTimer = setTimeout(this.#onIdle, init.idleTimeoutMs).unref()
    stream.addEventListener('message', this.#onMessage)
    stream.addEventListener('end', this.#onRequestsEnd)
    stream.addEventListener('close', this.#onClose)
    // the client may have ended its requests before these listeners were added
    if (stream.readableEnded) this.#onRequestsEnd()
  }

  /** @param {{ data: Uint8Array | import('uint8arraylist').Uint8ArrayList }} event */
  #onMessage = ({ data }) => {
    const chunk = data instanceof Uint8Array ? data : data.subarray()
    this.#chunks.push(chunk)
    if (!this.#serving) {
      this.#serve()
      return
    }
    this.#requests.add(chunk.length)
    if (!this.#requests.canAccept()) this.#onTooMuch()
    else if (this.#waitingBytes > MAX_WAITING_BYTES) this.#stopReading()
  }

  #onRequestsEnd = () => {
    this.#requestsEnded = true
    if (!this.#serving) this.#finish()
  }

  #onIdle = () => this.#refuse(new StreamError('ERR_STREAM_IDLE', 'stream was idle for too long'))

  #onTooMuch = () => this.#refuse(new StreamError('ERR_TOO_MUCH_WAITING', 'too many bytes wait'))

  #drop = () => {
    if (performance.now() - this.#servingSince >= DROP_AFTER_MS) this.#onTooMuch()
  }

  #onClose = () => {
    clearTimeout(this.#idleTimer)
    this.#chunks = []
    this.#frames = NO_FRAMES
    this.#framesBytes = 0
    this.#framesCounted = false
    this.#unfinishedBytes = 0
    this.#requests.remove(this.#requests.bytes)
    if (this.#replies.bytes > 0) this.#init.onUntaken(this.#replies.bytes)
    this.#replies.remove(this.#replies.bytes)
    this.#init.onEnd()
  }

  async #serve() {
    this.#serving = true
    this.#servingSince = performance.now()
    try {
      for (let frame = this.#nextFrame(); frame !== undefined; frame = this.#nextFrame()) {
        const admission = this.#admission()
        if (admission !== undefined) {
          this.#countFrames()
          await admission
        }
        if (this.#stream.status !== 'open') {
          this.#init.done()
          return
        }
        const late = this.#wasLate
        this.#wasLate = false
        await this.#init.answer(frame, this.#send, late)
        this.#idleTimer.refresh()
      }
      this.#serving = false
      if (this.#paused) this.#resumeReading()
      if (this.#requestsEnded && !this.#serving) this.#finish()
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Waits for a turn, for quota of a reply, and for the limits; others may use the quota before the turn comes. @returns {Promise<void> | undefined} */
  #admission() {
    const turn = this.#init.turn()
    return turn === undefined ? this.#quota() : turn.then(() => this.#quota())
  }

  #quota() {
    if (this.#stream.status !== 'open') return
    const wait = this.#replies.waitForSpace(this.#stream) ?? this.#lateness()
    if (wait === undefined) return
    this.#init.done()
    return wait.then(() => this.#admission())
  }

  #lateness() {
    const wait = this.#init.late()
    if (wait !== undefined && !this.#late) this.#init.onLate()
    this.#late = wait !== undefined
    this.#wasLate ||= this.#late
    return wait
  }

  /** @returns {Uint8Array | undefined} */
  #nextFrame() {
    for (;;) {
      const { value, done } = this.#frames.next()
      if (!done) return value
      if (this.#framesCounted) this.#requests.remove(this.#framesBytes)
      this.#framesCounted = this.#waitingBytes > 0
      this.#countUnfinished()
      const chunk = this.#chunks.shift()
      this.#framesBytes = chunk?.length ?? 0
      if (chunk === undefined) return undefined
      this.#frames = this.#decoder.push(chunk)
    }
  }

  get #waitingBytes() {
    return this.#requests.bytes - this.#unfinishedBytes
  }

  #countUnfinished() {
    const before = this.#unfinishedBytes
    const { bufferedBytes } = this.#decoder
    if (bufferedBytes === before || this.#stream.status !== 'open') return
    this.#unfinishedBytes = bufferedBytes
    if (bufferedBytes < before) this.#requests.remove(before - bufferedBytes)
    else this.#requests.add(bufferedBytes - before)
    if (bufferedBytes > before && !this.#requests.canAccept()) this.#onTooMuch()
  }

  #countFrames() {
    if (this.#framesCounted) return
    this.#framesCounted = true
    this.#requests.add(this.#framesBytes)
  }

  /** @param {Reply} reply */
  #send = async reply => {
    // the client may have gone while its request was served
    if (this.#stream.status !== 'open') return
    const taken = this.#stream.send(partOf(reply, 0))
    if (!taken || reply.length > PART_BYTES) await this.#sendRest(reply, taken)
  }

  /** Resolves when the transport has taken the whole reply. @param {Reply} reply @param {boolean} taken - whether the first part was */
  async #sendRest(reply, taken) {
    this.#countFrames()
    this.#replies.add(reply.length)
    if (!taken) await this.#taken()
    for (let at = PART_BYTES; at < reply.length && this.#stream.status === 'open'; at += PART_BYTES) {
      await this.#init.turn()
      const partTaken = this.#stream.status !== 'open' || this.#stream.send(partOf(reply, at))
      this.#init.done()
      if (!partTaken) await this.#taken()
    }
    this.#replies.remove(this.#replies.bytes)
    if (this.#stream.status === 'open') this.#init.onTaken()
  }

  /** Waits until the transport has taken all bytes. A client that takes a byte now and then counts as one that takes nothing. */
  async #taken() {
    const stream = this.#stream
    let before = stream.writeBufferLength
    const stalls = setInterval(() => {
      const left = stream.writeBufferLength
      if (before - left < MIN_TAKEN_BYTES)
        this.#refuse(new StreamError('ERR_REPLY_NOT_TAKEN', 'the client does not take its reply'))
      before = left
    }, this.#init.stallTimeoutMs).unref()
    while (stream.status === 'open' && (stream.writableNeedsDrain || stream.writeBufferLength > 0)) {
      await waitForEvent(stream, ['drain', 'close'])
      this.#idleTimer.refresh()
    }
    clearInterval(stalls)
  }

  #stopReading() {
    if (this.#paused || this.#stream.readStatus !== 'readable') return
    this.#paused = true
    this.#stream.pause()
    this.#requests.add(WINDOW_BYTES)
    if (!this.#requests.canAccept()) this.#onTooMuch()
  }

  #resumeReading() {
    this.#paused = false
    if (this.#stream.status !== 'open') return
    this.#requests.remove(WINDOW_BYTES)
    if (this.#stream.readStatus === 'paused') this.#stream.resume()
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
    this.#stream.abort(error)
  }
}

/** @param {Reply} reply @param {number} at */
function partOf(reply, at) {
  const end = Math.min(at + PART_BYTES, reply.length)
  return reply instanceof Uint8Array ? reply.subarray(at, end) : reply.sublist(at, end)
}
