/** @typedef {import('./types.js').Stream2} Stream2 */

/**
 * ObservedStream shows a stream of generation 2 that a service of that generation reads and writes, gossipsub, without touching its
 * data: what waits in it, and when it ends.
 */
export class ObservedStream extends EventTarget {
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
