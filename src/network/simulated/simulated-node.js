import { gossipsub } from '@libp2p/gossipsub'
import { TypedEventEmitter } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { NOTHING_KEPT } from '../../libp2p/no-peer-store.js'
import { silentLogger } from '../../libp2p/silent-logger.js'
import { Processing } from './processing.js'
import { SimulatedConnectionManager } from './simulated-connection-manager.js'
import { SimulatedRegistrar } from './simulated-registrar.js'

/**
 * @typedef {import('../gossip/mesh-watch.js').GossipSub} GossipSub
 * @typedef {import('./simulated-connection.js').SimulatedConnection} SimulatedConnection
 *
 * @typedef {object} SimulatedNodeInit
 * @property {number} number
 * @property {import('@libp2p/interface').PrivateKey} privateKey
 * @property {Partial<import('@libp2p/gossipsub').GossipsubOpts>} gossipsub
 * @property {Readonly<import('./processing.js').ProcessingCosts>} processing
 */

/** Each node seems to have a host of its own. @param {number} node */
const addressOf = node => `/ip4/10.${(node >> 16) & 255}.${(node >> 8) & 255}.${node & 255}/tcp/4001`

/** SimulatedNode is one gossipsub, unmodified, with what it needs of libp2p. */
export class SimulatedNode {
  #network
  number
  peerId
  multiaddr
  log
  registrar = new SimulatedRegistrar()
  connectionManager
  processing
  /** peers tells of those that connect and disconnect. @type {TypedEventEmitter<import('@libp2p/interface').Libp2pEvents>} */
  peers = new TypedEventEmitter()
  /** @type {GossipSub} */
  gossipsub
  #startable
  /** What peers handled when they connected. @type {WeakMap<SimulatedConnection, string[]>} */
  #protocols = new WeakMap()

  /**
   * @param {SimulatedNodeInit} init
   * @param {import('./simulated-network.js').SimulatedNetwork} network
   */
  constructor(init, network) {
    const { number, privateKey } = init
    this.#network = network
    this.number = number
    this.peerId = peerIdFromPrivateKey(privateKey)
    this.multiaddr = multiaddr(`${addressOf(number)}/p2p/${this.peerId}`)
    const logger = silentLogger()
    this.log = logger.forComponent('simulated')
    this.connectionManager = new SimulatedConnectionManager(peerId => network.dialPeer(number, peerId))
    this.processing = new Processing(network.time, number, init.processing)
    const made = gossipsub({ ...network.ids, ...init.gossipsub })({
      privateKey,
      peerId: this.peerId,
      peerStore: NOTHING_KEPT,
      registrar: this.registrar,
      connectionManager: this.connectionManager,
      logger
    })
    this.gossipsub = /** @type {GossipSub} */ (made)
    this.#startable = /** @type {GossipSub & import('@libp2p/interface').Startable} */ (made)
  }

  async start() {
    await this.#startable.start()
  }

  async stop() {
    await this.#startable.stop()
  }

  /** refused counts an RPC that found the queue of its peer full. @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} rpc */
  refused(rpc) {
    this.#network.refused(rpc)
  }

  /** connected is called when a connection stands. @param {SimulatedConnection} connection @param {string[]} protocols - of the peer */
  connected(connection, protocols) {
    this.#protocols.set(connection, protocols)
    this.connectionManager.add(connection)
    this.registrar.connected(connection, protocols)
    if (this.connectionManager.getConnections(connection.remotePeer).length === 1)
      this.peers.safeDispatchEvent('peer:connect', { detail: connection.remotePeer })
  }

  /** disconnected is called when a connection has ended. @param {SimulatedConnection} connection */
  disconnected(connection) {
    this.connectionManager.remove(connection)
    const protocols = this.#protocols.get(connection)
    // as long as it has another one, a peer is there
    if (protocols === undefined || this.connectionManager.getConnections(connection.remotePeer).length > 0)
      return
    this.registrar.disconnected(connection.remotePeer, protocols)
    this.peers.safeDispatchEvent('peer:disconnect', { detail: connection.remotePeer })
  }
}
