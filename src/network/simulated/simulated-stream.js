import { AbstractStream } from '@libp2p/utils'

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('./simulated-connection.js').SimulatedConnection} SimulatedConnection
 */

/** Bytes on the line that say that a stream ends: a frame without content. */
const FRAME_BYTES = 12

/**
 * SimulatedStream is one end of a stream over a simulated connection. What it does is the library's own; only that the other end
 * hears of it is simulated.
 */
export class SimulatedStream extends AbstractStream {
  #connection
  #queue
  /** @type {SimulatedStream | null} the other end; null: it does not know yet */
  other = null

  /**
   * @param {SimulatedConnection} connection
   * @param {object} init
   * @param {string} init.id
   * @param {string} [init.protocol]
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   * @param {import('./rpc-queue.js').RpcQueue | null} [init.queue] - null: nothing is refused
   */
  constructor(connection, { id, protocol, direction, queue = null }) {
    super({ id, protocol, direction, log: connection.log })
    this.#connection = connection
    this.#queue = queue
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
    const canSendMore = this.#connection.carry(sentBytes, () => this.other?.onData(write), write)
    if (!canSendMore) this.#connection.hold(this)
    return { sentBytes, canSendMore }
  }

  /** goOn is called when a connection that took no more does again. */
  goOn() {
    this.safeDispatchEvent('drain')
  }

  async sendCloseWrite() {
    this.#connection.carry(FRAME_BYTES, () => this.other?.onRemoteCloseWrite())
  }

  async sendCloseRead() {
    this.#connection.carry(FRAME_BYTES, () => this.other?.onRemoteCloseRead())
  }

  sendReset() {
    this.#connection.carry(FRAME_BYTES, () => this.other?.onRemoteReset())
  }

  // a reader that pauses is not told to the other end: what comes is kept here, as the library does
  sendPause() {}

  sendResume() {}
}
