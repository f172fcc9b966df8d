// libp2p service that answers the perf protocol: it reads an upload, then sends as many zeros as the client requested.
import { PERF_PROTOCOL, PerfRequestReader, sendBytes } from '../protocol/perf.js'
import {
  AddressSlots,
  getHostNetwork,
  isInNetworks,
  makeNetworkList,
  readIpAddress
} from './admission/address-groups.js'
import { PERF_LIMITS, pickLimits } from './limits.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./limits.js').PerfLimits} PerfLimits
 *
 * @typedef {object} PerfRequestResult - a request that has ended
 * @property {number} receivedBytes - of the upload
 * @property {bigint | null} wantedBytes - of the download; null: the request ended before that number
 * @property {number} sentBytes - passed to the stream
 * @property {Error | null} error - why it was refused or incomplete
 *
 * @typedef {object} PerfObserver - callbacks for events of the server
 * @property {(bytes: number) => void} [onReceived] - a piece of an upload arrived
 * @property {(served: PerfRequestResult) => void} [onServed]
 *
 * @typedef {Partial<PerfLimits> & PerfObserver & { unlimitedFrom?: readonly string[] }} PerfServerInit - `unlimitedFrom`: networks, as
 *   multiaddrs, each of whose addresses may use all of maxPerfStreams, default none
 *
 * @typedef {import('./rendezvous-server.js').RendezvousServerComponents} PerfServerComponents
 */

// of all open requests, for one address
const ADDRESS_SHARE = 1 / 4

/** PerfRefusedError is the reason for which a request was reset. */
class PerfRefusedError extends Error {
  name = 'PerfRefusedError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/**
 * perfServer is the server side of `/perf/1.0.0` as a libp2p service (libp2p/specs perf/perf.md): it reads a request to its end, and only
 * then sends the download.
 *
 * @param {PerfServerInit} [init]
 * @returns {(components: PerfServerComponents) => PerfServer}
 */
export const perfServer =
  (init = {}) =>
  components =>
    new PerfServer(components, init)

/** PerfServer answers requests of the perf protocol; made by `perfServer`. */
class PerfServer {
  #registrar
  #limits
  #observer
  #unlimited
  /** @type {Set<PerfRequest>} */
  #open = new Set()
  /** @type {AddressSlots<Stream>} */
  #slots

  /** @param {PerfServerComponents} components @param {PerfServerInit} init */
  constructor({ registrar }, init) {
    this.#registrar = registrar
    this.#limits = pickLimits(PERF_LIMITS, init)
    this.#observer = init
    this.#unlimited = makeNetworkList(init.unlimitedFrom ?? [])
    const all = this.#limits.maxPerfStreams
    const each = Math.ceil(all * ADDRESS_SHARE)
    this.#slots = new AddressSlots({ each, all }, stream => stream.abort(makeOverloadError()))
  }

  get [Symbol.toStringTag]() {
    return 'libp2p-loadtest/perf-server'
  }

  /** streams is the number of open requests. */
  get streams() {
    return this.#open.size
  }

  async start() {
    const maxInboundStreams = this.#limits.maxStreams
    await this.#registrar.handle(PERF_PROTOCOL, this.#serve, { maxInboundStreams })
  }

  async stop() {
    await this.#registrar.unhandle(PERF_PROTOCOL)
    for (const request of this.#open) request.end(new Error('server stops'))
  }

  /** @param {Stream} stream @param {Connection} connection */
  #serve = (stream, { remoteAddr }) => {
    if (stream.status !== 'open') return
    const host = readIpAddress(remoteAddr)
    const address = getHostNetwork(host)
    if (!this.#slots.add(address, stream, isInNetworks(this.#unlimited, host) ? Infinity : undefined)) {
      stream.abort(makeOverloadError())
      return
    }
    const request = new PerfRequest(stream, this.#limits, {
      onReceived: this.#observer.onReceived,
      onServed: served => {
        this.#open.delete(request)
        this.#slots.remove(address, stream)
        this.#observer.onServed?.(served)
      }
    })
    this.#open.add(request)
  }
}

/** PerfRequest is one stream of a client, from its first byte to its end. */
class PerfRequest {
  #stream
  #limits
  #observer
  #reader = new PerfRequestReader()
  #sentBytes = 0
  #over = false
  #replying = false
  #allSent = false
  #stall
  #late

  /** @param {Stream} stream @param {PerfLimits} limits @param {PerfObserver} observer */
  constructor(stream, limits, observer) {
    this.#stream = stream
    this.#limits = limits
    this.#observer = observer
    const { perfStallMs, perfTimeoutMs } = limits
    const stallText = `nothing moved for ${perfStallMs / 1000} s`
    const lateText = `the request took more than ${perfTimeoutMs / 1000} s`
    this.#stall = setTimeout(() => this.end(new PerfRefusedError('ERR_STALLED', stallText)), perfStallMs)
    this.#late = setTimeout(() => this.end(new PerfRefusedError('ERR_TOO_LONG', lateText)), perfTimeoutMs)
    stream.addEventListener('message', ({ data }) => this.#received(data))
    stream.addEventListener('remoteCloseWrite', () => this.#replyAtEnd())
    // a connection that is cut closes its streams without an error
    const closeError = () => (this.#allSent ? undefined : new Error('the client disconnected'))
    stream.addEventListener('close', ({ error }) => this.end(error ?? closeError()))
    // a short request may have ended before these listeners were added; its bytes come in the next microtask, or as a message
    queueMicrotask(() => this.#replyAtEnd())
  }

  /** end ends the request. @param {Error} [error] - absent: everything was sent */
  end(error) {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#stall)
    clearTimeout(this.#late)
    if (error !== undefined) this.#stream.abort(error)
    this.#observer.onServed?.({
      receivedBytes: this.#reader.uploadedBytes,
      wantedBytes: this.#reader.wanted,
      sentBytes: this.#sentBytes,
      error: error ?? null
    })
  }

  /** @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} data */
  #received(data) {
    if (this.#over) return
    this.#stall.refresh()
    const before = this.#reader.uploadedBytes
    this.#reader.push(data)
    this.#observer.onReceived?.(this.#reader.uploadedBytes - before)
    if (this.#reader.uploadedBytes > this.#limits.maxPerfBytes) this.end(makeOversizeError(this.#limits))
    else this.#replyAtEnd()
  }

  /** No event is emitted for an end that came during the negotiation, while bytes before it were still unread. */
  #replyAtEnd() {
    const { status, remoteWriteStatus, readBufferLength } = this.#stream
    if (this.#replying || status !== 'open' || remoteWriteStatus !== 'closed' || readBufferLength > 0) return
    this.#replying = true
    this.#reply()
  }

  async #reply() {
    const { wanted } = this.#reader
    if (this.#over) return
    if (wanted === null) {
      this.end(new PerfRefusedError('ERR_NO_NUMBER', 'the request ended before it said how much it wants'))
      return
    }
    const { maxPerfBytes } = this.#limits
    try {
      await sendBytes(this.#stream, wanted > maxPerfBytes ? maxPerfBytes : wanted, bytes => {
        this.#sentBytes += bytes
        this.#stall.refresh()
      })
      if (wanted > maxPerfBytes) throw makeOversizeError(this.#limits)
      this.#allSent = true
      await this.#stream.close()
      this.end()
    } catch (error) {
      this.end(/** @type {Error} */ (error))
    }
  }
}

const makeOverloadError = () => new PerfRefusedError('ERR_TOO_MANY', 'too many requests in flight')

/** @param {PerfLimits} limits */
const makeOversizeError = ({ maxPerfBytes }) =>
  new PerfRefusedError('ERR_TOO_MUCH', `more than ${maxPerfBytes} bytes in one direction`)
