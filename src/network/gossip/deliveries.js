import { Columns } from './columns.js'
import { messageOf } from './payload.js'

/**
 * @typedef {import('@libp2p/gossipsub').GossipSub} GossipSub
 * @typedef {import('@libp2p/gossipsub').GossipsubMessage} GossipsubMessage
 */

const ROWS = { message: Uint32Array, node: Uint16Array, from: Uint16Array, atNs: Float64Array }
const COPIES = { message: Uint32Array, node: Uint16Array }
const WAITS = { waitedUs: Float32Array }

/**
 * Deliveries notes the first receipt of each message at each node. The library tells subscribed nodes of first copies only, and
 * no node of its own messages.
 */
export class Deliveries {
  #runNonce
  #now
  #peers
  #wire
  /** @type {Columns<import('../node-host.js').ReceivedRows>} */
  #rows
  /** @type {Columns<import('../node-host.js').Copies>} */
  #copies = new Columns(COPIES)
  /** foreign counts messages that are not of this run: another nonce, too short for one, or from a peer that is not in the network. */
  foreign = 0

  /**
   * @param {object} components
   * @param {number} components.runNonce
   * @param {() => number} components.now - ns
   * @param {import('./peer-numbers.js').PeerNumbers} components.peers
   * @param {Pick<import('../../measure/wire-watch.js').WireWatch, 'heard'>} [components.wire] - of the connections of all nodes
   */
  constructor({ runNonce, now, peers, wire }) {
    this.#wire = wire
    this.#rows = new Columns(wire === undefined ? ROWS : { ...ROWS, ...WAITS })
    this.#runNonce = runNonce
    this.#now = now
    this.#peers = peers
  }

  /** @param {number} node @param {Pick<GossipSub, 'addEventListener'>} gossipsub */
  listenTo(node, gossipsub) {
    gossipsub.addEventListener('gossipsub:message', ({ detail }) => this.#add(node, detail))
  }

  /** take hands over what was received since the last time. @returns {import('../node-host.js').ReceivedRows} */
  take() {
    return this.#rows.take()
  }

  /** copy notes that a copy of a message came to a node, the first one or another. @param {number} node @param {Uint8Array} data */
  copy(node, data) {
    const message = messageOf(data, this.#runNonce)
    if (message < 0) return
    const row = this.#copies.next()
    this.#copies.columns.message[row] = message
    this.#copies.columns.node[row] = node
  }

  /** takeCopies hands over the copies since the last time. @returns {import('../node-host.js').Copies} */
  takeCopies() {
    return this.#copies.take()
  }

  /** @param {number} node @param {GossipsubMessage} received */
  #add(node, { propagationSource, msg }) {
    const atNs = this.#now()
    const message = messageOf(msg.data, this.#runNonce)
    const from = this.#peers.nodeOf(propagationSource.toString())
    if (message < 0 || from === undefined) {
      this.foreign++
      return
    }
    const row = this.#rows.next()
    const { columns } = this.#rows
    columns.message[row] = message
    columns.node[row] = node
    columns.from[row] = from
    columns.atNs[row] = atNs
    if (this.#wire === undefined || columns.waitedUs === undefined) return
    columns.waitedUs[row] = this.#wire.heard(process.hrtime.bigint()) / 1000
  }
}
