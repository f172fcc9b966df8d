import { join } from 'node:path'
import { Measurement } from '../measure/measurement.js'
import { Namespaces } from '../plan/namespaces.js'
import { LIMITS } from '../server/limits.js'
import { startTarget } from '../target/start-target.js'
import { WorkerPool } from '../workers/pool.js'
import { interruptedBy, Phases, recordsOf } from './phases.js'
import { preload } from './registrations.js'
import { measure, warmUp } from './rounds.js'
import { RunDocument } from './run-document.js'
import { RunLog } from './run-log.js'
import { serverIn } from './server-in-words.js'
import { serverSettings } from './server-settings.js'
import { takeEverythingBack } from './taking-back.js'
import { Trouble } from './trouble.js'
import { WorkerWatch, workerNames } from './worker-watch.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../target/target.js').Target} Target
 *
 * @typedef {object} RunOptions
 * @property {string} id - of the run
 * @property {string | null} [folder] - for the samples of --samples; null: none are kept
 * @property {string | null} [cacheDir] - where identities are kept between runs; null: nowhere
 * @property {AbortSignal} [signal] - ends the run; what was measured is kept
 */

/**
 * runRendezvous load-tests a rendezvous server by a plan. It never throws for what goes wrong with the run: the last record is
 * always the result, whose `status` and `reason` tell.
 *
 * @param {Plan} plan
 * @param {RunOptions} options
 * @returns {AsyncGenerator<Record_>}
 */
export const runRendezvous = (plan, options) =>
  recordsOf(emit => execute(new RendezvousRun(plan, options, emit)))

/** @param {RendezvousRun} run */
async function execute(run) {
  run.begin()
  try {
    await run.setup()
    await run.preload()
    await run.connect()
    await run.warmUp()
    await run.measure()
    await run.cooldown()
  } catch (error) {
    run.fail(/** @type {Error} */ (error))
  }
  await run.teardown()
  run.end()
}

/** While the measure phase goes on, the result so far is given out this often, */
const PARTIAL_EVERY_MS = 5000
/** but less often in a long one, of which it says nearly the same: whenever this share of it was added. */
const PARTIAL_SHARE = 0.02

/** RendezvousRun is one run with what it has started; its methods are the phases. */
class RendezvousRun {
  #plan
  #options
  #emit
  #signal
  #log
  #document
  #trouble = new Trouble()
  #release = () => {}
  #phases
  #runId
  #namespaces
  /** @type {Promise<string> | null} */
  #settingUp = null
  /** @type {WorkerPool | null} */
  #pool = null
  #workers
  /** @type {Measurement | null} the one that intervals go to just now */
  #current = null

  /**
   * @param {Plan} plan
   * @param {RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, options, emit) {
    this.#plan = plan
    this.#options = options
    this.#emit = emit
    this.#signal = options.signal ?? new AbortController().signal
    this.#log = new RunLog(emit)
    this.#document = new RunDocument(plan, options.id, this.#log)
    this.#phases = new Phases({
      log: this.#log,
      trouble: this.#trouble,
      emit,
      result: () => this.#document.result()
    })
    this.#workers = new WorkerWatch([...workerNames(plan.workers), 'the probe'], error =>
      this.#trouble.raise(error)
    )
    // a server of others may still hold what another run left behind
    this.#runId = plan.target == null ? String(plan.seed) : options.id
    this.#namespaces = new Namespaces(this.#runId)
  }

  begin() {
    this.#release = interruptedBy(this.#signal, this.#trouble)
    this.#emit(this.#document.startRecord())
  }

  setup() {
    return this.#phases.guarded('setup', () => {
      this.#settingUp = this.#startParts()
      return this.#settingUp
    })
  }

  preload() {
    return this.#phases.guarded('preload', async () => {
      const how = await preload(this.#preloadOptions(this.#signal))
      const state = await this.#target.control?.state()
      this.#document.registrations.before = state?.registrations ?? null
      return how
    })
  }

  connect() {
    return this.#phases.guarded('connect', async () => {
      await this.#pool?.connect()
    })
  }

  warmUp() {
    return this.#phases.plain('warmup', async () => {
      this.#current = new Measurement(this.#plan.workers)
      const operations = await warmUp(this.#roundParts, this.#current)
      this.#current.destroy()
      return `${counted(operations, 'operation')}, not counted`
    })
  }

  measure() {
    return this.#phases.plain('measure', async () => {
      const { measurement } = this.#document
      this.#current = measurement
      let lastMs = 0
      const timer = setInterval(() => {
        const { soFarMs } = measurement
        if (soFarMs - lastMs < PARTIAL_SHARE * soFarMs) return
        lastMs = soFarMs
        this.#phases.emitPartial()
      }, PARTIAL_EVERY_MS)
      try {
        await measure(this.#roundParts, measurement)
      } finally {
        clearInterval(timer)
      }
      return `${counted(measurement.load.operations, 'operation')} in ${counted(measurement.rounds.length, 'round')}`
    })
  }

  cooldown() {
    return this.#phases.guarded('cooldown', async () => {
      this.#document.badReplies = (await this.#pool?.finish()) ?? []
      await this.#pool?.stop()
      await this.#countRegistrations()
      this.#document.header.completed()
    })
  }

  /** fail keeps why the run ended early. @param {Error} error */
  fail(error) {
    // the round is counted: what a worker says from now on is too late
    this.#current = null
    this.#document.header.failed(this.#trouble.error ?? error)
  }

  teardown() {
    return this.#log.phase('teardown', async () => {
      this.#workers.stop()
      // what is still being started could not be stopped
      await this.#settingUp?.catch(() => {})
      for (const step of [
        () => this.#takeBack(),
        () => this.#pool?.stop(),
        () => this.#document.target?.stop()
      ]) {
        try {
          await step()
        } catch (error) {
          this.#document.header.failed(/** @type {Error} */ (error))
        }
      }
      return {}
    })
  }

  end() {
    this.#release()
    this.#document.header.finished()
    this.#emit({ type: 'result', result: this.#document.result() })
    this.#document.measurement.destroy()
  }

  async #startParts() {
    const where = await this.#startTarget()
    this.#signal.throwIfAborted()
    this.#pool = await WorkerPool.start({
      plan: this.#plan,
      runId: this.#runId,
      server: this.#target.multiaddr,
      expected: this.#expected,
      samplesFile: worker => this.#samplesFile(worker),
      onInterval: (interval, worker) => this.#current?.addLoad(interval, worker),
      onProbeInterval: interval => this.#current?.probe.add(interval),
      onConnected: done =>
        this.#log.progress({ phase: 'connect', done, total: this.#plan.nClients, unit: 'clients' }),
      onAlive: worker => this.#workers.heard(worker),
      onDied: error => this.#trouble.raise(error)
    })
    return where
  }

  async #startTarget() {
    const { target, why } = await startTarget(this.#plan, {
      id: this.#options.id,
      settings: serverSettings(this.#plan, LIMITS),
      signal: this.#signal,
      onFailed: error => this.#trouble.raise(error),
      onProgress: ({ done, total, unit }) => this.#log.progress({ phase: 'setup', done, total, unit })
    })
    this.#document.target = target
    this.#document.targetChosenBy = why
    return serverIn(target, why)
  }

  async #takeBack() {
    if (this.#document.target == null || this.#target.control != null) return
    const count = await takeEverythingBack({
      plan: this.#plan,
      failed: !this.#document.header.complete,
      pool: this.#pool,
      lastRoundOperations: this.#document.measurement.rounds.at(-1)?.operations ?? 0,
      preloaded: (signal, onProgress) => this.#preloadOptions(signal, onProgress)
    })
    if (count > 0) this.#log.warn('LEFT_UNTIL_TTL', { count, ttlSeconds: this.#plan.ttlSeconds })
  }

  async #countRegistrations() {
    const state = await this.#target.control?.state()
    if (state == null) return
    const { registrations, namespaces } = state
    Object.assign(this.#document.registrations, { after: registrations, namespaces })
    const expected = this.#plan.initialRegistrations
    if (registrations !== expected && !this.#restarts)
      this.#log.warn('STORE_NOT_RESTORED', { expected, actual: registrations })
  }

  /** The target, once it was started. */
  get #target() {
    return /** @type {Target} */ (this.#document.target)
  }

  /** A server that is started again holds nothing. */
  get #restarts() {
    return this.#plan.faults.some(({ kind }) => kind === 'restart')
  }

  /** What every DISCOVER reply must hold at least; other servers may have caps of their own. */
  get #expected() {
    const { target, initialRegistrations, nNamespaces, discoverLimit, discoverInexistentNamespaces } =
      this.#plan
    if (target != null || discoverInexistentNamespaces || this.#restarts) return null
    return Math.min(discoverLimit, Math.floor(initialRegistrations / nNamespaces))
  }

  /** @param {number} worker */
  #samplesFile(worker) {
    const { folder } = this.#options
    return this.#plan.samples && folder != null ? join(folder, `samples-${worker}.csv`) : null
  }

  /** @param {AbortSignal} signal @param {(done: number) => void} [onDone] */
  #preloadOptions(signal, onDone = () => {}) {
    return {
      plan: this.#plan,
      target: this.#target,
      namespaces: this.#namespaces,
      cacheDir: this.#options.cacheDir ?? null,
      signal,
      onProgress: (/** @type {number} */ done, /** @type {number} */ total) => {
        onDone(done)
        this.#log.progress({ phase: 'preload', done, total, unit: 'registrations' })
      }
    }
  }

  get #roundParts() {
    return {
      plan: this.#plan,
      target: this.#target,
      pool: /** @type {WorkerPool} */ (this.#pool),
      trouble: this.#trouble,
      log: this.#log
    }
  }
}

/** @param {number} n @param {string} noun */
const counted = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
