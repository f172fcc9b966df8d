// Network of simulated nodes and their connections, with modelled latency, loss and bandwidth. Nodes share a cache of
// message ids.

import { readMessageNumbers } from '../network/gossipsub.js'
import { makeLinkModel, withMinLatency } from '../network/link-model.js'
import { formatMessageId, makeMessageId } from '../network/node-host.js'
import { Endpoint, MESSAGE_KIND } from './network/connection.js'
import { SimulatedNode } from './network/node.js'
import { ByteCache, SharedWrites } from './network/shared-bytes.js'
import { WireIn, WireOut } from './network/wire.js'

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('./network/node.js').SimulatedNodeInit} SimulatedNodeInit
 *
 * @typedef {object} NetworkNode
 * @property {number} number
 * @property {import('@libp2p/interface').PeerId} peerId
 * @property {import('@multiformats/multiaddr').Multiaddr} multiaddr
 * @property {import('../network/node-observer.js').GossipSub} gossipsub
 * @property {{ getConnections: () => import('@libp2p/interface').Connection[] }} connectionManager
 * @property {Pick<import('@libp2p/interface').Libp2p, 'addEventListener'>} peers - tells of those that connect and disconnect, as libp2p does
 * @property {() => Promise<void>} start
 *
 * @typedef {object} Network - nodes and what joins them, in virtual time
 * @property {(init: SimulatedNodeInit) => NetworkNode | Promise<NetworkNode>} add - makes a node
 * @property {(number: number) => NetworkNode} node
 * @property {readonly NetworkNode[]} nodes
 * @property {(from: number, to: number) => Promise<import('@libp2p/interface').Connection>} dial - connects two nodes, unless they are
 * @property {import('../network/link-properties.js').PartitionSchedule} partitions
 * @property {number} [refusedRpcs] - that found the queue of their peer full
 * @property {ReadonlySet<number>} [refusedMessages] - of which one of these had a copy
 */

/**
 * makeNetwork makes the network of a plan.
 *
 * @param {GossipPlan} gossipPlan
 * @param {import('./virtual-time.js').VirtualTime} time
 * @param {import('./time/processes.js').RemoteProcesses | null} [remote] - other processes with nodes of it; null: all are here
 * @returns {Promise<Network>}
 */
export async function makeNetwork(gossipPlan, time, remote = null) {
  const plan = withMinLatency(gossipPlan)
  const limits = { sendQueue: plan.sendQueue, windowUpdates: plan.muxer === 'yamux' }
  return new SimulatedNetwork(time, makeLinkModel(plan), limits, remote)
}

/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('./network/connection.js').RemotePeer} RemotePeer
 * @typedef {import('./network/connection.js').ConnectionMessage} ConnectionMessage
 * @typedef {import('./network/wire.js').WireDirection} WireDirection
 * @typedef {import('../network/links/direction.js').SegmentAck} SegmentAck
 * @typedef {Pick<import('../network/link-model.js').LinkModel, 'sending' | 'receiving' | 'partitions'>} NetworkLinks
 */

/**
 * SimulatedNetwork holds nodes and the connections between them. All that one node knows of another one came over a wire, and takes the latency
 * of their link at least: at a moment no node hears of what others do.
 */
export class SimulatedNetwork {
  /** @type {Map<number, SimulatedNode>} */
  #nodes = new Map()
  /** @type {Map<string, number>} by peer id */
  #numbers = new Map()
  /** @type {Map<number, RemotePeer>} by number, also of nodes that have left */
  #peers = new Map()
  /** @type {Map<number, Map<string, Endpoint>>} by node, then by the other node and the connection; closed ones stay, so that nothing opens them again */
  #endpoints = new Map()
  /** @type {Map<string, number>} dials so far, by who dialled whom */
  #dials = new Map()
  #links
  #remote
  #around
  /** refusedRpcs counts those that found the queue of their peer full. */
  refusedRpcs = 0
  /** refusedMessages are those of which one of these RPCs had a copy. @type {Set<number>} */
  refusedMessages = new Set()
  /** ids of messages, for all nodes. */
  ids = makeMessageIdCache()
  partitions
  time

  /**
   * @param {import('./virtual-time.js').VirtualTime} time
   * @param {NetworkLinks} links
   * @param {{ sendQueue?: number | null, windowUpdates?: boolean }} [limits] - `sendQueue`: RPCs that may wait for a peer, beside the one in hand; null: all;
   *   `windowUpdates`: of a muxer that sends one for each frame
   * @param {import('./time/processes.js').RemoteProcesses | null} [remote] - other processes with nodes of the network; null: all are here
   */
  constructor(time, links, { sendQueue = null, windowUpdates = false } = {}, remote = null) {
    this.time = time
    this.#remote = remote
    this.#links = links
    this.partitions = links.partitions
    /** @type {import('./network/connection.js').EndpointContext} */
    this.#around = {
      nodeAt: number => this.#nodes.get(number),
      peerOf: number => /** @type {RemotePeer} */ (this.#peers.get(number)),
      rival: endpoint => this.#findConnected(endpoint.local, endpoint.remote, endpoint),
      writes: new SharedWrites(),
      sendQueue,
      windowUpdates
    }
  }

  /** add makes a node. One that was there before with its number is forgotten. @param {SimulatedNodeInit} init */
  add(init) {
    const node = new SimulatedNode(init, this)
    this.#nodes.set(node.number, node)
    this.introduce(node.number, node)
    return node
  }

  /** introduce tells of a node, which may be in another process. @param {number} number @param {RemotePeer} peer */
  introduce(number, peer) {
    this.#numbers.set(peer.peerId.toString(), number)
    this.#peers.set(number, { peerId: peer.peerId, multiaddr: peer.multiaddr })
  }

  /** take takes what nodes in another process have sent to those here. @param {import('./time/processes.js').ProcessMessages} box */
  take(box) {
    this.#remote?.opened(box, {
      load: (direction, load, at) => {
        const { incoming } = this.#far(direction)
        if (incoming.endsInQueue) incoming.written(load, at)
        else incoming.brings(load, at)
      },
      flight: (direction, flight) => this.#far(direction).incoming.flies(flight),
      answer: (direction, answer) => this.#answered(direction, answer)
    })
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
    for (const endpoint of this.#of(number).values())
      if (endpoint.node === node) endpoint.leave(new Error('its node has left'))
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

  /** connection gives a node's end of the connection to another one that stands at it. @param {number} node @param {number} to */
  connection(node, to) {
    return this.#findConnected(node, to)?.connection ?? undefined
  }

  /** endpoints gives those of all connections that are not closed, also of such as are just being made. */
  get endpoints() {
    return [...this.#endpoints.values()].flatMap(own => [...own.values()].filter(({ isClosed }) => !isClosed))
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
   * @throws {Error} when the other one is not there, or one of them leaves before
   */
  async dial(from, to) {
    const dialler = this.node(from)
    const known = this.connection(from, to)
    if (known !== undefined) return known
    const name = `${from}/${to}`
    const before = this.#dials.get(name) ?? 0
    this.#dials.set(name, before + 1)
    // each of the two counts its own
    const connection = 2 * before + (from < to ? 0 : 1)
    return this.#endpoint({ local: from, remote: to, connection, dialler }).dial()
  }

  /** refused counts an RPC that found the queue of its peer full. @param {Uint8Array | import('uint8arraylist').Uint8ArrayList} rpc */
  refused(rpc) {
    this.refusedRpcs += 1
    for (const message of readMessageNumbers(rpc.subarray())) this.refusedMessages.add(message)
  }

  /** @param {number} node @param {number} to @param {Endpoint} [beside] - another one than that */
  #findConnected(node, to, beside) {
    for (const endpoint of this.#of(node).values())
      if (endpoint.remote === to && endpoint !== beside && endpoint.connection !== null) return endpoint
  }

  /** @param {number} node @returns {Map<string, Endpoint>} its endpoints */
  #of(node) {
    const known = this.#endpoints.get(node) ?? new Map()
    this.#endpoints.set(node, known)
    return known
  }

  /** @param {{ local: number, remote: number, connection: number, dialler: SimulatedNode | null }} of @returns {Endpoint} a new one */
  #endpoint(of) {
    const { local, remote, connection } = of
    const endpoint = new Endpoint(
      {
        ...of,
        out: this.#out({ from: local, to: remote, connection }),
        incoming: own => this.#in({ from: remote, to: local, connection }, own)
      },
      this.#around
    )
    this.#of(local).set(`${remote}/${connection}`, endpoint)
    return endpoint
  }

  /** The other end of a wire is made when the first thing is on its way to it. @param {WireDirection} way @returns {Endpoint} */
  #far({ from, to, connection }) {
    return (
      this.#of(to).get(`${from}/${connection}`) ??
      this.#endpoint({ local: to, remote: from, connection, dialler: null })
    )
  }

  /** @param {WireDirection} direction @returns {import('./network/wire.js').WireReceiver<ConnectionMessage>} */
  #towards(direction) {
    if (this.#remote?.has(direction.to)) return this.#remote.towards(direction)
    /** @type {WireIn<ConnectionMessage> | undefined} */
    let known
    const far = () => {
      known ??= this.#far(direction).incoming
      return known
    }
    return {
      brings: (load, atNs) => far().brings(load, atNs),
      written: (load, end) => far().written(load, end),
      flies: flight => far().flies(flight)
    }
  }

  /** @param {WireDirection} direction @returns {WireOut<ConnectionMessage>} */
  #out(direction) {
    const other = this.#towards(direction)
    return new WireOut({
      ...direction,
      time: this.time,
      sending: farEnd => this.#links.sending(direction.from, direction.to, direction.connection, farEnd),
      // nothing happens when an update of a window arrives: it only takes its way
      other: {
        ...other,
        brings: (load, atNs) => load.kind !== MESSAGE_KIND.WINDOW_UPDATE && other.brings(load, atNs)
      },
      // a queue of RPCs is the bound of its own
      ...(this.#around.sendQueue !== null && { bufferBytes: Infinity })
    })
  }

  /** @param {WireDirection} direction @param {Endpoint} endpoint - that it leads to @returns {WireIn<ConnectionMessage>} */
  #in(direction, endpoint) {
    const remote = this.#remote?.has(direction.from) ? this.#remote : null
    const answer = (/** @type {SegmentAck} */ answer) =>
      remote === null ? this.#answered(direction, answer) : remote.answers(direction, answer)
    return new WireIn({
      ...direction,
      time: this.time,
      receiving: this.#links.receiving(direction.from, direction.to, answer),
      deliver: load => this.#deliver(direction.to, endpoint, load)
    })
  }

  /** The other end acknowledges. @param {WireDirection} direction @param {SegmentAck} answer */
  #answered(direction, answer) {
    this.#of(direction.from).get(`${direction.to}/${direction.connection}`)?.out.answered(answer)
  }

  /** @param {number} number @param {Endpoint} endpoint @param {ConnectionMessage} load */
  #deliver(number, endpoint, load) {
    const node = this.#nodes.get(number)
    // nobody is there who takes any time
    if (node === undefined) return void endpoint.heard(load)
    return node.processing.take(load.data ?? undefined, () => endpoint.heard(load))
  }
}

/** @typedef {import('@libp2p/gossipsub').Message} Message */

/** As long as it takes a message to reach everyone: a few thousand messages of some kB. */
const MAX_ID_BYTES = 16e6

/**
 * makeMessageIdCache gives the ids that gossipsub gives by default, for all nodes of a process: each is made once, not once for each copy
 * that comes to a node: hashing and base64 took a fifth of the CPU time of a delivery.
 *
 * @returns {Pick<import('@libp2p/gossipsub').GossipsubOpts, 'msgIdFn' | 'msgIdToStrFn'>}
 */
export function makeMessageIdCache() {
  /** @type {ByteCache<{ message: Message, id: Uint8Array }>} */
  const ids = new ByteCache(MAX_ID_BYTES)
  /** @type {ByteCache<string>} */
  const texts = new ByteCache(MAX_ID_BYTES)
  return {
    msgIdFn: message => {
      const known = ids.of(message.data, () => ({ message, id: makeMessageId(message) }))
      return isSameMessage(known.message, message) ? known.id : makeMessageId(message)
    },
    msgIdToStrFn: id => texts.of(id, formatMessageId)
  }
}

/** Of messages with the same data. @param {Message} known @param {Message} message */
const isSameMessage = (known, message) =>
  known === message ||
  (known.type === 'signed'
    ? message.type === 'signed' &&
      known.sequenceNumber === message.sequenceNumber &&
      known.from.equals(message.from)
    : message.type === 'unsigned')
