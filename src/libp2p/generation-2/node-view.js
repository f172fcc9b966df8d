import { multiaddr } from '@multiformats/multiaddr'
import { requireExpected } from './expected-peer.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 * @typedef {import('./connection-view.js').ConnectionView} ConnectionView
 * @typedef {import('./connection-views.js').ConnectionViews} ConnectionViews
 * @typedef {import('./components.js').ToPeer2} ToPeer2
 * @typedef {import('./types.js').Node2} Node2
 */

/** NodeView is a node of generation 2 in the shape of the present one, as far as nodes are used here. */
export class NodeView {
  #node
  #views
  #toPeer2

  /**
   * @param {Node2} node
   * @param {ConnectionViews} views
   * @param {ToPeer2} toPeer2
   */
  constructor(node, views, toPeer2) {
    this.#node = node
    this.#views = views
    this.#toPeer2 = toPeer2
    this.peerId = node.peerId
    this.services = node.services
    node.addEventListener('connection:close', (/** @type {CustomEvent} */ { detail }) => views.closed(detail))
  }

  /** components are what the node is made of, in the shapes of its generation. */
  get components() {
    return /** @type {any} */ (this.#node).components
  }

  get status() {
    return this.#node.status
  }

  /** peerStore is the one that connections use: a service of that name takes the place of libp2p's own. */
  get peerStore() {
    return this.#node.services.peerStore ?? this.#node.peerStore
  }

  async start() {
    await this.#node.start()
  }

  async stop() {
    await this.#node.stop()
  }

  /** @param {PeerId} [peerId] @returns {ConnectionView[]} */
  getConnections(peerId) {
    return this.#node.getConnections(peerId).map(connection => this.#views.of(connection))
  }

  getPeers() {
    return this.#node.getPeers()
  }

  getMultiaddrs() {
    return this.#node.getMultiaddrs().map(address => multiaddr(address.toString()))
  }

  getProtocols() {
    return this.#node.getProtocols()
  }

  /**
   * @param {PeerId | Multiaddr | Multiaddr[]} peer
   * @param {object} [options]
   */
  async dial(peer, options) {
    return this.#views.of(requireExpected(peer, await this.#node.dial(this.#toPeer2(peer), options)))
  }

  /** @param {PeerId | Multiaddr} peer @param {object} [options] */
  async hangUp(peer, options) {
    await this.#node.hangUp(this.#toPeer2(peer), options)
  }

  /** Events of peers tell the same in both generations. @param {Parameters<Node2['addEventListener']>} args */
  addEventListener(...args) {
    this.#node.addEventListener(...args)
  }

  /** @param {Parameters<Node2['removeEventListener']>} args */
  removeEventListener(...args) {
    this.#node.removeEventListener(...args)
  }
}
