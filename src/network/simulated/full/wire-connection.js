import { AbstractMultiaddrConnection } from '@libp2p/utils'

/** SIGNAL_BYTES stand for a segment that carries none: SYN, FIN and RST of TCP. */
export const SIGNAL_BYTES = 1

/**
 * WireConnection is one end of a connection over a pair of simulated wires, as a transport gives it to libp2p to be encrypted and multiplexed.
 * What it does is the library's own; only that the other end hears of it is simulated.
 */
export class WireConnection extends AbstractMultiaddrConnection {
  #wire
  /** @type {WireConnection | null} the other end; null: it does not know yet */
  other = null

  /**
   * @param {object} init
   * @param {import('../wire.js').Wire} init.wire - to the other end
   * @param {import('@multiformats/multiaddr').Multiaddr} init.remoteAddr
   * @param {import('@libp2p/interface').MessageStreamDirection} init.direction
   * @param {import('@libp2p/interface').Logger} init.log
   */
  constructor({ wire, remoteAddr, direction, log }) {
    super({ remoteAddr, direction, log })
    this.#wire = wire
    wire.onRoom = () => this.safeDispatchEvent('drain')
  }

  /** @param {import('uint8arraylist').Uint8ArrayList} data */
  sendData(data) {
    const sentBytes = data.byteLength
    // the other end has bytes of its own, as behind a real socket: what decrypts in place must not change what was sent
    const bytes = data.slice()
    return { sentBytes, canSendMore: this.#wire.send(sentBytes, () => this.other?.onData(bytes)) }
  }

  async sendClose() {
    this.#wire.send(SIGNAL_BYTES, () => this.other?.onTransportClosed())
  }

  sendReset() {
    this.#wire.send(SIGNAL_BYTES, () => this.other?.onRemoteReset())
  }

  // a reader that pauses is not told to the other end: what comes is kept here, as the library does
  sendPause() {}

  sendResume() {}
}
