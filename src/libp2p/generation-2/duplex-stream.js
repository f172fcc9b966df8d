// A stream of libp2p 2 in the shape of a libp2p 3 stream.
import { AbstractStream } from '@libp2p/utils'
import { raceSignal } from 'race-signal'

/**
 * @typedef {import('@libp2p/interface').AbortOptions} AbortOptions
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('./views.js').Stream2} Stream2
 */

/** Above this, whoever sends is told to wait: it is as much as Yamux sends before the other end has read. */
const MAX_QUEUED_BYTES = 256 << 10

/**
 * DuplexStream is a stream of generation 2, with source and sink, in the shape of the present generation, with events and `send`.
 *
 * | the duplex            | becomes                                             |
 * |-----------------------|-----------------------------------------------------|
 * | source gives a chunk  | `message`                                           |
 * | source ends           | `remoteCloseWrite`, or `close` when its connection did |
 * | source throws         | `close`, reset by the peer or aborted               |
 * | sink asks for a chunk | the one before was taken; `drain` when all were     |
 */
export class DuplexStream extends AbstractStream {
  #duplex
  #outgoing = new ChunkSource(() => this.safeDispatchEvent('drain'))
  #written
  /** @type {PromiseWithResolvers<void> | null} reading waits for it */
  #paused = null

  /** @param {Stream2} duplex - whose protocol is negotiated, and which nobody else reads or writes */
  constructor(duplex) {
    const { id, log, direction, protocol } = duplex
    super({ id, log, direction, protocol })
    this.#duplex = duplex
    this.#written = duplex.sink(this.#outgoing).catch(error => this.abort(error))
    this.addEventListener('close', () => this.#paused?.resolve())
    // while the stream was opened, when nobody could listen yet
    if (duplex.status === 'reset') this.onRemoteReset()
    else this.#read()
  }

  /** writeBufferLength is what the multiplexer has not taken yet, in bytes. */
  get writeBufferLength() {
    return super.writeBufferLength + this.#outgoing.bytes
  }

  /** @param {Uint8ArrayList} data */
  sendData(data) {
    if (this.#outgoing.ended) throw new Error('the connection does not take any more of this stream')
    const sentBytes = data.byteLength
    this.#outgoing.push(data.subarray())
    return { sentBytes, canSendMore: this.#outgoing.bytes <= MAX_QUEUED_BYTES }
  }

  /** @param {AbortOptions} [options] */
  async sendCloseWrite({ signal } = {}) {
    this.#outgoing.end()
    await raceSignal(this.#written, signal)
  }

  /** @param {AbortOptions} [options] */
  async sendCloseRead(options) {
    await this.#duplex.closeRead(options)
  }

  /** @param {Error} error */
  sendReset(error) {
    this.#outgoing.return()
    this.#duplex.abort(error)
  }

  sendPause() {
    this.#paused = Promise.withResolvers()
  }

  sendResume() {
    this.#paused?.resolve()
    this.#paused = null
  }

  async #read() {
    try {
      for await (const data of this.#duplex.source) {
        this.onData(data)
        if (this.#paused !== null) await this.#paused.promise
      }
      this.#sourceEnded()
    } catch (error) {
      this.#sourceFailed(/** @type {Error} */ (error))
    }
  }

  #sourceEnded() {
    if (this.#isOver) return
    // while this end is open for sending, only the end of the connection closes the duplex
    if (this.writeStatus === 'writable' && this.#duplex.status !== 'open') this.onTransportClosed()
    else this.onRemoteCloseWrite()
  }

  /** @param {Error} error */
  #sourceFailed(error) {
    if (this.#isOver) return
    if (this.#duplex.status === 'reset') this.onRemoteReset()
    else this.abort(error)
  }

  get #isOver() {
    return this.status === 'closed' || this.status === 'aborted' || this.status === 'reset'
  }
}

/**
 * ChunkSource is a source of chunks for the sink of a duplex stream, which asks for the next chunk when the multiplexer has taken the
 * one before: so it is known what is not sent yet, but for the chunk that the multiplexer has in hand.
 */
export class ChunkSource {
  /** @type {Uint8Array[]} */
  #chunks = []
  /** What the sink has asked for and not yet handed on. */
  #takenBytes = 0
  /** @type {((result: IteratorResult<Uint8Array, undefined>) => void) | null} the sink waits */
  #hand = null
  #onEmpty
  /** bytes that are not sent yet. */
  bytes = 0
  /** ended is true when nothing more is taken. */
  ended = false

  /** @param {() => void} onEmpty - everything was sent */
  constructor(onEmpty) {
    this.#onEmpty = onEmpty
  }

  /** push puts a chunk at the end. @param {Uint8Array} chunk */
  push(chunk) {
    this.bytes += chunk.byteLength
    if (this.#hand === null) this.#chunks.push(chunk)
    else this.#handOver({ done: false, value: chunk })
  }

  /** end lets the sink end once it has sent what there is. */
  end() {
    this.ended = true
    if (this.#hand !== null) this.#handOver({ done: true, value: undefined })
  }

  /** @returns {Promise<IteratorResult<Uint8Array, undefined>>} */
  next() {
    this.bytes -= this.#takenBytes
    this.#takenBytes = 0
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) return Promise.resolve(this.#taken({ done: false, value: chunk }))
    if (this.ended) return Promise.resolve({ done: true, value: undefined })
    const waiting = new Promise(resolve => {
      this.#hand = resolve
    })
    this.#onEmpty()
    return waiting
  }

  /** return drops what there is: the stream sends no more. @returns {Promise<IteratorResult<Uint8Array, undefined>>} */
  return() {
    this.#chunks = []
    this.bytes = 0
    this.#takenBytes = 0
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator]() {
    return this
  }

  /** @param {IteratorResult<Uint8Array, undefined>} result */
  #handOver(result) {
    const hand = this.#hand
    this.#hand = null
    hand?.(this.#taken(result))
  }

  /** @param {IteratorResult<Uint8Array, undefined>} result */
  #taken(result) {
    this.#takenBytes = result.value?.byteLength ?? 0
    return result
  }
}
