import '../../src/kit/runtime.js'
import { RealHost } from '../../src/network/real-host.js'
import { startGossipProcess } from '../../src/scenarios/gossip/run/pool.js'

/**
 * @typedef {import('../../src/network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../src/network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../../src/network/node-host.js').Dial} Dial
 * @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 *
 * @typedef {object} Scheduled
 * @property {number} node
 * @property {number} [topic]
 * @property {number} [atMs] - since the start
 * @property {number} [bytes]
 */

export const RUN_NONCE = 0xfeedbeef
const STEP_MS = 100
const PATIENCE_MS = 15_000

/** Each node dials the one before it. @param {number} nodes @returns {Dial[]} */
export const line = nodes => Array.from({ length: nodes - 1 }, (_, i) => ({ from: i + 1, to: i }))

/** Each node dials all before it. @param {number} nodes @returns {Dial[]} */
export const full = nodes =>
  Array.from({ length: nodes }, (_, from) => Array.from({ length: from }, (_, to) => ({ from, to }))).flat()

/**
 * startNetwork starts the nodes of a plan, node i with worker i mod plan.workers, and connects them.
 *
 * @param {GossipPlan} plan
 * @param {object} options
 * @param {Dial[]} options.dials
 * @param {readonly (readonly number[])[]} [options.subscriptions] - default: all to all topics
 * @param {boolean} [options.processes] - each worker in a process of its own
 */
export async function startNetwork(plan, { dials, subscriptions, processes = false }) {
  const originNs = process.hrtime.bigint()
  const all = Array.from({ length: plan.nodes }, (_, node) => node)
  /** @type {HostInterval[]} */
  const intervals = []
  /** @type {Error[]} */
  const deaths = []
  const hosts = await Promise.all(
    Array.from({ length: plan.workers }, async (_, worker) => {
      const setup = {
        plan,
        worker,
        nodes: all.filter(node => node % plan.workers === worker),
        subscriptions: subscriptions ?? all.map(() => plan.topics.map((_, topic) => topic)),
        runNonce: RUN_NONCE,
        originNs
      }
      const onInterval = (/** @type {HostInterval} */ interval) => void intervals.push(interval)
      if (!processes) return /** @type {NodeHost} */ (new RealHost(setup, { onInterval }))
      return startGossipProcess({
        name: `worker ${worker}`,
        setup,
        onInterval,
        onProgress: () => {},
        onDied: error => deaths.push(error)
      })
    })
  )
  const network = new Network(plan, hosts, intervals, originNs)
  network.deaths = deaths
  await network.join(dials)
  return network
}

class Network {
  /** @type {Error[]} */
  deaths = []

  /**
   * @param {GossipPlan} plan
   * @param {NodeHost[]} hosts
   * @param {HostInterval[]} intervals
   * @param {bigint} originNs
   */
  constructor(plan, hosts, intervals, originNs) {
    this.plan = plan
    this.hosts = hosts
    this.intervals = intervals
    this.originNs = originNs
    /** @type {import('../../src/network/node-host.js').Peer[]} */
    this.peers = []
    /** @type {import('../../src/network/node-host.js').DialResult[]} */
    this.dialled = []
  }

  get pids() {
    return this.hosts.map(
      host => /** @type {import('../../src/scenarios/gossip/run/pool.js').GossipProcess} */ (host).pid
    )
  }

  now() {
    return Number(process.hrtime.bigint() - this.originNs)
  }

  /** @param {Dial[]} dials */
  async join(dials) {
    this.peers = (await Promise.all(this.hosts.map(host => host.provision()))).flat()
    this.dialled = (
      await Promise.all(
        this.hosts.map((host, worker) =>
          host.connect(
            dials.filter(({ from }) => from % this.plan.workers === worker),
            this.peers
          )
        )
      )
    ).flat()
  }

  /** meshed waits until what the nodes see is as it should be. @param {(nodes: import('../../src/network/node-host.js').MeshState['nodes']) => boolean} formed */
  async meshed(formed = nodes => nodes.every(({ mesh }) => mesh.every(peers => peers.length > 0))) {
    const untilNs = this.now() + PATIENCE_MS * 1e6
    for (;;) {
      const states = await Promise.all(this.hosts.map(host => host.awaitMesh({ stepMs: STEP_MS })))
      const nodes = states.flatMap(state => state.nodes).sort((a, b) => a.node - b.node)
      if (formed(nodes)) return { nodes, states }
      if (this.now() > untilNs) throw new Error(`no mesh in ${PATIENCE_MS} ms: ${JSON.stringify(nodes)}`)
    }
  }

  /** publish has each host publish its nodes' share of a schedule. @param {Scheduled[]} scheduled */
  publish(scheduled) {
    const startNs = this.now() + 20e6
    return Promise.all(
      this.hosts.map((host, worker) => {
        const rows = scheduled.flatMap((publication, message) =>
          publication.node % this.plan.workers === worker ? [{ ...publication, message }] : []
        )
        return host.schedule({
          publications: {
            message: Uint32Array.from(rows, ({ message }) => message),
            node: Uint16Array.from(rows, ({ node }) => node),
            topic: Uint8Array.from(rows, ({ topic = 0 }) => topic),
            offsetNs: Float64Array.from(rows, ({ atMs = 0 }) => atMs * 1e6),
            bytes: Uint32Array.from(rows, ({ bytes = 1000 }) => bytes)
          },
          startNs,
          endNs: Number.POSITIVE_INFINITY
        })
      })
    )
  }

  /** arrived lets time pass until so many deliveries are there. @param {number} deliveries */
  async arrived(deliveries) {
    const untilNs = this.now() + PATIENCE_MS * 1e6
    while (this.received.length < deliveries) {
      if (this.now() > untilNs) throw new Error(`${this.received.length} of ${deliveries} deliveries arrived`)
      await this.drain(STEP_MS)
    }
    // whatever comes beside them
    await this.drain(STEP_MS)
    return this.received
  }

  /** @param {number} stepMs */
  async drain(stepMs) {
    await Promise.all(this.hosts.map(host => host.drain({ stepMs })))
  }

  get received() {
    return this.intervals.flatMap(({ received }) => rowsOf(received))
  }

  /** What was tried to publish: how much was still due at the end is up to the machine. */
  get published() {
    return this.intervals
      .flatMap(({ published }) => rowsOf(published))
      .filter(({ recipients }) => recipients !== -3)
  }

  /** counters sums what the hosts counted so far. */
  async counters() {
    const taken = await Promise.all(this.hosts.map(host => host.snapshot()))
    this.intervals.push(...taken)
    const [first, ...others] = taken.map(({ counters }) => counters)
    return others.reduce(
      (sum, counters) =>
        /** @type {typeof sum} */ (
          Object.fromEntries(
            Object.entries(counters).map(([name, count]) => [
              name,
              count + (sum[/** @type {keyof typeof sum} */ (name)] ?? 0)
            ])
          )
        ),
      first
    )
  }

  /** settled gives the counters of a moment in which no RPC was under way; without one, the last. */
  async settled() {
    const untilNs = this.now() + PATIENCE_MS * 1e6
    for (;;) {
      const counters = await this.counters()
      if (counters.rpcsSent === counters.rpcsReceived || this.now() > untilNs) return counters
      await this.drain(STEP_MS)
    }
  }

  /** evidence joins that of the hosts. */
  async evidence() {
    const ends = await Promise.all(this.hosts.map(host => host.collect()))
    return {
      abortedStreams: ends.flatMap(({ evidence }) => evidence.abortedStreams),
      withoutMesh: ends.flatMap(({ evidence }) => evidence.withoutMesh),
      backlog: ends.flatMap(({ evidence }) => evidence.backlog),
      meshWithoutStream: ends.flatMap(({ evidence }) => evidence.meshWithoutStream),
      connections: ends.flatMap(({ connections }) => connections)
    }
  }

  async stop() {
    await Promise.all(this.hosts.map(host => host.stop()))
  }
}

/**
 * rowsOf makes objects of columns.
 *
 * @template {Record<string, import('../../src/kit/collections.js').Column>} T
 * @param {T} columns
 * @returns {Record<keyof T, number>[]}
 */
export const rowsOf = columns =>
  Array.from(
    Object.values(columns)[0],
    (_, row) =>
      /** @type {Record<keyof T, number>} */ (
        Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]]))
      )
  )
