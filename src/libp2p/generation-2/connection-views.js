import { ConnectionView } from './connection-view.js'
import { DuplexStream } from './duplex-stream.js'

/** @typedef {import('./types.js').Connection2} Connection2 */

/** ConnectionViews are those of a node's connections, one of each. */
export class ConnectionViews {
  /** @type {WeakMap<object, ConnectionView>} */
  #views = new WeakMap()
  /** streams of all of them. */
  streams = new StreamViews()

  /** of gives the view of a connection. @param {Connection2} connection @returns {ConnectionView} */
  of(connection) {
    const known = this.#views.get(connection)
    if (known !== undefined) return known
    const view = new ConnectionView(connection, this.streams)
    this.#views.set(connection, view)
    return view
  }

  /** closed tells those who look at a connection that it has ended. @param {Connection2} connection */
  closed(connection) {
    this.#views.get(connection)?.dispatchEvent(new Event('close'))
  }
}

/** @typedef {import('./types.js').Stream2} Stream2 */

/** StreamViews are those of a node's streams, one of each. */
export class StreamViews {
  /** @type {WeakMap<object, DuplexStream | ObservedStream>} */
  #views = new WeakMap()

  /** of gives the view of a stream. @param {Stream2} stream */
  of(stream) {
    return this.#views.get(stream) ?? this.#observed(stream)
  }

  /** taken makes a stream that somebody of the present generation reads and writes. @param {Stream2} stream */
  taken(stream) {
    const view = new DuplexStream(stream)
    this.#views.set(stream, view)
    return view
  }

  /** observe begins to look at a stream that a service of generation 2 has opened. @param {Stream2} stream */
  observe(stream) {
    const view = this.#views.get(stream)
    const observed = view instanceof ObservedStream ? view : this.#observed(stream)
    observed.observe()
  }

  /** ended tells those who look at a stream that it has ended. @param {object} stream - as its multiplexer has it */
  ended(stream) {
    const view = this.#views.get(stream)
    // others see the end of what they read
    if (view instanceof ObservedStream) view.ended()
  }

  /** @param {Stream2} stream */
  #observed(stream) {
    const view = new ObservedStream(stream)
    this.#views.set(stream, view)
    return view
  }
}

/**
 * ObservedStream shows a stream of generation 2 that a service of that generation reads and writes, gossipsub, without touching its
 * data: what waits in it, and when it ends.
 */
class ObservedStream extends EventTarget {
  #duplex
  /** @type {{ readableLength?: number } | null} what the service sends from */
  #source = null

  /** @param {Stream2} duplex */
  constructor(duplex) {
    super()
    this.#duplex = duplex
  }

  get id() {
    return this.#duplex.id
  }

  get direction() {
    return this.#duplex.direction
  }

  get status() {
    return this.#duplex.status
  }

  /** protocol is empty until one is negotiated. */
  get protocol() {
    return this.#duplex.protocol ?? ''
  }

  /**
   * writeBufferLength is what the service has put into the stream's queue and the stream has not taken, in bytes: gossipsub's queue
   * (it-pushable) tells. The message that is being sent is not counted any more.
   */
  get writeBufferLength() {
    return this.#source?.readableLength ?? 0
  }

  /** observe begins before the service has the stream. */
  observe() {
    const sink = this.#duplex.sink.bind(this.#duplex)
    this.#duplex.sink = source => {
      this.#source = /** @type {{ readableLength?: number }} */ (source)
      return sink(source)
    }
  }

  /** ended tells that the stream has ended. */
  ended() {
    this.#source = null
    this.dispatchEvent(new Event('close'))
  }
}
