import { join } from 'node:path'
import { pushable } from 'it-pushable'
import { CLIENT_SETTINGS } from '../client/node.js'
import { changesState } from '../load/rounds.js'
import { Measurement } from '../measure/measurement.js'
import { Namespaces } from '../plan/namespaces.js'
import { LIMITS } from '../server/limits.js'
import { addressTarget } from '../target/address-target.js'
import { startProcessTarget } from '../target/process-target.js'
import { WorkerPool } from '../workers/pool.js'
import { machine, versions } from './environment.js'
import { preload, takeBack } from './registrations.js'
import { healthOfRun, outcomeOfRun, warningsOfRun } from './rendezvous-result.js'
import { measure, warmUp } from './rounds.js'
import { RunLog } from './run-log.js'
import { serverSettings } from './server-settings.js'
import { InterruptedError, Trouble } from './trouble.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/types.js').Result} Result
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
export async function* runRendezvous(plan, options) {
  /** @type {import('it-pushable').Pushable<Record_>} */
  const records = pushable({ objectMode: true })
  execute(new RendezvousRun(plan, options, record => records.push(record))).then(
    () => records.end(),
    error => records.end(error)
  )
  yield* records
}

/** @param {RendezvousRun} run */
async function execute(run) {
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

/** Time to take registrations back from a foreign server after a run was broken off. */
const TAKE_BACK_MS = 10_000

/** RendezvousRun is one run with what it has started and measured so far; its methods are the phases. */
class RendezvousRun {
  #plan
  #options
  #emit
  #log
  #trouble = new Trouble()
  #namespaces
  #startedAt = new Date()
  /** @type {import('../target/target.js').Target | null} */
  #target = null
  /** @type {WorkerPool | null} */
  #pool = null
  #measurement
  /** @type {Measurement | null} the one that intervals go to just now */
  #current = null
  /** @type {{ detail: string, count: number }[]} */
  #badReplies = []
  /** @type {Result['outcome']['registrations']} */
  #registrations = { before: null, after: null, namespaces: null }
  #preloaded = 0
  /** @type {Result['status']} */
  #status = 'partial'
  /** @type {Result['reason']} */
  #reason = { code: 'UNFINISHED', message: 'the run has not ended yet' }
  /** @type {string | null} */
  #finishedAt = null

  /**
   * @param {Plan} plan
   * @param {RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, options, emit) {
    this.#plan = plan
    this.#options = options
    this.#emit = emit
    this.#log = new RunLog(emit)
    this.#measurement = new Measurement(plan.workers)
    // a server of others may hold what another run left behind
    this.#namespaces = new Namespaces(plan.target == null ? String(plan.seed) : options.id)
    const interrupt = () => this.#trouble.raise(new InterruptedError('interrupted'))
    options.signal?.addEventListener('abort', interrupt, { once: true })
    if (options.signal?.aborted) interrupt()
    emit({ type: 'start', id: options.id, plan, run: this.#run() })
  }

  setup() {
    return this.#phase('setup', async () => {
      this.#target = await this.#startTarget()
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
        onDied: error => this.#trouble.raise(error)
      })
      return this.#target.multiaddr
    })
  }

  preload() {
    return this.#phase('preload', async () => {
      this.#preloaded = this.#plan.initialRegistrations
      const how = await preload(this.#preloadOptions(this.#options.signal))
      this.#registrations.before = (await this.#target?.control?.state())?.registrations ?? null
      return how
    })
  }

  connect() {
    return this.#phase('connect', async () => {
      await this.#pool?.connect()
    })
  }

  warmUp() {
    return this.#phase('warmup', async () => {
      this.#current = new Measurement(this.#plan.workers)
      const operations = await warmUp(this.#parts(), this.#current)
      this.#current.destroy()
      return `${operations.toLocaleString('en')} operations, not counted`
    })
  }

  measure() {
    return this.#phase('measure', async () => {
      this.#current = this.#measurement
      await measure(this.#parts(), this.#measurement)
      const { rounds, load } = this.#measurement
      return `${load.operations.toLocaleString('en')} operations in ${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}`
    })
  }

  cooldown() {
    return this.#phase('cooldown', async () => {
      this.#badReplies = (await this.#pool?.finish()) ?? []
      await this.#pool?.stop()
      await this.#countRegistrations()
      this.#status = 'complete'
      this.#reason = null
    })
  }

  async #countRegistrations() {
    const state = await this.#target?.control?.state()
    if (state == null) return
    this.#registrations.after = state.registrations
    this.#registrations.namespaces = state.namespaces
    const expected = this.#plan.initialRegistrations
    if (state.registrations !== expected)
      this.#log.warn('STORE_NOT_RESTORED', { expected, actual: state.registrations })
  }

  /** fail keeps why the run ended early. @param {Error & { code?: string }} error */
  fail(error) {
    const { code = 'RUN_FAILED', message } = this.#trouble.error ?? error
    this.#status = 'partial'
    this.#reason = { code, message }
  }

  teardown() {
    return this.#log.phase('teardown', async () => {
      const problems = await Promise.allSettled([this.#takeBack().finally(() => this.#pool?.stop())])
      problems.push(...(await Promise.allSettled([this.#target?.stop()])))
      for (const result of problems) if (result.status === 'rejected') this.fail(result.reason)
      return { value: undefined }
    })
  }

  end() {
    this.#finishedAt = new Date().toISOString()
    this.#emit({ type: 'result', result: this.#result() })
    this.#measurement.destroy()
  }

  /** Leaves a server of others as it was found, as far as time allows. */
  async #takeBack() {
    if (this.#target == null || this.#target.control != null) return
    const failed = this.#reason != null
    const signal = failed ? AbortSignal.timeout(TAKE_BACK_MS) : new AbortController().signal
    const leftByClients = failed ? await this.#restoreClients(signal) : 0
    let takenBack = 0
    const onDone = (/** @type {number} */ done) => {
      takenBack = done
    }
    if (this.#preloaded > 0) await takeBack(this.#preloadOptions(signal, onDone)).catch(() => {})
    const count = leftByClients + this.#preloaded - takenBack
    if (count > 0) this.#log.warn('LEFT_UNTIL_TTL', { count, ttlSeconds: this.#plan.ttlSeconds })
  }

  /** @param {AbortSignal} signal @returns {Promise<number>} how many registrations stay at most */
  async #restoreClients(signal) {
    const late = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    try {
      await Promise.race([this.#pool?.restore(), late])
      return 0
    } catch {
      return changesState(this.#plan) ? (this.#measurement.rounds.at(-1)?.operations ?? 0) : 0
    }
  }

  /**
   * @param {string} name
   * @param {() => Promise<string | void>} work
   */
  async #phase(name, work) {
    await this.#log.phase(name, async () => ({
      detail: (await this.#trouble.guard(work())) ?? undefined,
      value: undefined
    }))
    this.#emit({ type: 'partial', result: this.#result() })
  }

  #startTarget() {
    const { target, targetPid } = this.#plan
    if (target != null) return addressTarget({ multiaddr: target, pid: targetPid })
    return startProcessTarget({
      settings: serverSettings(this.#plan, LIMITS),
      signal: this.#options.signal ?? new AbortController().signal,
      onFailed: error => this.#trouble.raise(error)
    })
  }

  get #runId() {
    return this.#plan.target == null ? String(this.#plan.seed) : this.#options.id
  }

  /** What every DISCOVER reply must hold at least; other servers may have caps of their own. */
  get #expected() {
    const { target, initialRegistrations, nNamespaces, discoverLimit, discoverInexistentNamespaces } =
      this.#plan
    if (target != null || discoverInexistentNamespaces) return null
    return Math.min(discoverLimit, Math.floor(initialRegistrations / nNamespaces))
  }

  /** @param {number} worker */
  #samplesFile(worker) {
    const { folder } = this.#options
    return this.#plan.samples && folder != null ? join(folder, `samples-${worker}.csv`) : null
  }

  /** @param {AbortSignal} [signal] @param {(done: number) => void} [onDone] */
  #preloadOptions(signal = new AbortController().signal, onDone = () => {}) {
    return {
      plan: this.#plan,
      target: /** @type {import('../target/target.js').Target} */ (this.#target),
      namespaces: this.#namespaces,
      cacheDir: this.#options.cacheDir ?? null,
      signal,
      onProgress: (/** @type {number} */ done, /** @type {number} */ total) => {
        onDone(done)
        this.#log.progress({ phase: 'preload', done, total, unit: 'registrations' })
      }
    }
  }

  #parts() {
    return {
      plan: this.#plan,
      target: /** @type {import('../target/target.js').Target} */ (this.#target),
      pool: /** @type {WorkerPool} */ (this.#pool),
      trouble: this.#trouble,
      log: this.#log
    }
  }

  /** @returns {Result['run']} */
  #run(health = healthOfRun(this.#measurement), warnings = this.#log.warnings) {
    return {
      startedAt: this.#startedAt.toISOString(),
      finishedAt: this.#finishedAt,
      phases: this.#log.phases,
      machine: machine(),
      versions: versions(),
      health,
      warnings
    }
  }

  /** @returns {Result} */
  #result() {
    const plan = this.#plan
    const health = healthOfRun(this.#measurement)
    const outcome = outcomeOfRun(plan, this.#measurement, {
      target: {
        kind: this.#target?.kind ?? 'none',
        multiaddr: this.#target?.multiaddr ?? null,
        settings: { server: this.#target?.settings ?? {}, clients: CLIENT_SETTINGS }
      },
      registrations: this.#registrations,
      sinceBegin: ms => this.#log.sinceBegin(ms)
    })
    const known = { namespacesUsed: this.#measurement.namespacesUsed, badReplies: this.#badReplies }
    return {
      schemaVersion: 1,
      id: this.#options.id,
      scenario: 'rendezvous',
      status: this.#status,
      reason: this.#reason,
      plan,
      outcome,
      run: this.#run(health, [...this.#log.warnings, ...warningsOfRun(plan, outcome, health, known)])
    }
  }
}
