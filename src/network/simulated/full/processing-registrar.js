import { AbstractStream } from '@libp2p/utils'
import { Uint8ArrayList } from 'uint8arraylist'

/** @typedef {import('@libp2p/interface-internal').Registrar} Registrar */

/**
 * processingRegistrar hands on to a registrar, with handlers whose streams take the node's time for what comes. libp2p's own middleware
 * would be the place for it, but of 3.3 runs all handlers that a protocol has had streams for once more with each further stream.
 *
 * @param {Registrar} registrar
 * @param {import('../processing.js').Processing} processing - of the node
 * @returns {Registrar}
 */
export const processingRegistrar = (registrar, processing) => ({
  getProtocols: () => registrar.getProtocols(),
  handle: (protocol, handler, options) =>
    registrar.handle(
      protocol,
      (stream, connection) => handler(new ProcessedStream(stream, processing), connection),
      options
    ),
  unhandle: (protocol, options) => registrar.unhandle(protocol, options),
  getHandler: protocol => registrar.getHandler(protocol),
  use: (protocol, middleware) => registrar.use(protocol, middleware),
  unuse: protocol => registrar.unuse(protocol),
  getMiddleware: protocol => registrar.getMiddleware(protocol),
  register: (protocol, topology, options) => registrar.register(protocol, topology, options),
  unregister: id => registrar.unregister(id),
  getTopologies: protocol => registrar.getTopologies(protocol)
})

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 */

/**
 * ProcessedStream gives what comes over another stream to its reader when the node has come to it and is through with it. Sending is
 * left alone.
 */
class ProcessedStream extends AbstractStream {
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
