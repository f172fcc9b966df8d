import { knownIds } from './known-ids.js'
import { messagesIn } from './messages-in.js'
import { SharedWrites } from './shared-writes.js'
import { SimulatedConnection } from './simulated-connection.js'
import { SimulatedNode } from './simulated-node.js'
import { Wire } from './wire.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('./simulated-node.js').SimulatedNodeInit} SimulatedNodeInit
 * @typedef {Pick<import('../links/link-model.js').LinkModel, 'direction' | 'partitions'>} Links
 * @typedef {{ there: Wire, back: Wire }} Wires - of a connection, as seen by the one that dials
 */

/**
 * A connection stands after three round trips: of TCP, of encryption, of the choice of the muxer; whole libp2p nodes with Noise and Yamux
 * take as many. Identify is one more.
 */
const ROUND_TRIPS = 3
/** Bytes of each of their messages, roughly. */
const HANDSHAKE_BYTES = 200

/** @param {number} a @param {number} b */
const pairOf = (a, b) => (a < b ? `${a}-${b}` : `${b}-${a}`)

/** SimulatedNetwork holds nodes and the connections between them. */
export class SimulatedNetwork {
  /** @type {Map<number, SimulatedNode>} */
  #nodes = new Map()
  /** @type {Map<string, number>} by peer id */
  #numbers = new Map()
  /** @type {Map<string, Map<number, SimulatedConnection>>} ends of connections that stand, by pair of nodes, by node */
  #ends = new Map()
  /** @type {Map<string, number>} connections that were dialled, by pair of nodes */
  #dialled = new Map()
  #links
  #sendQueue
  #connections = 0
  #writes = new SharedWrites()
  /** refusedRpcs counts those that found the queue of their peer full. */
  refusedRpcs = 0
  /** refusedMessages are those of which one of these RPCs had a copy. @type {Set<number>} */
  refusedMessages = new Set()
  /** ids of messages, for all nodes. */
  ids = knownIds()
  partitions
  time

  /**
   * @param {import('./virtual-time.js').VirtualTime} time
   * @param {Links} links
   * @param {{ sendQueue?: number | null }} [limits] - `sendQueue`: RPCs that may wait for a peer, beside the one in hand; null: all
   */
  constructor(time, links, { sendQueue = null } = {}) {
    this.time = time
    this.#links = links
    this.partitions = links.partitions
    this.#sendQueue = sendQueue
  }

  /** add makes a node. One that was there before with its number is forgotten. @param {SimulatedNodeInit} init */
  add(init) {
    const node = new SimulatedNode(init, this)
    this.#nodes.set(node.number, node)
    this.#numbers.set(node.peerId.toString(), node.number)
    return node
  }

  /**
   * remove takes a node out, as if its process had died: its peers hear of it by the end of their connections.
   *
   * @param {number} number
   * @returns {SimulatedNode} to be stopped
   */
  remove(number) {
    const node = this.node(number)
    this.#nodes.delete(number)
    for (const byNode of this.#ends.values()) byNode.get(number)?.abort(new Error('its node has left'))
    return node
  }

  get nodes() {
    return [...this.#nodes.values()]
  }

  /** @param {number} number @returns {SimulatedNode} */
  node(number) {
    const node = this.#nodes.get(number)
    if (node === undefined) throw new Error(`the simulated network has no node ${number}`)
    return node
  }

  /** has tells whether a node is there. @param {number} number */
  has(number) {
    return this.#nodes.has(number)
  }

  /** connection gives a node's end of the connection to another one that stands. @param {number} node @param {number} to */
  connection(node, to) {
    return this.#ends.get(pairOf(node, to))?.get(node)
  }

  /** connections gives the ends of all connections that stand, with the numbers of their nodes. */
  get connections() {
    return [...this.#ends.values()].map(byNode => [...byNode])
  }

  /** dialPeer connects a node with a peer that it knows by its id. @param {number} from @param {PeerId} peerId */
  async dialPeer(from, peerId) {
    const to = this.#numbers.get(peerId.toString())
    if (to === undefined) throw new Error(`there is no peer ${peerId} in the simulated network`)
    return this.dial(from, to)
  }

  /**
   * dial connects two nodes, unless they are.
   *
   * @param {number} from
   * @param {number} to
   * @returns {Promise<import('@libp2p/interface').Connection>} of the dialling node, when the connection stands; the two know each other's protocols later
   * @throws {Error} when one of them is not there, or leaves before
   */
  async dial(from, to) {
    const [dialler, listener] = [this.node(from), this.node(to)]
    const known = this.connection(from, to)
    if (known !== undefined) return known
    const wires = this.#wires(dialler, listener)
    return new Promise((resolve, reject) => {
      const gone = () => {
        close(wires)
        reject(new Error(`node ${to} was not there when node ${from} dialled it`))
      }
      const trip = (/** @type {number} */ left) => {
        if (left === 0) return resolve(this.#connect(dialler, listener, wires))
        wires.there.send(HANDSHAKE_BYTES, () => {
          if (!this.#isThere(dialler, listener)) return gone()
          wires.back.send(HANDSHAKE_BYTES, () => {
            if (this.#isThere(dialler, listener)) trip(left - 1)
            else gone()
          })
        })
      }
      trip(ROUND_TRIPS)
    })
  }

  /** ended is told when an end of a connection has ended. @param {number} node @param {SimulatedConnection} connection */
  ended(node, connection) {
    const pair = pairOf(node, this.#numberOf(connection.remotePeer))
    // they may have connected anew
    if (this.#ends.get(pair)?.get(node) === connection) this.#ends.delete(pair)
  }

  /** refused counts an RPC that found the queue of its peer full. @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} rpc */
  refused(rpc) {
    this.refusedRpcs += 1
    for (const message of messagesIn(rpc.subarray())) this.refusedMessages.add(message)
  }

  /** Neither has left since, or returned as another one. @param {SimulatedNode[]} nodes */
  #isThere(...nodes) {
    return nodes.every(node => this.#nodes.get(node.number) === node)
  }

  /** @param {PeerId} peerId */
  #numberOf(peerId) {
    return this.#numbers.get(peerId.toString()) ?? Number.NaN
  }

  /** @param {SimulatedNode} dialler @param {SimulatedNode} listener @returns {Wires} */
  #wires(dialler, listener) {
    const pair = pairOf(dialler.number, listener.number)
    const before = this.#dialled.get(pair) ?? 0
    this.#dialled.set(pair, before + 1)
    // a queue of RPCs is the bound of its own
    const bufferBytes = this.#sendQueue === null ? undefined : Infinity
    const wire = (/** @type {SimulatedNode} */ from, /** @type {SimulatedNode} */ to) => {
      const direction = this.#links.direction(from.number, to.number, before)
      return new Wire({ time: this.time, direction, from: from.number, to, bufferBytes })
    }
    return { there: wire(dialler, listener), back: wire(listener, dialler) }
  }

  /**
   * @param {SimulatedNode} dialler
   * @param {SimulatedNode} listener
   * @param {Wires} wires
   */
  #connect(dialler, listener, wires) {
    // the other one dialled, too, and was faster
    const known = this.connection(dialler.number, listener.number)
    if (known !== undefined) {
      close(wires)
      return known
    }
    const common = { id: `${this.#connections++}`, writes: this.#writes, sendQueue: this.#sendQueue }
    const ours = new SimulatedConnection({
      ...common,
      local: dialler,
      remote: listener,
      wire: wires.there,
      direction: 'outbound'
    })
    const theirs = new SimulatedConnection({
      ...common,
      local: listener,
      remote: dialler,
      wire: wires.back,
      direction: 'inbound'
    })
    ours.other = theirs
    theirs.other = ours
    this.#ends.set(
      pairOf(dialler.number, listener.number),
      new Map([
        [dialler.number, ours],
        [listener.number, theirs]
      ])
    )
    this.#identify(wires, { dialler, ours, listener, theirs })
    return ours
  }

  /**
   * Each end asks the other one what it handles, and the listener a latency later, when it hears that the connection stands.
   *
   * @param {Wires} wires
   * @param {{ dialler: SimulatedNode, ours: SimulatedConnection, listener: SimulatedNode, theirs: SimulatedConnection }} ends
   */
  #identify({ there, back }, { dialler, ours, listener, theirs }) {
    there.send(HANDSHAKE_BYTES, () =>
      back.send(HANDSHAKE_BYTES, () => {
        if (ours.status === 'open') dialler.connected(ours, listener.registrar.getProtocols())
        there.send(HANDSHAKE_BYTES, () => {
          if (theirs.status === 'open') listener.connected(theirs, dialler.registrar.getProtocols())
        })
      })
    )
  }
}

/** @param {Wires} wires */
function close({ there, back }) {
  there.close()
  back.close()
}
