import { Duplex } from 'node:stream'
import { Uint8ArrayList } from 'uint8arraylist'
import { afterPromises } from '../after-promises.js'

// some thirty requests of HTTP, as short as there are
const PIECE_BYTES = 1024
const NOTHING = new Uint8ArrayList()

/**
 * PacedSocket hands what arrives on in pieces, each when it is its turn. Meanwhile no more is read.
 *
 *     http.emit('connection', new PacedSocket(socket, pace))
 */
export class PacedSocket extends Duplex {
  #socket
  #pace
  #wanted = false
  #working = false

  /** @param {import('node:net').Socket} socket @param {Omit<import('./paced-stream.js').Pace, 'cut'>} pace */
  constructor(socket, pace) {
    super({ readableHighWaterMark: PIECE_BYTES })
    this.#socket = socket
    this.#pace = pace
    socket.on('readable', this.#handOn)
    socket.once('end', () => this.push(null))
    socket.once('close', () => this.destroy())
    socket.on('error', error => this.destroy(error))
    socket.on('timeout', () => this.emit('timeout'))
  }

  _read() {
    this.#wanted = true
    this.#handOn()
  }

  /** @param {Uint8Array} bytes @param {BufferEncoding} _encoding @param {(error?: Error | null) => void} done */
  _write(bytes, _encoding, done) {
    this.#socket.write(bytes, done)
  }

  /** @param {() => void} done */
  _final(done) {
    this.#socket.end(done)
  }

  /** @param {Error | null} error @param {(error?: Error | null) => void} done */
  _destroy(error, done) {
    this.#socket.destroy()
    done(error)
  }

  /** Of sockets, asked for behind the last answer: whether the other side ends it too is not waited for. */
  destroySoon() {
    this.end(() => this.destroy())
  }

  /** Of sockets, asked for between two requests. @param {number} ms */
  setTimeout(ms) {
    this.#socket.setTimeout(ms)
    return this
  }

  #handOn = async () => {
    if (this.#working) return
    this.#working = true
    try {
      while (this.#wanted && this.#socket.readableLength > 0) {
        const wait = this.#pace.turn(NOTHING)
        if (wait !== undefined) await wait
        this.#handOnPiece()
        await new Promise(resolve => afterPromises(() => resolve(undefined)))
      }
    } catch (error) {
      this.destroy(/** @type {Error} */ (error))
    }
    this.#working = false
  }

  #handOnPiece() {
    this.#pace.began()
    const piece = this.#socket.read(Math.min(PIECE_BYTES, this.#socket.readableLength))
    if (piece !== null) this.#wanted = this.push(piece)
    this.#pace.done(this.#socket.readableLength === 0)
  }
}
