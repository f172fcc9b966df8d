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
  /** @type {SimulatedStream | null} the other end; null: it does not know yet */
  other = null

  /**
   * @param {SimulatedConnection} connection
   * @param {{ id: string, protocol?: string, direction: import('@libp2p/interface').MessageStreamDirection }} init
   */
  constructor(connection, { id, protocol, direction }) {
    super({ id, protocol, direction, log: connection.log })
    this.#connection = connection
  }

  /** @param {Uint8ArrayList} data */
  sendData(data) {
    const sentBytes = data.byteLength
    const canSendMore = this.#connection.carry(
      sentBytes,
      () => this.other?.onData(data),
      () => this.safeDispatchEvent('drain'),
      data
    )
    return { sentBytes, canSendMore }
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
