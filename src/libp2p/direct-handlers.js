/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('@libp2p/interface').StreamHandler} StreamHandler
 *
 * @typedef {object} Components
 * @property {Pick<import('@libp2p/interface-internal').Registrar, 'getProtocols' | 'getHandler' | 'getMiddleware'>} registrar
 * @property {import('@libp2p/interface').TypedEventTarget<import('@libp2p/interface').Libp2pEvents>} events
 */

/**
 * DirectHandlers hand a stream that has its protocol to who handles it. Libp2p makes a signal with a timer of ten seconds before, for an
 * agreement that there is already, and looks into the peer store: a twentieth of what a short stream costs.
 */
export class DirectHandlers {
  /** the registrar is among them later than the muxers */
  #components
  /** by their lists of streams, which are those of their muxers @type {WeakMap<readonly Stream[], Connection>} */
  #connections = new WeakMap()

  /** @param {Components} components */
  constructor(components) {
    this.#components = components
    components.events.addEventListener('connection:open', ({ detail }) =>
      this.#connections.set(detail.streams, detail)
    )
  }

  /**
   * hand gives a stream of the other side to its handler.
   *
   * @param {Stream} stream - with its protocol
   * @param {readonly Stream[]} streams - of its muxer
   * @returns {boolean} false: it is libp2p's to hand over, or to refuse
   */
  hand(stream, streams) {
    const { protocol } = stream
    const { registrar } = this.#components
    const connection = this.#connections.get(streams)
    if (connection === undefined || connection.limits !== undefined) return false
    if (registrar.getMiddleware(protocol).length > 0) return false
    const { handler, options } = registrar.getHandler(protocol)
    if (inboundOf(streams, protocol) > Number(options.maxInboundStreams)) return false
    handled(handler, stream, connection)
    return true
  }
}

/** @param {readonly Stream[]} streams @param {string} protocol */
function inboundOf(streams, protocol) {
  let count = 0
  for (const stream of streams) if (stream.direction === 'inbound' && stream.protocol === protocol) count++
  return count
}

/** @param {StreamHandler} handler @param {Stream} stream @param {Connection} connection */
async function handled(handler, stream, connection) {
  try {
    await handler(stream, connection)
  } catch (error) {
    stream.abort(/** @type {Error} */ (error))
  }
}
