import { StreamMessageEvent } from '@libp2p/interface'
import { Uint8ArrayList } from 'uint8arraylist'
import { nextOf } from '../../kit/next-of.js'
import { ForwardingStream } from '../../libp2p/forwarding-stream.js'
import { afterPromises } from '../after-promises.js'

/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 *
 * @typedef {object} Pace
 * @property {(bytes: Uint8ArrayList) => Uint8ArrayList | undefined} cut - takes the next piece of what arrived; undefined: there is
 *   none yet; throws when the connection must end
 * @property {(bytes: Uint8ArrayList) => Promise<void> | undefined} turn - to hand a piece on; undefined: at once; throws when the
 *   connection must end
 * @property {() => void} began - a piece is about to be cut and handed on
 * @property {(isAll: boolean) => void} done - the turn is over, whether there was a piece or not. `isAll`: nothing is left that could
 *   be handed on
 * @property {number} stallTimeoutMs - in which the other side must take some of what waits for it
 */

/** NotTakenError is why a connection ends that does not read. */
export class NotTakenError extends Error {
  name = 'NotTakenError'
  code = 'ERR_REPLY_NOT_TAKEN'
}

/**
 * PacedStream hands what arrives on in pieces, each when it is its turn. Meanwhile no more is read, and none as long as the other side
 * does not take what is sent to it.
 */
export class PacedStream extends ForwardingStream {
  #pace
  #bytes = new Uint8ArrayList()
  /** @type {Set<(event: any) => void>} */
  #readers = new Set()
  #working = false
  /** by the reader */
  #held = false
  #paused = false

  /** @param {MessageStream} stream @param {Pace} pace */
  constructor(stream, pace) {
    super(stream)
    this.#pace = pace
    stream.addEventListener('message', ({ data }) => {
      this.#bytes.append(data)
      this.#work()
    })
    stream.addEventListener('close', () => this.#bytes.consume(this.#bytes.byteLength))
  }

  /** @param {Parameters<MessageStream['addEventListener']>} args */
  addEventListener(...args) {
    const [type, reader] = args
    if (type !== 'message' || typeof reader !== 'function') {
      super.addEventListener(...args)
      return
    }
    this.#readers.add(reader)
    queueMicrotask(this.#work)
  }

  /** @param {Parameters<MessageStream['removeEventListener']>} args */
  removeEventListener(...args) {
    const [type, reader] = args
    if (type === 'message') this.#readers.delete(/** @type {any} */ (reader))
    else super.removeEventListener(...args)
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  unshift(data) {
    this.#bytes.prepend(data)
    queueMicrotask(this.#work)
  }

  pause() {
    this.#held = true
    this.#readOnOrNot()
  }

  resume() {
    this.#held = false
    this.#readOnOrNot()
    this.#work()
  }

  #work = async () => {
    if (this.#working) return
    this.#working = true
    try {
      while (this.#hasWork) {
        const wait = this.#pace.turn(this.#bytes)
        if (wait !== undefined) await this.#meanwhile(wait)
        if (!this.#handOnPiece()) break
        if (this.stream.writableNeedsDrain) await this.#meanwhile(this.#drained())
        else if (this.#hasWork) await this.#meanwhile(new Promise(afterPromises))
      }
    } catch (error) {
      this.abort(/** @type {Error} */ (error))
    }
    this.#working = false
    this.#readOnOrNot()
  }

  get #hasWork() {
    return (
      this.#readers.size > 0 && this.#bytes.byteLength > 0 && !this.#held && this.stream.status === 'open'
    )
  }

  /** The turn is given back, whatever became of it meanwhile. @returns {boolean} whether there was a piece */
  #handOnPiece() {
    let piece
    try {
      this.#pace.began()
      piece = this.#hasWork ? this.#pace.cut(this.#bytes) : undefined
      if (piece === undefined) return false
      const event = new StreamMessageEvent(piece)
      for (const reader of this.#readers) reader(event)
      return true
    } finally {
      this.#pace.done(piece === undefined || this.#bytes.byteLength === 0)
    }
  }

  /** @param {Promise<void>} wait */
  async #meanwhile(wait) {
    this.#readOnOrNot(true)
    await wait
  }

  async #drained() {
    const { stream } = this
    const late = setTimeout(() => {
      this.abort(new NotTakenError('the client does not take what is sent to it'))
    }, this.#pace.stallTimeoutMs).unref()
    while (stream.status === 'open' && stream.writableNeedsDrain) {
      await nextOf(stream, ['drain', 'close'])
      late.refresh()
    }
    clearTimeout(late)
  }

  #readOnOrNot(waits = false) {
    const paused = waits || this.#held
    if (paused === this.#paused || this.stream.status !== 'open') return
    this.#paused = paused
    // what ended can neither be paused nor resumed
    if (this.stream.readableEnded) return
    if (paused) this.stream.pause()
    else this.stream.resume()
  }
}
