// Simulated libp2p node that runs the real gossipsub library. Also models the processing time that each message costs.
import { gossipsub } from '@libp2p/gossipsub'
import { isPeerId, TypedEventEmitter } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { EMPTY_PEER_STORE, makeSilentLogger } from '../../libp2p/node-components.js'
import { readMessageNumbers } from '../../network/gossipsub.js'
import { QUIET } from '../virtual-time.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface-internal').ConnectionManager} ConnectionManager
 */

/** @param {string} what @returns {() => never} */
const notSimulated = what => () => {
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
  getConnectionsMap = notSimulated('getConnectionsMap')
  getMaxConnections = notSimulated('getMaxConnections')
  setMaxConnections = notSimulated('setMaxConnections')
  openStream = notSimulated('openStream')
  acceptIncomingConnection = notSimulated('acceptIncomingConnection')
  afterUpgradeInbound = notSimulated('afterUpgradeInbound')
  getDialQueue = notSimulated('getDialQueue')
  isDialable = notSimulated('isDialable')

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
    if (!isPeerId(peer)) return notSimulated('dialling an address')()
    const [connection] = this.getConnections(peer)
    return connection ?? this.#dial(peer)
  }

  /** @param {PeerId} peer */
  async closeConnections(peer) {
    await Promise.all(this.getConnections(peer).map(connection => connection.close()))
  }
}

/**
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
    for (const { filter, onConnect } of protocols.flatMap(each => this.getTopologies(each))) {
      if (filter?.has(connection.remotePeer)) continue
      filter?.add(connection.remotePeer)
      onConnect?.(connection.remotePeer, connection)
    }
  }

  /** disconnected tells that a peer has gone. @param {PeerId} peerId @param {string[]} protocols - of the peer */
  disconnected(peerId, protocols) {
    for (const { filter, onDisconnect } of protocols.flatMap(each => this.getTopologies(each))) {
      if (filter !== undefined && !filter.has(peerId)) continue
      filter?.remove(peerId)
      onDisconnect?.(peerId)
    }
  }
}

/**
 * @typedef {import('../../network/node-observer.js').GossipSub} GossipSub
 * @typedef {import('./connection.js').SimulatedConnection} SimulatedConnection
 *
 * @typedef {object} SimulatedNodeInit
 * @property {number} number
 * @property {import('@libp2p/interface').PrivateKey} privateKey
 * @property {Partial<import('@libp2p/gossipsub').GossipsubOpts>} gossipsub
 * @property {Readonly<ProcessingCosts>} processing
 */

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
   * @param {import('../simulated-network.js').SimulatedNetwork} network
   */
  constructor(init, network) {
    const { number, privateKey } = init
    this.#network = network
    this.number = number
    this.peerId = peerIdFromPrivateKey(privateKey)
    // each node seems to have a host of its own
    const host = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
    this.multiaddr = multiaddr(`/ip4/${host}/tcp/4001/p2p/${this.peerId}`)
    const logger = makeSilentLogger()
    this.log = logger.forComponent('simulated')
    this.connectionManager = new SimulatedConnectionManager(peerId => network.dialPeer(number, peerId))
    this.processing = new Processing(network.time, number, init.processing)
    const made = gossipsub({ ...network.ids, ...init.gossipsub })({
      privateKey,
      peerId: this.peerId,
      peerStore: EMPTY_PEER_STORE,
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

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 *
 * @typedef {object} ProcessingCosts
 * @property {number} rpcNs - of each RPC
 * @property {number} signatureNs - of each signature that is checked
 * @property {'none' | 'every' | 'first'} signatures - whose are checked: no message's, every copy's, the first copy's
 * @property {number} seenNs - for so long it is known that a message has come
 */

/** NO_PROCESSING_COSTS costs nothing. @type {Readonly<ProcessingCosts>} */
export const NO_PROCESSING_COSTS = { rpcNs: 0, signatureNs: 0, signatures: 'none', seenNs: 0 }

/**
 * Processing is the time that a node needs for what comes: one after the other, as its processor would. What a node sends because
 * of it leaves when it is through.
 */
export class Processing {
  #time
  #node
  #costs
  #freeNs = 0
  /** @type {Map<number, number>} by the number of a message: when it came first, in that order */
  #arrivals = new Map()

  /**
   * @param {import('../virtual-time.js').VirtualTime} time
   * @param {number} node
   * @param {Readonly<ProcessingCosts>} costs
   */
  constructor(time, node, costs) {
    this.#time = time
    this.#node = node
    this.#costs = costs
  }

  /**
   * take lets something happen when the node has come to it and is through with it.
   *
   * @param {Uint8Array | Uint8ArrayList | undefined} data - what has come; undefined: nothing that costs anything
   * @param {() => void} happen
   * @returns {typeof QUIET | undefined} QUIET: it has not come to it yet
   */
  take(data, happen) {
    const { nowNs } = this.#time
    const { rpcNs, signatureNs, signatures } = this.#costs
    const checked = data === undefined || signatures === 'none' ? 0 : this.#checked(data)
    const costNs = data === undefined ? 0 : rpcNs + signatureNs * checked
    this.#freeNs = Math.max(this.#freeNs, nowNs) + costNs
    if (this.#freeNs > nowNs) {
      this.#time.at(this.#freeNs, this.#node, happen)
      return QUIET
    }
    happen()
  }

  /** @param {Uint8Array | Uint8ArrayList} data @returns {number} signatures that are checked */
  #checked(data) {
    let checked = 0
    for (const [message, atNs] of this.#arrivals) {
      // the library has forgotten the message by now
      if (this.#time.nowNs - atNs <= this.#costs.seenNs) break
      this.#arrivals.delete(message)
    }
    for (const message of readMessageNumbers(data.subarray())) {
      if (this.#arrivals.has(message)) continue
      checked++
      if (this.#costs.signatures === 'first') this.#arrivals.set(message, this.#time.nowNs)
    }
    return checked
  }
}
