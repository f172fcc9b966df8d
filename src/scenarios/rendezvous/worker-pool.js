// Starts and controls the worker processes that generate load. Also measures a server that does no work, which shows the
// generator's own overhead.
import pLimit from 'p-limit'
import { computeSum, dealIndices } from '../../kit/collections.js'
import { countUsableCores } from '../../kit/linux.js'
import { limitSignal } from '../../kit/time.js'
import { mergeNodeSettings } from '../../libp2p/node-settings.js'
import { listGroups } from '../../load/clients.js'
import { makeRemoteProfile } from '../../measure/process-profile.js'
import {
  GENERATOR_FLAGS,
  MAX_STARTING,
  startForkedProcess,
  startTogether,
  waitForRemaining
} from '../../run/workers.js'
import { startNullServer } from '../../target/null-server.js'
import { Measurement } from './measurement.js'
import { makeOperationResults } from './outcome.js'

/**
 * @typedef {import('../../run/fleet.js').WorkerProcess} WorkerProcess
 * @typedef {import('../../measure/operations.js').MeterInterval} MeterInterval
 *
 * @typedef {object} GeneratorEvents
 * @property {(interval: any, worker: number) => void} onInterval
 * @property {(interval: import('../../network/node-host.js').HostInterval, worker: number) => void} [onNetwork] - of clients that are full
 *   peers
 * @property {(connected: number) => void} onConnected - clients of all workers together
 * @property {(worker: number) => void} [onAlive] - once a second of each process; a silent one hangs
 * @property {(error: Error, worker: number) => void} onDied - a process ended unexpectedly
 * @property {import('../../run/fleet.js').Fleet} [fleet] - machines that hold them; none: this one does
 * @property {AbortSignal} [signal] - ends processes at once while they start
 * @property {(worker: number) => readonly string[]} [enter] - a command that becomes the process of a worker, in a namespace
 */

/** @typedef {Parameters<typeof hasSpareCore>[0] & { ratePerSecond: number | null }} GeneratorPlan */

/** The message about a start reaches all workers within this time. */
const START_AFTER_MS = 30

/** GeneratorPool drives processes that generate load. */
class GeneratorPool {
  /** settings are those of the nodes that differ from the defaults of libp2p. @type {import('../../libp2p/node-settings.js').LibrarySettings} */
  settings = {}

  /** @param {WorkerProcess[]} processes */
  constructor(processes) {
    this.processes = processes
  }

  /** profiles gives access to the profiles of its processes, by worker. */
  get profiles() {
    return this.processes.map(process =>
      makeRemoteProfile((method, ...args) => process.call(method, ...args))
    )
  }

  get pids() {
    return this.processes.map(({ pid }) => pid)
  }

  /** all calls a method of each process, except those lost with their machine. @param {string} method @param {...any} args @returns {Promise<any[]>} */
  all(method, ...args) {
    return waitForRemaining(this.processes.map(process => process.call(method, ...args)))
  }

  /** whoever calls a method of each process, whether it succeeds or not. @param {string} method @param {...any} args @returns {Promise<PromiseSettledResult<any>[]>} */
  whoever(method, ...args) {
    return Promise.allSettled(this.processes.map(process => process.call(method, ...args)))
  }

  /** connect starts all clients and connects them. */
  async connect() {
    this.settings = mergeNodeSettings(await this.all('connect'))
  }

  /** abort ends all operations under way. @param {string} reason */
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
 * startGenerators starts the processes that generate a load together.
 *
 * @param {GeneratorEvents & { plan: GeneratorPlan }} options
 * @param {URL} entry
 * @param {(index: number, precise: boolean) => object} setupOf - `precise`: a core is free for pacing without sleeping
 * @returns {Promise<WorkerProcess>[]} each when it is ready for calls
 */
export function startGenerators(
  { plan, fleet, onInterval, onNetwork, onConnected, onAlive, onDied, enter, signal },
  entry,
  setupOf
) {
  const connected = Array(plan.workers).fill(0)
  // pacing without sleeping takes a core, and the server needs one too
  const isPrecise = (/** @type {number} */ index) =>
    plan.ratePerSecond != null &&
    (fleet?.hasCoreToSpare(index, plan.workers) ?? hasSpareCore(plan, countUsableCores()))
  const limit = pLimit(MAX_STARTING)
  return connected.map((_, index) => {
    const through = enter?.(index)
    /** @type {import('../../run/fleet.js').StartOptions} */
    const options = {
      entry,
      execArgv: GENERATOR_FLAGS,
      name: `worker ${index}`,
      setup: setupOf(index, isPrecise(index)),
      handlers: {
        interval: inOrder(interval => onInterval(interval, index)),
        network: (/** @type {any} */ interval) => onNetwork?.(interval, index),
        connected: (/** @type {number} */ count) => {
          connected[index] = count
          onConnected(computeSum(connected))
        },
        alive: () => onAlive?.(index)
      },
      onDied: (/** @type {Error} */ error) => onDied(error, index),
      through,
      signal
    }
    if (fleet !== undefined) return fleet.start(index, options)
    return (through ?? []).length === 0 ? startForkedProcess(options) : limit(startForkedProcess, options)
  })
}

/** @param {(interval: MeterInterval) => void} onInterval @returns {(interval: MeterInterval) => void} */
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
 * @typedef {import('./worker/load-worker.js').ConfirmedByClient} ConfirmedByClient
 * @typedef {import('./worker/load-worker.js').RestoreResult} RestoreResult
 *
 * @typedef {Pick<import('./worker/load-worker.js').WorkerSetup, 'plan' | 'runId' | 'servers' | 'expected' | 'severalPerStream'> & GeneratorEvents
 *   & OfWorkers} PoolOptions
 *
 * @typedef {object} OfWorkers
 * @property {(worker: number) => string | null} samplesFile
 * @property {(worker: number) => import('./worker/full-peers.js').PeerNetworkSetup | null} [networkOf] - of full peers; null, as by default: clients
 *   are none
 */

const ENTRY = new URL('./worker/entry.js', import.meta.url)

/** WorkerPool drives the processes that generate the load. */
export class WorkerPool extends GeneratorPool {
  #workers
  #startAfterMs

  /** @param {WorkerProcess[]} workers @param {number} [startAfterMs] - time for a start to reach all of them */
  constructor(workers, startAfterMs = START_AFTER_MS) {
    super(workers)
    this.#startAfterMs = startAfterMs
    this.#workers = workers
  }

  /** @param {PoolOptions} options @returns {Promise<WorkerPool>} */
  static async start(options) {
    const { plan, runId, servers, expected, severalPerStream } = options
    const { samplesFile, fleet, networkOf = () => null } = options
    /** @param {any} interval @param {number} worker */
    const onInterval = (interval, worker) => {
      const { churn } = interval
      const own = churn === undefined ? {} : { churn: convertToOurClock(churn, fleet?.clockOf(worker)) }
      options.onInterval({ ...interval, ...own }, worker)
    }
    const setupOf = (/** @type {number} */ index, /** @type {boolean} */ precise) => ({
      ...{ plan, runId, servers, expected, severalPerStream, index, precise },
      workers: plan.workers,
      clients: dealIndices(plan.nClients, index, plan.workers),
      allClients: plan.nClients,
      samplesFile: samplesFile(index),
      network: networkOf(index)
    })
    const processes = await startTogether(
      signal => startGenerators({ ...options, onInterval, signal }, ENTRY, setupOf),
      options.signal
    )
    return new WorkerPool(processes, fleet?.startAfterMs)
  }

  /** peerAddresses gives the addresses that full peers listen on. @returns {Promise<import('../../network/node-host.js').Peer[]>} by client */
  async peerAddresses() {
    const peers = await this.all('peerAddresses')
    return peers.flat().toSorted((a, b) => a.node - b.node)
  }

  /**
   * peers calls a method of the full peers of each worker.
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
    await waitForRemaining(this.#workers.map(worker => worker.call('begin', phase, plan)))
  }

  /**
   * goOn passes another plan to the workers, for a further run with the same clients.
   *
   * @param {import('./options.js').Plan} plan
   * @param {PoolOptions['samplesFile']} samplesFile
   */
  async goOn(plan, samplesFile) {
    await waitForRemaining(
      this.#workers.map((worker, index) => worker.call('goOn', { plan, samplesFile: samplesFile(index) }))
    )
  }

  /**
   * moveTo stops the clients, and connects new ones to another server by another plan.
   *
   * @param {import('./options.js').Plan} plan - with as many workers, and no more clients
   * @param {readonly string[]} servers - multiaddrs
   */
  async moveTo(plan, servers) {
    await waitForRemaining(
      this.#workers.map((worker, index) =>
        worker.call('moveTo', {
          plan,
          servers,
          clients: dealIndices(plan.nClients, index, plan.workers),
          allClients: plan.nClients
        })
      )
    )
  }

  /**
   * prepare makes the registrations that operations of the next load remove or refresh.
   *
   * @param {import('../../load/clients.js').LoadLength} length - of the next load
   */
  async prepare(length) {
    await waitForRemaining(this.#workers.map(worker => worker.call('prepare', length)))
  }

  /**
   * run starts prepared load in all workers at once.
   *
   * @returns {{ startNs: bigint, ended: Promise<LoadEnd[]>, over: Promise<unknown> }} `ended` when the last operation has
   *   ended; `over` when each process has reported its measurements, or is gone
   */
  run() {
    const startNs = process.hrtime.bigint() + BigInt(this.#startAfterMs * 1e6)
    const running = this.#workers.map(worker => runOn(worker, startNs))
    return { startNs, ended: waitForRemaining(running), over: Promise.allSettled(running) }
  }

  /**
   * lookUp lets the first worker look up the registrations confirmed to all workers.
   *
   * @param {number} preloadExpiresMs - when the first preloaded registration expires
   * @returns {Promise<import('../../report/schema.js').LookUp | null>} null: there are no registrations
   */
  async lookUp(preloadExpiresMs) {
    const registered = await waitForRemaining(
      this.#workers.map(async worker => ({
        worker,
        own: /** @type {ConfirmedByClient[]} */ (await worker.call('registered'))
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

  /** restore unregisters the registrations of the clients. @returns {Promise<RestoreResult>} */
  async restore() {
    /** @type {RestoreResult[]} */
    const restored = await waitForRemaining(this.#workers.map(worker => worker.call('restore')))
    return {
      namespacesUsed: Math.max(...restored.map(({ namespacesUsed }) => namespacesUsed)),
      problem: restored.find(({ problem }) => problem !== null)?.problem ?? null
    }
  }
}

/**
 * Runs load on a worker, whose machine may have a clock of its own.
 *
 * @param {WorkerProcess} worker
 * @param {bigint} startNs
 * @returns {Promise<LoadEnd>}
 */
async function runOn(worker, startNs) {
  const { clock } = worker
  const ownStartNs = clock?.there(startNs) ?? startNs
  const { beganNs, endNs, ...end } = await worker.call('run', ownStartNs)
  worker.began?.(Number(beganNs - ownStartNs) / 1e6)
  return { beganNs: clock?.here(beganNs) ?? beganNs, endNs: clock?.here(endNs) ?? endNs, ...end }
}

/** A time of our clock on the clock of a worker's machine. @param {WorkerProcess} worker @param {number} ms */
const msThere = ({ clock }, ms) => (clock === undefined ? ms : Number(clock.there(nsOf(ms))) / 1e6)
/** The reverse. @param {WorkerProcess} worker @param {number} ms */
const msHere = ({ clock }, ms) => (clock === undefined ? ms : Number(clock.here(nsOf(ms))) / 1e6)
/** @param {number} ms */
const nsOf = ms => BigInt(Math.round(ms * 1e6))

/**
 * convertToOurClock converts the times of an interval from the clock of another machine to ours. One offset serves for all of them, that at its end:
 * within a second the clocks drift apart by less than a tenth of a millisecond.
 *
 * @param {import('./measure/churn.js').ChurnInterval} interval
 * @param {Pick<NonNullable<import('../../run/fleet.js').WorkerProcess['clock']>, 'here'>} [clock] - of its machine; none: it is ours
 * @returns {import('./measure/churn.js').ChurnInterval}
 */
export function convertToOurClock(interval, clock) {
  if (clock === undefined) return interval
  const until = BigInt(Math.round(interval.untilNs))
  const offsetNs = Number(clock.here(until) - until)
  /** @template {object} T @param {T} row @returns {T} */
  const converted = row => {
    const times = Object.entries(row).filter(([name, value]) => /Ns$/.test(name) && typeof value === 'number')
    return { ...row, ...Object.fromEntries(times.map(([name, value]) => [name, value + offsetNs])) }
  }
  const [events, changes] = [interval.events.map(converted), interval.changes.map(converted)]
  return { ...converted(interval), events, changes }
}

/**
 * hasSpareCore says whether each load generator may use a core while it waits for the next operation: each server, and their database, needs
 * a core too.
 *
 * @param {{ workers: number, servers?: number, targets?: readonly string[] | null, store?: string }} plan
 * @param {number} cores
 */
export const hasSpareCore = ({ workers, servers = 1, targets, store = 'memory' }, cores) =>
  workers + (targets?.length ?? servers) + (store === 'memory' ? 0 : 1) <= cores

/**
 * The floor of a load generator: the response times that its clients measure at a null server. No server can be measured below it.
 *
 * @typedef {import('./options.js').Plan} Plan
 * @typedef {NonNullable<import('../../report/schema.js').Result['outcome']['floor']>} Floor
 *
 * @typedef {object} FloorParts
 * @property {Pick<WorkerPool, 'moveTo' | 'begin' | 'prepare' | 'run' | 'abort'>} pool - of the load generator; its clients stay at the null server
 * @property {(measurement: Measurement) => void} measuring - called with the measurement that counts operations from now on
 * @property {(doneMs: number) => void} [onProgress]
 * @property {{ warmUpMs: number, measureMs: number }} [lengths] - default: those of a run
 * @property {AbortSignal} signal - ends it
 */

/** Clients at most: connecting each takes both sides some ms. */
const MAX_CLIENTS = 100
/** Lengths after a run: the code of the null server is not compiled yet. p99 at 1,000/s needs 1 s. */
const AFTER_RUN = Object.freeze({ warmUpMs: 3000, measureMs: 1500 })
/** Lengths for new clients. */
const BY_ITSELF = Object.freeze({ warmUpMs: 2000, measureMs: 2000 })
/** FLOOR_MS is the time for the floor of a run, without connecting. */
export const FLOOR_MS = AFTER_RUN.warmUpMs + AFTER_RUN.measureMs
/** Time limit for starting the null server, connecting, and all operations. */
const TIME_LIMIT_MS = 30_000
const PROGRESS_MS = 250

/**
 * makeFloorPlan makes the plan for a null server: REGISTERs of the same clients, at the same rate or in the closed model.
 *
 * @param {Plan} plan
 * @returns {Plan}
 */
export function makeFloorPlan(plan) {
  const rates = listGroups(plan).map(({ ratePerSecond }) => ratePerSecond)
  return {
    ...plan,
    nClients: Math.min(plan.nClients, MAX_CLIENTS),
    ...{ providers: null, discoverers: null, providerRatePerSecond: null, discovererRatePerSecond: null },
    ratePerSecond: rates.includes(null) ? null : computeSum(rates, Number),
    ...{ benchmarkType: 'REGISTER', registerMode: 'refresh', mix: null, initialRegistrations: 0 },
    ...{ thinkTimeMs: null, churn: null },
    ...{ servers: 1, targets: null, store: 'memory', failover: false, faults: [], samples: false }
  }
}

/**
 * measureFloor measures a null server with the clients of a run, after their measurement.
 *
 * @param {Plan} plan
 * @param {FloorParts} parts
 * @returns {Promise<Floor>}
 * @throws {Error} why there is none
 */
export async function measureFloor(plan, { signal, ...parts }) {
  const limit = limitSignal(signal, TIME_LIMIT_MS)
  const server = await startNullServer({ signal: limit })
  try {
    return await Promise.race([ended(limit), measureNullServer(makeFloorPlan(plan), server.address, parts)])
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
async function measureNullServer(
  plan,
  address,
  { pool, measuring, onProgress = () => {}, lengths = AFTER_RUN }
) {
  await pool.moveTo(plan, [address])
  const beganMs = performance.now()
  const timer = setInterval(() => onProgress(Math.min(FLOOR_MS, performance.now() - beganMs)), PROGRESS_MS)
  /** @param {number} durationMs @param {Plan} ofStretch */
  const stretch = async (durationMs, ofStretch) => {
    const measurement = new Measurement(plan.workers)
    measuring(measurement)
    // arrivals of a warm-up are steady
    await pool.begin('warmup', ofStretch)
    await pool.prepare({ operations: null, durationMs, minDurationMs: 0 })
    const { startNs, ended } = pool.run()
    measurement.begin(startNs)
    measurement.end((await ended).map(({ endNs }) => endNs))
    return measurement
  }
  try {
    // the warm-up is closed-loop, whatever the rate: a null server with uncompiled code is slower than a warm server
    await stretch(lengths.warmUpMs, { ...plan, ratePerSecond: null })
    const { REGISTER } = makeOperationResults(plan, await stretch(lengths.measureMs, plan))
    if (REGISTER === undefined || REGISTER.count === 0) throw new Error('nothing was sent')
    const { count, errors, outcomes, rt } = REGISTER
    if (errors > 0) throw new Error(`${errors} of ${count} operations failed: ${JSON.stringify(outcomes)}`)
    return { ratePerSecond: plan.ratePerSecond, clients: plan.nClients, operations: count, rt: rt.all }
  } finally {
    clearInterval(timer)
  }
}

/** FLOOR_OPTIONS are the options of the plan that measures a machine without a run. */
export const FLOOR_OPTIONS = Object.freeze({ nClients: 4, rate: '1000/s', workers: 1 })

/**
 * measureMachineFloor measures the floor of this machine with new clients.
 *
 * @param {Plan} plan
 * @returns {Promise<Floor>}
 * @throws {Error} why there is none
 */
export async function measureMachineFloor(plan) {
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
