import { dealt } from '../../../load/shares.js'
import { allStarted } from '../../../workers/all-started.js'
import { probePlan } from '../plan/probe.js'
import { GeneratorPool, soon, startGenerator, startGenerators } from './generator-pool.js'

/**
 * @typedef {import('../../../workers/forked-process.js').ForkedProcess} ForkedProcess
 * @typedef {import('./load-worker.js').Round} Round
 * @typedef {import('./load-worker.js').RoundEnd} RoundEnd
 * @typedef {import('./load-worker.js').Registered} Registered
 * @typedef {import('./load-worker.js').Restored} Restored
 * @typedef {import('../../../measure/meter.js').Interval} Interval
 *
 * @typedef {object} OwnOptions
 * @property {import('../../../plan/plan.js').Plan} plan
 * @property {string} runId - for namespaces
 * @property {string} server - multiaddr
 * @property {readonly string[]} [servers] - multiaddrs, where there are several
 * @property {number | null} expected - registrations every DISCOVER reply must hold at least
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {(worker: number) => string | null} samplesFile
 * @property {(interval: Interval) => void} onProbeInterval
 *
 * @typedef {OwnOptions & import('./generator-pool.js').GeneratorEvents} PoolOptions - of the workers, the probe comes after the last one
 */

const ENTRY = new URL('./entry.js', import.meta.url)

/** WorkerPool drives the processes that generate the load, and the probe beside them. */
export class WorkerPool extends GeneratorPool {
  #workers
  #probe

  /** @param {ForkedProcess[]} workers @param {ForkedProcess[]} probe - one, or none */
  constructor(workers, probe) {
    super([...workers, ...probe])
    this.#workers = workers
    this.#probe = probe[0]
  }

  /** @param {PoolOptions} options @returns {Promise<WorkerPool>} */
  static async start(options) {
    const { plan, samplesFile } = options
    const workers = startGenerators(options, ENTRY, (index, precise) => ({
      ...shared(options),
      role: 'load',
      index,
      workers: plan.workers,
      clients: dealt(plan.nClients, index, plan.workers),
      plan,
      precise,
      samplesFile: samplesFile(index)
    }))
    const probe = plan.probeRatePerSecond > 0 ? [startProbe(options)] : []
    const processes = await allStarted([...workers, ...probe])
    return new WorkerPool(processes.slice(0, plan.workers), processes.slice(plan.workers))
  }

  /**
   * begin begins a phase in all workers. The probe goes on as it did.
   *
   * @param {import('./load-worker.js').Phase} phase
   * @param {import('../../../plan/plan.js').Plan} plan - of the phase
   */
  async begin(phase, plan) {
    await Promise.all([
      ...this.#workers.map(worker => worker.call('begin', phase, plan)),
      this.#probe?.call('begin', phase)
    ])
  }

  /**
   * goOn has the clients go on with another plan, which differs in nothing that they were started with.
   *
   * @param {import('../../../plan/plan.js').Plan} plan
   * @param {OwnOptions['samplesFile']} samplesFile
   */
  async goOn(plan, samplesFile) {
    await Promise.all([
      ...this.#workers.map((worker, index) => worker.call('goOn', { plan, samplesFile: samplesFile(index) })),
      this.#probe?.call('goOn', { plan: probePlan(plan), samplesFile: null })
    ])
  }

  /** prepare makes the registrations that a round's operations remove or refresh. @param {Round} round */
  async prepare(round) {
    const forProbe = { operations: null, durationMs: null }
    await Promise.all([
      ...this.#workers.map(worker => worker.call('prepare', round)),
      this.#probe?.call('prepare', forProbe)
    ])
  }

  /**
   * run starts a prepared round in all workers at once.
   *
   * @param {bigint | null} phaseStartNs - null: the phase begins with this round
   * @returns {{ startNs: bigint, ended: Promise<RoundEnd[]>, over: Promise<unknown> }} `ended` when the last operation has
   *   ended; `over` when each process has handed over what it measured, or is gone
   */
  run(phaseStartNs) {
    const startNs = soon()
    const start = { startNs, phaseStartNs: phaseStartNs ?? startNs }
    const probing = this.#probe?.call('run', start)
    const running = this.#workers.map(worker => worker.call('run', start))
    const ended = Promise.all(running).then(async ends => {
      await this.#probe?.call('stop')
      await probing
      return ends
    })
    probing?.catch(() => {})
    return { startNs, ended, over: Promise.allSettled([...running, probing]) }
  }

  /**
   * lookUp has the first worker look up what the server has confirmed to all of them: it has libp2p loaded.
   *
   * @param {number} preloadExpiresMs - when the first of the preloaded registrations is over
   * @returns {Promise<import('../../../result/types.js').LookUp | null>} null: nothing is registered there
   */
  async lookUp(preloadExpiresMs) {
    /** @type {Registered[]} */
    const registered = (await Promise.all(this.#workers.map(worker => worker.call('registered')))).flat()
    return this.#workers[0].call('lookUp', { preloadExpiresMs, registered })
  }

  /** restore undoes what a round registered. @returns {Promise<Restored>} */
  async restore() {
    /** @type {Restored[]} */
    const restored = await this.all('restore')
    const byLoad = restored.slice(0, this.#workers.length)
    return {
      namespacesUsed: Math.max(...byLoad.map(({ namespacesUsed }) => namespacesUsed)),
      problem: restored.find(({ problem }) => problem !== null)?.problem ?? null
    }
  }
}

/** @param {PoolOptions} options */
const shared = ({ plan, runId, server, servers = [server], expected, severalPerStream }) => ({
  allClients: plan.nClients,
  runId,
  server,
  servers,
  expected,
  severalPerStream
})

/** @param {PoolOptions} options */
function startProbe(options) {
  const { plan, onProbeInterval, onAlive, onDied } = options
  return startGenerator(ENTRY, {
    name: 'the probe',
    setup: {
      ...shared(options),
      role: 'probe',
      index: 0,
      workers: 1,
      allClients: 1,
      clients: [plan.nClients],
      plan: probePlan(plan),
      precise: false,
      samplesFile: null
    },
    onInterval: onProbeInterval,
    onAlive: () => onAlive?.(plan.workers),
    onDied
  })
}
