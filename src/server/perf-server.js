import { PERF_PROTOCOL, sendBytes, WantedReader } from '../protocol/perf.js'
import { AddressSlots, addressOf, isOneOf, networkOf, networks } from './admission/address-groups.js'
import { PERF_LIMITS } from './limits.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./limits.js').PerfLimits} PerfLimits
 *
 * @typedef {object} Served - a request that has ended
 * @property {number} receivedBytes - behind the number
 * @property {bigint | null} wantedBytes - null: the request ended before it said so
 * @property {number} sentBytes - handed to the stream
 * @property {Error | null} error - why it was refused or broke off
 *
 * @typedef {object} PerfObserver - is told what happens
 * @property {(bytes: number) => void} [onReceived] - each piece of an upload that arrives
 * @property {(served: Served) => void} [onServed]
 *
 * @typedef {Partial<PerfLimits> & PerfObserver & { unlimitedFrom?: readonly string[] }} PerfServerInit - `unlimitedFrom`: networks, as
 *   multiaddrs, of which each address may have all requests there may be, default none
 *
 * @typedef {object} PerfServerComponents
 * @property {Pick<import('@libp2p/interface-internal').Registrar, 'handle' | 'unhandle'>} registrar
 */

// of all requests under way, for an address
const ADDRESS_SHARE = 1 / 4

/** PerfRefusedError is why a request was reset. */
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
 * then sends what was asked for.
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
  #underWay = new Set()
  /** @type {AddressSlots<Stream>} */
  #room

  /** @param {PerfServerComponents} components @param {PerfServerInit} init */
  constructor({ registrar }, init) {
    this.#registrar = registrar
    this.#limits = { ...PERF_LIMITS, ...given(init) }
    this.#observer = init
    this.#unlimited = networks(init.unlimitedFrom ?? [])
    const all = this.#limits.maxPerfStreams
    this.#room = new AddressSlots({ each: Math.ceil(all * ADDRESS_SHARE), all }, stream =>
      stream.abort(tooMany())
    )
  }

  get [Symbol.toStringTag]() {
    return 'libp2p-loadtest/perf-server'
  }

  /** streams is how many requests are under way. */
  get streams() {
    return this.#underWay.size
  }

  async start() {
    const { maxStreams } = this.#limits
    await this.#registrar.handle(PERF_PROTOCOL, this.#serve, { maxInboundStreams: maxStreams })
  }

  async stop() {
    await this.#registrar.unhandle(PERF_PROTOCOL)
    for (const request of this.#underWay) request.end(new Error('server stops'))
  }

  /** @param {Stream} stream @param {Connection} connection */
  #serve = (stream, { remoteAddr }) => {
    if (stream.status !== 'open') return
    const host = addressOf(remoteAddr)
    const address = networkOf(host)
    if (!this.#room.add(address, stream, isOneOf(this.#unlimited, host) ? Infinity : undefined)) {
      stream.abort(tooMany())
      return
    }
    const request = new PerfRequest(stream, this.#limits, {
      onReceived: this.#observer.onReceived,
      onServed: served => {
        this.#underWay.delete(request)
        this.#room.remove(address, stream)
        this.#observer.onServed?.(served)
      }
    })
    this.#underWay.add(request)
  }
}

/** @param {PerfServerInit} init @returns {Partial<PerfLimits>} */
const given = init =>
  Object.fromEntries(
    Object.keys(PERF_LIMITS).flatMap(name => {
      const value = init[/** @type {keyof PerfLimits} */ (name)]
      return value === undefined ? [] : [[name, value]]
    })
  )

/** PerfRequest is one stream of a client, from its first byte to its end. */
class PerfRequest {
  #stream
  #limits
  #observer
  #reader = new WantedReader()
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
    this.#stall = setTimeout(() => this.end(stalled(perfStallMs)), perfStallMs)
    this.#late = setTimeout(() => this.end(late(perfTimeoutMs)), perfTimeoutMs)
    stream.addEventListener('message', ({ data }) => this.#received(data))
    stream.addEventListener('remoteCloseWrite', () => this.#replyAtEnd())
    stream.addEventListener('close', ({ error }) => this.end(error ?? this.#whyClosed))
    // a short request may be there with its end before anybody listens; what it holds is told in the next microtask, or as a message
    queueMicrotask(() => this.#replyAtEnd())
  }

  /** end ends the request, for a reason or because all was sent. @param {Error} [error] */
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
    if (this.#reader.uploadedBytes > this.#limits.maxPerfBytes) this.end(tooMuch(this.#limits))
    else this.#replyAtEnd()
  }

  /** No event tells of an end that came during the negotiation, while what came before it was still to be read. */
  #replyAtEnd() {
    const { status, remoteWriteStatus, readBufferLength } = this.#stream
    if (this.#replying || status !== 'open' || remoteWriteStatus !== 'closed' || readBufferLength > 0) return
    this.#replying = true
    this.#reply()
  }

  /** A connection that is cut closes its streams without an error. */
  get #whyClosed() {
    return this.#allSent ? undefined : new Error('the client is gone')
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
      if (wanted > maxPerfBytes) throw tooMuch(this.#limits)
      this.#allSent = true
      await this.#stream.close()
      this.end()
    } catch (error) {
      this.end(/** @type {Error} */ (error))
    }
  }
}

const tooMany = () => new PerfRefusedError('ERR_TOO_MANY', 'too many requests are under way')

/** @param {number} ms */
const stalled = ms => new PerfRefusedError('ERR_STALLED', `nothing moved for ${ms / 1000} s`)

/** @param {number} ms */
const late = ms => new PerfRefusedError('ERR_TOO_LONG', `the request took more than ${ms / 1000} s`)

/** @param {PerfLimits} limits */
const tooMuch = ({ maxPerfBytes }) =>
  new PerfRefusedError('ERR_TOO_MUCH', `more than ${maxPerfBytes} bytes in one direction`)
