import { DuplexStream } from './duplex-stream.js'
import { ObservedStream } from './observed-stream.js'

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
