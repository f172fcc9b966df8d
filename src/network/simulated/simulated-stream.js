import { StreamMessageEvent } from '@libp2p/interface'
import { AbstractStream } from '@libp2p/utils'
import { aboutStream, carrying, KIND, NO_BYTES } from './load.js'

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('./simulated-connection.js').SimulatedConnection} SimulatedConnection
 * @typedef {import('./load.js').Load} Load
 */

/**
 * SimulatedStream is one end of a stream over a simulated connection. What it does is the library's own; only that the other end
 * hears of it is simulated.
 */
export class SimulatedStream extends AbstractStream {
  #connection
  #number
  #queue
  /** Who alone hears messages and asked for no more than that; null: nobody, or several. @type {((event: Event) => void) | null} */
  #reader = null

  /**
   * @param {SimulatedConnection} connection
   * @param {object} init
   * @param {number} init.number - the same at both ends
   * @param {string} [init.protocol]
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   * @param {import('./rpc-queue.js').RpcQueue | null} [init.queue] - null: nothing is refused
   */
  constructor(connection, { number, protocol, direction, queue = null }) {
    super({ id: `${number}`, protocol, direction, log: connection.log })
    this.#connection = connection
    this.#number = number
    this.#queue = queue
  }

  /** @param {any} type @param {any} listener @param {any} [options] */
  addEventListener(type, listener, options) {
    if (type === 'message') {
      const isAlone = this.listenerCount(type) === 0
      this.#reader = isAlone && typeof listener === 'function' && options === undefined ? listener : null
    }
    super.addEventListener(type, listener, options)
  }

  /** @param {any} type @param {any} listener @param {any} [options] */
  removeEventListener(type, listener, options) {
    if (type === 'message') this.#reader = null
    super.removeEventListener(type, listener, options)
  }

  /** No event is made that nobody hears. @param {any} type @param {any} [detail] */
  safeDispatchEvent(type, detail) {
    return this.listenerCount(type) === 0 || super.safeDispatchEvent(type, detail)
  }

  /** Gossipsub writes one RPC at a time. @param {Uint8Array | Uint8ArrayList} data */
  send(data) {
    if (this.#queue !== null && this.writeStatus === 'writable' && !this.#queue.takes()) {
      this.#connection.refused(data)
      return true
    }
    return super.send(data)
  }

  /** @param {Uint8ArrayList} data */
  sendData(data) {
    const sentBytes = data.byteLength
    const write = this.#connection.writes.of(data)
    const canSendMore = this.#connection.carry(sentBytes, carrying(this.#number, write))
    if (!canSendMore) this.#connection.hold(this)
    return { sentBytes, canSendMore }
  }

  /** goOn is called when a connection that took no more does again. */
  goOn() {
    this.safeDispatchEvent('drain')
  }

  /** heard takes what the other end has told. @param {Load} load */
  heard({ kind, data }) {
    if (kind === KIND.DATA) {
      this.#read(/** @type {Uint8Array} */ (data))
      this.#connection.grantMore(this.#number)
    } else if (kind === KIND.CLOSE_WRITE) this.onRemoteCloseWrite()
    else if (kind === KIND.CLOSE_READ) this.onRemoteCloseRead()
    else this.onRemoteReset()
  }

  /**
   * What comes while nothing else waits to be read goes to the one who reads: buffering it, and what an event target of Node does for each event,
   * costs more than the rest of the way of a message.
   *
   * @param {Uint8Array} data
   */
  #read(data) {
    const isNext = this.readStatus === 'readable' && this.remoteWriteStatus === 'writable'
    const waits = this.readBuffer.byteLength > 0 || data.byteLength === 0
    if (this.#reader === null || !isNext || waits) this.onData(data)
    else this.#reader(new StreamMessageEvent(data))
  }

  async sendCloseWrite() {
    this.#tell(KIND.CLOSE_WRITE)
  }

  async sendCloseRead() {
    this.#tell(KIND.CLOSE_READ)
  }

  sendReset() {
    this.#tell(KIND.RESET)
  }

  // a reader that pauses is not told to the other end: what comes is kept here, as the library does
  sendPause() {}

  sendResume() {}

  /** @param {number} kind */
  #tell(kind) {
    this.#connection.carry(NO_BYTES, aboutStream(kind, this.#number))
  }
}
