import { setTimeout as sleep } from 'node:timers/promises'
import { rotationSchedule } from '../load/rotation-schedule.js'
import { RendezvousRotationMeasurement } from '../measure/rendezvous/rotation-measurement.js'
import { ServerDurations } from '../measure/server-durations.js'
import { LIMITS } from '../server/limits.js'
import { startTarget } from '../target/start-target.js'
import { RotationPool } from '../workers/rotation-pool.js'
import { interruptedBy, Phases, recordsOf } from './phases.js'
import { countRegistrations } from './registration-counts.js'
import { watchReplies } from './reply-watch.js'
import { RotationDocument } from './rotation-document.js'
import { watchRotation } from './rotation-watch.js'
import { sampleDuring, tellProgress } from './rounds.js'
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

const PROGRESS_MS = 500
const PARTIAL_EVERY_MS = 5000
const LAST_WORDS_MS = 2000

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
  /** Intervals go to the document: only while it is measured. */
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
      await this.#measureRound()
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

  /** The measurement, from its start to its last reply, or until there is trouble. */
  async #measureRound() {
    const { measurement } = this.#document
    const { startNs, ended, over } = this.#started.run()
    this.#document.rotation = new RendezvousRotationMeasurement({
      plan: this.#plan,
      lives: rotationSchedule({ ...this.#plan, dials: 0 }),
      startNs: Number(startNs)
    })
    this.#measuring = true
    measurement.runningSinceNs = startNs
    measurement.beganMs = performance.now() + Number(startNs - process.hrtime.bigint()) / 1e6
    const stops = this.#watch(startNs)
    try {
      const ends = await this.#trouble.guard(ended)
      await this.#addServerDurations()
      this.#close(startNs, Math.max(...ends.map(({ endNs }) => Number(endNs))))
    } catch (error) {
      // workers still hand over what they measured; a timer that is left must not keep the process
      const told = this.#started.abort(String(error)).then(() => over)
      await Promise.race([told, sleep(LAST_WORDS_MS, undefined, { ref: false })])
      this.#close(startNs, Number(process.hrtime.bigint()))
      throw error
    } finally {
      this.#measuring = false
      measurement.runningSinceNs = null
      for (const stop of stops) await stop()
    }
  }

  /** Whatever looks at the measurement while it goes on. @param {bigint} startNs @returns {(() => unknown)[]} to end that */
  #watch(startNs) {
    const { measurement, rotation } = this.#document
    const parts = { plan: this.#plan, log: this.#log, trouble: this.#trouble }
    const replies = watchReplies({ totals: measurement.load, trouble: this.#trouble })
    const figures = watchRotation(parts, this.#document)
    const counts = countRegistrations({
      control: this.#target.control,
      durationMs: Number(this.#plan.durationMs),
      onCount: (atNs, registrations) => rotation?.count(atNs, registrations)
    })
    const sampling = sampleDuring(this.#target, measurement.resources, startNs)
    const progress = setInterval(() => tellProgress(parts, measurement), PROGRESS_MS)
    const partial = setInterval(() => this.#phases.emitPartial(), PARTIAL_EVERY_MS)
    return [
      () => clearInterval(progress),
      () => clearInterval(partial),
      () => replies.stop(),
      () => figures.stop(),
      () => counts.stop(),
      () => sampling.stop()
    ]
  }

  /** @param {bigint} startNs @param {number} endNs */
  #close(startNs, endNs) {
    const { measurement, rotation } = this.#document
    rotation?.end(endNs)
    measurement.rounds.push({
      index: 0,
      startMs: 0,
      durationMs: Math.max(0, endNs - Number(startNs)) / 1e6,
      operations: measurement.load.operations
    })
  }

  async #addServerDurations() {
    const { control } = this.#target
    if (control == null) return
    const { measurement } = this.#document
    measurement.serverDurations ??= new ServerDurations()
    measurement.serverDurations.add(await this.#trouble.guard(control.durations()))
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
