import { dealt } from '../../../load/shares.js'
import { allStarted } from '../../../workers/all-started.js'
import { ofThoseLeft } from '../../../workers/of-those-left.js'
import { GeneratorPool, soon, startGenerators } from './generator-pool.js'

/**
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 * @typedef {import('./load-worker.js').LoadEnd} LoadEnd
 * @typedef {import('./load-worker.js').Registered} Registered
 * @typedef {import('./load-worker.js').Restored} Restored
 *
 * @typedef {object} OwnOptions
 * @property {import('../../../plan/plan.js').Plan} plan
 * @property {string} runId - for namespaces
 * @property {readonly string[]} servers - multiaddrs
 * @property {number | null} expected - registrations every DISCOVER reply must hold at least
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {(worker: number) => string | null} samplesFile
 * @property {(worker: number) => import('./full-peers.js').PeerNetworkSetup | null} [networkOf] - of full peers; null, as by default: clients
 *   are none
 *
 * @typedef {OwnOptions & import('./generator-pool.js').GeneratorEvents} PoolOptions
 */

const ENTRY = new URL('./entry.js', import.meta.url)

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

  /** peerAddresses are where clients listen that are full peers. @returns {Promise<import('../../../network/node-host.js').Peer[]>} by client */
  async peerAddresses() {
    const peers = await this.all('peerAddresses')
    return peers.flat().toSorted((a, b) => a.node - b.node)
  }

  /**
   * peers has clients that are full peers do something for one another.
   *
   * @param {Parameters<import('./load-worker.js').LoadWorker['peers']>[0]} method
   * @param {...any} args
   * @returns {Promise<any[]>} by worker
   */
  peers(method, ...args) {
    return this.all('peers', method, ...args)
  }

  /**
   * begin begins a phase in all workers.
   *
   * @param {import('./load-worker.js').Phase} phase
   * @param {import('../../../plan/plan.js').Plan} plan - of the phase
   */
  async begin(phase, plan) {
    await ofThoseLeft(this.#workers.map(worker => worker.call('begin', phase, plan)))
  }

  /**
   * goOn has the clients go on with another plan, which differs in nothing that they were started with.
   *
   * @param {import('../../../plan/plan.js').Plan} plan
   * @param {OwnOptions['samplesFile']} samplesFile
   */
  async goOn(plan, samplesFile) {
    await ofThoseLeft(
      this.#workers.map((worker, index) => worker.call('goOn', { plan, samplesFile: samplesFile(index) }))
    )
  }

  /**
   * moveTo has the clients leave their server for another one, where they follow another plan.
   *
   * @param {import('../../../plan/plan.js').Plan} plan - with as many workers; its clients are of those there are
   * @param {readonly string[]} servers - multiaddrs
   */
  async moveTo(plan, servers) {
    await ofThoseLeft(
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
   * @param {import('../../../load/load-length.js').LoadLength} length - of the load to come
   */
  async prepare(length) {
    await ofThoseLeft(this.#workers.map(worker => worker.call('prepare', length)))
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
    return { startNs, ended: ofThoseLeft(running), over: Promise.allSettled(running) }
  }

  /**
   * lookUp has the first worker look up what the server has confirmed to all of them: it has libp2p loaded.
   *
   * @param {number} preloadExpiresMs - when the first of the preloaded registrations is over
   * @returns {Promise<import('../../../result/types.js').LookUp | null>} null: nothing is registered there
   */
  async lookUp(preloadExpiresMs) {
    const registered = await ofThoseLeft(
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
    const restored = await ofThoseLeft(this.#workers.map(worker => worker.call('restore')))
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
 * @param {import('../measure/churn.js').ChurnInterval} interval
 * @param {Pick<NonNullable<import('../../../workers/fleet.js').HeldProcess['clock']>, 'here'>} [clock] - of its machine; none: it is ours
 * @returns {import('../measure/churn.js').ChurnInterval}
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
