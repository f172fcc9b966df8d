import { dealt } from '../../../load/shares.js'
import { allStarted } from '../../../workers/all-started.js'
import { ofThoseLeft } from '../../../workers/of-those-left.js'
import { probePlan } from '../plan/probe.js'
import { GeneratorPool, soon, startGenerator, startGenerators } from './generator-pool.js'

/**
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 * @typedef {import('./load-worker.js').Round} Round
 * @typedef {import('./load-worker.js').RoundEnd} RoundEnd
 * @typedef {import('./load-worker.js').Registered} Registered
 * @typedef {import('./load-worker.js').Restored} Restored
 * @typedef {import('../../../measure/meter.js').Interval} Interval
 *
 * @typedef {object} OwnOptions
 * @property {import('../../../plan/plan.js').Plan} plan
 * @property {string} runId - for namespaces
 * @property {readonly string[]} servers - multiaddrs
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
  #startAfterMs

  /** @param {HeldProcess[]} workers @param {HeldProcess[]} probe - one, or none @param {number} [startAfterMs] - time for all to hear of a start */
  constructor(workers, probe, startAfterMs) {
    super([...workers, ...probe])
    this.#startAfterMs = startAfterMs
    this.#workers = workers
    this.#probe = probe[0]
  }

  /** @param {PoolOptions} options @returns {Promise<WorkerPool>} */
  static async start(options) {
    const { plan, samplesFile } = options
    const setupOf = (/** @type {number} */ index, /** @type {boolean} */ precise) => ({
      ...shared(options),
      role: 'load',
      index,
      workers: plan.workers,
      clients: dealt(plan.nClients, index, plan.workers),
      plan,
      precise,
      samplesFile: samplesFile(index)
    })
    const processes = await allStarted(
      signal => [
        ...startGenerators({ ...options, signal }, ENTRY, setupOf),
        ...(plan.probeRatePerSecond > 0 ? [startProbe({ ...options, signal })] : [])
      ],
      options.signal
    )
    return new WorkerPool(
      processes.slice(0, plan.workers),
      processes.slice(plan.workers),
      options.fleet?.startAfterMs
    )
  }

  /**
   * begin begins a phase in all workers. The probe goes on as it did.
   *
   * @param {import('./load-worker.js').Phase} phase
   * @param {import('../../../plan/plan.js').Plan} plan - of the phase
   */
  async begin(phase, plan) {
    await ofThoseLeft([
      ...this.#workers.map(worker => worker.call('begin', phase, plan)),
      ...this.#ofProbe('begin', phase)
    ])
  }

  /**
   * goOn has the clients go on with another plan, which differs in nothing that they were started with.
   *
   * @param {import('../../../plan/plan.js').Plan} plan
   * @param {OwnOptions['samplesFile']} samplesFile
   */
  async goOn(plan, samplesFile) {
    await ofThoseLeft([
      ...this.#workers.map((worker, index) => worker.call('goOn', { plan, samplesFile: samplesFile(index) })),
      ...this.#ofProbe('goOn', { plan: probePlan(plan), samplesFile: null })
    ])
  }

  /** prepare makes the registrations that a round's operations remove or refresh. @param {Round} round */
  async prepare(round) {
    const forProbe = { operations: null, durationMs: null }
    await ofThoseLeft([
      ...this.#workers.map(worker => worker.call('prepare', round)),
      ...this.#ofProbe('prepare', forProbe)
    ])
  }

  /** What the probe is asked, where there is one. @param {string} method @param {...any} args */
  #ofProbe(method, ...args) {
    return this.#probe === undefined ? [] : [this.#probe.call(method, ...args)]
  }

  /**
   * run starts a prepared round in all workers at once.
   *
   * @param {bigint | null} phaseStartNs - null: the phase begins with this round
   * @returns {{ startNs: bigint, ended: Promise<RoundEnd[]>, over: Promise<unknown> }} `ended` when the last operation has
   *   ended; `over` when each process has handed over what it measured, or is gone
   */
  run(phaseStartNs) {
    const startNs = soon(this.#startAfterMs)
    const start = { startNs, phaseStartNs: phaseStartNs ?? startNs }
    const probing = this.#probe?.call('run', start)
    const running = this.#workers.map(worker => runOn(worker, start))
    const ended = ofThoseLeft(running).then(async ends => {
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

  /** restore undoes what a round registered. @returns {Promise<Restored>} */
  async restore() {
    const [byLoad, byProbe] = await Promise.all([
      ofThoseLeft(this.#workers.map(worker => worker.call('restore'))),
      Promise.all(this.#ofProbe('restore'))
    ])
    /** @type {Restored[]} */
    const restored = [...byLoad, ...byProbe]
    return {
      namespacesUsed: Math.max(...byLoad.map(({ namespacesUsed }) => namespacesUsed)),
      problem: restored.find(({ problem }) => problem !== null)?.problem ?? null
    }
  }
}

/**
 * Runs a round on a worker, whose machine may have a clock of its own.
 *
 * @param {HeldProcess} worker
 * @param {{ startNs: bigint, phaseStartNs: bigint }} start
 * @returns {Promise<RoundEnd>}
 */
async function runOn(worker, { startNs, phaseStartNs }) {
  const { there, here } = bound(worker.clock)
  const own = { startNs: there(startNs), phaseStartNs: there(phaseStartNs) }
  const { beganNs, endNs, ...end } = await worker.call('run', own)
  worker.began?.(Number(beganNs - own.startNs) / 1e6)
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

/** @param {PoolOptions} options */
function startProbe(options) {
  const { plan, onProbeInterval, onAlive, onDied, enter, signal } = options
  return startGenerator(ENTRY, {
    name: 'the probe',
    through: enter?.(plan.workers),
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
    onDied,
    signal
  })
}
