import { ConnectionView } from './connection-view.js'
import { StreamViews } from './stream-views.js'

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
