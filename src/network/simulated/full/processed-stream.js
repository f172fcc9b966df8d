import { AbstractStream } from '@libp2p/utils'
import { Uint8ArrayList } from 'uint8arraylist'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 */

/**
 * ProcessedStream gives what comes over another stream to its reader when the node has come to it and is through with it. Sending is
 * left alone.
 */
export class ProcessedStream extends AbstractStream {
  #inner

  /**
   * @param {Stream} inner
   * @param {import('../processing.js').Processing} processing - of the node
   */
  constructor(inner, processing) {
    const { id, protocol, direction, log, inactivityTimeout, maxReadBufferLength } = inner
    super({ id, protocol, direction, log, inactivityTimeout, maxReadBufferLength })
    this.#inner = inner
    const inTurn = (/** @type {() => void} */ happen) => void processing.take(undefined, happen)
    inner.addEventListener('message', ({ data }) => {
      const list = data instanceof Uint8Array ? new Uint8ArrayList(data) : data
      processing.take(list, () => this.onData(list))
    })
    inner.addEventListener('remoteCloseWrite', () => inTurn(() => this.onRemoteCloseWrite()))
    inner.addEventListener('close', ({ error }) =>
      inTurn(() => (error == null ? this.onTransportClosed() : this.onRemoteReset()))
    )
    inner.addEventListener('drain', () => this.safeDispatchEvent('drain'))
  }

  /** @param {Uint8ArrayList} data */
  sendData(data) {
    const sentBytes = data.byteLength
    return { sentBytes, canSendMore: this.#inner.send(data) }
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  async sendCloseWrite(options) {
    await this.#inner.close(options)
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  async sendCloseRead(options) {
    await this.#inner.closeRead(options)
  }

  /** @param {Error} error */
  sendReset(error) {
    this.#inner.abort(error)
  }

  // what comes is kept here
  sendPause() {}

  sendResume() {}
}
