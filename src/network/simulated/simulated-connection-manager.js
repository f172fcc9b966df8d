import { isPeerId } from '@libp2p/interface'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface-internal').ConnectionManager} ConnectionManager
 */

/** @param {string} what @returns {never} */
function notSimulated(what) {
  throw new Error(
    `${what} is not simulated: gossipsub did not need it when the simulation was written, see docs/simulation.md`
  )
}

/**
 * SimulatedConnectionManager keeps the connections of a node: what gossipsub needs of libp2p's.
 *
 * @implements {ConnectionManager}
 */
export class SimulatedConnectionManager {
  /** One at a time, but for an end that does not know yet that the other one has gone. @type {Map<string, Connection[]>} by peer id */
  #connections = new Map()
  /** Of all peers: asked for on every heartbeat. @type {readonly Connection[]} */
  #all = []
  #dial

  /** @param {(peerId: PeerId) => Promise<Connection>} dial */
  constructor(dial) {
    this.#dial = dial
  }

  /** @param {Connection} connection */
  add(connection) {
    const peer = connection.remotePeer.toString()
    this.#connections.set(peer, [...(this.#connections.get(peer) ?? []), connection])
    this.#all = [...this.#all, connection]
  }

  /** @param {Connection} connection */
  remove(connection) {
    const peer = connection.remotePeer.toString()
    const left = (this.#connections.get(peer) ?? []).filter(each => each !== connection)
    if (left.length > 0) this.#connections.set(peer, left)
    else this.#connections.delete(peer)
    this.#all = this.#all.filter(each => each !== connection)
  }

  /** @param {PeerId} [peerId] @returns {Connection[]} */
  getConnections(peerId) {
    if (peerId === undefined) return [...this.#all]
    return this.#connections.get(peerId.toString()) ?? []
  }

  // types of whole methods, such as ConnectionManager['openConnection'], would take them out of the published declaration
  /** @param {Parameters<ConnectionManager['openConnection']>[0]} peer @returns {Promise<Connection>} */
  async openConnection(peer) {
    if (!isPeerId(peer)) return notSimulated('dialling an address')
    const [connection] = this.getConnections(peer)
    return connection ?? this.#dial(peer)
  }

  /** @param {PeerId} peer */
  async closeConnections(peer) {
    await Promise.all(this.getConnections(peer).map(connection => connection.close()))
  }

  /** @returns {never} */
  getConnectionsMap() {
    return notSimulated('getConnectionsMap')
  }

  /** @returns {never} */
  getMaxConnections() {
    return notSimulated('getMaxConnections')
  }

  /** @returns {never} */
  setMaxConnections() {
    return notSimulated('setMaxConnections')
  }

  /** @returns {never} */
  openStream() {
    return notSimulated('openStream')
  }

  /** @returns {never} */
  acceptIncomingConnection() {
    return notSimulated('acceptIncomingConnection')
  }

  /** @returns {never} */
  afterUpgradeInbound() {
    return notSimulated('afterUpgradeInbound')
  }

  /** @returns {never} */
  getDialQueue() {
    return notSimulated('getDialQueue')
  }

  /** @returns {never} */
  isDialable() {
    return notSimulated('isDialable')
  }
}
