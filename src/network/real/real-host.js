import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import pLimit from 'p-limit'
import { stackNameOf } from '../../libp2p/stacks.js'
import { handOverWhile } from '../../measure/hand-over.js'
import { Deliveries } from '../gossip/deliveries.js'
import { DIALS_AT_ONCE } from '../gossip/dials-at-once.js'
import { gossipKeyOf } from '../gossip/identity.js'
import { MeshWatch } from '../gossip/mesh-watch.js'
import { countingRegister } from '../gossip/metrics-register.js'
import { PeerNumbers } from '../gossip/peer-numbers.js'
import { Publisher } from '../gossip/publisher.js'
import { OutboundStreams } from '../gossip/streams.js'
import { Validation } from '../gossip/validation.js'
import { NodeTraces } from '../traces/node-traces.js'
import { createGossipNode } from './gossip-node.js'
import { NodeRotation } from './node-rotation.js'
import { RendezvousNodes } from './rendezvous-nodes.js'
import { UsageMeter } from './usage-meter.js'

/**
 * @typedef {import('../node-host.js').HostSetup} HostSetup
 * @typedef {import('../node-host.js').HostComponents} HostComponents
 * @typedef {import('../node-host.js').HostInterval} HostInterval
 * @typedef {import('../node-host.js').NodeHost} NodeHost
 * @typedef {import('./gossip-node.js').GossipNode} GossipNode
 */

const STARTS_AT_ONCE = 20
const ALIVE_EVERY_MS = 1000

/**
 * RealHost holds whole libp2p nodes with unmodified gossipsub, joined by TCP on loopback.
 *
 * @implements {NodeHost}
 */
export class RealHost {
  #setup
  #now
  #onInterval
  #onProgress
  #topics
  /** @type {Map<number, GossipNode>} */
  #nodes = new Map()
  #register = countingRegister()
  #peers = new PeerNumbers()
  #deliveries
  #streams
  #mesh
  #validation
  #traces
  #publisher
  #usage = new UsageMeter()
  /** @type {Map<number, import('@multiformats/multiaddr').Multiaddr>} of all nodes of the beginning */
  #addresses = new Map()
  /** @type {NodeRotation | null} null: all nodes stay */
  #rotation = null
  #seq = 0
  #waiting = new AbortController()
  #alive

  /** @param {HostSetup} setup @param {HostComponents} components */
  constructor(setup, { onInterval, onProgress = () => {}, onAlive = () => {} }) {
    const { plan, runNonce, originNs, subscriptions, traces } = setup
    const now = () => Number(process.hrtime.bigint() - originNs)
    this.#now = now
    this.#alive = setInterval(() => onAlive(now()), ALIVE_EVERY_MS).unref()
    const peers = this.#peers
    this.#setup = setup
    this.#onInterval = onInterval
    this.#onProgress = onProgress
    this.#topics = plan.topics.map(({ name }) => name)
    this.#deliveries = new Deliveries({ runNonce, now, peers })
    this.#streams = new OutboundStreams({ now, peers })
    this.#mesh = new MeshWatch({ now, peers, topics: this.#topics })
    this.#validation = new Validation(plan)
    this.#traces = traces == null ? null : new NodeTraces({ ...traces, runNonce, now })
    this.#publisher = new Publisher({
      plan,
      topics: this.#topics,
      subscriptions,
      runNonce,
      originNs,
      now,
      nodes: setup.nodes,
      publish: (node, topic, payload) => this.#publish(node, topic, payload),
      backlogOf: node => this.#streams.backlogOf(node)
    })
  }

  /** @type {NodeHost['provision']} */
  async provision() {
    const limit = pLimit(STARTS_AT_ONCE)
    let started = 0
    return Promise.all(
      this.#setup.nodes.map(node =>
        limit(async () => {
          const peer = await this.#start(node)
          this.#onProgress(++started)
          return peer
        })
      )
    )
  }

  /** @type {NodeHost['connect']} */
  async connect(dials, peers) {
    this.#peers.add(peers)
    this.#addresses = new Map(peers.map(({ node, multiaddr: address }) => [node, multiaddr(address)]))
    const limit = pLimit(Math.ceil(DIALS_AT_ONCE / this.#setup.plan.workers))
    let connected = 0
    return Promise.all(
      dials.map(({ from, to }) =>
        limit(async () => {
          const startNs = this.#now()
          const error = await this.#dial(from, to)
          this.#onProgress(++connected)
          return { from, to, ms: (this.#now() - startNs) / 1e6, error }
        })
      )
    )
  }

  /** @type {NodeHost['register']} */
  register(meeting) {
    return this.#rendezvousNodes().register(meeting)
  }

  /** @type {NodeHost['meet']} */
  meet(meeting, peers) {
    this.#peers.add(peers)
    return this.#rendezvousNodes().meet(meeting)
  }

  /** @type {NodeHost['awaitMesh']} */
  async awaitMesh({ stepMs }) {
    await this.#reporting(() => this.#wait(stepMs))
    return this.#mesh.state()
  }

  /** @type {NodeHost['schedule']} */
  schedule(start) {
    return this.#reporting(() => this.#publisher.run(start))
  }

  /** @type {Required<NodeHost>['rotate']} */
  async rotate({ lives, startNs, peers }) {
    this.#peers.add(peers)
    this.#rotation = new NodeRotation({
      now: this.#now,
      start: async node => void (await this.#start(node)),
      dial: (from, to) => this.#dial(from, to),
      kill: node => this.#kill(node)
    })
    await this.#rotation.run({ lives, startNs })
  }

  /** @type {NodeHost['drain']} */
  drain({ stepMs }) {
    return this.#reporting(() => this.#wait(stepMs))
  }

  /** @type {NodeHost['snapshot']} */
  async snapshot() {
    return this.#take()
  }

  /** @type {NodeHost['collect']} */
  async collect() {
    this.#streams.lookAtAll()
    this.#traces?.flush()
    return {
      evidence: {
        abortedStreams: this.#streams.aborted(),
        withoutMesh: this.#mesh.withoutMesh(),
        backlog: this.#streams.backlog(),
        meshWithoutStream: this.#mesh.withoutStream(node => this.#streams.peersWithStream(node))
      },
      connections: [...this.#nodes].map(([node, libp2p]) => ({
        node,
        degree: libp2p.getPeers().length,
        connections: libp2p.getConnections().length
      })),
      traceErrors: this.#traces?.errors ?? []
    }
  }

  /** abort ends what is under way: publishing, and waiting. @type {NodeHost['abort']} */
  async abort(reason) {
    this.#publisher.abort()
    this.#rotation?.abort()
    this.#waiting.abort(new Error(reason))
  }

  /** @type {NodeHost['stop']} */
  async stop() {
    await this.abort('stopped')
    clearInterval(this.#alive)
    this.#usage.stop()
    this.#streams.stop()
    this.#mesh.stop()
    this.#validation.stop()
    this.#traces?.close()
    await Promise.all([...this.#nodes.values()].map(node => node.stop()))
  }

  /** @param {number} node @returns {Promise<import('../node-host.js').Peer>} */
  async #start(node) {
    const { plan, subscriptions } = this.#setup
    const libp2p = await createGossipNode({
      plan,
      privateKey: await gossipKeyOf(plan, node),
      stack: stackNameOf(plan.stack, node),
      metricsRegister: this.#register.register,
      msgIdFn: this.#traces?.msgIdFn(node)
    })
    this.#nodes.set(node, libp2p)
    const { gossipsub } = libp2p.services
    const topics = subscriptions[node].map(topic => this.#topics[topic])
    this.#validation.install(node, gossipsub, topics)
    this.#deliveries.listenTo(node, gossipsub)
    this.#streams.watch(node, libp2p)
    gossipsub.addEventListener('gossipsub:heartbeat', () => this.#streams.look(node))
    this.#traces?.watch(node, { peerId: libp2p.peerId, gossipsub, libp2p })
    await libp2p.start()
    for (const topic of topics) {
      gossipsub.subscribe(topic)
      this.#traces?.joined(node, topic)
    }
    this.#mesh.watch(node, gossipsub, subscriptions[node])
    return { node, peerId: libp2p.peerId.toString(), multiaddr: libp2p.getMultiaddrs()[0].toString() }
  }

  /** As if its process had died: its peers hear nothing more, and nobody says goodbye. @param {number} node */
  async #kill(node) {
    const libp2p = this.#node(node)
    this.#nodes.delete(node)
    this.#streams.forget(node)
    this.#mesh.forget(node)
    for (const connection of libp2p.getConnections()) connection.abort(new Error('its node was killed'))
    await libp2p.stop()
  }

  /** @param {number} node @param {string} topic @param {Uint8Array} payload */
  #publish(node, topic, payload) {
    const { gossipsub } = this.#node(node).services
    const publish = () => gossipsub.publish(topic, payload)
    return this.#traces === null ? publish() : this.#traces.whilePublishing(node, payload, publish)
  }

  #rendezvousNodes() {
    const { plan, subscriptions } = this.#setup
    return new RendezvousNodes({
      nodes: this.#nodes,
      subscriptions,
      seed: plan.seed,
      peers: this.#peers,
      now: this.#now,
      onProgress: this.#onProgress
    })
  }

  /** @param {number} from @param {number} to @returns {Promise<string | null>} what went wrong */
  async #dial(from, to) {
    try {
      const address = this.#addresses.get(to)
      if (address === undefined) throw new Error('this peer is not among those of the network')
      await this.#node(from).dial(address)
      return null
    } catch (error) {
      return /** @type {Error} */ (error).message
    }
  }

  /** @param {number} node */
  #node(node) {
    const libp2p = this.#nodes.get(node)
    if (libp2p === undefined) throw new Error(`node ${node} is not held by worker ${this.#setup.worker}`)
    return libp2p
  }

  /** @param {number} ms */
  async #wait(ms) {
    this.#waiting = new AbortController()
    await sleep(ms, undefined, { signal: this.#waiting.signal }).catch(() => {})
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #reporting(work) {
    return handOverWhile(() => this.#onInterval(this.#take()), work)
  }

  #peerCounts() {
    return [...this.#nodes].map(([node, libp2p]) => ({ node, peers: libp2p.getPeers().length }))
  }

  /** @returns {HostInterval} */
  #take() {
    this.#streams.lookAtAll()
    return {
      seq: this.#seq++,
      atNs: this.#now(),
      published: this.#publisher.take(),
      received: this.#deliveries.take(),
      counters: {
        ...this.#register.counts(),
        ...this.#validation.counts,
        foreign: this.#deliveries.foreign
      },
      meshDegree: this.#mesh.degrees(),
      backlogBytes: this.#streams.backlogBytes,
      abortedStreams: this.#streams.abortedCount,
      usage: this.#usage.take(),
      ...(this.#rotation === null ? {} : { changes: this.#rotation.take(), peers: this.#peerCounts() })
    }
  }
}
