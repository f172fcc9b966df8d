// The worker processes that generate load, with the baseline that their clients measure of a null server.
import pLimit from 'p-limit'
import { dealt, sumOf } from '../../kit/collections.js'
import { usableCores } from '../../kit/linux.js'
import { within } from '../../kit/time.js'
import { mergedSettings } from '../../libp2p/node-settings.js'
import { groupsOf } from '../../load/clients.js'
import { profileOver } from '../../measure/process-profile.js'
import {
  allStarted,
  fromRemaining,
  GENERATOR_FLAGS,
  MAX_STARTING,
  startForkedProcess
} from '../../run/workers.js'
import { startNullServer } from '../../target/null-server.js'
import { Measurement } from './measurement.js'
import { operationResults } from './outcome.js'

/**
 * @typedef {import('../../run/fleet.js').HeldProcess} HeldProcess
 * @typedef {import('../../measure/operations.js').Interval} Interval
 *
 * @typedef {object} GeneratorEvents
 * @property {(interval: any, worker: number) => void} onInterval
 * @property {(interval: import('../../network/node-host.js').HostInterval, worker: number) => void} [onNetwork] - of clients that are full
 *   peers
 * @property {(connected: number) => void} onConnected - in all of them
 * @property {(worker: number) => void} [onAlive] - of each process once a second, whatever it does: one that does not tell hangs
 * @property {(error: Error, worker: number) => void} onDied - one ended without being asked
 * @property {import('../../run/fleet.js').Fleet} [fleet] - machines that hold them; none: this one does
 * @property {AbortSignal} [signal] - ends processes at once while they start
 * @property {(worker: number) => readonly string[]} [enter] - a command that becomes the process of a worker, in a namespace
 */

/**
 * @typedef {Parameters<typeof hasSpareCore>[0] & { ratePerSecond: number | null }} GeneratorPlan
 */

/** Time for all workers to hear of a start. */
const START_AFTER_MS = 30

/** soon is when all workers begin that are told so now. @param {number} [afterMs] */
const soon = (afterMs = START_AFTER_MS) => process.hrtime.bigint() + BigInt(afterMs * 1e6)

/** GeneratorPool drives processes that generate load. */
class GeneratorPool {
  /** settings are what nodes of its processes have other than what libp2p takes by itself. @type {import('../../libp2p/node-settings.js').Settings} */
  settings = {}

  /** @param {HeldProcess[]} processes */
  constructor(processes) {
    this.processes = processes
  }

  /** profiles are those of its processes, by worker. */
  get profiles() {
    return this.processes.map(process => profileOver((method, ...args) => process.call(method, ...args)))
  }

  get pids() {
    return this.processes.map(({ pid }) => pid)
  }

  /** all has each do something, but those that were lost with their machine. @param {string} method @param {...any} args @returns {Promise<any[]>} */
  all(method, ...args) {
    return fromRemaining(this.processes.map(process => process.call(method, ...args)))
  }

  /** whoever has each do something that still can. @param {string} method @param {...any} args @returns {Promise<PromiseSettledResult<any>[]>} */
  whoever(method, ...args) {
    return Promise.allSettled(this.processes.map(process => process.call(method, ...args)))
  }

  /** connect starts all clients and connects them. */
  async connect() {
    this.settings = mergedSettings(await this.all('connect'))
  }

  /** abort ends everything under way. @param {string} reason */
  async abort(reason) {
    await this.whoever('abort', reason)
  }

  /** finish gives what was wrong with replies. @returns {Promise<{ detail: string, count: number }[]>} */
  async finish() {
    return (await this.all('finish')).flat()
  }

  async stop() {
    await Promise.all(this.processes.map(process => process.stop()))
  }
}

/**
 * startGenerators starts the processes that share a load.
 *
 * @param {GeneratorEvents & { plan: GeneratorPlan }} options
 * @param {URL} entry
 * @param {(index: number, precise: boolean) => object} setupOf - `precise`: a core is free for pacing without sleeping
 * @returns {Promise<HeldProcess>[]} each when it is ready for calls
 */
export function startGenerators(
  { plan, fleet, onInterval, onNetwork, onConnected, onAlive, onDied, enter, signal },
  entry,
  setupOf
) {
  const connected = Array(plan.workers).fill(0)
  // pacing without sleeping takes a core, and the server needs one too
  const paced = plan.ratePerSecond != null
  const spare = (/** @type {number} */ index) =>
    fleet?.hasCoreToSpare(index, plan.workers) ?? hasSpareCore(plan, usableCores())
  const inTheirTurn = pLimit(MAX_STARTING)
  const onThisMachine = (/** @type {Parameters<typeof startForkedProcess>[0]} */ options) =>
    (options.through ?? []).length === 0
      ? startForkedProcess(options)
      : inTheirTurn(startForkedProcess, options)
  return connected.map((_, index) =>
    startGenerator(entry, {
      start: options => fleet?.start(index, options) ?? onThisMachine(options),
      name: `worker ${index}`,
      setup: setupOf(index, paced && spare(index)),
      onInterval: interval => onInterval(interval, index),
      onNetwork: interval => onNetwork?.(interval, index),
      onConnected: count => {
        connected[index] = count
        onConnected(sumOf(connected))
      },
      onAlive: () => onAlive?.(index),
      onDied: error => onDied(error, index),
      through: enter?.(index),
      signal
    })
  )
}

/**
 * startGenerator starts a process that generates load.
 *
 * @param {URL} entry
 * @param {object} options
 * @param {(options: import('../../run/fleet.js').StartOptions) => Promise<HeldProcess>} [options.start] - default: on this machine
 * @param {string} options.name - for messages
 * @param {object} options.setup
 * @param {(interval: Interval) => void} options.onInterval
 * @param {(interval: any) => void} [options.onNetwork]
 * @param {(connected: number) => void} [options.onConnected]
 * @param {() => void} options.onAlive
 * @param {(error: Error) => void} options.onDied
 * @param {readonly string[]} [options.through] - a command that becomes the process, in a namespace
 * @param {AbortSignal} [options.signal] - ends it at once while it starts
 */
const startGenerator = (
  entry,
  {
    start = startForkedProcess,
    name,
    setup,
    onInterval,
    onNetwork = () => {},
    onConnected = () => {},
    onAlive,
    onDied,
    through,
    signal
  }
) =>
  start({
    entry,
    execArgv: GENERATOR_FLAGS,
    name,
    setup,
    handlers: { interval: inOrder(onInterval), network: onNetwork, connected: onConnected, alive: onAlive },
    onDied,
    through,
    signal
  })

/** @param {(interval: Interval) => void} onInterval @returns {(interval: Interval) => void} */
function inOrder(onInterval) {
  let expected = 0
  return interval => {
    if (interval.seq !== expected) throw new Error(`interval ${interval.seq} came where ${expected} was due`)
    expected++
    onInterval(interval)
  }
}

/**
 * @typedef {import('./worker/load-worker.js').LoadEnd} LoadEnd
 * @typedef {import('./worker/load-worker.js').Registered} Registered
 * @typedef {import('./worker/load-worker.js').Restored} Restored
 *
 * @typedef {object} OwnOptions
 * @property {import('./options.js').Plan} plan
 * @property {string} runId - for namespaces
 * @property {readonly string[]} servers - multiaddrs
 * @property {number | null} expected - registrations every DISCOVER reply must hold at least
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {(worker: number) => string | null} samplesFile
 * @property {(worker: number) => import('./worker/full-peers.js').PeerNetworkSetup | null} [networkOf] - of full peers; null, as by default: clients
 *   are none
 *
 * @typedef {OwnOptions & GeneratorEvents} PoolOptions
 */

const ENTRY = new URL('./worker/entry.js', import.meta.url)

/** WorkerPool drives the processes that generate the load. */
export class WorkerPool extends GeneratorPool {
  #workers
  #startAfterMs

  /** @param {HeldProcess[]} workers @param {number} [startAfterMs] - time for all to hear of a start */
  constructor(workers, startAfterMs) {
    super(workers)
    this.#startAfterMs = startAfterMs
    this.#workers = workers
  }

  /** @param {PoolOptions} options @returns {Promise<WorkerPool>} */
  static async start(options) {
    const { plan, samplesFile, fleet, networkOf = () => null } = options
    /** @param {any} interval @param {number} worker */
    const onInterval = (interval, worker) => {
      const { churn } = interval
      const own = churn === undefined ? {} : { churn: onOurClock(churn, fleet?.clockOf(worker)) }
      options.onInterval({ ...interval, ...own }, worker)
    }
    const setupOf = (/** @type {number} */ index, /** @type {boolean} */ precise) => ({
      ...shared(options),
      index,
      workers: plan.workers,
      clients: dealt(plan.nClients, index, plan.workers),
      plan,
      precise,
      samplesFile: samplesFile(index),
      network: networkOf(index)
    })
    const processes = await allStarted(
      signal => startGenerators({ ...options, onInterval, signal }, ENTRY, setupOf),
      options.signal
    )
    return new WorkerPool(processes, fleet?.startAfterMs)
  }

  /** peerAddresses are where clients listen that are full peers. @returns {Promise<import('../../network/node-host.js').Peer[]>} by client */
  async peerAddresses() {
    const peers = await this.all('peerAddresses')
    return peers.flat().toSorted((a, b) => a.node - b.node)
  }

  /**
   * peers has clients that are full peers do something for one another.
   *
   * @param {Parameters<import('./worker/load-worker.js').LoadWorker['peers']>[0]} method
   * @param {...any} args
   * @returns {Promise<any[]>} by worker
   */
  peers(method, ...args) {
    return this.all('peers', method, ...args)
  }

  /**
   * begin begins a phase in all workers.
   *
   * @param {import('./worker/load-worker.js').Phase} phase
   * @param {import('./options.js').Plan} plan - of the phase
   */
  async begin(phase, plan) {
    await fromRemaining(this.#workers.map(worker => worker.call('begin', phase, plan)))
  }

  /**
   * goOn has the clients go on with another plan, which differs in nothing that they were started with.
   *
   * @param {import('./options.js').Plan} plan
   * @param {OwnOptions['samplesFile']} samplesFile
   */
  async goOn(plan, samplesFile) {
    await fromRemaining(
      this.#workers.map((worker, index) => worker.call('goOn', { plan, samplesFile: samplesFile(index) }))
    )
  }

  /**
   * moveTo has the clients leave their server for another one, where they follow another plan.
   *
   * @param {import('./options.js').Plan} plan - with as many workers; its clients are of those there are
   * @param {readonly string[]} servers - multiaddrs
   */
  async moveTo(plan, servers) {
    await fromRemaining(
      this.#workers.map((worker, index) =>
        worker.call('moveTo', {
          plan,
          servers,
          clients: dealt(plan.nClients, index, plan.workers),
          allClients: plan.nClients
        })
      )
    )
  }

  /**
   * prepare makes the registrations that operations remove or refresh.
   *
   * @param {import('../../load/clients.js').LoadLength} length - of the load to come
   */
  async prepare(length) {
    await fromRemaining(this.#workers.map(worker => worker.call('prepare', length)))
  }

  /**
   * run starts prepared load in all workers at once.
   *
   * @returns {{ startNs: bigint, ended: Promise<LoadEnd[]>, over: Promise<unknown> }} `ended` when the last operation has
   *   ended; `over` when each process has handed over what it measured, or is gone
   */
  run() {
    const startNs = soon(this.#startAfterMs)
    const running = this.#workers.map(worker => runOn(worker, startNs))
    return { startNs, ended: fromRemaining(running), over: Promise.allSettled(running) }
  }

  /**
   * lookUp has the first worker look up what the server has confirmed to all of them: it has libp2p loaded.
   *
   * @param {number} preloadExpiresMs - when the first of the preloaded registrations is over
   * @returns {Promise<import('../../report/schema.js').LookUp | null>} null: nothing is registered there
   */
  async lookUp(preloadExpiresMs) {
    const registered = await fromRemaining(
      this.#workers.map(async worker => ({
        worker,
        own: /** @type {Registered[]} */ (await worker.call('registered'))
      }))
    )
    const [{ worker: first }] = registered
    return first.call('lookUp', {
      preloadExpiresMs: msThere(first, preloadExpiresMs),
      registered: registered.flatMap(({ worker, own }) =>
        own.map(one => ({
          ...one,
          expireMs: one.expireMs.map(time => msThere(first, msHere(worker, time)))
        }))
      )
    })
  }

  /** restore unregisters what clients registered. @returns {Promise<Restored>} */
  async restore() {
    /** @type {Restored[]} */
    const restored = await fromRemaining(this.#workers.map(worker => worker.call('restore')))
    return {
      namespacesUsed: Math.max(...restored.map(({ namespacesUsed }) => namespacesUsed)),
      problem: restored.find(({ problem }) => problem !== null)?.problem ?? null
    }
  }
}

/**
 * Runs load on a worker, whose machine may have a clock of its own.
 *
 * @param {HeldProcess} worker
 * @param {bigint} startNs
 * @returns {Promise<LoadEnd>}
 */
async function runOn(worker, startNs) {
  const { there, here } = bound(worker.clock)
  const ownStartNs = there(startNs)
  const { beganNs, endNs, ...end } = await worker.call('run', ownStartNs)
  worker.began?.(Number(beganNs - ownStartNs) / 1e6)
  return { beganNs: here(beganNs), endNs: here(endNs), ...end }
}

/** @param {((ns: bigint) => bigint) | undefined} turn @param {number} ms */
const turned = (turn, ms) => (turn === undefined ? ms : Number(turn(BigInt(Math.round(ms * 1e6)))) / 1e6)

/** A time of our clock on that of a worker's machine, and back. @param {HeldProcess} worker @param {number} ms */
const msThere = ({ clock }, ms) => turned(clock && (ns => clock.there(ns)), ms)
/** @param {HeldProcess} worker @param {number} ms */
const msHere = ({ clock }, ms) => turned(clock && (ns => clock.here(ns)), ms)

/** @param {HeldProcess['clock']} clock */
const bound = clock => ({
  there: (/** @type {bigint} */ ns) => clock?.there(ns) ?? ns,
  here: (/** @type {bigint} */ ns) => clock?.here(ns) ?? ns
})

/** @param {PoolOptions} options */
const shared = ({ plan, runId, servers, expected, severalPerStream }) => ({
  allClients: plan.nClients,
  runId,
  servers,
  expected,
  severalPerStream
})

/** Names of times in an interval. */
const TIME = /Ns$/

/**
 * onOurClock is an interval of a worker on another machine, with the times of our clock. All of it is turned by the difference of the two clocks
 * at its end: within a second they part by less than a tenth of a millisecond.
 *
 * @param {import('./measure/churn.js').ChurnInterval} interval
 * @param {Pick<NonNullable<import('../../run/fleet.js').HeldProcess['clock']>, 'here'>} [clock] - of its machine; none: it is ours
 * @returns {import('./measure/churn.js').ChurnInterval}
 */
export function onOurClock(interval, clock) {
  if (clock === undefined) return interval
  const until = BigInt(Math.round(interval.untilNs))
  const offsetNs = Number(clock.here(until) - until)
  /** @template {object} T @param {T} row @returns {T} */
  const turned = row =>
    /** @type {T} */ (
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          TIME.test(name) && typeof value === 'number' ? value + offsetNs : value
        ])
      )
    )
  return { ...turned(interval), events: interval.events.map(turned), changes: interval.changes.map(turned) }
}

/**
 * hasSpareCore says whether each load generator may keep a core to itself while it waits for the next operation: each server, and the
 * database of those that have one, is to have one, too.
 *
 * @param {{ workers: number, servers?: number, targets?: readonly string[] | null, store?: string }} plan
 * @param {number} cores
 */
export const hasSpareCore = ({ workers, servers = 1, targets, store = 'memory' }, cores) =>
  workers + (targets?.length ?? servers) + (store === 'memory' ? 0 : 1) <= cores

/**
 * The floor of a load generator: what its clients measure here of a null server. No server can be measured below it.
 *
 * @typedef {import('./options.js').Plan} Plan
 * @typedef {import('../../report/schema.js').Summary} Summary
 * @typedef {NonNullable<import('../../report/schema.js').Result['outcome']['floor']>} Floor
 *
 * @typedef {object} FloorParts
 * @property {Pick<WorkerPool, 'moveTo' | 'begin' | 'prepare' | 'run' | 'abort'>} pool - of the load generator; its clients stay with the null server
 * @property {(measurement: Measurement) => void} measuring - is told where operations go from now on
 * @property {(doneMs: number) => void} [onProgress]
 * @property {{ warmUpMs: number, measureMs: number }} [lengths] - default: those of a run
 * @property {AbortSignal} signal - ends it
 */

/** So many clients at most: each takes some ms of both sides to connect. */
const MAX_CLIENTS = 100
/** How long a run asks: the null server is new, its clients are not. p99 at 1,000/s needs 1 s. */
const AFTER_RUN = Object.freeze({ warmUpMs: 3000, measureMs: 1500 })
/** How long clients ask that are new, too. */
const BY_ITSELF = Object.freeze({ warmUpMs: 2000, measureMs: 2000 })
/** FLOOR_MS is how long a run asks a null server in all, beside connecting. */
export const FLOOR_MS = AFTER_RUN.warmUpMs + AFTER_RUN.measureMs
/** Starting the null server, connecting and all operations take so long at most. */
const TIME_LIMIT_MS = 30_000
const PROGRESS_MS = 250

/**
 * floorPlan is what the clients of a plan send to a null server: a REGISTER each time, at the same rate or as fast as they are answered.
 *
 * @param {Plan} plan
 * @returns {Plan}
 */
export function floorPlan(plan) {
  const rates = groupsOf(plan).map(({ ratePerSecond }) => ratePerSecond)
  return {
    ...plan,
    nClients: Math.min(plan.nClients, MAX_CLIENTS),
    ...{ providers: null, discoverers: null, providerRatePerSecond: null, discovererRatePerSecond: null },
    ratePerSecond: rates.includes(null) ? null : sumOf(rates, Number),
    ...{ benchmarkType: 'REGISTER', registerMode: 'refresh', mix: null, initialRegistrations: 0 },
    ...{ thinkTimeMs: null, churn: null },
    ...{ servers: 1, targets: null, store: 'memory', failover: false, faults: [], samples: false }
  }
}

/**
 * measureFloor measures a null server by the clients of a plan, which have done their work.
 *
 * @param {Plan} plan
 * @param {FloorParts} parts
 * @returns {Promise<Floor>}
 * @throws {Error} why there is none
 */
export async function measureFloor(plan, { signal, ...parts }) {
  const limit = within(signal, TIME_LIMIT_MS)
  const server = await startNullServer({ signal: limit })
  try {
    return await Promise.race([ended(limit), measured(floorPlan(plan), server.address, parts)])
  } catch (error) {
    parts.pool.abort(String(error))
    throw error
  } finally {
    await server.stop()
  }
}

/** @param {AbortSignal} limit @returns {Promise<never>} */
const ended = limit =>
  new Promise((_, reject) => limit.addEventListener('abort', () => reject(limit.reason), { once: true }))

/**
 * @param {Plan} plan
 * @param {string} address
 * @param {Omit<FloorParts, 'signal'>} parts
 * @returns {Promise<Floor>}
 */
async function measured(plan, address, { pool, measuring, onProgress = () => {}, lengths = AFTER_RUN }) {
  await pool.moveTo(plan, [address])
  const beganMs = performance.now()
  const timer = setInterval(() => onProgress(Math.min(FLOOR_MS, performance.now() - beganMs)), PROGRESS_MS)
  /** @param {number} durationMs @param {Plan} ofStretch */
  const stretch = async (durationMs, ofStretch) => {
    const measurement = new Measurement(plan.workers)
    measuring(measurement)
    // of a warm-up: arrivals are steady in it
    await pool.begin('warmup', ofStretch)
    await pool.prepare({ operations: null, durationMs, minDurationMs: 0 })
    const { startNs, ended } = pool.run()
    measurement.begin(startNs)
    measurement.end((await ended).map(({ endNs }) => endNs))
    return measurement
  }
  try {
    // as fast as it answers, whatever the rate: a null server whose code is not compiled yet takes longer than a server that is warm
    await stretch(lengths.warmUpMs, { ...plan, ratePerSecond: null })
    return floorOf(plan, await stretch(lengths.measureMs, plan))
  } finally {
    clearInterval(timer)
  }
}

/** @param {Plan} plan @param {Measurement} measurement @returns {Floor} */
function floorOf(plan, measurement) {
  const { REGISTER } = operationResults(plan, measurement)
  if (REGISTER === undefined || REGISTER.count === 0) throw new Error('nothing was sent')
  const { count, errors, outcomes, rt } = REGISTER
  if (errors > 0) throw new Error(`${errors} of ${count} operations failed: ${JSON.stringify(outcomes)}`)
  return { ratePerSecond: plan.ratePerSecond, clients: plan.nClients, operations: count, rt: rt.all }
}

/** FLOOR_OPTIONS are of the plan by which a machine is measured without a run. */
export const FLOOR_OPTIONS = Object.freeze({ nClients: 4, rate: '1000/s', workers: 1 })

/**
 * floorOfMachine measures the floor of this machine by clients that are started for it.
 *
 * @param {Plan} plan
 * @returns {Promise<Floor>}
 * @throws {Error} why there is none
 */
export async function floorOfMachine(plan) {
  let measurement = new Measurement(plan.workers)
  const died = new AbortController()
  const pool = await WorkerPool.start({
    plan,
    runId: 'floor',
    servers: [],
    expected: null,
    severalPerStream: true,
    samplesFile: () => null,
    onInterval: (interval, worker) => measurement.addLoad(interval, worker),
    onConnected: () => {},
    onDied: error => died.abort(error),
    signal: died.signal
  })
  try {
    return await measureFloor(plan, {
      pool,
      measuring: current => {
        measurement = current
      },
      lengths: BY_ITSELF,
      signal: died.signal
    })
  } finally {
    await pool.stop()
  }
}
