import { availableParallelism } from 'node:os'
import { sumOf } from '../../../kit/lists.js'
import { dealt } from '../../../load/shares.js'
import { allStarted } from '../../../workers/all-started.js'
import { probePlan } from '../plan/probe.js'
import { startWorkerProcess } from './worker-process.js'

/**
 * @typedef {import('./worker-process.js').WorkerProcess} WorkerProcess
 * @typedef {import('./load-worker.js').Round} Round
 * @typedef {import('./load-worker.js').RoundEnd} RoundEnd
 * @typedef {import('./load-worker.js').Registered} Registered
 * @typedef {import('./load-worker.js').Restored} Restored
 * @typedef {import('../../../measure/meter.js').Interval} Interval
 *
 * @typedef {object} PoolOptions
 * @property {import('../../../plan/plan.js').Plan} plan
 * @property {string} runId - for namespaces
 * @property {string} server - multiaddr
 * @property {number | null} expected - registrations every DISCOVER reply must hold at least
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {(worker: number) => string | null} samplesFile
 * @property {(interval: Interval, worker: number) => void} onInterval
 * @property {(interval: Interval) => void} onProbeInterval
 * @property {(connected: number) => void} onConnected
 * @property {(worker: number) => void} [onAlive] - of each process once a second; the probe comes after the last worker
 * @property {(error: Error) => void} onDied
 */

/** Time for all workers to hear of a start. */
const START_AFTER_MS = 30

/** WorkerPool drives the processes that generate the load, and the probe beside them. */
export class WorkerPool {
  #workers
  #probe

  /**
   * @param {WorkerProcess[]} workers
   * @param {WorkerProcess | null} probe
   */
  constructor(workers, probe) {
    this.#workers = workers
    this.#probe = probe
  }

  /** @param {PoolOptions} options @returns {Promise<WorkerPool>} */
  static async start(options) {
    const { plan, onConnected } = options
    const connected = Array(plan.workers).fill(0)
    // pacing without sleeping takes a core, and the server needs one too
    const precise = plan.ratePerSecond != null && plan.workers < availableParallelism()
    const workers = Array.from({ length: plan.workers }, (_, index) =>
      startWorkerProcess({
        name: `worker ${index}`,
        setup: {
          ...shared(options),
          role: 'load',
          index,
          workers: plan.workers,
          clients: dealt(plan.nClients, index, plan.workers),
          plan,
          precise,
          samplesFile: options.samplesFile(index)
        },
        onInterval: interval => options.onInterval(interval, index),
        onConnected: count => {
          connected[index] = count
          onConnected(sumOf(connected))
        },
        onAlive: () => options.onAlive?.(index),
        onDied: options.onDied
      })
    )
    const probe = plan.probeRatePerSecond > 0 ? [startProbe(options)] : []
    const processes = await allStarted([...workers, ...probe])
    return new WorkerPool(processes.slice(0, plan.workers), processes[plan.workers] ?? null)
  }

  get pids() {
    return this.#all.map(worker => worker.pid)
  }

  get #all() {
    return this.#probe == null ? this.#workers : [...this.#workers, this.#probe]
  }

  /** connect starts the clients of all workers and connects them. */
  async connect() {
    await Promise.all(this.#all.map(worker => worker.call('connect')))
  }

  /** begin begins a phase in all workers. @param {import('./load-worker.js').Phase} phase */
  async begin(phase) {
    await Promise.all(this.#all.map(worker => worker.call('begin', phase)))
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
    const startNs = process.hrtime.bigint() + BigInt(START_AFTER_MS * 1e6)
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
    const restored = await Promise.all(this.#all.map(worker => worker.call('restore')))
    const byLoad = restored.slice(0, this.#workers.length)
    return {
      namespacesUsed: Math.max(...byLoad.map(({ namespacesUsed }) => namespacesUsed)),
      problem: restored.find(({ problem }) => problem !== null)?.problem ?? null
    }
  }

  /** abort ends the operations under way. @param {string} reason */
  async abort(reason) {
    await Promise.allSettled(this.#all.map(worker => worker.call('abort', reason)))
  }

  /** finish gives what was wrong with replies. @returns {Promise<{ detail: string, count: number }[]>} */
  async finish() {
    return (await Promise.all(this.#all.map(worker => worker.call('finish')))).flat()
  }

  async stop() {
    await Promise.all(this.#all.map(worker => worker.stop()))
  }
}

/** @param {PoolOptions} options */
const shared = ({ plan, runId, server, expected, severalPerStream }) => ({
  allClients: plan.nClients,
  runId,
  server,
  expected,
  severalPerStream
})

/** @param {PoolOptions} options */
function startProbe(options) {
  const { plan, onProbeInterval, onAlive, onDied } = options
  return startWorkerProcess({
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
    onConnected: () => {},
    onAlive: () => onAlive?.(plan.workers),
    onDied
  })
}
