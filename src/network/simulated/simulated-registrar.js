/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface').StreamHandlerRecord} StreamHandlerRecord
 * @typedef {import('@libp2p/interface').StreamMiddleware} StreamMiddleware
 * @typedef {import('@libp2p/interface').Topology} Topology
 * @typedef {import('@libp2p/interface-internal').Registrar} Registrar
 */

/**
 * SimulatedRegistrar knows who handles which protocol at a node, and who wants to know of peers that speak one. As in libp2p, they
 * are told once for each protocol of the peer.
 *
 * @implements {Registrar}
 */
export class SimulatedRegistrar {
  /** @type {Map<string, StreamHandlerRecord>} */
  #handlers = new Map()
  /** @type {Map<string, { protocol: string, topology: Topology }>} by id */
  #topologies = new Map()
  /** @type {Map<string, StreamMiddleware[]>} */
  #middleware = new Map()
  #registered = 0

  getProtocols() {
    return [...this.#handlers.keys()].sort()
  }

  // the type of the whole method, Registrar['handle'], would take it out of the published declaration
  /**
   * @param {string} protocol
   * @param {import('@libp2p/interface').StreamHandler} handler
   * @param {import('@libp2p/interface').StreamHandlerOptions} [options]
   */
  async handle(protocol, handler, options = {}) {
    this.#handlers.set(protocol, { handler, options })
  }

  /** @param {string} protocol */
  async unhandle(protocol) {
    this.#handlers.delete(protocol)
  }

  /** @param {string} protocol */
  getHandler(protocol) {
    const record = this.#handlers.get(protocol)
    if (record === undefined) throw new Error(`nobody handles ${protocol} here`)
    return record
  }

  /** @param {string} protocol @param {StreamMiddleware[]} middleware */
  use(protocol, middleware) {
    this.#middleware.set(protocol, middleware)
  }

  /** @param {string} protocol */
  unuse(protocol) {
    this.#middleware.delete(protocol)
  }

  /** @param {string} protocol */
  getMiddleware(protocol) {
    return this.#middleware.get(protocol) ?? []
  }

  /** @param {string} protocol @param {Topology} topology */
  async register(protocol, topology) {
    const id = `${this.#registered++}`
    this.#topologies.set(id, { protocol, topology })
    return id
  }

  /** @param {string} id */
  unregister(id) {
    this.#topologies.delete(id)
  }

  /** @param {string} protocol */
  getTopologies(protocol) {
    return [...this.#topologies.values()].flatMap(each => (each.protocol === protocol ? [each.topology] : []))
  }

  /** connected tells that a peer is there. @param {Connection} connection @param {string[]} protocols - of the peer */
  connected(connection, protocols) {
    for (const { filter, onConnect } of this.#interestedIn(protocols)) {
      if (filter?.has(connection.remotePeer)) continue
      filter?.add(connection.remotePeer)
      onConnect?.(connection.remotePeer, connection)
    }
  }

  /** disconnected tells that a peer has gone. @param {PeerId} peerId @param {string[]} protocols - of the peer */
  disconnected(peerId, protocols) {
    for (const { filter, onDisconnect } of this.#interestedIn(protocols)) {
      if (filter !== undefined && !filter.has(peerId)) continue
      filter?.remove(peerId)
      onDisconnect?.(peerId)
    }
  }

  /** @param {string[]} protocols */
  #interestedIn(protocols) {
    return protocols.flatMap(protocol => this.getTopologies(protocol))
  }
}
