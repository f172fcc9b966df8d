import { SimulatedConnection } from './simulated-connection.js'
import { SimulatedNode } from './simulated-node.js'

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('./link.js').Link} Link
 * @typedef {import('./simulated-node.js').SimulatedNodeInit} SimulatedNodeInit
 */

/** A connection stands after three round trips: of TCP, of encryption with the choice of the muxer, of identify. */
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
  #linkOf
  #connections = 0
  time

  /**
   * @param {import('./virtual-time.js').VirtualTime} time
   * @param {(from: SimulatedNode, to: SimulatedNode) => Link} linkOf - makes the link for a connection, in one direction
   */
  constructor(time, linkOf) {
    this.time = time
    this.#linkOf = linkOf
  }

  /** add makes a node. @param {SimulatedNodeInit} init */
  add(init) {
    const node = new SimulatedNode(init, this)
    this.#nodes.set(node.number, node)
    this.#numbers.set(node.peerId.toString(), node.number)
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

  /** protocolsOf gives what a peer handles. @param {PeerId} peerId */
  protocolsOf(peerId) {
    return this.node(this.#numberOf(peerId)).registrar.getProtocols()
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
   * @returns {Promise<import('@libp2p/interface').Connection>} of the dialling node, when the connection stands at both ends
   */
  dial(from, to) {
    const [dialler, listener] = [this.node(from), this.node(to)]
    const known = this.#ends.get(pairOf(from, to))?.get(from)
    if (known !== undefined) return Promise.resolve(known)
    const there = this.#linkOf(dialler, listener)
    const back = this.#linkOf(listener, dialler)
    return new Promise(resolve => {
      const trip = (/** @type {number} */ left) => {
        if (left === 0) return resolve(this.#connect(dialler, listener, { there, back }))
        this.#travel(there, to, () => this.#travel(back, from, () => trip(left - 1)))
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

  /** @param {PeerId} peerId */
  #numberOf(peerId) {
    return this.#numbers.get(peerId.toString()) ?? Number.NaN
  }

  /** @param {Link} link @param {number} node @param {() => void} arrived */
  #travel(link, node, arrived) {
    const arrivalNs = link.send(HANDSHAKE_BYTES, this.time.nowNs)
    if (arrivalNs < Number.POSITIVE_INFINITY) this.time.at(arrivalNs, node, arrived)
  }

  /**
   * @param {SimulatedNode} dialler
   * @param {SimulatedNode} listener
   * @param {{ there: Link, back: Link }} links
   */
  #connect(dialler, listener, { there, back }) {
    const pair = pairOf(dialler.number, listener.number)
    // the other one dialled, too, and was faster
    const known = this.#ends.get(pair)?.get(dialler.number)
    if (known !== undefined) return known
    const { time } = this
    const id = `${this.#connections++}`
    const ends = {
      dialler: new SimulatedConnection({
        id,
        time,
        local: dialler,
        remote: listener,
        link: there,
        direction: 'outbound'
      }),
      listener: new SimulatedConnection({
        id,
        time,
        local: listener,
        remote: dialler,
        link: back,
        direction: 'inbound'
      })
    }
    ends.dialler.other = ends.listener
    ends.listener.other = ends.dialler
    const byNode = new Map([
      [dialler.number, ends.dialler],
      [listener.number, ends.listener]
    ])
    this.#ends.set(pair, byNode)
    time.at(time.nowNs, listener.number, () =>
      listener.connected(ends.listener, dialler.registrar.getProtocols())
    )
    dialler.connected(ends.dialler, listener.registrar.getProtocols())
    return ends.dialler
  }
}
