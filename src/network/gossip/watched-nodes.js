import { placementOf } from '../../load/placement.js'
import { subscriptionChanges } from '../../load/script.js'
import { NodeTraces } from '../traces/node-traces.js'
import { CauseWatch } from './cause-watch.js'
import { Deliveries } from './deliveries.js'
import { fastMsgIdFn, hasScores } from './gossipsub-options.js'
import { heartbeatMsOf } from './heartbeat.js'
import { MeshWatch } from './mesh-watch.js'
import { countingRegister } from './metrics-register.js'
import { PeerNumbers } from './peer-numbers.js'
import { ScoreWatch } from './scores.js'
import { OutboundStreams } from './streams.js'
import { Validation } from './validation.js'

/**
 * @typedef {import('@libp2p/interface').Libp2p} Libp2p
 * @typedef {import('../node-host.js').HostSetup} HostSetup
 * @typedef {import('../node-host.js').HostInterval} HostInterval
 *
 * @typedef {object} Watched - a node that is about to start
 * @property {import('@libp2p/interface').PeerId} peerId
 * @property {import('./mesh-watch.js').GossipSub} gossipsub
 * @property {Pick<Libp2p, 'getConnections'>} connections
 * @property {Pick<Libp2p, 'addEventListener'>} libp2p
 */

/** WatchedNodes are the nodes of a host with all that follows what they do, in real or in virtual time. */
export class WatchedNodes {
  /** Topics that each node subscribes to just now, or will when it is back. */
  #subscriptions
  /** Of nodes that are there. @type {Map<number, Watched['gossipsub']>} */
  #running = new Map()
  /** @type {import('../node-host.js').Resubscribed[]} */
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
   * @param {import('../../measure/wire-watch.js').WireWatch} [wire] - of the nodes' connections
   */
  constructor({ plan, runNonce, subscriptions, traces, copies = false }, now, wire) {
    const { peers } = this
    this.#subscriptions = [...subscriptions]
    this.scripted = subscriptionChanges(plan)
    this.#now = now
    this.#hasPlaces = placementOf(plan) !== null
    this.#register = countingRegister({ perNode: this.#hasPlaces })
    this.#copies = copies && plan.pubsub !== 'floodsub'
    this.#fastMsgId = plan.fastMsgId
    this.topics = plan.topics.map(({ name }) => name)
    this.#deliveries = new Deliveries({ runNonce, now, peers, wire })
    this.#streams = new OutboundStreams({ now, peers })
    this.#mesh = new MeshWatch({ now, peers, topics: this.topics })
    this.#causes = new CauseWatch({ topics: this.topics, signing: plan.signing, now })
    this.#scores = hasScores(plan)
      ? new ScoreWatch({ now, peers, heartbeatMs: heartbeatMsOf(plan.gossipsub) })
      : null
    this.#validation = new Validation(plan)
    this.#traces = traces == null ? null : new NodeTraces({ ...traces, runNonce, now })
  }

  /** options that gossipsub of a node is watched by. @param {number} node */
  options(node) {
    return {
      metricsRegister: this.#register.registerOf(node),
      metricsTopicStrToLabel: new Map(this.topics.map(name => [name, name])),
      ...(this.#traces !== null && { msgIdFn: this.#traces.msgIdFn(node) }),
      ...(this.#copies && { fastMsgIdFn: this.#copyOf(node) })
    }
  }

  /**
   * The library asks for the fast id of each copy that comes, before it looks at anything else. Without one it goes on as if it had not asked.
   *
   * @param {number} node
   * @returns {(message: { data?: Uint8Array }) => string}
   */
  #copyOf(node) {
    return message => {
      if (message.data !== undefined) this.#deliveries.copy(node, message.data)
      return /** @type {string} */ (this.#fastMsgId ? fastMsgIdFn(message) : undefined)
    }
  }

  /**
   * start has a node start while it is watched, and subscribe.
   *
   * @param {number} node
   * @param {Watched} watched
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

  /** subscribe has a node subscribe or unsubscribe, once it is there. An error is kept. @param {import('../../load/script.js').SubscriptionChange} change */
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

  /** publish has a node publish. @param {number} node @param {Watched['gossipsub']} gossipsub @param {string} topic @param {Uint8Array} payload */
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

  /** collect gives what is known in the end. @returns {Pick<import('../node-host.js').HostEnd, 'evidence' | 'traceErrors' | 'scores'>} */
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
