import { join } from 'node:path'
import { makeFolder } from '../../../kit/folders.js'
import { counted } from '../../../kit/numbers.js'
import { subStream } from '../../../kit/random.js'
import { shuffled } from '../../../kit/shuffled.js'
import { dialable } from '../../../load/placement.js'
import { subscriptionsOf } from '../../../load/subscriptions.js'
import { unixNs } from '../../../measure/clock-error.js'
import { asksOfLinks } from '../../../network/links/asks-of-links.js'
import { makeTopology } from '../../../network/topology/make-topology.js'
import { NamespaceNetwork } from '../../namespaces/namespace-network.js'
import { Run } from '../../run.js'
import { WorkerWatch, workerNames } from '../../worker-watch.js'
import { heldIn, processesOf } from '../plan/processes-of.js'
import { GossipDocument } from './gossip-document.js'
import { GossipPool, nodesOf } from './gossip-pool.js'
import { joinByRendezvous } from './gossip-rendezvous.js'
import { warmUpMesh } from './warm-up-mesh.js'

/**
 * joinNodes makes a network of nodes, as the topology of the plan says.
 *
 * @param {Omit<Parameters<typeof joinByRendezvous>[0], 'hosts'> & { hosts: Pick<import('./gossip-pool.js').GossipPool, 'connect' | 'register' | 'meet'> }} parts
 * @returns {Promise<{ dialled: import('../../../network/node-host.js').Dialled[],
 *   steps: import('../gossip-types.js').RendezvousSteps | null }>} `steps`: where nodes found one another
 */
export async function joinNodes(parts) {
  const { topology, nodes, seed, dialOrder } = parts.plan
  if (topology.kind === 'rendezvous') return joinByRendezvous(parts)
  const made = makeTopology(topology, { nodes, random: subStream(seed, 'topology') })
  const edges = dialable(made.edges, parts.plan)
  const dials = dialOrder === 'random' ? shuffled(edges, subStream(seed, 'dial order')) : edges
  return { dialled: await parts.hosts.connect(dials, parts.peers), steps: null }
}

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../containers/node-containers.js').NodeContainers} NodeContainers
 *
 * @typedef {object} Parts
 * @property {string} id - of the run
 * @property {string | null} folder - that nodes may write into; null: none
 * @property {AbortSignal} signal
 * @property {bigint} originNs
 * @property {Pick<import('./gossip-result.js').GossipKnown, 'joinedBy' | 'containers'>} known - is told what was started
 * @property {(error: Error) => void} onTrouble
 * @property {import('../../../docker/progress.js').OnProgress} onProgress - of an image that is made
 */

/** Surroundings are what the processes of a run are in, and are joined by: namespaces, containers, or nothing but this machine. */
class Surroundings {
  #plan
  #parts
  /** @type {Promise<NamespaceNetwork | null>} null: nothing of ours joins nodes */
  #network = Promise.resolve(null)
  /** @type {Promise<NodeContainers | null>} null: nodes are in none */
  #containers = Promise.resolve(null)

  /** @param {GossipPlan} plan @param {Parts} parts */
  constructor(plan, parts) {
    this.#plan = plan
    this.#parts = parts
  }

  /** places makes what workers are started in. @returns {Promise<import('./gossip-pool.js').GossipPoolOptions['placeOf']>} */
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

  /** join joins workers that have started, where that takes more than to have started them. @param {readonly number[]} pids */
  async join(pids) {
    if (this.#plan.network === 'docker' && asksOfLinks(this.#plan))
      await this.#startNetwork(pids.map(pid => `/proc/${pid}/ns/net`))
    const network = await this.#network
    network?.hold(pids)
  }

  /** ends are the steps that end all of it. */
  get ends() {
    return [() => stopped(this.#network), () => stopped(this.#containers)]
  }

  #startContainers() {
    // nothing of Docker is loaded before somebody asks for it
    const starting = import('../../containers/node-containers.js').then(({ NodeContainers }) =>
      NodeContainers.start(this.#plan, this.#parts)
    )
    this.#containers = starting
    return starting.then(containers => {
      this.#parts.known.containers = containers
      return containers
    })
  }

  /** @param {readonly string[]} [given] - namespaces that are there already */
  #startNetwork(given) {
    const { known, ...parts } = this.#parts
    const starting = NamespaceNetwork.start(this.#plan, { ...parts, given }).then(network => {
      known.joinedBy = network
      return network
    })
    this.#network = starting
    return starting
  }
}

/** @param {Promise<{ stop: () => Promise<void> } | null>} starting */
async function stopped(starting) {
  const started = await starting.catch(() => null)
  await started?.stop()
}

/**
 * @typedef {import('../../../result/types.js').Record_} Record_
 * @typedef {import('../../rendezvous/run/rendezvous.js').RunOptions & Pick<import('../../scenario.js').RunOptions, 'deliveries'>
 *   & Pick<import('./gossip-pool.js').GossipPoolOptions, 'startProcess'>} RunOptions
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../network/node-host.js').Peer} Peer
 * @typedef {import('./gossip.js').Companion} Companion
 * @typedef {[number, number]} Edge
 */

/**
 * NetworkRun is a run of a network with what it has started: processes that hold nodes, connections, a mesh. What is published is up to
 * whoever extends it.
 *
 * @extends {Run<GossipDocument>}
 */
export class NetworkRun extends Run {
  #options
  #originNs = process.hrtime.bigint()
  #originUnixNs = unixNs()
  #surroundings
  /** @type {Promise<GossipPool> | null} */
  #starting = null
  /** @type {GossipPool | null} */
  #pool = null
  /** @type {ReturnType<typeof joinNodes> | null} */
  #joining = null
  /** @type {Peer[]} */
  #peers = []
  /** @type {Edge[]} */
  #edges = []

  /**
   * @param {GossipPlan} plan
   * @param {RunOptions} options
   * @param {{ emit: (record: Record_) => void, companion: Companion }} components
   */
  constructor(plan, options, { emit, companion }) {
    const own = subscriptionsOf(plan)
    const subscriptions = companion.subscriptions ?? { all: own, publishing: own }
    super({
      emit,
      signal: options.signal,
      documentOf: log =>
        new GossipDocument(plan, {
          ...{ id: options.id, deliveries: options.deliveries },
          ...{ log, subscriptions: subscriptions.all, companion }
        })
    })
    this.plan = plan
    this.#options = options
    const { id, folder = null } = options
    this.#surroundings = new Surroundings(plan, {
      ...{ id, folder, signal: this.starting, originNs: this.#originNs, known: this.document.known },
      onTrouble: error => this.trouble.raise(error),
      onProgress: ({ done, total, unit }) => this.log.progress({ phase: 'provision', done, total, unit })
    })
    this.companion = companion
    this.subscriptions = subscriptions
    this.workers = new WorkerWatch(workerNames(processesOf(plan)), error => this.trouble.raise(error), {
      pidOf: worker => this.#pool?.pids[worker]
    })
  }

  /** @override */
  begin() {
    super.begin()
    this.document.header.fleet = this.#options.fleet
    this.#options.fleet?.watch({
      onBusLost: error => this.trouble.raise(error),
      onLost: lost => this.#lost(lost)
    })
    // a network that is killed while it comes about leaves its result too
    this.phases.emitPartial()
  }

  /** processes that hold the nodes. @returns {import('../../../workers/lateness.js').Watched[]} */
  get processes() {
    const names = workerNames(processesOf(this.plan))
    const nodes = (this.#pool?.pids ?? []).map((pid, i) => ({ name: names[i], pid: () => pid }))
    const { joinedBy } = this.document.known
    return joinedBy === null ? nodes : [...nodes, { name: 'router', pid: () => joinedBy.pid }]
  }

  /** An agent is gone, and its nodes with it. @param {import('../../../workers/fleet.js').LostAgent} lost */
  #lost({ name, workers, error, goesOn }) {
    const nodes = workers.flatMap(worker => nodesOf(this.plan, worker)).length
    const stays = goesOn && this.canLose
    this.log.warn('AGENT_LOST', { name, why: error.message, nodes, of: this.plan.nodes, goesOn: stays })
    for (const worker of workers) this.workers.lost(worker)
    if (!stays) this.trouble.raise(error)
  }

  /** Nodes may be lost, and what is left is a network that is measured. */
  get canLose() {
    return false
  }

  provision() {
    return this.phases.guarded('provision', async () => {
      this.#starting = this.#startPool()
      this.#pool = await this.#starting
      await this.#surroundings.join(this.#pool.pids)
      this.workers.begin()
      this.#peers = await this.#pool.provision()
      if (this.plan.network !== 'simulated') this.document.known.settings = await this.#pool.settings()
      if (this.fleet !== undefined) await this.#pool.admit(this.#peers)
      return `${counted(this.plan.nodes, 'node')} in ${heldIn(this.plan)}`
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
      return counted(this.#edges.length, 'connection')
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
      // what is still being started is ended by `starting`
      await this.#starting?.catch(nothing)
      return this.endAll([
        () => this.keepWhatThereIs(),
        () => this.#endWorkers(),
        // nodes that are gone end what they were joined by
        () => this.#joining?.then(nothing, nothing),
        () => this.document.known.server?.stop(),
        ...this.#surroundings.ends
      ])
    })
  }

  /** keepWhatThereIs keeps what was measured of a run that was broken off. */
  async keepWhatThereIs() {}

  /** take takes what a worker has to tell. @param {HostInterval} _interval @param {number} _worker */
  take(_interval, _worker) {}

  /** Machines that hold them; none: this one does. */
  get fleet() {
    return this.#options.fleet
  }

  /** The workers, once they were started. */
  get hosts() {
    return /** @type {GossipPool} */ (this.#pool)
  }

  async #startPool() {
    const { plan, subscriptions, workers } = this
    const placeOf = await this.#surroundings.places()
    return GossipPool.start({
      traces: await this.#traces(),
      copies: this.#options.deliveries != null,
      plan,
      subscriptions: subscriptions.all,
      runNonce: Math.floor(subStream(plan.seed, 'nonce')() * 2 ** 32),
      originNs: this.#originNs,
      onInterval: (interval, worker) => {
        workers.heard(worker, interval.atNs)
        this.document.phases.add(interval, worker)
        this.take(interval, worker)
      },
      onProgress: done => this.#starts(done),
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

  /** @param {number} done */
  #starts(done) {
    if (this.#peers.length === 0)
      this.log.progress({ phase: 'provision', done, total: this.plan.nodes, unit: 'nodes' })
    else this.log.progress({ phase: 'peer', done, total: null, unit: 'connections' })
  }

  #join() {
    return joinNodes({
      plan: this.plan,
      id: this.#options.id,
      hosts: this.hosts,
      peers: this.#peers,
      signal: this.starting,
      onServerDied: error => this.trouble.raise(error),
      fleet: this.fleet,
      known: this.document.known
    })
  }

  /** Nodes close their connections, unless there is trouble: then nobody waits for it. */
  async #endWorkers() {
    const pool = this.#pool
    if (pool !== null) await this.trouble.guard(pool.stop()).catch(() => pool.kill())
  }
}

const nothing = () => {}
