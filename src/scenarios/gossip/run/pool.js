// The worker processes that hold the nodes of a gossip run.
import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { dealt, handOf, present, sumOf } from '../../../kit/collections.js'
import { usableCores } from '../../../kit/linux.js'
import { mergedSettings } from '../../../libp2p/node-settings.js'
import { publicationsOf } from '../../../load/publications.js'
import { PROFILE_CALLS } from '../../../measure/process-profile.js'
import { allStarted, fromRemaining, MAX_STARTING, startForkedProcess } from '../../../run/workers.js'
import { processesOf } from '../plan/resources.js'
import { HOST_CALLS } from './host-calls.js'

/**
 * @typedef {import('../../../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 *
 * @typedef {Pick<Parameters<typeof startForkedProcess>[0], 'through' | 'begin' | 'readyMs'>} Place - where a process runs: in a namespace, or in
 *   a container
 *
 * @typedef {NodeHost & Required<Pick<NodeHost, 'churn' | 'admit' | 'settings' | 'refresh' | 'endRefreshing'>> & import('../../../measure/process-profile.js').ProcessProfile
 *   & { pid: number, kill: () => Promise<void> }} GossipProcess - a host whose nodes are in a process of their own, which can be profiled.
 *   `stop` ends the process, hard after a grace period, `kill` at once; calls to one that ended fail with WorkerDiedError
 */

/** What runs in the process, and with which flags of Node, by what joins the nodes. */
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
 * @param {import('../../../network/node-host.js').HostComponents['meet']} [options.onMeet] - it meets the others of its simulation
 * @param {(error: import('../../../run/workers.js').WorkerDiedError) => void} options.onDied - it ended without being asked
 * @param {Place} [options.place] - default: beside this process
 * @param {AbortSignal} [options.signal] - ends it at once while it starts
 * @param {(options: import('../../../run/fleet.js').StartOptions) => Promise<import('../../../run/fleet.js').HeldProcess>} [options.start] -
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
  // one on another machine has none here, and nobody looks at it
  return {
    .../** @type {GossipProcess} */ (Object.fromEntries(calls)),
    pid: /** @type {number} */ (pid),
    stop,
    kill
  }
}

/**
 * A simulation holds a whole network in one heap, which may be as large as the machine allows. What it makes is mostly gone before the
 * next message: room for young objects saves a tenth of its CPU time. Where processes of one take all cores, threads that collect garbage beside
 * them only make others wait, and those wait for each other.
 *
 * @param {number} processes - of the simulation
 */
function simulatorFlags(processes) {
  const heapMb = Math.floor((totalmem() * 0.8) / 2 ** 20)
  const takesAll = processes > 1 && processes >= usableCores()
  return [
    '--max-semi-space-size=256',
    `--max-old-space-size=${heapMb}`,
    ...(takesAll ? ['--single-threaded-gc'] : [])
  ]
}

/**
 * @typedef {import('../../../simulator/time/processes.js').Told} Told
 * @typedef {import('../../../simulator/time/processes.js').Heard} Heard
 */

/** MeetingPlace is where the processes of a simulation meet: when all of them have told, each hears what the others have for it. */
export class MeetingPlace {
  #processes
  /** @type {Map<number, { told: Told, hear: (heard: Heard) => void }>} by process, those that wait */
  #waiting = new Map()

  /** @param {number} processes */
  constructor(processes) {
    this.#processes = processes
  }

  /** meet resolves when all have told. @param {number} process @param {Told} told @returns {Promise<Heard>} */
  meet(process, told) {
    return new Promise(hear => {
      this.#waiting.set(process, { told, hear })
      if (this.#waiting.size === this.#processes) this.#goOn()
    })
  }

  #goOn() {
    const all = [...this.#waiting]
    const told = all.map(([, { told }]) => told)
    this.#waiting.clear()
    const nextNs = Math.min(...told.map(({ nextNs }) => nextNs))
    const settled = told.every(({ settled }) => settled)
    const ended = told.some(({ ended }) => ended)
    for (const [process, { hear }] of all)
      hear({ boxes: present(told.map(({ boxes }) => boxes[process])), nextNs, settled, ended })
  }
}

/**
 * @typedef {import('../../../network/node-host.js').HostSetup} HostSetup
 * @typedef {import('../../../network/node-host.js').Peer} Peer
 * @typedef {import('../../../network/node-host.js').PublishStart} PublishStart
 *
 * @typedef {object} GossipPoolOptions
 * @property {import('../options.js').GossipPlan} plan
 * @property {HostSetup['subscriptions']} subscriptions
 * @property {number} runNonce
 * @property {bigint} originNs
 * @property {HostSetup['traces']} [traces]
 * @property {HostSetup['copies']} [copies]
 * @property {(interval: HostInterval, worker: number) => void} onInterval
 * @property {(done: number) => void} onProgress - of provision and connect, over all workers
 * @property {(atNs: number, worker: number) => void} [onAlive] - that has nothing to tell yet
 * @property {(error: Error, worker: number) => void} onDied
 * @property {typeof startGossipProcess} [startProcess] - what holds the nodes, when it is not a process for each worker of this run
 * @property {(worker: number) => Place} [placeOf] - where a worker runs; default: beside this process
 * @property {import('../../../run/fleet.js').Fleet} [fleet] - machines that hold the nodes; none: this one does
 * @property {AbortSignal} [signal] - ends workers at once while they start
 *
 * @typedef {object} LastWords - of a worker whose run is broken off
 * @property {HostInterval | null} interval - null: it is gone, or did not answer in time
 * @property {import('../../../network/node-host.js').HostEnd | null} end
 */

/** How long a worker may take to give its evidence. */
const EVIDENCE_MS = 3000
/** How long workers may take to hand over what they know once there is trouble: whoever ends the run waits for no more than 2 s in all. */
const LAST_WORDS_MS = 700

/** GossipPool drives the processes that hold the nodes: NodeHost's calls, each to all of them. */
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
      for (const node of nodesOfWorker(plan, worker)) this.#worker[node] = worker
  }

  /** @param {GossipPoolOptions} options @returns {Promise<GossipPool>} */
  static async start(options) {
    const { plan, onInterval, onProgress, onAlive = () => {}, onDied, signal, ...rest } = options
    const { startProcess = startGossipProcess, placeOf = () => ({}), fleet, ...setup } = rest
    const limit = pLimit(MAX_STARTING)
    const done = Array(processesOf(plan)).fill(0)
    const meeting = new MeetingPlace(done.length)
    const startAll = (/** @type {AbortSignal} */ signal) =>
      done.map((_, worker) =>
        limit(startProcess, {
          name: `worker ${worker}`,
          setup: {
            ...setup,
            ...onMachine(setup.originNs, fleet, worker),
            plan,
            worker,
            nodes: nodesOfWorker(plan, worker),
            ...(plan.network === 'simulated' && { workers: done.length })
          },
          start: fleet === undefined ? undefined : options => fleet.start(worker, options),
          onInterval: interval => onInterval(interval, worker),
          onProgress: count => {
            done[worker] = count
            onProgress(sumOf(done))
          },
          onAlive: atNs => onAlive(atNs, worker),
          onMeet: told => meeting.meet(worker, told),
          onDied: error => onDied(error, worker),
          place: placeOf(worker),
          signal
        })
      )
    const hosts = await allStarted(startAll, signal)
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

  /** settings are what nodes of real networks have other than what libp2p and gossipsub take by themselves. */
  async settings() {
    return mergedSettings(await this.#all(host => host.settings?.() ?? Promise.resolve({})))
  }

  /** admit has every worker take connections of the nodes of the network, where it takes none of others. @param {Peer[]} peers */
  async admit(peers) {
    await this.#all(host => host.admit?.(peers) ?? Promise.resolve())
  }

  /**
   * connect lets every worker dial from its own nodes.
   *
   * @param {readonly (readonly [number, number])[]} edges
   * @param {Peer[]} peers
   * @returns {Promise<import('../../../network/node-host.js').Dialled[]>} by node, however many workers dialled
   */
  async connect(edges, peers) {
    this.#progress.reset()
    // one that is simulated dials again who dialled it, too, when its node returns
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
   * @param {import('../../../network/node-host.js').Meeting} meeting
   * @returns {Promise<import('../../../network/node-host.js').Registered[]>} by worker
   */
  register(meeting) {
    return this.#all(host => host.register(meeting))
  }

  /**
   * meet lets every node discover the others there, and dial what it found.
   *
   * @param {import('../../../network/node-host.js').Meeting & { k: number }} meeting
   * @param {Peer[]} peers
   * @returns {Promise<import('../../../network/node-host.js').Met[]>} by worker
   */
  meet(meeting, peers) {
    this.#progress.reset()
    return this.#all(host => host.meet(meeting, peers))
  }

  /**
   * refresh has every node register and discover again, until publishing is over.
   *
   * @param {import('../../../network/node-host.js').Meeting & { everyMs: number }} refreshing
   */
  async refresh(refreshing) {
    await this.#all(host => host.refresh?.(refreshing) ?? Promise.resolve())
  }

  /** endRefreshing has them do so no more. */
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
      publications === null ? null : publicationsOf(publications, node => this.#worker[node] === worker)
    return this.#all((host, worker) => host.schedule({ publications: shareOf(worker), ...when }))
  }

  /**
   * churn has every worker start and kill the nodes that take the places of its own.
   *
   * @param {import('../../../network/node-host.js').Churning} churning - of the whole network
   * @returns {Promise<void>} when the last one was, or publishing was ended
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

  /** snapshot has every worker tell what it knows now. @returns {Promise<HostInterval[]>} by worker */
  snapshot() {
    return this.#all(host => host.snapshot())
  }

  /**
   * collect asks every worker for its evidence. One that is gone or does not answer has none.
   *
   * @returns {Promise<import('../../../network/node-host.js').HostEnd[]>}
   */
  async collect() {
    const ends = await this.#whoever(host => host.collect())
    return ends.filter(end => end !== null)
  }

  /**
   * breakOff ends what is under way and takes what the workers still know, each as far as it comes in time.
   *
   * @param {string} reason
   * @returns {Promise<LastWords[]>} by worker
   */
  breakOff(reason) {
    return Promise.all(
      this.#hosts.map(async host => {
        /** @type {LastWords} */
        const words = { interval: null, end: null }
        const told = async () => {
          await host.abort(reason)
          words.interval = await host.snapshot()
          words.end = await host.collect()
        }
        await within(LAST_WORDS_MS, told())
        // what comes later is not taken any more
        return { ...words }
      })
    )
  }

  /** endPublishing has the nodes publish no more; `schedule` comes to its end. */
  async endPublishing() {
    await this.#whoever(host => host.abort('publishing ends'))
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
    return fromRemaining(this.#hosts.map(call))
  }

  /**
   * @template T
   * @param {(host: NodeHost, worker: number) => Promise<T>} call
   * @returns {Promise<(T | null)[]>} null: it is gone, or does not answer
   */
  #whoever(call) {
    return Promise.all(this.#hosts.map((host, worker) => within(EVIDENCE_MS, call(host, worker))))
  }
}

/**
 * Times are told since a moment, which is another one on the clock of another machine, where nodes listen on its address.
 *
 * @param {bigint} originNs
 * @param {GossipPoolOptions['fleet']} fleet
 * @param {number} worker
 */
const onMachine = (originNs, fleet, worker) =>
  fleet === undefined
    ? {}
    : { originNs: fleet.clockOf(worker).there(originNs), address: fleet.addressOf(worker) }

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | null>} null: it failed, or was not settled by then
 */
const within = (ms, promise) => Promise.race([promise.catch(() => null), sleep(ms, null, { ref: false })])

/**
 * nodesOfWorker gives the nodes that fall to a worker. Where several stacks are dealt out by the node's number, workers of real nodes are, too, so that
 * each can have one stack; processes of a simulation should have as much to do as one another.
 *
 * @param {import('../options.js').GossipPlan} plan
 * @param {number} worker
 */
export function nodesOfWorker(plan, worker) {
  const processes = processesOf(plan)
  if (plan.network !== 'simulated') return dealt(plan.nodes, worker, processes)
  const all = Array.from({ length: plan.nodes }, (_, node) => node)
  return all.filter(node => handOf(node, processes) === worker)
}
