import { serviceCapabilities, transportSymbol } from '@libp2p/interface'
import { AbstractMultiaddrConnection } from '@libp2p/utils'
import { DelayLine } from './delay-line.js'

/**
 * @typedef {import('@libp2p/interface').AbortOptions} AbortOptions
 * @typedef {import('@libp2p/interface').MultiaddrConnection} MultiaddrConnection
 * @typedef {import('@libp2p/interface').Transport} Transport
 * @typedef {import('@libp2p/interface').Upgrader} Upgrader
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/**
 * delayTransport makes a transport whose connections take time. Each end holds what it receives for `latencyMs` before anybody sees
 * it, and the end of the connection likewise; with the same transport at both ends, bytes are under way that long in either
 * direction, in their order. Sending is left alone, so that its limits are those of the transport below.
 *
 * Nothing comes early, and while the event loop has time it comes 0.1 to 0.7 ms late on average, 1.3 ms at most in 99 of 100 cases
 * (measured for 1 to 50 ms): timers count whole milliseconds. A busy event loop adds its turns. A connection
 * opens by a round trip less than over a real line, for the handshake of TCP is the system's.
 *
 *     transports: [delayTransport(tcp(), { latencyMs: 50 })]
 *
 * @template C
 * @param {(components: C) => Transport} transport
 * @param {object} options
 * @param {number} options.latencyMs - one way, above 0
 * @param {(connection: any) => any} [options.delayed] - makes a connection that takes time, for transports whose connections have
 *   another shape
 * @returns {(components: C) => Transport}
 */
export const delayTransport = (
  transport,
  { latencyMs, delayed = connection => new DelayedConnection(connection, latencyMs) }
) => {
  if (!(latencyMs > 0)) throw new RangeError(`latencyMs is ${latencyMs}: it must be above 0`)
  return components => {
    const inner = transport(components)
    return {
      [Symbol.toStringTag]: inner[Symbol.toStringTag],
      [transportSymbol]: true,
      [serviceCapabilities]: ['@libp2p/transport'],
      dial: (address, options) =>
        inner.dial(address, { ...options, upgrader: delaying(options.upgrader, delayed) }),
      createListener: options =>
        inner.createListener({ ...options, upgrader: delaying(options.upgrader, delayed) }),
      listenFilter: addresses => inner.listenFilter(addresses),
      dialFilter: addresses => inner.dialFilter(addresses)
    }
  }
}

/** @param {Upgrader} upgrader @param {(connection: any) => any} delayed @returns {Upgrader} that upgrades delayed connections */
const delaying = (upgrader, delayed) => ({
  upgradeOutbound: (connection, options) =>
    upgrader.upgradeOutbound(
      delayed(connection),
      /** @type {import('@libp2p/interface').UpgraderOptions} */ (options)
    ),
  upgradeInbound: (connection, options) =>
    upgrader.upgradeInbound(
      delayed(connection),
      /** @type {import('@libp2p/interface').UpgraderOptions} */ (options)
    ),
  createInboundAbortSignal: signal => upgrader.createInboundAbortSignal(signal),
  getStreamMuxers: () => upgrader.getStreamMuxers(),
  getConnectionEncrypters: () => upgrader.getConnectionEncrypters()
})

/** DelayedConnection hands on what another connection receives, later. */
export class DelayedConnection extends AbstractMultiaddrConnection {
  #inner
  #line

  /** @param {MultiaddrConnection} inner @param {number} latencyMs */
  constructor(inner, latencyMs) {
    const { remoteAddr, direction, log, inactivityTimeout, maxReadBufferLength } = inner
    super({ remoteAddr, direction, log, inactivityTimeout, maxReadBufferLength })
    this.#inner = inner
    this.#line = new DelayLine(latencyMs)
    inner.addEventListener('message', ({ data }) => this.#line.push(() => this.onData(data)))
    inner.addEventListener('remoteCloseWrite', () => this.#line.push(() => this.onRemoteCloseWrite()))
    inner.addEventListener('close', ({ error }) => this.#line.push(() => this.#innerClosed(error)))
    inner.addEventListener('drain', () => this.safeDispatchEvent('drain'))
    // what closes this end has closed it for what is still under way, too
    this.addEventListener('close', () => this.#line.stop())
  }

  /** @param {Uint8ArrayList} data */
  sendData(data) {
    const sentBytes = data.byteLength
    // the other end has closed, and here it is not known yet: what is sent now gets lost on the way
    if (this.#inner.status !== 'open') return { sentBytes, canSendMore: true }
    return { sentBytes, canSendMore: this.#inner.send(data) }
  }

  /** @param {AbortOptions} [options] */
  async sendClose(options) {
    await this.#inner.close(options)
  }

  /** @param {Error} error */
  sendReset(error) {
    this.#inner.abort(error)
  }

  sendPause() {
    if (this.#inner.status === 'open') this.#inner.pause()
  }

  sendResume() {
    if (this.#inner.status === 'open') this.#inner.resume()
  }

  /** @param {Error | undefined} error */
  #innerClosed(error) {
    if (error == null) this.onTransportClosed()
    else this.onRemoteReset()
  }
}
