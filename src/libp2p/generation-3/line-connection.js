// A connection of libp2p 3 with a line on it, which emulates latency and bandwidth.
import { AbstractMultiaddrConnection } from '@libp2p/utils'
import { DelayedLine } from '../line.js'

/**
 * @typedef {import('@libp2p/interface').AbortOptions} AbortOptions
 * @typedef {import('@libp2p/interface').MultiaddrConnection} MultiaddrConnection
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/** DelayedConnection is a connection as libp2p sees it; lines are between it and the real one. */
export class DelayedConnection extends AbstractMultiaddrConnection {
  #inner
  #traffic
  /** @type {DelayedLine | null} */
  #sent
  /** @type {DelayedLine | null} */
  #received

  /** @param {MultiaddrConnection} inner @param {import('../layers/transports.js').LineEnds} ends */
  constructor(inner, { sent, received, traffic }) {
    const { remoteAddr, direction, log, inactivityTimeout, maxReadBufferLength } = inner
    super({ remoteAddr, direction, log, inactivityTimeout, maxReadBufferLength })
    this.#inner = inner
    this.#traffic = traffic
    const drained = () => void this.safeDispatchEvent('drain')
    this.#sent = sent && new DelayedLine(sent, { deliver: chunk => this.#send(chunk), onDrain: drained })
    const deliver = (/** @type {Uint8Array} */ chunk) => {
      this.onData(chunk)
      return this.readStatus !== 'paused'
    }
    this.#received = received && new DelayedLine(received, { deliver, onDrain: () => this.#resume() })
    inner.addEventListener('message', ({ data }) => this.#onMessage(data))
    inner.addEventListener('remoteCloseWrite', () => this.#arriving(() => this.onRemoteCloseWrite()))
    inner.addEventListener('close', ({ error }) =>
      this.#arriving(() => {
        if (this.status !== 'open' && this.status !== 'closing') return
        if (error == null) this.onTransportClosed()
        else this.onRemoteReset()
      })
    )
    inner.addEventListener('drain', () => (this.#sent === null ? drained() : this.#sent.resume()))
    // what closes this end has closed it for what is still under way, too
    this.addEventListener('close', () => this.#received?.stop())
  }

  /** @param {Uint8ArrayList} data */
  sendData(data) {
    const sentBytes = data.byteLength
    if (this.#traffic !== undefined) this.#traffic.sentBytes += sentBytes
    if (this.#sent === null) return { sentBytes, canSendMore: this.#send(data) }
    let canSendMore = true
    for (const chunk of data) canSendMore = this.#sent.send(chunk)
    return { sentBytes, canSendMore }
  }

  /** @param {AbortOptions} [options] */
  async sendClose(options) {
    if (this.#sent !== null) await this.#whenSent(this.#sent, options)
    // aborted meanwhile: the reset is under way
    if (this.status === 'closing') await this.#inner.close(options)
  }

  /** @param {Error} error */
  sendReset(error) {
    const reset = () => {
      this.#sent?.stop()
      this.#inner.abort(error)
    }
    if (this.#sent === null || this.#inner.status !== 'open') reset()
    else this.#sent.abandon(reset)
  }

  sendPause() {
    if (this.#received === null) this.#pause()
  }

  sendResume() {
    if (this.#received === null) this.#resume()
    else this.#received.resume()
  }

  /** @param {Uint8Array | Uint8ArrayList} chunk @returns {boolean} whether more can be sent */
  #send(chunk) {
    // the other end has closed, and here it is not known yet: what is sent now gets lost on the way
    return this.#inner.status !== 'open' || this.#inner.send(chunk)
  }

  /** @param {DelayedLine} line @param {AbortOptions} [options] @returns {Promise<void>} ends, too, when the connection is closed before */
  #whenSent(line, { signal } = {}) {
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      line.mark(resolve)
      this.addEventListener('close', () => resolve(), { once: true })
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  #onMessage(data) {
    if (this.#traffic !== undefined) this.#traffic.receivedBytes += data.byteLength
    if (this.#received === null) return this.onData(data)
    let takesMore = true
    for (const chunk of data instanceof Uint8Array ? [data] : data) takesMore = this.#received.send(chunk)
    if (!takesMore) this.#pause()
  }

  #pause() {
    if (this.#inner.status === 'open') this.#inner.pause()
  }

  #resume() {
    if (this.#inner.status === 'open') this.#inner.resume()
  }

  /** What happens to the connection, behind what it has received. @param {() => void} happen */
  #arriving(happen) {
    if (this.#received === null) happen()
    else this.#received.mark(happen)
  }
}
