// Starts the worker processes that hold gossip nodes, and calls them all at once. Also synchronizes the processes of a
// simulation.
import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { computeSum, dealIndices, findSnakeHand, omitMissing } from '../../../kit/collections.js'
import { countUsableCores } from '../../../kit/linux.js'
import { mergeNodeSettings } from '../../../libp2p/node-settings.js'
import { selectPublications } from '../../../load/publications.js'
import { PROFILE_CALLS } from '../../../measure/process-profile.js'
import { MAX_STARTING, startForkedProcess, startTogether, waitForRemaining } from '../../../run/workers.js'
import { countProcesses } from '../plan/resources.js'
import { HOST_CALLS } from './host-calls.js'

/**
 * @typedef {import('../../../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 *
 * @typedef {Pick<Parameters<typeof startForkedProcess>[0], 'through' | 'begin' | 'readyMs'>} ProcessLocation - where a process runs: in a namespace, or in
 *   a container
 *
 * @typedef {NodeHost & Required<Pick<NodeHost, 'churn' | 'admit' | 'settings' | 'refresh' | 'endRefreshing'>> & import('../../../measure/process-profile.js').ProcessProfile
 *   & { pid: number, kill: () => Promise<void> }} GossipProcess - a host whose nodes are in a process of their own, which can be profiled.
 *   `stop` ends the process, hard after a grace period, `kill` at once; calls to one that ended fail with WorkerDiedError
 */

/** Entry and Node flags of a worker process, by kind of network. */
const REAL = { entry: new URL('./gossip-entry.js', import.meta.url), flags: () => [] }
const PROGRAMS = {
  loopback: REAL,
  namespaces: REAL,
  docker: REAL,
  simulated: { entry: new URL('./simulated-entry.js', import.meta.url), flags: simulatorFlags }
}
/** Nodes close each of their connections, and wait up to half a second for the other end. */
const GRACE_MS = 5000

/**
 * startGossipProcess starts a process that holds nodes of the gossip scenario.
 *
 * @param {object} options
 * @param {string} options.name - for messages
 * @param {import('../../../network/node-host.js').HostSetup} options.setup
 * @param {(interval: HostInterval) => Promise<void> | void} options.onInterval
 * @param {(done: number) => void} options.onProgress - of provision and connect
 * @param {(atNs: number) => void} [options.onAlive]
 * @param {import('../../../network/node-host.js').HostComponents['meet']} [options.onMeet] - synchronizes it with the other processes of its simulation
 * @param {(error: import('../../../run/workers.js').WorkerDiedError) => void} options.onDied - it ended unexpectedly
 * @param {ProcessLocation} [options.place] - default: as a child of this process
 * @param {AbortSignal} [options.signal] - ends it at once while it starts
 * @param {(options: import('../../../run/fleet.js').StartOptions) => Promise<import('../../../run/fleet.js').WorkerProcess>} [options.start] -
 *   default: on this machine
 * @returns {Promise<GossipProcess>} when it is ready for calls
 */
export async function startGossipProcess({
  name,
  setup,
  onInterval,
  onProgress,
  onAlive = () => {},
  onMeet,
  onDied,
  place,
  signal,
  start = startForkedProcess
}) {
  const { entry, flags } = PROGRAMS[setup.plan.network]
  const { pid, call, stop, kill } = await start({
    entry,
    execArgv: flags(setup.workers ?? 1),
    name,
    setup,
    handlers: {
      interval: onInterval,
      progress: onProgress,
      alive: onAlive,
      ...(onMeet !== undefined && { meet: onMeet })
    },
    onDied,
    graceMs: GRACE_MS,
    ...place,
    signal
  })
  const calls = [...HOST_CALLS, ...PROFILE_CALLS].map(name => [
    name,
    (/** @type {unknown[]} */ ...args) => call(name, ...args)
  ])
  // a process on another machine has no pid here, and it is not used
  return /** @type {GossipProcess} */ ({ ...Object.fromEntries(calls), pid, stop, kill })
}

/**
 * simulatorFlags gives the Node flags of a simulation. It holds a whole network in one heap, which may be as large as the machine allows. Most
 * objects are garbage before the next message: a large young generation saves a tenth of its CPU time. Where the processes of a simulation use
 * all cores, extra threads for garbage collection delay the other processes, which wait for one another.
 *
 * @param {number} processes - of the simulation
 */
function simulatorFlags(processes) {
  const heapMb = Math.floor((totalmem() * 0.8) / 2 ** 20)
  const usesAllCores = processes > 1 && processes >= countUsableCores()
  return [
    '--max-semi-space-size=256',
    `--max-old-space-size=${heapMb}`,
    ...(usesAllCores ? ['--single-threaded-gc'] : [])
  ]
}

/**
 * @typedef {import('../../../simulator/time/processes.js').ProcessReport} ProcessReport
 * @typedef {import('../../../simulator/time/processes.js').JointReport} JointReport
 */

/** SimulationBarrier synchronizes the processes of a simulation: when all have reported, each receives the messages of the others. */
export class SimulationBarrier {
  #processes
  /** @type {Map<number, { report: ProcessReport, hear: (heard: JointReport) => void }>} waiting processes */
  #waiting = new Map()

  /** @param {number} processes */
  constructor(processes) {
    this.#processes = processes
  }

  /** meet resolves when all processes have called it. @param {number} process @param {ProcessReport} report @returns {Promise<JointReport>} */
  meet(process, report) {
    return new Promise(hear => {
      this.#waiting.set(process, { report, hear })
      if (this.#waiting.size < this.#processes) return
      const all = [...this.#waiting]
      const reports = all.map(([, { report: told }]) => told)
      this.#waiting.clear()
      const nextNs = Math.min(...reports.map(({ nextNs }) => nextNs))
      const settled = reports.every(({ settled }) => settled)
      const ended = reports.some(({ ended }) => ended)
      for (const [process, { hear }] of all)
        hear({ boxes: omitMissing(reports.map(({ boxes }) => boxes[process])), nextNs, settled, ended })
    })
  }
}

/**
 * @typedef {import('../../../network/node-host.js').HostSetup} HostSetup
 * @typedef {import('../../../network/node-host.js').Peer} Peer
 * @typedef {import('../../../network/node-host.js').PublishStart} PublishStart
 *
 * @typedef {Pick<HostSetup, 'plan' | 'subscriptions' | 'runNonce' | 'originNs' | 'traces' | 'copies'> & PoolParts} GossipPoolOptions
 *
 * @typedef {object} PoolParts
 * @property {(interval: HostInterval, worker: number) => void} onInterval
 * @property {(done: number) => void} onProgress - of provision and connect, over all workers
 * @property {(atNs: number, worker: number) => void} [onAlive] - of a worker without a report yet
 * @property {(error: Error, worker: number) => void} onDied
 * @property {typeof startGossipProcess} [startProcess] - default: a process for each worker
 * @property {(worker: number) => ProcessLocation} [placeOf] - where a worker runs; default: as a child of this process
 * @property {import('../../../run/fleet.js').Fleet} [fleet] - agents that run the nodes; undefined: this machine runs them
 * @property {AbortSignal} [signal] - ends workers at once while they start
 *
 * @typedef {object} LastReport - of a worker whose run is broken off
 * @property {HostInterval | null} interval - null: it has ended, or did not answer in time
 * @property {import('../../../network/node-host.js').HostEnd | null} end
 */

/** How long a worker may take to give its evidence. */
const EVIDENCE_MS = 3000
/** How long workers may take for their last report once the run has failed: its end takes 2 s at most. */
const LAST_REPORT_MS = 700

/** GossipPool calls the processes that hold the nodes: it has NodeHost's calls, each for all processes. */
export class GossipPool {
  #hosts
  /** @type {number[]} worker of each node */
  #worker = []
  #progress
  #isSimulated

  /**
   * @param {GossipProcess[]} hosts
   * @param {Pick<GossipPoolOptions, 'plan'>} options
   * @param {{ reset: () => void }} progress
   */
  constructor(hosts, { plan }, progress) {
    this.#hosts = hosts
    this.#progress = progress
    this.#isSimulated = plan.network === 'simulated'
    for (const worker of hosts.keys())
      for (const node of listNodesOfWorker(plan, worker)) this.#worker[node] = worker
  }

  /** @param {GossipPoolOptions} options @returns {Promise<GossipPool>} */
  static async start(options) {
    const { plan, onInterval, onProgress, onAlive = () => {}, onDied, signal, ...rest } = options
    const { startProcess = startGossipProcess, placeOf = () => ({}), fleet, ...setup } = rest
    const limit = pLimit(MAX_STARTING)
    const done = Array(countProcesses(plan)).fill(0)
    const meeting = new SimulationBarrier(done.length)
    const startAll = (/** @type {AbortSignal} */ signal) =>
      done.map((_, worker) =>
        limit(startProcess, {
          name: `worker ${worker}`,
          setup: {
            ...setup,
            ...makeMachineSetup(setup.originNs, fleet, worker),
            plan,
            worker,
            nodes: listNodesOfWorker(plan, worker),
            ...(plan.network === 'simulated' && { workers: done.length })
          },
          start: fleet === undefined ? undefined : options => fleet.start(worker, options),
          onInterval: interval => onInterval(interval, worker),
          onProgress: count => {
            done[worker] = count
            onProgress(computeSum(done))
          },
          onAlive: atNs => onAlive(atNs, worker),
          onMeet: report => meeting.meet(worker, report),
          onDied: error => onDied(error, worker),
          place: placeOf(worker),
          signal
        })
      )
    const hosts = await startTogether(startAll, signal)
    return new GossipPool(hosts, options, { reset: () => void done.fill(0) })
  }

  /** pids of the workers. */
  get pids() {
    return this.#hosts.map(({ pid }) => pid)
  }

  /** @returns {Promise<Peer[]>} of the whole network, by node */
  async provision() {
    const peers = await this.#all(host => host.provision())
    return peers.flat().sort((a, b) => a.node - b.node)
  }

  /** settings of nodes in real networks other than the defaults of libp2p and gossipsub. */
  async settings() {
    return mergeNodeSettings(await this.#all(host => host.settings?.() ?? Promise.resolve({})))
  }

  /** admit lets every worker accept connections of the nodes of the network, and of no others. @param {Peer[]} peers */
  async admit(peers) {
    await this.#all(host => host.admit?.(peers) ?? Promise.resolve())
  }

  /**
   * connect lets every worker dial from its own nodes.
   *
   * @param {readonly (readonly [number, number])[]} edges
   * @param {Peer[]} peers
   * @returns {Promise<import('../../../network/node-host.js').DialResult[]>} by node, however many workers dialled
   */
  async connect(edges, peers) {
    this.#progress.reset()
    // a simulated node that returns also redials the nodes that had dialled it
    const dialsOf = (/** @type {number} */ worker) =>
      edges.flatMap(([from, to]) =>
        this.#isSimulated || this.#worker[from] === worker ? [{ from, to }] : []
      )
    const dialled = await this.#all((host, worker) => host.connect(dialsOf(worker), peers))
    return dialled.flat().toSorted((a, b) => a.from - b.from)
  }

  /**
   * register registers every node at a rendezvous server.
   *
   * @param {import('../../../network/node-host.js').RendezvousMeeting} meeting
   * @returns {Promise<import('../../../network/node-host.js').RegistrationResult[]>} by worker
   */
  register(meeting) {
    return this.#all(host => host.register(meeting))
  }

  /**
   * meet lets every node discover the others at the rendezvous server, and dial them.
   *
   * @param {import('../../../network/node-host.js').RendezvousMeeting & { k: number }} meeting
   * @param {Peer[]} peers
   * @returns {Promise<import('../../../network/node-host.js').MeetingResult[]>} by worker
   */
  meet(meeting, peers) {
    this.#progress.reset()
    return this.#all(host => host.meet(meeting, peers))
  }

  /**
   * refresh lets every node register and discover again, until publishing is over.
   *
   * @param {import('../../../network/node-host.js').RendezvousMeeting & { everyMs: number }} refreshing
   */
  async refresh(refreshing) {
    await this.#all(host => host.refresh?.(refreshing) ?? Promise.resolve())
  }

  /** endRefreshing ends that. */
  async endRefreshing() {
    await this.#all(host => host.endRefreshing?.() ?? Promise.resolve())
  }

  /** @param {number} stepMs @returns {Promise<import('../../../network/node-host.js').MeshState[]>} */
  awaitMesh(stepMs) {
    return this.#all(host => host.awaitMesh({ stepMs }))
  }

  /**
   * schedule gives every worker its share of the publications.
   *
   * @param {PublishStart} start - with the publications of the whole network
   * @returns {Promise<import('../../../network/node-host.js').PublishEnd[]>}
   */
  schedule({ publications, ...when }) {
    const shareOf = (/** @type {number} */ worker) =>
      publications === null ? null : selectPublications(publications, node => this.#worker[node] === worker)
    return this.#all((host, worker) => host.schedule({ publications: shareOf(worker), ...when }))
  }

  /**
   * churn lets every worker start and kill nodes in the slots of its own nodes.
   *
   * @param {import('../../../network/node-host.js').ChurnStart} churning - of the whole network
   * @returns {Promise<void>} resolves after the last start or kill, or when publishing ended
   */
  async churn({ lives, ...how }) {
    const livesOf = (/** @type {number} */ worker) =>
      lives.filter(({ slot }) => this.#worker[slot] === worker)
    await this.#all((host, worker) => host.churn?.({ lives: livesOf(worker), ...how }) ?? Promise.resolve())
  }

  /** @param {number} stepMs */
  async drain(stepMs) {
    await this.#all(host => host.drain({ stepMs }))
  }

  /** snapshot asks every worker for a report now. @returns {Promise<HostInterval[]>} by worker */
  snapshot() {
    return this.#all(host => host.snapshot())
  }

  /**
   * collect asks every worker for its evidence. A worker that has ended or does not answer has none.
   *
   * @returns {Promise<import('../../../network/node-host.js').HostEnd[]>}
   */
  async collect() {
    return omitMissing(await this.#answersOf(host => host.collect()))
  }

  /**
   * breakOff ends all calls and takes the last reports of the workers, as far as they come in time.
   *
   * @param {string} reason
   * @returns {Promise<LastReport[]>} by worker
   */
  breakOff(reason) {
    return Promise.all(
      this.#hosts.map(async host => {
        /** @type {LastReport} */
        const words = { interval: null, end: null }
        const report = async () => {
          await host.abort(reason)
          words.interval = await host.snapshot()
          words.end = await host.collect()
        }
        await waitAtMost(LAST_REPORT_MS, report())
        // a copy: later answers are not part of it
        return { ...words }
      })
    )
  }

  /** endPublishing ends publishing; `schedule` resolves. */
  async endPublishing() {
    await this.#answersOf(host => host.abort('publishing ends'))
  }

  /** profiles are those of its processes, by worker. @returns {readonly import('../../../measure/process-profile.js').ProcessProfile[]} */
  get profiles() {
    return this.#hosts
  }

  async stop() {
    await Promise.all(this.#hosts.map(host => host.stop()))
  }

  /** kill ends the workers at once. */
  async kill() {
    await Promise.all(this.#hosts.map(host => host.kill()))
  }

  /**
   * @template T
   * @param {(host: NodeHost, worker: number) => Promise<T>} call
   * @returns {Promise<T[]>}
   */
  #all(call) {
    return waitForRemaining(this.#hosts.map(call))
  }

  /**
   * @template T
   * @param {(host: NodeHost, worker: number) => Promise<T>} call
   * @returns {Promise<(T | null)[]>} null: it has ended, or does not answer
   */
  #answersOf(call) {
    return Promise.all(this.#hosts.map((host, worker) => waitAtMost(EVIDENCE_MS, call(host, worker))))
  }
}

/**
 * makeMachineSetup gives the setup of a worker on another machine: the origin of times on its clock, and its address.
 *
 * @param {bigint} originNs
 * @param {GossipPoolOptions['fleet']} fleet
 * @param {number} worker
 */
const makeMachineSetup = (originNs, fleet, worker) =>
  fleet === undefined
    ? {}
    : { originNs: fleet.clockOf(worker).there(originNs), address: fleet.addressOf(worker) }

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | null>} null: it failed, or was not settled by then
 */
const waitAtMost = (ms, promise) => Promise.race([promise.catch(() => null), sleep(ms, null, { ref: false })])

/**
 * listNodesOfWorker gives the nodes of a worker. Real nodes are dealt to workers by number, as stacks are, so that a worker can have one stack.
 * Simulated nodes are dealt so that all processes have the same load.
 *
 * @param {import('../options.js').GossipPlan} plan
 * @param {number} worker
 */
export function listNodesOfWorker(plan, worker) {
  const processes = countProcesses(plan)
  if (plan.network !== 'simulated') return dealIndices(plan.nodes, worker, processes)
  const all = Array.from({ length: plan.nodes }, (_, node) => node)
  return all.filter(node => findSnakeHand(node, processes) === worker)
}
