// Base class of a gossip run: starts processes, connects nodes by the topology, waits for the mesh. Also collects the
// facts of the result document.
import { join } from 'node:path'
import { makeFolder } from '../../../kit/files.js'
import { formatCount } from '../../../kit/numbers.js'
import { makeSubStream, shuffle } from '../../../kit/random.js'
import { listGossipPackages } from '../../../libp2p/stacks.js'
import { drawSubscriptions, turnEdgesToDialable } from '../../../load/network-script.js'
import { findClockError, readUnixNs } from '../../../measure/distribution.js'
import { hasImpairments } from '../../../network/link-properties.js'
import { NamespaceNetwork } from '../../../network/namespace-network.js'
import { findComponents, makeTopology } from '../../../network/topology.js'
import { Run } from '../../../run/run.js'
import { RunHeader } from '../../../run/run-header.js'
import { makeWorkerNames, WorkerWatch } from '../../../run/workers.js'
import { joinByRendezvous, warmUpMesh } from '../bootstrap.js'
import { DeliveryRows, Groups } from '../measure/delivery-breakdown.js'
import { findNetworkLimit, UsageByPhase } from '../measure/resource-usage.js'
import {
  GossipMeasurement,
  makeGossipOutcome,
  makeGossipWarnings,
  makeSimulatorResult,
  makeTopologyResult
} from '../outcome.js'
import { countProcesses, describeProcesses } from '../plan/resources.js'
import { GossipPool, listNodesOfWorker } from './pool.js'

/**
 * connectNodes connects nodes by the topology of the plan.
 *
 * @param {Omit<Parameters<typeof joinByRendezvous>[0], 'hosts'> & { hosts: Pick<import('./pool.js').GossipPool, 'connect' | 'register' | 'meet'> }} parts
 * @returns {Promise<{ dialled: import('../../../network/node-host.js').DialResult[],
 *   steps: import('../outcome.js').RendezvousSteps | null }>} `steps`: where nodes discovered one another
 */
export async function connectNodes(parts) {
  const { topology, nodes, seed, dialOrder } = parts.plan
  if (topology.kind === 'rendezvous') return joinByRendezvous(parts)
  const made = makeTopology(topology, { nodes, random: makeSubStream(seed, 'topology') })
  const edges = turnEdgesToDialable(made.edges, parts.plan)
  const dials = dialOrder === 'random' ? shuffle(edges, makeSubStream(seed, 'dial order')) : edges
  return { dialled: await parts.hosts.connect(dials, parts.peers), steps: null }
}

/**
 * @typedef {import('../options.js').GossipPlan} GossipPlan
 * @typedef {import('../../../network/node-containers.js').NodeContainers} NodeContainers
 *
 * @typedef {object} Parts
 * @property {string} id - of the run
 * @property {string | null} folder - that nodes may write into; null: none
 * @property {AbortSignal} signal
 * @property {bigint} originNs
 * @property {Pick<import('../outcome.js').RunFacts, 'joinedBy' | 'containers'>} known - receives what was started
 * @property {(error: Error) => void} onFailure
 * @property {import('../../../target/images.js').OnProgress} onProgress - of an image that is made
 */

/** NetworkEnvironment has the namespaces or containers of the processes of a run, and the links between them. */
class NetworkEnvironment {
  #plan
  #parts
  /** @type {Promise<NamespaceNetwork | null>} null: nodes have no links of ours */
  #network = Promise.resolve(null)
  /** @type {Promise<NodeContainers | null>} null: nodes are in no containers */
  #containers = Promise.resolve(null)

  /** @param {GossipPlan} plan @param {Parts} parts */
  constructor(plan, parts) {
    this.#plan = plan
    this.#parts = parts
  }

  /** places makes the namespaces or containers that workers are started in. @returns {Promise<import('./pool.js').GossipPoolOptions['placeOf']>} */
  async places() {
    const { network } = this.#plan
    if (network === 'namespaces') {
      const between = await this.#startNetwork()
      return worker => ({ through: between.enter(worker) })
    }
    if (network !== 'docker') return
    const containers = await this.#startContainers()
    return worker => containers.placeOf(worker)
  }

  /** join links workers that have started, where their start alone does not. @param {readonly number[]} pids */
  async join(pids) {
    if (this.#plan.network === 'docker' && hasImpairments(this.#plan))
      await this.#startNetwork(pids.map(pid => `/proc/${pid}/ns/net`))
    const network = await this.#network
    network?.hold(pids)
  }

  /** ends are the steps that stop links and containers. */
  get ends() {
    return [this.#network, this.#containers].map(starting => async () => {
      const started = await starting.catch(() => null)
      await started?.stop()
    })
  }

  #startContainers() {
    // Docker's client is loaded only where it is needed
    const starting = import('../../../network/node-containers.js').then(({ NodeContainers }) =>
      NodeContainers.start(this.#plan, this.#parts)
    )
    this.#containers = starting
    return starting.then(containers => {
      this.#parts.known.containers = containers
      return containers
    })
  }

  /** @param {readonly string[]} [existing] - namespaces that exist already */
  #startNetwork(existing) {
    const { known, ...parts } = this.#parts
    const starting = NamespaceNetwork.start(this.#plan, { ...parts, existing }).then(network => {
      known.joinedBy = network
      return network
    })
    this.#network = starting
    return starting
  }
}

/**
 * @typedef {import('../../../report/schema.js').RunRecord} RunRecord
 * @typedef {import('../../rendezvous/run/server-run.js').RunOptions & Pick<import('../../index.js').RunOptions, 'deliveries'>
 *   & Pick<import('./pool.js').GossipPoolOptions, 'startProcess'>} RunOptions
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../network/node-host.js').Peer} Peer
 * @typedef {import('./gossip-run.js').RunExtension} RunExtension
 * @typedef {import('../../../network/topology.js').Edge} Edge
 */

/**
 * NetworkRun is a run that has started a network: processes with nodes, connections, a mesh. Its subclass publishes messages.
 *
 * @extends {Run<GossipDocument>}
 */
export class NetworkRun extends Run {
  #options
  #originNs = process.hrtime.bigint()
  #originUnixNs = readUnixNs()
  #environment
  /** @type {Promise<GossipPool> | null} */
  #starting = null
  /** @type {GossipPool | null} */
  #pool = null
  /** @type {ReturnType<typeof connectNodes> | null} */
  #joining = null
  /** @type {Peer[]} */
  #peers = []
  /** @type {Edge[]} */
  #edges = []

  /**
   * @param {GossipPlan} plan
   * @param {RunOptions} options
   * @param {{ emit: (record: RunRecord) => void, extension: RunExtension }} components
   */
  constructor(plan, options, { emit, extension }) {
    const own = drawSubscriptions(plan)
    const subscriptions = extension.subscriptions ?? { all: own, publishing: own }
    super({
      emit,
      signal: options.signal,
      documentOf: log =>
        new GossipDocument(plan, {
          ...{ id: options.id, deliveries: options.deliveries },
          ...{ log, subscriptions: subscriptions.all, extension }
        })
    })
    this.plan = plan
    this.#options = options
    const { id, folder = null } = options
    this.#environment = new NetworkEnvironment(plan, {
      ...{ id, folder, signal: this.starting, originNs: this.#originNs, known: this.document.known },
      onFailure: error => this.failure.raise(error),
      onProgress: ({ done, total, unit }) => this.log.progress({ phase: 'provision', done, total, unit })
    })
    this.companion = extension
    this.subscriptions = subscriptions
    this.workers = new WorkerWatch(
      makeWorkerNames(countProcesses(plan)),
      error => this.failure.raise(error),
      {
        pidOf: worker => this.#pool?.pids[worker]
      }
    )
  }

  /** @override */
  begin() {
    super.begin()
    this.document.header.fleet = this.#options.fleet
    this.#options.fleet?.watch({
      onBusLost: error => this.failure.raise(error),
      onLost: lost => this.#lost(lost)
    })
    // a run that is killed while its network starts leaves a result too
    this.phases.emitPartial()
  }

  /** processes that hold the nodes. @returns {import('../../../run/lateness.js').WatchedProcess[]} */
  get processes() {
    const names = makeWorkerNames(countProcesses(this.plan))
    const nodes = (this.#pool?.pids ?? []).map((pid, i) => ({ name: names[i], pid: () => pid }))
    const { joinedBy } = this.document.known
    return joinedBy === null ? nodes : [...nodes, { name: 'router', pid: () => joinedBy.pid }]
  }

  /** Handles the loss of an agent with its nodes. @param {import('../../../run/fleet.js').LostAgent} lost */
  #lost({ name, workers, error, goesOn }) {
    const nodes = workers.flatMap(worker => listNodesOfWorker(this.plan, worker)).length
    const stays = goesOn && this.canLose
    this.log.warn('AGENT_LOST', { name, why: error.message, nodes, of: this.plan.nodes, goesOn: stays })
    for (const worker of workers) this.workers.lost(worker)
    if (!stays) this.failure.raise(error)
  }

  /** canLose says whether the run goes on when nodes are lost. */
  get canLose() {
    return false
  }

  provision() {
    return this.phases.guarded('provision', async () => {
      this.#starting = this.#startPool()
      this.#pool = await this.#starting
      await this.#environment.join(this.#pool.pids)
      this.workers.begin()
      this.#peers = await this.#pool.provision()
      if (this.plan.network !== 'simulated') this.document.known.settings = await this.#pool.settings()
      if (this.fleet !== undefined) await this.#pool.admit(this.#peers)
      return `${formatCount(this.plan.nodes, 'node')} in ${describeProcesses(this.plan)}`
    })
  }

  peer() {
    return this.phases.guarded('peer', async () => {
      this.#joining = this.#join()
      const { dialled, steps } = await this.#joining
      this.document.known.rendezvous = steps
      this.document.dialled(dialled)
      this.#edges = dialled.flatMap(({ from, to, error }) =>
        error === null ? [/** @type {Edge} */ ([from, to])] : []
      )
      if (this.#edges.length === 0 && dialled.length > 0)
        throw new Error(`no node could connect to another one: ${dialled[0].error}`)
      return formatCount(this.#edges.length, 'connection')
    })
  }

  warmUp() {
    return this.phases.guarded('warmup', async () => {
      this.document.phases.begin('warmup')
      const mesh = await warmUpMesh(this.plan, {
        hosts: this.hosts,
        edges: this.#edges,
        subscriptions: this.subscriptions.all,
        onProgress: done =>
          this.log.progress({
            phase: 'warmup',
            done,
            total: this.plan.warmupMs ?? this.plan.warmupTimeoutMs,
            unit: 'ms'
          })
      })
      this.document.phases.end()
      Object.assign(this.document.known.mesh, mesh)
      if (mesh.formedAfterMs !== null) return 'mesh formed'
      return `mesh not formed: ${mesh.missing.join(', ')}`
    })
  }

  teardown() {
    return this.log.phase('teardown', async () => {
      this.workers.stop()
      // the signal `starting` ends workers that are still starting
      await this.#starting?.catch(() => {})
      return this.endAll([
        () => this.keepWhatThereIs(),
        // nodes close their connections, unless the run has failed
        () => this.failure.guard(Promise.resolve(this.#pool?.stop())).catch(() => this.#pool?.kill()),
        // the end of the nodes ends their dials
        () => this.#joining?.catch(() => {}),
        () => this.document.known.server?.stop(),
        ...this.#environment.ends
      ])
    })
  }

  /** keepWhatThereIs keeps the measurement of a run that was broken off. */
  async keepWhatThereIs() {}

  /** take takes a report of a worker. @param {HostInterval} _interval @param {number} _worker */
  take(_interval, _worker) {}

  /** fleet of agents that run the nodes; undefined: this machine runs them. */
  get fleet() {
    return this.#options.fleet
  }

  /** hosts of the nodes, once they are started. */
  get hosts() {
    return /** @type {GossipPool} */ (this.#pool)
  }

  async #startPool() {
    const { plan, subscriptions, workers } = this
    const placeOf = await this.#environment.places()
    return GossipPool.start({
      traces: await this.#traces(),
      copies: this.#options.deliveries != null,
      plan,
      subscriptions: subscriptions.all,
      runNonce: Math.floor(makeSubStream(plan.seed, 'nonce')() * 2 ** 32),
      originNs: this.#originNs,
      onInterval: (interval, worker) => {
        workers.heard(worker, interval.atNs)
        this.document.phases.add(interval, worker)
        this.take(interval, worker)
      },
      onProgress: done =>
        this.log.progress(
          this.#peers.length === 0
            ? { phase: 'provision', done, total: plan.nodes, unit: 'nodes' }
            : { phase: 'peer', done, total: null, unit: 'connections' }
        ),
      onAlive: (atNs, worker) => workers.heard(worker, atNs),
      onDied: (error, worker) => workers.died(error, worker),
      signal: this.starting,
      startProcess: this.#options.startProcess,
      placeOf,
      fleet: this.#options.fleet
    })
  }

  async #traces() {
    if (!this.plan.traces || this.#options.folder == null) return null
    const folder = join(this.#options.folder, 'traces')
    await makeFolder(folder)
    return { folder, originUnixNs: this.#originUnixNs }
  }

  #join() {
    return connectNodes({
      plan: this.plan,
      id: this.#options.id,
      hosts: this.hosts,
      peers: this.#peers,
      signal: this.starting,
      onServerDied: error => this.failure.raise(error),
      fleet: this.fleet,
      known: this.document.known
    })
  }
}

/**
 * @typedef {import('../outcome.js').GossipResult} GossipResult
 * @typedef {import('../outcome.js').RunFacts} RunFacts
 * @typedef {Pick<ConstructorParameters<typeof GossipMeasurement>[0], 'startNs' | 'planned'>} Stretch
 */

/** @param {GossipPlan} plan */
const listPackages = ({ stack, pubsub }) => [
  ...listGossipPackages(stack),
  ...(pubsub === 'floodsub' ? ['@libp2p/floodsub'] : [])
]

/** GossipDocument has all facts of a gossip run so far; `result` can be called at any time. */
export class GossipDocument {
  #plan
  #id
  #subscriptions
  #extension
  header
  phases
  /** @type {GossipMeasurement} */
  measurement
  /** components of the topology, by node. @type {import('../measure/receipts.js').Reach['components']} */
  components = null
  /** @type {Omit<RunFacts, 'brokeOff' | 'dialled'>} */
  known = {
    settings: {},
    rendezvous: null,
    traceErrors: [],
    mesh: { formedAfterMs: null, missing: [], degrees: {} },
    publishEnds: [],
    meshPeersWithoutStream: 0,
    deliveries: null,
    windows: [],
    joinedBy: null,
    carried: null,
    server: null,
    containers: null
  }
  #topology
  #started = false
  #deliveriesFile

  /**
   * @param {GossipPlan} plan
   * @param {object} run
   * @param {string} run.id
   * @param {import('../../../run/run-header.js').RunLog} run.log
   * @param {readonly (readonly number[])[]} run.subscriptions
   * @param {RunExtension} run.extension
   * @param {string | null} [run.deliveries] - path of a file with a row for each delivery; null: there is none
   */
  constructor(plan, { id, log, subscriptions, extension, deliveries = null }) {
    this.#deliveriesFile = deliveries
    this.#plan = plan
    this.#extension = extension
    this.#id = id
    this.#subscriptions = subscriptions
    this.phases = new UsageByPhase(countProcesses(plan))
    this.header = new RunHeader(id, log, listPackages(plan))
    this.#topology = makeTopologyResult(plan, [])
    this.measurement = this.#measurementOf({ startNs: 0, planned: null })
  }

  /** dialled records the connections of the network. @param {RunFacts['dialled']} dialled */
  dialled(dialled) {
    const { topology, nodes } = this.#plan
    this.#topology = makeTopologyResult(this.#plan, dialled)
    // nodes that discover one another, or are replaced, have no fixed edges
    if (topology.kind !== 'rendezvous' && this.#subscriptions.length === nodes)
      this.components = findComponents(
        nodes,
        dialled.map(({ from, to }) => [from, to])
      )
  }

  /** begin begins the measurement. @param {Stretch} stretch */
  begin(stretch) {
    this.#started = true
    const [path, plan, nodes] = [this.#deliveriesFile, this.#plan, this.#subscriptions.length]
    const rows = path === null ? null : new DeliveryRows(path, { plan, nodes, startNs: stretch.startNs })
    this.measurement = this.#measurementOf({ ...stretch, rows, groups: Groups.of(plan) })
    return this.measurement
  }

  /** @param {Stretch & { rows?: DeliveryRows | null, groups?: Groups | null }} stretch */
  #measurementOf(stretch) {
    const { network } = this.#plan
    return new GossipMeasurement({
      workers: countProcesses(this.#plan),
      nodes: this.#subscriptions.length,
      simulated: network === 'simulated',
      subscriptions: this.#subscriptions,
      ...stretch,
      ...this.#extension.measurement?.(stretch)
    })
  }

  /** @returns {import('../../../report/schema.js').StartRecord} */
  startRecord() {
    return { type: 'start', id: this.#id, plan: this.#plan, run: this.header.run([], []) }
  }

  /** @returns {GossipResult} */
  result() {
    const { measurement, header, known } = this
    // processes are idle in the cool-down, which says nothing of the publish phase
    const health = this.phases.health('publish')
    const { brokeOff } = header
    const clockErrorMs = findClockError(header.fleet?.agents(() => 0) ?? [])
    const outcome = makeGossipOutcome(this.#plan, measurement, {
      ...known,
      clockErrorMs,
      brokeOff,
      phases: this.phases,
      dialled: [],
      topology: this.#topology
    })
    const run = header.run(health, [], known.containers?.versions)
    const limitedBy = findNetworkLimit({ plan: this.#plan, outcome, run })
    const warnings = this.#extension.warnings(
      makeGossipWarnings(outcome, health, {
        limitedBy,
        ...known,
        clockErrorMs,
        rowsError: measurement.rows?.error,
        publishMs: this.#publishMs,
        started: this.#started
      })
    )
    return /** @type {GossipResult} */ ({
      ...header.ending(),
      scenario: this.#plan.scenario,
      plan: this.#plan,
      outcome: { ...outcome, ...(limitedBy !== undefined && { limitedBy }), ...this.#extension.outcome() },
      run: {
        ...run,
        warnings: [...run.warnings, ...warnings],
        ...makeSimulatorResult(this.#plan, measurement, known.windows)
      }
    })
  }

  /** How long messages were published; 0: publishing is not over. */
  get #publishMs() {
    const { publishEnds } = this.known
    const endNs = Math.max(this.measurement.startNs, ...publishEnds.map(({ endedNs }) => endedNs))
    return (endNs - this.measurement.startNs) / 1e6
  }
}
