import { LIMITS } from '../server/limits.js'
import { startTarget } from '../target/start-target.js'
import { RotationPool } from '../workers/rotation-pool.js'
import { interruptedBy, Phases, recordsOf } from './phases.js'
import { RotationDocument } from './rotation-document.js'
import { measureRotation } from './rotation-round.js'
import { RunLog } from './run-log.js'
import { serverIn } from './server-in-words.js'
import { serverSettings } from './server-settings.js'
import { Trouble } from './trouble.js'
import { WorkerWatch, workerNames } from './worker-watch.js'

/**
 * @typedef {import('../plan/rendezvous-rotation-plan.js').RendezvousRotationPlan} RendezvousRotationPlan
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../target/target.js').Target} Target
 */

/**
 * runRotationRendezvous has peers of a rendezvous server come and go by a plan. It never throws for what goes wrong with the run: the
 * last record is always the result, whose `status` and `reason` tell.
 *
 * @param {RendezvousRotationPlan} plan
 * @param {import('./rendezvous.js').RunOptions} options
 * @returns {AsyncGenerator<Record_>}
 */
export const runRotationRendezvous = (plan, options) =>
  recordsOf(emit => execute(new RotationRun(plan, options, emit)))

/** @param {RotationRun} run */
async function execute(run) {
  run.begin()
  try {
    await run.setup()
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

/** RotationRun is one run with what it has started; its methods are the phases. */
class RotationRun {
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
  /** @type {Promise<string> | null} */
  #settingUp = null
  /** @type {RotationPool | null} */
  #pool = null
  #workers
  /** Intervals count only while it is measured. */
  #measuring = false

  /**
   * @param {RendezvousRotationPlan} plan
   * @param {import('./rendezvous.js').RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, options, emit) {
    this.#plan = plan
    this.#options = options
    this.#emit = emit
    this.#signal = options.signal ?? new AbortController().signal
    this.#log = new RunLog(emit)
    this.#document = new RotationDocument(plan, options.id, this.#log)
    this.#phases = new Phases({
      log: this.#log,
      trouble: this.#trouble,
      emit,
      result: () => this.#document.result()
    })
    this.#workers = new WorkerWatch(workerNames(plan.workers), error => this.#trouble.raise(error))
    // a server of others may still hold what another run left behind
    this.#runId = plan.target == null ? String(plan.seed) : options.id
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

  connect() {
    return this.#phases.guarded('connect', async () => {
      const state = await this.#target.control?.state()
      this.#document.registrations.before = state?.registrations ?? null
      await this.#started.connect()
    })
  }

  warmUp() {
    return this.#phases.guarded('warmup', async () => {
      await this.#started.warmUp(this.#plan.warmupMs)
    })
  }

  measure() {
    return this.#phases.plain('measure', async () => {
      // its registrations are as old as the measurement
      await this.#trouble.guard(this.#started.register())
      await this.#trouble.guard(this.#target.control?.resetDurations() ?? Promise.resolve())
      this.#measuring = true
      await measureRotation({
        plan: this.#plan,
        target: this.#target,
        pool: this.#started,
        document: this.#document,
        trouble: this.#trouble,
        log: this.#log,
        emitPartial: () => this.#phases.emitPartial()
      })
      this.#measuring = false
      const { load } = this.#document.measurement
      return `${load.operations.toLocaleString('en')} operations`
    })
  }

  cooldown() {
    return this.#phases.guarded('cooldown', async () => {
      this.#document.badReplies = await this.#started.finish()
      const state = await this.#target.control?.state()
      if (state != null) {
        const { registrations, namespaces } = state
        Object.assign(this.#document.registrations, { after: registrations, namespaces })
      }
      this.#document.header.completed()
    })
  }

  /** fail keeps why the run ended early. @param {Error} error */
  fail(error) {
    // what a worker says from now on is too late
    this.#measuring = false
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
    this.#pool = await RotationPool.start({
      plan: this.#plan,
      runId: this.#runId,
      server: this.#target.multiaddr,
      onInterval: (interval, worker) => {
        if (!this.#measuring) return
        this.#document.measurement.addLoad(interval, worker)
        this.#document.rotation?.take(interval.rotation, worker)
      },
      onConnected: done =>
        this.#log.progress({ phase: 'connect', done, total: this.#plan.nClients, unit: 'peers' }),
      onAlive: worker => this.#workers.heard(worker),
      onDied: error => this.#trouble.raise(error)
    })
    return where
  }

  async #startTarget() {
    const plan = /** @type {any} */ (this.#plan)
    const { target, why } = await startTarget(plan, {
      id: this.#options.id,
      settings: serverSettings(plan, LIMITS),
      signal: this.#signal,
      onFailed: error => this.#trouble.raise(error),
      onProgress: ({ done, total, unit }) => this.#log.progress({ phase: 'setup', done, total, unit })
    })
    this.#document.target = target
    this.#document.targetChosenBy = why
    return serverIn(target, why)
  }

  /** What peers have registered at a server of others is taken back, but for what killed ones left. */
  async #takeBack() {
    if (this.#document.target == null || this.#target.control != null || this.#pool === null) return
    await this.#pool.leave()
    const { dead = 0 } = this.#document.rotation?.result(null).series.at(-1) ?? {}
    if (dead > 0) this.#log.warn('LEFT_UNTIL_TTL', { count: dead, ttlSeconds: this.#plan.ttlSeconds })
  }

  /** The target, once it was started. */
  get #target() {
    return /** @type {Target} */ (this.#document.target)
  }

  /** The pool, once it was started. */
  get #started() {
    return /** @type {RotationPool} */ (this.#pool)
  }
}
