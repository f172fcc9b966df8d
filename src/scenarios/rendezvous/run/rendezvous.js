import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../../kit/folders.js'
import { counted } from '../../../kit/numbers.js'
import { Namespaces } from '../../../plan/namespaces.js'
import { addressesOf } from '../../../target/target.js'
import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { workerNames } from '../../worker-watch.js'
import { FLOOR_MS, measureFloor } from '../floor.js'
import { floorText } from '../operations.js'
import { hasFloor } from '../plan/estimate.js'
import { publishes } from '../plan/full-peers.js'
import { measure, undo, warmUp } from './load-phases.js'
import { WorkerPool } from './pool.js'
import { preload } from './registrations.js'
import { RunDocument } from './run-document.js'
import { ServerRun } from './server-run.js'
import { takeEverythingBack } from './taking-back.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../result/types.js').Record_} Record_
 * @typedef {import('./server-run.js').RunOptions} RunOptions
 * @typedef {import('../measure/measurement.js').Measurement} Measurement
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
  recordsOf(emit => execute(new RendezvousRun(plan, options, emit), phases))

/** @param {RendezvousRun} run */
async function phases(run) {
  await run.setup()
  await run.preload()
  await run.connect()
  await run.warmUp()
  await run.measure()
  await run.cooldown()
  await run.floor()
}

/** While the measure phase goes on, the result so far is given out this often, */
const PARTIAL_EVERY_MS = 5000
/** but less often in a long one, of which it says nearly the same: whenever this share of it was added. */
const PARTIAL_SHARE = 0.02
/** How long samples of a run that was broken off are waited for. */
const LAST_SAMPLES_MS = 1000

/**
 * RendezvousRun is one run with what it has started; its methods are the phases.
 *
 * @extends {ServerRun<RunDocument, WorkerPool>}
 */
class RendezvousRun extends ServerRun {
  /** @type {Measurement | null} the one that intervals go to just now */
  #current = null
  /** Something may be on the server that was not there before. */
  #hasRegistered = false

  /**
   * @param {Plan} plan
   * @param {RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, options, emit) {
    super(plan, options, {
      emit,
      documentOf: log => new RunDocument(plan, options.id, log, options.fleet),
      workers: workerNames(plan.workers)
    })
  }

  preload() {
    this.#hasRegistered = true
    return this.phases.guarded('preload', async () => {
      const how = this.goesOn ? 'there since an earlier run' : await this.#preload()
      const state = await this.target.control?.state()
      this.document.registrations.before = state?.registrations ?? null
      return how
    })
  }

  async #preload() {
    const { how, expiresMs } = await preload(this.#preloadOptions(this.starting))
    this.preloadExpiresMs = expiresMs
    return how
  }

  connect() {
    return this.phases.guarded('connect', async () => {
      await this.#loadWhatIsAsked()
      if (!this.goesOn) await this.started.connect()
      await this.#startHostile()
      this.document.clientSettings = this.started.settings
      if (this.goesOn) return 'connected since an earlier run'
      return this.document.peers?.join(this.started, (done, total) => this.#waits('connect', done, total))
    })
  }

  /** What measures churn and profiles is loaded where there are some. */
  async #loadWhatIsAsked() {
    const { churn, profiled } = this.plan
    if (churn != null) {
      const { ChurnMeasurement } = await import('../measure/churn.js')
      this.document.measurement.churnFrom = startNs => new ChurnMeasurement(this.plan, startNs)
    }
    if (profiled === undefined) return
    const { Profiles } = await import('../../profile/profiles.js')
    this.document.profiles = new Profiles(profiled, this.options.folder ?? null)
  }

  /** What makes hostile peers is loaded where there are some. */
  async #startHostile() {
    if (this.plan.hostile === undefined) return
    const { HostilePeers } = await import('../hostile/hostile-peers.js')
    this.document.hostile = new HostilePeers(this.plan)
    const onDied = (/** @type {Error} */ error) => this.trouble.raise(error)
    await this.document.hostile.start(this.target, { onDied, signal: this.starting })
  }

  warmUp() {
    return this.phases.plain('warmup', async () => {
      this.document.warmUp = await this.#warmUp(this.#phaseParts, { again: this.goesOn })
      return `${counted(this.document.warmUp?.operations ?? 0, 'operation')}, not counted`
    })
  }

  measure() {
    return this.phases.plain('measure', async () => {
      const { measurement, peers, profiles, hostile } = this.document
      await this.trouble.guard(Promise.resolve(this.#sample()))
      await this.trouble.guard(Promise.resolve(peers?.begin(this.started)))
      await this.trouble.guard(Promise.resolve(hostile?.readMemory('before')))
      await this.watching(() => this.#measure(this.#phaseParts, measurement))
      await this.trouble.guard(Promise.resolve(hostile?.readMemory('after')))
      await this.trouble.guard(Promise.resolve(profiles?.stop()))
      return counted(measurement.load.operations, 'operation')
    })
  }

  /** Samples the server and the workers, where that is asked for. */
  #sample() {
    const { profiles } = this.document
    const { profiles: server = [] } = this.target
    if (profiles !== null && server.length === 0) this.log.warn('SERVER_NOT_PROFILED', {})
    return profiles?.start({ server, workers: this.started.profiles })
  }

  /** @param {import('./load-phases.js').PhaseParts} parts @param {Parameters<typeof warmUp>[2]} how */
  #warmUp(parts, how) {
    const measuring = (/** @type {Measurement} */ measurement) => {
      this.#current = measurement
    }
    return warmUp(parts, measuring, how)
  }

  /** @param {import('./load-phases.js').PhaseParts} parts @param {Measurement} measurement */
  async #measure(parts, measurement) {
    this.#current = measurement
    let lastMs = 0
    const timer = setInterval(() => {
      const { soFarMs } = measurement
      if (soFarMs - lastMs < PARTIAL_SHARE * soFarMs) return
      lastMs = soFarMs
      this.phases.emitPartial()
    }, PARTIAL_EVERY_MS)
    try {
      await measure(parts, measurement)
    } finally {
      clearInterval(timer)
    }
  }

  /** @param {import('../../../measure/meter.js').Interval} interval @param {number} worker */
  #add(interval, worker) {
    const { measurement } = this.document
    this.#current?.addLoad(interval, worker)
    const { churn } = /** @type {{ churn?: import('../measure/churn.js').ChurnInterval }} */ (interval)
    if (churn !== undefined) this.document.peers?.change(churn.changes)
    if (this.#current !== measurement) return
    const { second, cells, dueSlots } = interval
    if (dueSlots !== undefined) this.document.hostile?.add(dueSlots)
    this.log.measured({ second, cells, beganEpochMs: performance.timeOrigin + measurement.beganMs })
  }

  cooldown() {
    return this.phases.guarded('cooldown', async () => {
      await this.document.peers?.coolDown(this.started, (done, total) => this.#waits('cooldown', done, total))
      await this.#lookUp()
      this.notUndone = (await undo(this.#phaseParts, this.document.measurement)) !== null
      this.document.badReplies = (await this.pool?.finish()) ?? []
      await this.options.fleet?.settle()
      if (this.options.standing === undefined && !this.#hasFloor) await this.pool?.stop()
      await this.#countRegistrations()
      this.document.header.completed()
    })
  }

  /** @param {'connect' | 'cooldown'} phase - of full peers @param {number} done - ms @param {number} total */
  #waits(phase, done, total) {
    this.log.progress({ phase, done, total, unit: 'ms' })
  }

  /** What this load generator adds to any server here, measured once the server under test has nothing to do. */
  async floor() {
    if (!this.#hasFloor) return
    await this.phases.guarded('floor', async () => {
      try {
        this.document.floor = await measureFloor(this.plan, {
          pool: this.started,
          measuring: measurement => {
            this.#current = measurement
          },
          onProgress: done => this.log.progress({ phase: 'floor', done, total: FLOOR_MS, unit: 'ms' }),
          signal: this.starting
        })
        return floorText(this.document.floor)
      } catch (error) {
        return `not measured: ${/** @type {Error} */ (error).message}`
      }
    })
  }

  /** Not of clients on other machines, nor where another run goes on with them, nor where some of it is left to be done. */
  get #hasFloor() {
    const { fleet, standing } = this.options
    const isOurs = fleet === undefined && standing === undefined && !this.notUndone
    return isOurs && hasFloor(this.plan, this.document.measurement.measuredMs)
  }

  /** @override */
  async keepWhatThereIs() {
    if (this.pool !== null) await this.document.peers?.breakOff(this.pool)
    const { profiles } = this.document
    await Promise.race([profiles?.stop(), sleep(LAST_SAMPLES_MS, undefined, { ref: false })])
  }

  /** What a worker says from now on is too late: the load is counted. @param {Error} error @override */
  fail(error) {
    this.#current = null
    super.fail(error)
  }

  /** @override */
  async startPool() {
    await this.#makePeers()
    return WorkerPool.start({
      plan: this.plan,
      fleet: this.options.fleet,
      runId: this.runId,
      enter: worker => this.joined.through(1 + worker),
      servers: addressesOf(this.target),
      expected: this.#expected,
      severalPerStream: this.severalPerStream,
      samplesFile: worker => this.#samplesFile(worker),
      networkOf: worker => this.document.peers?.setupOf(worker, this.#addressIn(worker)) ?? null,
      onInterval: (interval, worker) => this.told.run.#add(interval, worker),
      onNetwork: (interval, worker) => this.told.run.document.peers?.add(interval, worker),
      onConnected: done =>
        this.log.progress({ phase: 'connect', done, total: this.plan.nClients, unit: 'clients' }),
      onAlive: worker => this.told.run.workers.heard(worker),
      onDied: (error, worker) => {
        this.told.run.document.peers?.lost(worker)
        this.told.run.trouble.raise(error)
      },
      signal: this.starting
    })
  }

  /** What makes full peers is loaded where clients are some. */
  async #makePeers() {
    if (!publishes(this.plan)) return
    const { PeerNetwork } = await import('./peer-network.js')
    this.document.peers = new PeerNetwork(this.plan, {
      namespaces: new Namespaces(this.runId),
      fleet: this.options.fleet,
      traces: await this.#tracesFolder()
    })
  }

  async #tracesFolder() {
    const { folder } = this.options
    if (!this.plan.samples || folder == null) return null
    const traces = join(folder, 'traces')
    await makeFolder(traces)
    return traces
  }

  /** @param {number} worker @returns {string | undefined} undefined: it is in no namespace of a network */
  #addressIn(worker) {
    return this.joined.network === null ? undefined : this.joined.host(1 + worker)
  }

  /** @override */
  async goOn() {
    await this.started.goOn(this.plan, worker => this.#samplesFile(worker))
  }

  /** @override */
  async takeBack() {
    if (!this.#hasRegistered || this.document.target == null || this.target.control != null) return
    const count = await takeEverythingBack({
      plan: this.plan,
      failed: this.notUndone || !this.document.header.complete,
      pool: this.pool,
      operations: this.document.measurement.load.operations,
      preloaded: (signal, onProgress) => this.#preloadOptions(signal, onProgress)
    })
    const { dead = 0 } = this.document.measurement.churn?.result(null).series.at(-1) ?? {}
    if (count + dead > 0)
      this.log.warn('LEFT_UNTIL_TTL', { count: count + dead, ttlSeconds: this.plan.ttlSeconds })
  }

  /** Whether what was registered is still there. A server that was started again has lost it, as was planned, unless it kept it elsewhere. */
  async #lookUp() {
    if (this.plan.skipLookUp || this.#restarts || this.plan.churn != null) return
    this.document.lookUp = await this.started.lookUp(this.preloadExpiresMs)
  }

  async #countRegistrations() {
    const state = await this.target.control?.state()
    if (state == null) return
    const { registrations, namespaces } = state
    Object.assign(this.document.registrations, { after: registrations, namespaces })
    const expected = this.plan.initialRegistrations
    const comesAndGoes = this.plan.churn != null || this.plan.hostile !== undefined
    if (registrations !== expected && !this.#restarts && !comesAndGoes)
      this.log.warn('STORE_NOT_RESTORED', { expected, actual: registrations })
  }

  /** A server that is started again holds nothing, where it had all in memory. */
  get #restarts() {
    if (this.plan.store !== 'memory') return false
    return this.plan.faults.some(({ kind }) => kind === 'restart')
  }

  /** What every DISCOVER reply must hold at least; other servers may have caps of their own. */
  get #expected() {
    const { target, initialRegistrations, nNamespaces, discoverLimit, discoverInexistentNamespaces } =
      this.plan
    if (target != null || discoverInexistentNamespaces || this.#restarts || this.plan.churn != null)
      return null
    return Math.min(discoverLimit, Math.floor(initialRegistrations / nNamespaces))
  }

  /** @param {number} worker */
  #samplesFile(worker) {
    const { folder } = this.options
    return this.plan.samples && folder != null ? join(folder, `samples-${worker}.csv`) : null
  }

  /** @param {AbortSignal} signal @param {(done: number) => void} [onDone] */
  #preloadOptions(signal, onDone = () => {}) {
    return {
      plan: this.plan,
      target: this.target,
      namespaces: new Namespaces(this.runId),
      cacheDir: this.options.cacheDir ?? null,
      signal,
      onProgress: (/** @type {number} */ done, /** @type {number} */ total) => {
        onDone(done)
        this.log.progress({ phase: 'preload', done, total, unit: 'registrations' })
      }
    }
  }

  get #phaseParts() {
    return {
      plan: this.plan,
      target: this.target,
      pool: this.started,
      trouble: this.trouble,
      log: this.log,
      hostile: this.document.hostile,
      figures: () => this.document.figures(),
      onStart: (/** @type {bigint} */ startNs) => this.document.peers?.starts(startNs)
    }
  }
}
