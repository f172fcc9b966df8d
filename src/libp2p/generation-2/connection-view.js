import { setImmediate as nextTurn } from 'node:timers/promises'
import { TypedEventEmitter } from '@libp2p/interface'
import { multiaddr } from '@multiformats/multiaddr'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./connection-views.js').StreamViews} StreamViews
 * @typedef {import('./types.js').Connection2} Connection2
 * @typedef {import('./types.js').Stream2} Stream2
 */

/** How many turns of the event loop a lost connection takes to say so, and some more. */
const TURNS_TO_CLOSE = 20

/**
 * ConnectionView is a connection of generation 2 in the shape of the present one.
 *
 * @extends {TypedEventEmitter<{ close: Event }>}
 */
export class ConnectionView extends TypedEventEmitter {
  #inner
  #streams

  /** @param {Connection2} inner @param {StreamViews} streams */
  constructor(inner, streams) {
    super()
    this.#inner = inner
    this.#streams = streams
    this.id = inner.id
    this.remotePeer = inner.remotePeer
    this.direction = inner.direction
    this.timeline = inner.timeline
    this.multiplexer = inner.multiplexer
    this.encryption = inner.encryption
    this.log = inner.log
    this.direct = true
  }

  get remoteAddr() {
    return multiaddr(this.#inner.remoteAddr.toString())
  }

  /** status is that of the connection below where it has closed: libp2p takes a while to follow. */
  get status() {
    return this.#inner.timeline.close === undefined ? this.#inner.status : 'closed'
  }

  get limits() {
    return this.#inner.limits
  }

  get rtt() {
    return this.#inner.rtt
  }

  /** streams of whomever: those of services of generation 2 can only be looked at. @returns {Stream[]} */
  get streams() {
    return this.#inner.streams.map(
      stream => /** @type {Stream} */ (/** @type {unknown} */ (this.#streams.of(stream)))
    )
  }

  /** @param {string | string[]} protocols @param {object} [options] @returns {Promise<Stream>} */
  async newStream(protocols, options) {
    try {
      return this.taken(await this.#inner.newStream(protocols, options))
    } catch (error) {
      // streams of a connection that is lost end some turns before it does
      for (let turn = 0; turn < TURNS_TO_CLOSE && this.status === 'open'; turn++) await nextTurn()
      throw error
    }
  }

  /** taken makes a stream that somebody of the present generation will read and write. @param {Stream2} stream @returns {Stream} */
  taken(stream) {
    return this.#streams.taken(stream)
  }

  /** observed gives a connection that opens streams for a service of generation 2, which are observed. @returns {Connection2} */
  observed() {
    const newStream = async (/** @type {string | string[]} */ protocols, /** @type {object} */ options) => {
      const stream = await this.#inner.newStream(protocols, options)
      this.#streams.observe(stream)
      return stream
    }
    return Object.create(this.#inner, { newStream: { value: newStream } })
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  close(options) {
    return this.#inner.close(options)
  }

  /** @param {Error} error */
  abort(error) {
    this.#inner.abort(error)
  }
}
