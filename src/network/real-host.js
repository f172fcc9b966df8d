// A host: a process with real libp2p nodes of a gossip run, connected over TCP, which publishes, measures and reports.

import { networkInterfaces } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import pLimit from 'p-limit'
import { formatMultiaddrHost } from '../kit/host-address.js'
import { countUsableCores, readThrottledMs } from '../kit/linux.js'
import { makeConnectionGater } from '../libp2p/node-components.js'
import { SettingsReader } from '../libp2p/node-settings.js'
import { DEFAULT_STACK, findStackName } from '../libp2p/stacks.js'
import { doNodesLeave } from '../load/churn.js'
import { ChurnRunner } from '../load/churn-runner.js'
import { LoopTurns, WireTimer } from '../measure/client-overhead.js'
import { handOverWhile } from '../measure/operations.js'
import { readOwnContainerMemory } from '../measure/resources.js'
import { usesRouter } from './link-properties.js'
import { readDeviceCounts } from './namespaces/tun-device.js'
import { namespaceAddress } from './namespaces.js'
import { deriveGossipKey, dialSequentially } from './node-host.js'
import { hasValidationDelay, NodeObserver } from './node-observer.js'
import { Publisher } from './publisher.js'
import { RealDisruptions } from './real/disruptions.js'
import { createGossipNode, makeGossipReasons, stackPartsOf } from './real/gossip-node.js'
import { makeServerClient, RendezvousNodes } from './real/rendezvous-nodes.js'

/**
 * @typedef {import('./node-host.js').HostSetup} HostSetup
 * @typedef {import('./node-host.js').HostComponents} HostComponents
 * @typedef {import('./node-host.js').HostInterval} HostInterval
 * @typedef {import('./node-host.js').NodeHost} NodeHost
 * @typedef {import('./real/gossip-node.js').GossipNode} GossipNode
 */

const MAX_CONCURRENT_STARTS = 20
const ALIVE_EVERY_MS = 1000

/**
 * RealHost holds whole libp2p nodes with unmodified gossipsub, joined by TCP on loopback, or between namespaces or containers.
 *
 * @implements {NodeHost}
 */
export class RealHost {
  #setup
  #now
  #onInterval
  #onProgress
  #clientOf
  /** @type {Map<number, GossipNode>} */
  #nodes = new Map()
  #wire
  #watched
  #publisher
  #usage
  /** @type {Map<number, import('@multiformats/multiaddr').Multiaddr>} of all nodes of the beginning */
  #addresses = new Map()
  /** @type {RealDisruptions | null} null: nothing happens to loopback, but for nodes that leave and return, and a script */
  #disruptions = null
  #settings
  /** @type {ChurnRunner | null} null: all nodes stay */
  #churnRunner = null
  /** Peers of the run, by their ids. @type {Set<string>} */
  #admitted = new Set()
  #waiting = new AbortController()
  #alive
  /** Has published all of its own, while others have not. */
  #awaitsOthers = false
  /** @type {import('./node-host.js').RefreshStep[] | null} null: nodes do not refresh */
  #refreshed = null
  #refreshing = new AbortController()
  /** Since it last told that it is there. */
  #handedOver = false

  /** @param {HostSetup} setup @param {HostComponents} components */
  constructor(setup, { onInterval, onProgress = () => {}, onAlive = () => {}, clientOf, reasons }) {
    const { plan, runNonce, originNs, subscriptions } = setup
    const now = () => Number(process.hrtime.bigint() - originNs)
    this.#now = now
    this.#alive = setInterval(() => this.#tell(onAlive), ALIVE_EVERY_MS).unref()
    this.#setup = setup
    this.#settings = new SettingsReader({
      ...reasons,
      ...makeGossipReasons(setup.address !== undefined, setup.plan.gossipsub)
    })
    this.#clientOf = clientOf
    this.#usage = new UsageMeter(makeUsageSources(plan), eventLoopCheckMs(plan.workers, countUsableCores()))
    this.#onInterval = onInterval
    this.#onProgress = onProgress
    // generation 2 does not tell when bytes came; of a message whose validation takes time it is not known which bytes they were
    const knowsBytes = plan.stack.every(name => name === DEFAULT_STACK) && !hasValidationDelay(plan)
    this.#wire = knowsBytes ? new WireTimer(new LoopTurns()) : undefined
    this.#watched = new NodeObserver(setup, now, this.#wire)
    const { network, churn, networkFile } = plan
    if (network !== 'loopback' || (churn != null && !churn.asNew) || networkFile?.script.length)
      this.#disruptions = new RealDisruptions(plan, {
        now,
        nodes: this.#nodes,
        numberOf: peerId => this.numberOf(peerId),
        dial: (from, to) => this.#dial(from, to),
        leave: node => this.killNode(node),
        rejoin: node => this.#rejoin(node),
        changes: this.#watched.scripted,
        subscribe: change => this.#watched.subscribe(change),
        failed: error => this.#watched.failed(error)
      })
    this.#publisher = new Publisher({
      plan,
      topics: this.#watched.topics,
      subscriptions,
      runNonce,
      originNs,
      now,
      nodes: setup.nodes,
      publish: (node, topic, payload) => this.#publish(node, topic, payload),
      backlogOf: node => this.#watched.backlogOf(node)
    })
  }

  /** @type {NodeHost['provision']} */
  async provision() {
    const limit = pLimit(MAX_CONCURRENT_STARTS)
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

  /** @type {Required<NodeHost>['settings']} */
  settings() {
    return this.#settings.settings()
  }

  /** @type {Required<NodeHost>['admit']} */
  async admit(peers) {
    for (const { peerId } of peers) this.#admitted.add(peerId)
  }

  /** know tells which nodes the network has. @param {import('./node-host.js').Peer[]} peers */
  know(peers) {
    this.#watched.peers.add(peers)
    this.#addresses = new Map(peers.map(({ node, multiaddr: address }) => [node, multiaddr(address)]))
  }

  /** expect says which nodes will come. @param {readonly { node: number, peerId: string }[]} peers */
  async expect(peers) {
    this.#watched.peers.add([...peers])
    await this.admit(peers)
  }

  /** startNode starts a node that is not there, or not there any more. @param {number} node */
  async startNode(node) {
    if (!this.#nodes.has(node)) await this.#start(node)
  }

  /** killNode ends a node as if its process had died: its peers hear nothing more, and nobody says goodbye. @param {number} node */
  async killNode(node) {
    const libp2p = this.nodeOf(node)
    this.#nodes.delete(node)
    this.#watched.forget(node)
    for (const connection of libp2p.getConnections()) connection.abort(new Error('its node was killed'))
    await libp2p.stop()
  }

  /** numberOf is the number of a node of the network. @param {string} peerId @returns {number | undefined} undefined: it is of no such node */
  numberOf(peerId) {
    return this.#watched.peers.nodeOf(peerId)
  }

  /** addressOf is where a node of the network listens. @param {number} node */
  addressOf(node) {
    return this.#addresses.get(node)
  }

  /** backlogOf is what waits in a node's streams. @param {number} node @returns {number} bytes */
  backlogOf(node) {
    return this.#watched.backlogOf(node)
  }

  /** nodeOf gives a node of this host. @param {number} node @returns {GossipNode} */
  nodeOf(node) {
    const libp2p = this.#nodes.get(node)
    if (libp2p === undefined) throw new Error(`node ${node} is not held by worker ${this.#setup.worker}`)
    return libp2p
  }

  /** reportWhile hands over once a second what happens while work goes on, and once more at its end. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  reportWhile(work) {
    this.#awaitsOthers = false
    return handOverWhile(() => this.#handOver(), work)
  }

  /**
   * publish has a node publish now.
   *
   * @param {import('./publisher.js').Publication} publication
   * @throws {Error} what the library says
   */
  publish(publication) {
    return this.#publisher.publish(publication)
  }

  /** @type {NodeHost['connect']} */
  async connect(dials, peers) {
    this.know(peers)
    let connected = 0
    return dialSequentially(dials, async ({ from, to }) => {
      const startNs = this.#now()
      const error = await this.#dial(from, to)
      this.#onProgress(++connected)
      return { from, to, ms: (this.#now() - startNs) / 1e6, error }
    })
  }

  /** @type {NodeHost['register']} */
  register({ server, namespaces }) {
    return this.#nodesAt(server).register(namespaces)
  }

  /** @type {NodeHost['meet']} */
  meet({ server, namespaces, k }, peers) {
    this.#watched.peers.add(peers)
    return this.#nodesAt(server).meet(namespaces, k)
  }

  /** @type {Required<NodeHost>['refresh']} */
  async refresh({ server, namespaces, everyMs }) {
    this.#refreshed = []
    const onStep = (/** @type {import('./node-host.js').RefreshStep} */ step) => this.#refreshed?.push(step)
    this.#refreshing = new AbortController()
    const { signal } = this.#refreshing
    // each step tells what went wrong with it
    void this.#nodesAt(server).refresh(namespaces, { everyMs, signal, onStep })
  }

  /** @type {Required<NodeHost>['endRefreshing']} */
  async endRefreshing() {
    this.#refreshing.abort()
  }

  /** @type {NodeHost['awaitMesh']} */
  async awaitMesh({ stepMs }) {
    await this.reportWhile(() => this.#wait(stepMs))
    return this.#watched.meshState()
  }

  /** @type {NodeHost['schedule']} */
  async schedule(start) {
    this.#disruptions?.begin(start.startNs)
    const end = await this.reportWhile(() => this.#publisher.run(start))
    this.#awaitsOthers = true
    return end
  }

  /** @type {Required<NodeHost>['churn']} */
  async churn({ lives, startNs, peers }) {
    await this.expect(peers)
    this.#churnRunner = new ChurnRunner({
      now: this.#now,
      start: async node => void (await this.#start(node)),
      dial: (from, to) => this.#dial(from, to),
      kill: node => this.killNode(node)
    })
    await this.#churnRunner.run({ lives, startNs })
  }

  /** @type {NodeHost['drain']} */
  drain({ stepMs }) {
    return this.reportWhile(() => this.#wait(stepMs))
  }

  /** @type {NodeHost['snapshot']} */
  async snapshot() {
    return this.#take()
  }

  /** @type {NodeHost['collect']} */
  async collect() {
    this.#awaitsOthers = false
    return {
      ...this.#watched.collect(),
      connections: [...this.#nodes].map(([node, libp2p]) => ({
        node,
        degree: libp2p.getPeers().length,
        connections: libp2p.getConnections().length
      }))
    }
  }

  /** abort ends what is under way: publishing, and waiting. @type {NodeHost['abort']} */
  async abort(reason) {
    this.#publisher.abort()
    this.#refreshing.abort()
    this.#churnRunner?.abort()
    this.#disruptions?.stop()
    this.#waiting.abort(new Error(reason))
  }

  /** @type {NodeHost['stop']} */
  async stop() {
    await this.abort('stopped')
    clearInterval(this.#alive)
    this.#usage.stop()
    this.#watched.stop()
    await Promise.all([...this.#nodes.values()].map(node => node.stop()))
  }

  /** Others dial it where it was, if nobody has taken its port meanwhile. @param {number} node */
  async #rejoin(node) {
    // its first parts are the address and the port
    const [ip, tcp] = this.#addresses.get(node)?.getComponents() ?? []
    const before = ip && `/${ip.name}/${ip.value}/tcp/${tcp.value}`
    try {
      await this.#start(node, before)
    } catch {
      this.#nodes.delete(node)
      this.#watched.forget(node)
      await this.#start(node)
    }
  }

  /** @param {number} node @param {string} [listen] - multiaddr of TCP @returns {Promise<import('./node-host.js').Peer>} */
  async #start(node, listen = listenAddressOf(this.#setup)) {
    const { plan, address } = this.#setup
    const stack = findStackName(plan.stack, node)
    const client = await this.#clientOf?.(node, this.#wire)
    const libp2p = await createGossipNode({
      plan,
      listen,
      ...(address !== undefined && {
        connectionGater: makeConnectionGater({ isPeer: id => this.#admitted.has(id) })
      }),
      privateKey: client?.privateKey ?? (await deriveGossipKey(plan, node)),
      stack,
      wire: this.#wire,
      client,
      watchedBy: this.#watched.options(node)
    })
    await this.#settings.read(libp2p, { stack, ...stackPartsOf(plan) })
    this.#nodes.set(node, libp2p)
    const { peerId, services } = libp2p
    const { gossipsub } = services
    await this.#watched.start(node, { peerId, gossipsub, connections: libp2p, libp2p }, async () => {
      await libp2p.start()
    })
    return { node, peerId: peerId.toString(), multiaddr: libp2p.getMultiaddrs()[0].toString() }
  }

  /** @param {number} node @param {string} topic @param {Uint8Array} payload */
  async #publish(node, topic, payload) {
    if (this.#disruptions?.isAway(node))
      throw Object.assign(new Error(`node ${node} has left the network`), { code: 'NODE_AWAY' })
    return this.#watched.publish(node, this.nodeOf(node).services.gossipsub, topic, payload)
  }

  /** @param {string} server - multiaddr */
  #nodesAt(server) {
    return this.nodesThatAsk(node => makeServerClient(this.nodeOf(node), server))
  }

  /**
   * nodesThatAsk are nodes of this host as clients of a rendezvous server.
   *
   * @param {(node: number) => import('./real/rendezvous-nodes.js').ServerClient} clientOf
   * @param {number} [only] - this one; default: all
   */
  nodesThatAsk(clientOf, only) {
    const { plan, subscriptions } = this.#setup
    return new RendezvousNodes({
      clientOf,
      nodes: only === undefined ? this.#nodes : new Map([[only, this.nodeOf(only)]]),
      subscriptions,
      seed: plan.seed,
      peers: this.#watched.peers,
      now: this.#now,
      onProgress: this.#onProgress
    })
  }

  /** @param {number} from @param {number} to @returns {Promise<string | null>} what went wrong */
  async #dial(from, to) {
    try {
      const address = this.#addresses.get(to)
      if (address === undefined) throw new Error('this peer is not among those of the network')
      await this.nodeOf(from).dial(address)
      return null
    } catch (error) {
      return /** @type {Error} */ (error).message
    }
  }

  /** @param {number} ms */
  async #wait(ms) {
    this.#waiting = new AbortController()
    await sleep(ms, undefined, { signal: this.#waiting.signal }).catch(() => {})
  }

  /** What is handed over says that this host is there. @param {(atNs: number) => void} onAlive */
  #tell(onAlive) {
    // who does not receive it is gone
    if (this.#awaitsOthers) Promise.resolve(this.#handOver()).catch(() => {})
    else if (!this.#handedOver) onAlive(this.#now())
    this.#handedOver = false
  }

  #handOver() {
    this.#handedOver = true
    return this.#onInterval(this.#take())
  }

  /** @returns {HostInterval} */
  #take() {
    this.#watched.lookAtAll()
    const refreshed = this.#refreshed?.splice(0)
    return {
      ...this.#watched.take(),
      published: this.#publisher.take(),
      usage: this.#usage.take(),
      ...(refreshed !== undefined && { refreshed }),
      ...(this.#churnRunner !== null && { changes: this.#churnRunner.take() }),
      ...(doNodesLeave(this.#setup.plan) && {
        peers: [...this.#nodes].map(([node, libp2p]) => ({ node, peers: libp2p.getPeers().length }))
      })
    }
  }
}

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 */

/** Who is alone in its namespace is found at the same place when it returns. */
const NODE_PORT = 4001

/** listenAddressOf is where nodes listen. @param {HostSetup} setup @returns {string | undefined} multiaddr of TCP; undefined: on loopback */
export function listenAddressOf({ plan, worker, nodes, address }) {
  if (plan.network === 'loopback')
    return address === undefined ? undefined : `${formatMultiaddrHost(address)}/tcp/0`
  const ofContainer = Object.values(networkInterfaces())
    .flatMap(all => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  const own = usesRouter(plan) ? namespaceAddress(worker) : ofContainer
  return `/ip4/${own}/tcp/${nodes.length === 1 ? NODE_PORT : 0}`
}

/** makeUsageSources is what nodes have around them to be measured. @param {GossipPlan} plan @returns {Partial<ProcessEnvironment>} */
export const makeUsageSources = ({ network }) => ({
  ...(network !== 'loopback' && {
    counts: () => {
      const { receivedBytes, sentBytes } = readDeviceCounts()
      const throttledMs = network === 'docker' ? readThrottledMs() : null
      return { receivedBytes, sentBytes, ...(throttledMs !== null && { throttledMs }) }
    }
  }),
  ...(network === 'docker' && { memoryBytes: () => readOwnContainerMemory() })
})

const CHECK_MS = 5
const MAX_CHECK_MS = 100

/**
 * eventLoopCheckMs says how often each of so many processes looks at its event loop: 200 times a second for those of a core together. 95 nodes
 * that wake up so often each would keep two cores busy with nothing.
 *
 * @param {number} processes - on this machine
 * @param {number} cores
 */
export const eventLoopCheckMs = (processes, cores) =>
  Math.min(MAX_CHECK_MS, CHECK_MS * Math.max(1, processes / cores))

/**
 * @typedef {object} ProcessEnvironment - what this process is in, where that is a namespace or a container of its own
 * @property {() => number | null} memoryBytes - in use; null: not known
 * @property {() => Partial<Counts>} counts - since it is there
 *
 * @typedef {Record<'receivedBytes' | 'sentBytes' | 'throttledMs', number>} Counts
 */

/**
 * UsageMeter tells how busy this process was. The longest turn of the event loop is read from how late a timer comes, so it is
 * true to how often that does.
 */
export class UsageMeter {
  #before = readUsage()
  #lastCheckMs = performance.now()
  #maxTurnMs = 0
  #checkMs
  #timer
  #around
  /** at the last call of take @type {Record<string, number> | null} */
  #counts = null

  /** @param {Partial<ProcessEnvironment>} around @param {number} checkMs */
  constructor(around, checkMs) {
    this.#around = around
    this.#checkMs = checkMs
    this.#timer = setInterval(() => this.#check(), checkMs).unref()
  }

  /** take gives the usage since the last time. @returns {import('./node-host.js').ProcessUsage} */
  take() {
    // a turn that lasts right now has not let the timer come
    this.#check()
    const before = this.#before
    const now = readUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const counts = /** @type {Record<string, number>} */ (this.#around.counts?.() ?? {})
    const countsBefore = this.#counts ?? counts
    this.#counts = counts
    const usage = {
      wallMs: now.wallMs - before.wallMs,
      activeMs: now.activeMs - before.activeMs,
      cpuMicros: now.cpuMicros - before.cpuMicros,
      rssBytes: this.#around.memoryBytes?.() ?? rss,
      heapBytes: heapUsed,
      maxTurnMs: this.#maxTurnMs,
      ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count - countsBefore[name]]))
    }
    this.#before = now
    this.#maxTurnMs = 0
    return usage
  }

  stop() {
    clearInterval(this.#timer)
  }

  #check() {
    const nowMs = performance.now()
    this.#maxTurnMs = Math.max(this.#maxTurnMs, nowMs - this.#lastCheckMs - this.#checkMs)
    this.#lastCheckMs = nowMs
  }
}

function readUsage() {
  const { user, system } = process.cpuUsage()
  return {
    wallMs: performance.now(),
    activeMs: performance.eventLoopUtilization().active,
    cpuMicros: user + system
  }
}
