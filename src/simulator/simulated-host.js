// Holds all simulated gossip nodes of a process, and lets a run connect them, publish and collect. Has the calls of a
// host of real nodes.
import { peerIdFromString } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { findSnakeHand } from '../kit/collections.js'
import { makeSubStream } from '../kit/random.js'
import { isAwayAt, makeChurnSchedule } from '../load/churn.js'
import { handOverWhile } from '../measure/operations.js'
import { heartbeatIntervalMs, makeGossipsubOptions } from '../network/gossipsub.js'
import { makeLinkSettings } from '../network/link-model.js'
import { lookaheadNs } from '../network/link-properties.js'
import { Disruptions, deriveGossipKey, dialSequentially } from '../network/node-host.js'
import { NodeObserver } from '../network/node-observer.js'
import { Publisher } from '../network/publisher.js'
import { selfTest } from './network/self-test.js'
import { makeNetwork, SimulatedNetwork } from './simulated-network.js'
import { makeProcessingCosts } from './simulation-settings.js'
import { TimeDriver, TimePassing } from './time/driver.js'
import { JointTimePassing, RemoteProcesses } from './time/processes.js'
import { EPOCH_MS, NO_NODE, VirtualPacer } from './virtual-time.js'

/** @typedef {import('../network/node-host.js').ProcessUsage} ProcessUsage */

/**
 * makeProcessUsage measures how busy this process really was. Its event loop hardly turns while virtual time passes, and nothing waits for
 * it: its turns have no meaning, and it was active for as long as it had a processor.
 *
 * @param {() => number} nowMs - of the real clock
 * @returns {() => ProcessUsage} the usage since the last call
 */
function makeProcessUsage(nowMs) {
  const read = () => {
    const { user, system } = process.cpuUsage()
    return { wallMs: nowMs(), cpuMicros: user + system }
  }
  let before = read()
  return () => {
    const now = read()
    const wallMs = now.wallMs - before.wallMs
    const cpuMicros = now.cpuMicros - before.cpuMicros
    before = now
    const { rss: rssBytes, heapUsed: heapBytes } = process.memoryUsage()
    const activeMs = Math.min(wallMs, cpuMicros / 1000)
    return { wallMs, activeMs, cpuMicros, rssBytes, heapBytes, maxTurnMs: 0 }
  }
}

/**
 * @typedef {import('../network/node-host.js').HostSetup} HostSetup
 * @typedef {import('../network/node-host.js').HostComponents} HostComponents
 * @typedef {import('../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../network/node-host.js').Dial} Dial
 * @typedef {import('./virtual-environment.js').VirtualEnvironment} VirtualEnvironment
 */

const ALIVE_EVERY_MS = 1000
/** Traces show the time that the nodes' own clocks show. */
const EPOCH_NS = BigInt(EPOCH_MS) * 1_000_000n
/** More than the longest latency could ask for. */
const START_TIMEOUT_NS = 4000e9

/**
 * SimulatedHost holds all nodes of a network in virtual time: unmodified gossipsub on simulated connections. Time passes only while
 * one of its calls is under way.
 *
 * @implements {NodeHost}
 */
export class SimulatedHost {
  #setup
  #environment
  #time
  #driver
  #lookaheadNs
  /** @type {RemoteProcesses | null} null: all nodes are here */
  #remote
  /** @type {TimePassing | JointTimePassing} */
  #timePassing
  #onInterval
  #onProgress
  #onAlive
  /** @type {import('./simulated-network.js').Network | null} null: there are no nodes yet */
  #made = null
  /** @type {Disruptions | null} null: nothing happens to such a network, but for partitions that hold */
  #disruptions = null
  /** @type {Map<number, import('@libp2p/interface').PrivateKey>} by node */
  #keys = new Map()
  /** @type {Set<number>} nodes that have left */
  #away = new Set()
  #watched
  #publisher
  #usage
  #progress = 0
  #reportedProgress = 0
  #reportedMs = 0
  #aborted = false
  #absences
  #startNs = Infinity

  /**
   * @param {HostSetup} setup
   * @param {HostComponents} components
   * @param {VirtualEnvironment} environment - installed before anything of libp2p was imported
   */
  constructor(setup, { onInterval, onProgress = () => {}, onAlive = () => {}, meet }, environment) {
    const { plan, runNonce, subscriptions, traces } = setup
    const { time, real } = environment
    const now = () => time.nowNs
    this.#setup = setup
    this.#absences = makeChurnSchedule(plan)
    this.#environment = environment
    this.#time = time
    this.#driver = new TimeDriver(environment, () => this.#tell())
    const { workers = 1, worker } = setup
    this.#lookaheadNs = lookaheadNs(makeLinkSettings(plan), plan.nodes)
    this.#remote =
      workers === 1
        ? null
        : new RemoteProcesses({ worker, workers, workerOf: node => findSnakeHand(node, workers) })
    this.#timePassing =
      this.#remote === null
        ? new TimePassing(this.#driver, time, this.#lookaheadNs)
        : this.#makeJointPassing(this.#remote, meet)
    this.#onInterval = onInterval
    this.#onProgress = onProgress
    this.#onAlive = onAlive
    const ownTraces = traces == null ? null : { ...traces, originUnixNs: EPOCH_NS }
    this.#watched = new NodeObserver({ ...setup, traces: ownTraces }, now)
    this.#usage = makeProcessUsage(real.nowMs)
    this.#publisher = new Publisher({
      plan,
      topics: this.#watched.topics,
      subscriptions,
      runNonce,
      originNs: 0n,
      now,
      pacer: new VirtualPacer(time),
      nodes: setup.nodes,
      publish: (node, topic, payload) => this.#at(node, () => this.#publish(node, topic, payload)),
      backlogOf: node => this.#watched.backlogOf(node)
    })
  }

  /** @type {NodeHost['provision']} */
  async provision() {
    const { plan, nodes } = this.#setup
    const network = await makeNetwork(plan, this.#time, this.#remote)
    this.#made = network
    if (network instanceof SimulatedNetwork) this.#disruptions = this.#disruptionsOf(network)
    await selfTest(this.#environment, this.#driver)
    this.#environment.restart(plan.seed)
    const keys = await Promise.all(nodes.map(node => deriveGossipKey(plan, node)))
    this.#keys = new Map(nodes.map((node, place) => [node, keys[place]]))
    const { seed } = plan
    let started = 0
    const starting = nodes.map((node, place) =>
      this.#at(
        node,
        async () => {
          const peer = await this.#start(node, keys[place])
          this.#progress = ++started
          return peer
        },
        // heartbeats come at the same distance from a node's start, so each node starts at a random moment of the interval
        Math.floor(makeSubStream(seed, 'heartbeat phase', node)() * this.#heartbeatNs)
      )
    )
    const peers = await this.#driver.passUntil(Promise.all(starting), START_TIMEOUT_NS)
    // a further node that starts later must not shift when the others connect
    await this.#driver.pass(Math.max(0, this.#heartbeatNs - this.#time.nowNs))
    return peers
  }

  /** @type {NodeHost['connect']} */
  async connect(dials, peers) {
    this.#watched.peers.add(peers)
    if (this.#made instanceof SimulatedNetwork)
      // nodes of other processes are known by what these report
      for (const { node, peerId, multiaddr: address } of peers)
        if (!this.#isHere(node))
          this.#made.introduce(node, { peerId: peerIdFromString(peerId), multiaddr: multiaddr(address) })
    this.#disruptions?.joined(dials)
    this.#progress = 0
    const own = dials.filter(({ from }) => this.#isHere(from))
    const dialling = dialSequentially(own, async dial => {
      const dialled = await this.#at(dial.from, () => this.#dial(dial))
      this.#progress += 1
      return dialled
    })
    return this.#timePassing.passUntil(dialling, START_TIMEOUT_NS)
  }

  /** @type {NodeHost['register']} */
  async register() {
    throw new Error('nodes that find each other at a rendezvous server are not simulated')
  }

  /** @type {NodeHost['meet']} */
  async meet() {
    throw new Error('nodes that find each other at a rendezvous server are not simulated')
  }

  /** @type {NodeHost['awaitMesh']} */
  async awaitMesh({ stepMs }) {
    await this.drain({ stepMs })
    return this.#watched.meshState()
  }

  /** @type {NodeHost['schedule']} */
  schedule(start) {
    this.#network.partitions.start(start.startNs)
    this.#startNs = start.startNs
    const own = this.#absences.map((absences, node) => (this.#isHere(node) ? absences : []))
    const changes = this.#watched.scripted.filter(({ node }) => this.#isHere(node))
    this.#disruptions?.begin(start.startNs, own, changes)
    return this.#reporting(() => this.#timePassing.passUntil(this.#publisher.run(start)))
  }

  /** @type {NodeHost['drain']} */
  drain({ stepMs }) {
    return this.#reporting(() => this.#timePassing.pass(Math.round(stepMs * 1e6), () => this.#aborted))
  }

  /** @type {NodeHost['snapshot']} */
  async snapshot() {
    return this.#take()
  }

  /** @type {NodeHost['collect']} */
  async collect() {
    const { evidence, ...collected } = this.#watched.collect()
    return {
      evidence: { ...evidence, refusedMessages: [...(this.#network.refusedMessages ?? [])] },
      ...collected,
      connections: this.#network.nodes.map(({ number, connectionManager }) => {
        const degree = connectionManager.getConnections().length
        return { node: number, degree, connections: degree }
      }),
      ...(this.#timePassing instanceof JointTimePassing && {
        windows: {
          lookaheadMs: this.#lookaheadNs / 1e6,
          meetings: this.#timePassing.meetings,
          events: this.#time.happened,
          handedOver: this.#timePassing.handedOver
        }
      })
    }
  }

  /** abort ends what is under way: publishing, and waiting. @type {NodeHost['abort']} */
  async abort() {
    this.#aborted = true
    this.#publisher.abort()
  }

  /** stop ends everything; nodes need no time to close, for nothing of theirs is real. @type {NodeHost['stop']} */
  async stop() {
    await this.abort('stopped')
    this.#driver.stop()
    this.#watched.stop()
  }

  get #network() {
    if (this.#made === null) throw new Error('there is no network yet: it has to be provisioned')
    return this.#made
  }

  /** @param {number} node */
  #isHere(node) {
    return this.#remote === null || !this.#remote.has(node)
  }

  /** @param {RemoteProcesses} remote @param {HostComponents['meet']} meet */
  #makeJointPassing(remote, meet) {
    if (meet === undefined) throw new Error('nothing joins this process with the others of its simulation')
    return new JointTimePassing({
      driver: this.#driver,
      time: this.#time,
      lookaheadNs: this.#lookaheadNs,
      remote,
      meet,
      take: box => {
        if (this.#made instanceof SimulatedNetwork) this.#made.take(box)
      }
    })
  }

  /**
   * @param {number} number
   * @param {import('@libp2p/interface').PrivateKey} privateKey
   * @returns {Promise<import('../network/node-host.js').Peer>}
   */
  async #start(number, privateKey) {
    const { plan } = this.#setup
    const node = await this.#network.add({
      number,
      privateKey,
      gossipsub: { ...makeGossipsubOptions(plan), ...this.#watched.options(number) },
      processing: makeProcessingCosts(plan)
    })
    const { peerId, gossipsub, connectionManager: connections, peers: libp2p } = node
    await this.#watched.start(number, { peerId, gossipsub, connections, libp2p }, () => node.start())
    return { node: number, peerId: peerId.toString(), multiaddr: node.multiaddr.toString() }
  }

  /** @param {SimulatedNetwork} network */
  #disruptionsOf(network) {
    const time = this.#time
    const isAway = (/** @type {number} */ node) => isAwayAt(this.#absences[node], time.nowNs - this.#startNs)
    return new Disruptions({
      time: {
        get nowNs() {
          return time.nowNs
        },
        at: (atNs, node, happen) => time.at(atNs, node ?? NO_NODE, happen)
      },
      network: {
        partitions: network.partitions,
        get endpoints() {
          return network.endpoints
        },
        has: node => !isAway(node),
        dial: (from, to) => network.dial(from, to)
      },
      leave: node => this.#leave(node, network),
      rejoin: node => this.#rejoin(node),
      subscribe: change => this.#watched.subscribe(change),
      failed: error => this.#watched.failed(error)
    })
  }

  /** @param {number} number @param {SimulatedNetwork} network */
  #leave(number, network) {
    this.#away.add(number)
    this.#watched.forget(number)
    void network.remove(number).stop()
  }

  /** Another process, with the same identity: it remembers nothing. @param {number} number */
  async #rejoin(number) {
    const key = this.#keys.get(number)
    if (key === undefined) throw new Error(`node ${number} has never been there`)
    await this.#start(number, key)
    this.#away.delete(number)
  }

  /** @param {number} node @param {string} topic @param {Uint8Array} payload */
  async #publish(node, topic, payload) {
    if (this.#away.has(node))
      throw Object.assign(new Error(`node ${node} has left the network`), { code: 'NODE_AWAY' })
    return this.#watched.publish(node, this.#network.node(node).gossipsub, topic, payload)
  }

  get #heartbeatNs() {
    return heartbeatIntervalMs(this.#setup.plan.gossipsub) * 1e6
  }

  /** @param {Dial} dial @returns {Promise<import('../network/node-host.js').DialResult>} */
  async #dial({ from, to }) {
    const startNs = this.#time.nowNs
    const error = await this.#network.dial(from, to).then(
      () => null,
      (/** @type {Error} */ { message }) => message
    )
    return { from, to, ms: (this.#time.nowNs - startNs) / 1e6, error }
  }

  /**
   * at does something as a node. What follows of it here follows at no node.
   *
   * @template T
   * @param {number} node
   * @param {() => Promise<T>} act
   * @param {number} [laterNs]
   * @returns {Promise<T>}
   */
  #at(node, act, laterNs = 0) {
    const time = this.#time
    return new Promise((resolve, reject) => {
      const back = (/** @type {(value: any) => void} */ settle) => (/** @type {any} */ value) =>
        void time.at(time.nowNs, NO_NODE, () => settle(value), NO_NODE)
      time.at(time.nowNs + laterNs, node, () => void act().then(back(resolve), back(reject)), NO_NODE)
    })
  }

  /** In the real world a second of a large network takes long: it is heard of all the same. */
  #tell() {
    const nowMs = this.#environment.real.nowMs()
    if (this.#progress !== this.#reportedProgress) {
      this.#reportedProgress = this.#progress
      this.#onProgress(this.#progress)
    }
    if (nowMs - this.#reportedMs < ALIVE_EVERY_MS) return
    this.#reportedMs = nowMs
    this.#onAlive(this.#time.nowNs)
  }

  /** Time does not pass while something is handed over. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #reporting(work) {
    return handOverWhile(() => this.#driver.hold(this.#onInterval(this.#take())), work)
  }

  /** @returns {HostInterval} */
  #take() {
    const { counters, ...taken } = this.#watched.take()
    return {
      ...taken,
      counters: { ...counters, refusedRpcs: this.#network.refusedRpcs ?? 0 },
      published: this.#publisher.take(),
      usage: this.#usage()
    }
  }
}
