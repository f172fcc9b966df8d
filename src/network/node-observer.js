// Observes the gossipsub nodes of a host: deliveries, meshes, outbound streams. Also simulates the time and verdicts of
// message validation.

import { Columns } from '../kit/collections.js'
import { makeSubStream } from '../kit/random.js'
import { listSubscriptionChanges, placeNodes } from '../load/network-script.js'
import { NodeTraces } from './gossip/traces.js'
import { CauseCounter } from './gossip/traffic-causes.js'
import {
  fastMsgIdFn,
  hasScores,
  heartbeatIntervalMs,
  makeCountingRegister,
  readMessageNumber,
  ScoreSampler
} from './gossipsub.js'
import { PeerNumbers } from './node-host.js'

/**
 * @typedef {import('@libp2p/interface').Libp2p} Libp2p
 * @typedef {import('./node-host.js').HostSetup} HostSetup
 * @typedef {import('./node-host.js').HostInterval} HostInterval
 *
 * @typedef {object} ObservedNode - a node that is about to start
 * @property {import('@libp2p/interface').PeerId} peerId
 * @property {GossipSub} gossipsub
 * @property {Pick<Libp2p, 'getConnections'>} connections
 * @property {Pick<Libp2p, 'addEventListener'>} libp2p
 */

/** NodeObserver are the nodes of a host with all that follows what they do, in real or in virtual time. */
export class NodeObserver {
  /** Topics that each node subscribes to just now, or will when it is back. */
  #subscriptions
  /** Of nodes that are there. @type {Map<number, ObservedNode['gossipsub']>} */
  #running = new Map()
  /** @type {import('./node-host.js').SubscriptionRecord[]} */
  #resubscribed = []
  /** @type {string[]} */
  #failures = []
  #now
  #register
  #hasPlaces
  #deliveries
  #streams
  #mesh
  #causes
  /** null: scores say nothing */
  #scores
  #validation
  #traces
  #copies
  #fastMsgId
  #seq = 0
  /** scripted are the subscriptions and unsubscriptions of all nodes while messages are published. */
  scripted
  /** peers of the network, by their ids. */
  peers = new PeerNumbers()

  /**
   * @param {HostSetup} setup
   * @param {() => number} now - ns
   * @param {import('../measure/client-overhead.js').WireTimer} [wire] - of the nodes' connections
   */
  constructor({ plan, runNonce, subscriptions, traces, copies = false }, now, wire) {
    const { peers } = this
    this.#subscriptions = [...subscriptions]
    this.scripted = listSubscriptionChanges(plan)
    this.#now = now
    this.#hasPlaces = placeNodes(plan) !== null
    this.#register = makeCountingRegister({ perNode: this.#hasPlaces })
    this.#copies = copies && plan.pubsub !== 'floodsub'
    this.#fastMsgId = plan.fastMsgId
    this.topics = plan.topics.map(({ name }) => name)
    this.#deliveries = new DeliveryRecorder({ runNonce, now, peers, wire })
    this.#streams = new OutboundStreamObserver({ now, peers })
    this.#mesh = new MeshObserver({ now, peers, topics: this.topics })
    this.#causes = new CauseCounter({ topics: this.topics, signing: plan.signing, now })
    this.#scores = hasScores(plan)
      ? new ScoreSampler({ now, peers, heartbeatMs: heartbeatIntervalMs(plan.gossipsub) })
      : null
    this.#validation = new ApplicationValidation(plan)
    this.#traces = traces == null ? null : new NodeTraces({ ...traces, runNonce, now })
  }

  /** options that gossipsub of a node is watched by. @param {number} node */
  options(node) {
    return {
      metricsRegister: this.#register.registerOf(node),
      metricsTopicStrToLabel: new Map(this.topics.map(name => [name, name])),
      ...(this.#traces !== null && { msgIdFn: this.#traces.msgIdFn(node) }),
      // the library asks for the fast id of each copy first; without an id it goes on as if it had not asked
      ...(this.#copies && {
        fastMsgIdFn: (/** @type {{ data?: Uint8Array }} */ message) => {
          if (message.data !== undefined) this.#deliveries.copy(node, message.data)
          return /** @type {string} */ (this.#fastMsgId ? fastMsgIdFn(message) : undefined)
        }
      })
    }
  }

  /**
   * start has a node start while it is watched, and subscribe.
   *
   * @param {number} node
   * @param {ObservedNode} watched
   * @param {() => Promise<void>} start
   */
  async start(node, { peerId, gossipsub, connections, libp2p }, start) {
    const later = this.scripted.filter(change => change.node === node).map(({ topic }) => topic)
    const ever = [...new Set([...this.#subscriptions[node], ...later])]
    this.#validation.install(
      node,
      gossipsub,
      ever.map(topic => this.topics[topic])
    )
    this.#deliveries.listenTo(node, gossipsub)
    this.#streams.watch(node, connections)
    this.#causes.watch(gossipsub)
    this.#scores?.watch(node, gossipsub)
    gossipsub.addEventListener('gossipsub:heartbeat', () => this.#streams.look(node))
    this.#traces?.watch(node, { peerId, gossipsub, libp2p })
    await start()
    // by now it may have to subscribe to other topics than before it was started
    const subscribed = this.#subscriptions[node]
    for (const topic of subscribed) {
      gossipsub.subscribe(this.topics[topic])
      this.#traces?.joined(node, this.topics[topic])
    }
    this.#mesh.watch(node, gossipsub, subscribed)
    this.#running.set(node, gossipsub)
  }

  /** subscribe has a node subscribe or unsubscribe, once it is there. An error is kept. @param {import('../load/network-script.js').SubscriptionChange} change */
  subscribe(change) {
    const { node, topic, subscribed } = change
    const others = this.#subscriptions[node].filter(each => each !== topic)
    this.#subscriptions[node] = subscribed ? [...others, topic] : others
    const gossipsub = this.#running.get(node)
    const atNs = this.#now()
    if (gossipsub === undefined) {
      this.#resubscribed.push({ ...change, atNs, isAway: true })
      return
    }
    try {
      if (subscribed) gossipsub.subscribe(this.topics[topic])
      else gossipsub.unsubscribe(this.topics[topic])
      this.#resubscribed.push({ ...change, atNs })
      this.#traces?.[subscribed ? 'joined' : 'left'](node, this.topics[topic])
    } catch (error) {
      this.#resubscribed.push({ ...change, atNs, error: /** @type {Error} */ (error).message })
    }
    this.#mesh.resubscribed(node, this.#subscriptions[node])
  }

  /** failed keeps that a node could not leave or return. @param {Error} error */
  failed({ message }) {
    this.#failures.push(message)
  }

  /** forget watches a node no more, which is about to end. @param {number} node */
  forget(node) {
    this.#streams.forget(node)
    this.#mesh.forget(node)
    this.#running.delete(node)
    this.#scores?.forget(node)
  }

  /** publish has a node publish. @param {number} node @param {ObservedNode['gossipsub']} gossipsub @param {string} topic @param {Uint8Array} payload */
  publish(node, gossipsub, topic, payload) {
    const publish = () => gossipsub.publish(topic, payload)
    return this.#traces === null ? publish() : this.#traces.whilePublishing(node, payload, publish)
  }

  /** backlogOf tells what waits in a node's streams. @param {number} node @returns {number} bytes */
  backlogOf(node) {
    return this.#streams.backlogOf(node)
  }

  /** meshState tells who has whom in its mesh. */
  meshState() {
    return this.#mesh.state()
  }

  /** lookAtAll looks for streams that were opened since the last look. */
  lookAtAll() {
    this.#streams.lookAtAll()
  }

  /** take is what was seen since the last time. @returns {Omit<HostInterval, 'published' | 'usage'>} */
  take() {
    return {
      seq: this.#seq++,
      atNs: this.#now(),
      received: this.#deliveries.take(),
      ...(this.#copies && { copies: this.#deliveries.takeCopies() }),
      counters: {
        ...this.#register.counts(),
        ...this.#validation.counts,
        foreign: this.#deliveries.foreign
      },
      ...(this.#hasPlaces && { nodeBytes: this.#register.bytes() }),
      causes: this.#causes.take(this.#register.meshChanges()),
      scores: this.#scores?.take(),
      meshDegree: this.#mesh.degrees(),
      backlogBytes: this.#streams.backlogBytes,
      abortedStreams: this.#streams.abortedCount,
      ...(this.#failures.length > 0 && { failures: this.#failures.splice(0) }),
      ...(this.scripted.length > 0 && { resubscribed: this.#resubscribed.splice(0) })
    }
  }

  /** collect gives what is known in the end. @returns {Pick<import('./node-host.js').HostEnd, 'evidence' | 'traceErrors' | 'scores'>} */
  collect() {
    this.#streams.lookAtAll()
    this.#traces?.flush()
    return {
      evidence: {
        abortedStreams: this.#streams.aborted(),
        withoutMesh: this.#mesh.withoutMesh(),
        backlog: this.#streams.backlog(),
        meshWithoutStream: this.#mesh.withoutStream(node => this.#streams.peersWithStream(node))
      },
      traceErrors: this.#traces?.errors ?? [],
      scores: this.#scores?.ofPeers()
    }
  }

  /** stop follows no more: what the run itself takes down is no evidence. */
  stop() {
    this.#streams.stop()
    this.#mesh.stop()
    this.#validation.stop()
    this.#traces?.close()
  }
}

/**
 * @typedef {import('@libp2p/gossipsub').GossipSub} EventedGossipSub
 * @typedef {import('@libp2p/gossipsub').GossipsubMessage} GossipsubMessage
 */

const DELIVERY_COLUMNS = { message: Uint32Array, node: Uint16Array, from: Uint16Array, atNs: Float64Array }
const COPY_COLUMNS = { message: Uint32Array, node: Uint16Array }
const WAIT_COLUMNS = { waitedUs: Float32Array }

/**
 * DeliveryRecorder notes the first receipt of each message at each node. The library tells subscribed nodes of first copies only, and
 * no node of its own messages.
 */
export class DeliveryRecorder {
  #runNonce
  #now
  #peers
  #wire
  /** @type {Columns<import('./node-host.js').ReceivedRows>} */
  #rows
  /** @type {Columns<import('./node-host.js').CopyRows>} */
  #copies = new Columns(COPY_COLUMNS)
  /** foreign counts messages that are not of this run: another nonce, too short for one, or from a peer that is not in the network. */
  foreign = 0

  /**
   * @param {object} components
   * @param {number} components.runNonce
   * @param {() => number} components.now - ns
   * @param {import('./node-host.js').PeerNumbers} components.peers
   * @param {Pick<import('../measure/client-overhead.js').WireTimer, 'heard'>} [components.wire] - of the connections of all nodes
   */
  constructor({ runNonce, now, peers, wire }) {
    this.#wire = wire
    this.#rows = new Columns(wire === undefined ? DELIVERY_COLUMNS : { ...DELIVERY_COLUMNS, ...WAIT_COLUMNS })
    this.#runNonce = runNonce
    this.#now = now
    this.#peers = peers
  }

  /** @param {number} node @param {Pick<EventedGossipSub, 'addEventListener'>} gossipsub */
  listenTo(node, gossipsub) {
    gossipsub.addEventListener('gossipsub:message', ({ detail }) => this.#add(node, detail))
  }

  /** take hands over what was received since the last time. @returns {import('./node-host.js').ReceivedRows} */
  take() {
    return this.#rows.take()
  }

  /** copy notes that a copy of a message came to a node, the first one or another. @param {number} node @param {Uint8Array} data */
  copy(node, data) {
    const message = readMessageNumber(data, this.#runNonce)
    if (message < 0) return
    this.#copies.add({ message, node })
  }

  /** takeCopies hands over the copies since the last time. @returns {import('./node-host.js').CopyRows} */
  takeCopies() {
    return this.#copies.take()
  }

  /** @param {number} node @param {GossipsubMessage} received */
  #add(node, { propagationSource, msg }) {
    const atNs = this.#now()
    const message = readMessageNumber(msg.data, this.#runNonce)
    const from = this.#peers.nodeOf(propagationSource.toString())
    if (message < 0 || from === undefined) {
      this.foreign++
      return
    }
    const waitedUs = this.#wire && this.#wire.heard(process.hrtime.bigint()) / 1000
    this.#rows.add({ message, node, from, atNs, waitedUs })
  }
}

/**
 * @typedef {import('@libp2p/gossipsub').GossipSub & { getMeshPeers: (topic: string) => string[] }} GossipSub - the method is one of
 *   the class that the package makes; its interface leaves it out
 * @typedef {import('./node-host.js').Evidence} Evidence
 *
 * @typedef {object} MeshNode
 * @property {Pick<GossipSub, 'getMeshPeers' | 'getSubscribers'>} gossipsub
 * @property {readonly number[]} topics - it subscribes to just now
 * @property {Map<number, number>} withoutMeshSince - ns, by topic: those without a mesh peer now
 */

/**
 * MeshObserver follows the meshes of nodes. Peers that disconnect leave a mesh without an event, and so do peers whose stream broke:
 * these changes are seen on the next heartbeat.
 */
export class MeshObserver {
  #now
  #peers
  #topics
  /** @type {Map<number, MeshNode>} */
  #nodes = new Map()
  /** @type {Evidence['withoutMesh']} spans that are over */
  #withoutMesh = []
  #stopped = false
  /** lastChangeNs is when a node last grafted or pruned, or was asked to; 0: never. */
  lastChangeNs = 0

  /**
   * @param {object} components
   * @param {() => number} components.now - ns
   * @param {readonly string[]} components.topics - names, by number
   * @param {import('./node-host.js').PeerNumbers} components.peers
   */
  constructor({ now, topics, peers }) {
    this.#now = now
    this.#topics = topics
    this.#peers = peers
  }

  /**
   * watch begins when a node has subscribed.
   *
   * @param {number} node
   * @param {Pick<GossipSub, 'getMeshPeers' | 'getSubscribers' | 'addEventListener'>} gossipsub
   * @param {readonly number[]} topics - it subscribes to
   */
  watch(node, gossipsub, topics) {
    const watched = { gossipsub, topics, withoutMeshSince: new Map() }
    this.#nodes.set(node, watched)
    const changed = () => {
      this.lastChangeNs = this.#now()
      this.#check(node, watched)
    }
    gossipsub.addEventListener('gossipsub:graft', changed)
    gossipsub.addEventListener('gossipsub:prune', changed)
    gossipsub.addEventListener('gossipsub:heartbeat', () => this.#check(node, watched))
    this.#check(node, watched)
  }

  /** resubscribed follows a node that has subscribed or unsubscribed. @param {number} node @param {readonly number[]} topics - it subscribes to now */
  resubscribed(node, topics) {
    const watched = this.#nodes.get(node)
    if (watched === undefined) return
    watched.topics = topics
    for (const topic of watched.withoutMeshSince.keys())
      if (!topics.includes(topic)) this.#endSpan(node, watched, topic)
    this.#check(node, watched)
  }

  /** forget watches a node no more, which is about to end. @param {number} node */
  forget(node) {
    const watched = this.#nodes.get(node)
    this.#nodes.delete(node)
    for (const topic of watched?.withoutMeshSince.keys() ?? [])
      this.#endSpan(node, /** @type {MeshNode} */ (watched), topic)
  }

  /** degrees sums the mesh peers of all pairs of node and topic. @returns {import('./node-host.js').HostInterval['meshDegree']} */
  degrees() {
    const degrees = { min: 0, max: 0, sum: 0, count: 0 }
    for (const { gossipsub, topics } of this.#nodes.values()) {
      for (const topic of topics) {
        const degree = gossipsub.getMeshPeers(this.#topics[topic]).length
        degrees.min = degrees.count === 0 ? degree : Math.min(degrees.min, degree)
        degrees.max = Math.max(degrees.max, degree)
        degrees.sum += degree
        degrees.count++
      }
    }
    return degrees
  }

  /** state tells what the nodes see just now. @returns {import('./node-host.js').MeshState} */
  state() {
    const nodes = [...this.#nodes].map(([node, { gossipsub, topics }]) => ({
      node,
      subscribers: this.#topics.map((name, topic) =>
        topics.includes(topic) ? this.#peers.nodesOf(gossipsub.getSubscribers(name).map(String)) : []
      ),
      mesh: this.#topics.map((name, topic) =>
        topics.includes(topic) ? this.#peers.nodesOf(gossipsub.getMeshPeers(name)) : []
      )
    }))
    return { atNs: this.#now(), lastChangeNs: this.lastChangeNs, nodes }
  }

  /** withoutMesh gives the spans without a mesh peer so far. @returns {Evidence['withoutMesh']} */
  withoutMesh() {
    const lasting = [...this.#nodes].flatMap(([node, { withoutMeshSince }]) =>
      [...withoutMeshSince].map(([topic, fromNs]) => ({ node, topic, fromNs, toNs: null }))
    )
    return [...this.#withoutMesh, ...lasting]
  }

  /**
   * withoutStream gives mesh peers that a node cannot send to.
   *
   * @param {(node: number) => Set<number>} peersWithStream
   * @returns {Evidence['meshWithoutStream']}
   */
  withoutStream(peersWithStream) {
    return this.state().nodes.flatMap(({ node, mesh }) => {
      const reached = peersWithStream(node)
      return mesh.flatMap((peers, topic) =>
        peers.filter(peer => !reached.has(peer)).map(peer => ({ node, peer, topic }))
      )
    })
  }

  /** stop follows no more: meshes that the run itself takes down are no evidence. */
  stop() {
    this.#stopped = true
  }

  /** @param {number} node @param {MeshNode} watched */
  #check(node, watched) {
    const { gossipsub, topics, withoutMeshSince } = watched
    if (this.#stopped || !this.#nodes.has(node)) return
    for (const topic of topics) {
      const fromNs = withoutMeshSince.get(topic)
      const alone = gossipsub.getMeshPeers(this.#topics[topic]).length === 0
      if (alone && fromNs === undefined) withoutMeshSince.set(topic, this.#now())
      if (!alone && fromNs !== undefined) this.#endSpan(node, watched, topic)
    }
  }

  /** @param {number} node @param {MeshNode} watched @param {number} topic - that it had no mesh peer for */
  #endSpan(node, { withoutMeshSince }, topic) {
    const fromNs = /** @type {number} */ (withoutMeshSince.get(topic))
    withoutMeshSince.delete(topic)
    this.#withoutMesh.push({ node, topic, fromNs, toNs: this.#now() })
  }
}

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').Stream} Stream
 *
 * @typedef {object} OpenStream
 * @property {Pick<Stream, 'writeBufferLength'>} stream
 * @property {string} peerId - at the other end
 *
 * @typedef {{ node: number, peerId: string, atNs: number }} Aborted
 */

const PROTOCOLS = ['/meshsub/', '/floodsub/']
/** A connection that closes so soon after a stream ended is what ended it. */
const CLOSE_GRACE_NS = 1e9

/**
 * OutboundStreamObserver watches the streams that nodes send gossip on, one to each peer. The library opens them by itself, puts no bound
 * on what waits in them and tells nobody when one is gone, so connections are looked through: on every heartbeat, and when asked.
 * A stream that came and went between two looks is not seen.
 *
 * What waits is what the library still holds. A peer that does not read is noticed only when the system's buffers (some MB on
 * loopback) or the muxer's window (256 KiB, growing up to 16 MiB with Yamux; none with mplex) are full.
 */
export class OutboundStreamObserver {
  #now
  #peers
  /** @type {Map<number, Pick<Libp2p, 'getConnections'>>} */
  #nodes = new Map()
  /** @type {Map<number, Set<OpenStream>>} by node */
  #open = new Map()
  /** @type {WeakSet<object>} */
  #known = new WeakSet()
  /** @type {Set<Aborted>} */
  #aborted = new Set()
  #stopped = false

  /**
   * @param {object} components
   * @param {() => number} components.now - ns
   * @param {import('./node-host.js').PeerNumbers} components.peers
   */
  constructor({ now, peers }) {
    this.#now = now
    this.#peers = peers
  }

  /** @param {number} node @param {Pick<Libp2p, 'getConnections'>} libp2p */
  watch(node, libp2p) {
    this.#nodes.set(node, libp2p)
    this.#open.set(node, new Set())
  }

  /** forget watches a node no more, whose streams are about to be cut. @param {number} node */
  forget(node) {
    this.#nodes.delete(node)
    this.#open.delete(node)
  }

  /** look finds streams that were opened since the last look. @param {number} node */
  look(node) {
    for (const connection of this.#nodes.get(node)?.getConnections() ?? [])
      for (const stream of connection.streams) {
        const isPubsub = PROTOCOLS.some(prefix => stream.protocol.startsWith(prefix))
        if (stream.direction !== 'outbound' || !isPubsub || this.#known.has(stream)) continue
        this.#known.add(stream)
        this.#add(node, connection, stream)
      }
  }

  /** lookAtAll looks at all nodes. */
  lookAtAll() {
    for (const node of this.#nodes.keys()) this.look(node)
  }

  /** abortedCount counts streams that ended while their connection was open. */
  get abortedCount() {
    return this.#aborted.size
  }

  /** aborted tells which ones. @returns {import('./node-host.js').Evidence['abortedStreams']} */
  aborted() {
    return [...this.#aborted].flatMap(({ node, peerId, atNs }) => {
      const to = this.#peers.nodeOf(peerId)
      return to === undefined ? [] : [{ from: node, to, atNs }]
    })
  }

  /** backlogOf tells what waits in a node's streams. @param {number} node @returns {number} bytes */
  backlogOf(node) {
    let bytes = 0
    for (const { stream } of this.#open.get(node) ?? []) bytes += stream.writeBufferLength
    return bytes
  }

  /** backlogBytes is what waits in the streams of all nodes. */
  get backlogBytes() {
    let bytes = 0
    for (const node of this.#nodes.keys()) bytes += this.backlogOf(node)
    return bytes
  }

  /** backlog tells where something waits. @returns {import('./node-host.js').Evidence['backlog']} */
  backlog() {
    return [...this.#open].flatMap(([from, streams]) =>
      [...streams].flatMap(({ stream: { writeBufferLength: bytes }, peerId }) => {
        const to = bytes > 0 ? this.#peers.nodeOf(peerId) : undefined
        return to === undefined ? [] : { from, to, bytes }
      })
    )
  }

  /** peersWithStream tells whom a node can send to. @param {number} node @returns {Set<number>} */
  peersWithStream(node) {
    return new Set(this.#peers.nodesOf([...(this.#open.get(node) ?? [])].map(({ peerId }) => peerId)))
  }

  /** stop notes no more ends: streams that the run itself closes are no evidence. */
  stop() {
    this.#stopped = true
  }

  /** @param {number} node @param {Connection} connection @param {Stream} stream */
  #add(node, connection, stream) {
    const peerId = connection.remotePeer.toString()
    const streams = /** @type {Set<OpenStream>} */ (this.#open.get(node))
    const open = { stream, peerId }
    streams.add(open)
    const ended = () => {
      streams.delete(open)
      if (this.#stopped || !this.#nodes.has(node) || connection.status !== 'open') return
      const aborted = { node, peerId, atNs: this.#now() }
      this.#aborted.add(aborted)
      // the streams of a connection that is cut end a moment before it does
      const forgive = () => {
        if (this.#now() - aborted.atNs < CLOSE_GRACE_NS) this.#aborted.delete(aborted)
      }
      connection.addEventListener('close', forgive, { once: true })
    }
    stream.addEventListener('close', ended, { once: true })
  }
}

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 */

/** What gossipsub calls the answers, whichever it is. @type {Readonly<Record<'ACCEPT' | 'IGNORE' | 'REJECT', any>>} */
const VALIDATION_RESULTS = { ACCEPT: 'accept', IGNORE: 'ignore', REJECT: 'reject' }

/** hasValidationDelay says whether the application of some node does. @param {Pick<GossipPlan, 'validationDelayMs' | 'networkFile'>} plan */
export const hasValidationDelay = ({ validationDelayMs, networkFile }) =>
  validationDelayMs > 0 || (networkFile?.classes.some(({ validation }) => validation !== null) ?? false)

/**
 * ApplicationValidation is the application's: it takes its time over each first copy and accepts, ignores or rejects by the plan's shares.
 * Where the plan asks for neither, no validator is installed, as in an application that has none.
 */
export class ApplicationValidation {
  #plan
  #placement
  /** @type {Map<NodeJS.Timeout, () => void>} what waits, and how it goes on */
  #waiting = new Map()
  #stopped = false
  #counts = { accepted: 0, ignored: 0, rejected: 0 }

  /** @param {Pick<GossipPlan, 'nodes' | 'seed' | 'validation' | 'validationDelayMs' | 'networkFile'>} plan */
  constructor(plan) {
    this.#plan = plan
    this.#placement = placeNodes(plan)
  }

  /** @returns {{ accepted: number, ignored: number, rejected: number }} messages so far */
  get counts() {
    return { ...this.#counts }
  }

  /** install makes a node validate. @param {number} node @param {Pick<EventedGossipSub, 'topicValidators'>} gossipsub @param {string[]} topics */
  install(node, gossipsub, topics) {
    const { seed, validation, networkFile, validationDelayMs } = this.#plan
    const place = this.#placement?.classOf[node] ?? -1
    const usual = { minMs: validationDelayMs, maxMs: validationDelayMs }
    const { minMs, maxMs } = networkFile?.classes[place]?.validation ?? usual
    if (maxMs === 0 && validation.accept >= 1) return
    const random = makeSubStream(seed, 'validation', node)
    const time = makeSubStream(seed, 'validation time', node)
    const validator = async () => {
      if (maxMs > 0)
        await new Promise(resolve => {
          const timer = setTimeout(
            () => {
              this.#waiting.delete(timer)
              resolve(null)
            },
            minMs + time() * (maxMs - minMs)
          )
          this.#waiting.set(timer, () => resolve(null))
        })
      if (this.#stopped) return VALIDATION_RESULTS.IGNORE
      const draw = random()
      if (draw < validation.accept) {
        this.#counts.accepted++
        return VALIDATION_RESULTS.ACCEPT
      }
      if (draw < validation.accept + validation.ignore) {
        this.#counts.ignored++
        return VALIDATION_RESULTS.IGNORE
      }
      this.#counts.rejected++
      return VALIDATION_RESULTS.REJECT
    }
    for (const topic of topics) gossipsub.topicValidators.set(topic, validator)
  }

  /** stop ignores what still waits, and whatever comes. */
  stop() {
    this.#stopped = true
    for (const [timer, goOn] of this.#waiting) {
      clearTimeout(timer)
      goOn()
    }
    this.#waiting.clear()
  }
}
