// Runs a rendezvous plan phase by phase, from the start of the server to the result document.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { computeSum } from '../../../kit/collections.js'
import { makeFolder } from '../../../kit/files.js'
import { formatCount } from '../../../kit/numbers.js'
import { findServerStack, listClientPackages, listGossipPackages } from '../../../libp2p/stacks.js'
import { RunNamespaces } from '../../../load/registrations.js'
import { findClockError, removeTimesBelow } from '../../../measure/distribution.js'
import { judgeThresholds } from '../../../report/checks.js'
import { executeRun, generateRecords } from '../../../run/run.js'
import { RunHeader, readPackageVersions } from '../../../run/run-header.js'
import { makeWorkerNames } from '../../../run/workers.js'
import { listAddresses } from '../../../target/target.js'
import { makeNamespaceWarnings } from '../../router-figures.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { MAX_POINTS_WITH_FAULTS, Measurement } from '../measurement.js'
import { describeFloor } from '../operation-description.js'
import {
  findRunLimit,
  makeLiveFigures,
  makeRunOutcome,
  makeRunWarnings,
  makeWorkerHealth
} from '../outcome.js'
import { publishesMessages } from '../peer-options.js'
import { measuresFloor } from '../plan/rendezvous-plan.js'
import { FLOOR_MS, measureFloor, WorkerPool } from '../worker-pool.js'
import { runMeasurement, runWarmUp, unregisterClients } from './load-phases.js'
import { preloadServer, ServerRun, unregisterAll } from './server-run.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../report/schema.js').RunRecord} RunRecord
 * @typedef {import('./server-run.js').RunOptions} RunOptions
 */

/**
 * runRendezvous load-tests a rendezvous server by a plan. It does not throw if the run fails: the last record is always the result, with
 * `status` and `reason`.
 *
 * @param {Plan} plan
 * @param {RunOptions} options
 * @returns {AsyncGenerator<RunRecord>}
 */
export const runRendezvous = (plan, options) =>
  generateRecords(emit => executeRun(new RendezvousRun(plan, options, emit), phases))

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

/** While measuring, the result so far is emitted this often, */
const PARTIAL_EVERY_MS = 5000
/** but in a long measurement only when it has grown by this share. */
const PARTIAL_SHARE = 0.02
/** Time limit for the profiles of a run that ends early. */
const LAST_SAMPLES_MS = 1000

/**
 * RendezvousRun is one run with all that it has started; its methods are the phases.
 *
 * @extends {ServerRun<RunDocument, WorkerPool>}
 */
class RendezvousRun extends ServerRun {
  /** @type {Measurement | null} the measurement that intervals are added to */
  #current = null
  /** The run may have made registrations at the server. */
  #hasRegistered = false

  /**
   * @param {Plan} plan
   * @param {RunOptions} options
   * @param {(record: RunRecord) => void} emit
   */
  constructor(plan, options, emit) {
    super(plan, options, {
      emit,
      documentOf: log => new RunDocument(plan, options.id, log, options.fleet),
      workers: makeWorkerNames(plan.workers)
    })
  }

  preload() {
    this.#hasRegistered = true
    return this.phases.guarded('preload', async () => {
      let how = 'there since an earlier run'
      if (!this.goesOn) {
        const preloaded = await preloadServer(this.#preloadOptions(this.starting))
        this.preloadExpiresMs = preloaded.expiresMs
        how = preloaded.how
      }
      const state = await this.target.control?.state()
      this.document.registrations.before = state?.registrations ?? null
      return how
    })
  }

  connect() {
    return this.phases.guarded('connect', async () => {
      await this.#loadMeasurements()
      if (!this.goesOn) await this.started.connect()
      await this.#startHostile()
      this.document.clientSettings = this.started.settings
      if (this.goesOn) return 'connected since an earlier run'
      return this.document.peers?.join(this.started, (done, total) => this.#waits('connect', done, total))
    })
  }

  /** Loads the modules that measure churn and profiles, if the plan has any. */
  async #loadMeasurements() {
    const { churn, profiled } = this.plan
    if (churn != null) {
      const { RegistrationChurnMeasurement } = await import('../measure/churn.js')
      this.document.measurement.churnFrom = startNs => new RegistrationChurnMeasurement(this.plan, startNs)
    }
    if (profiled === undefined) return
    const { Profiles } = await import('../../../run/profiles.js')
    this.document.profiles = new Profiles(profiled, this.options.folder ?? null)
  }

  /** Loads and starts hostile peers, if the plan has any. */
  async #startHostile() {
    if (this.plan.hostile === undefined) return
    const { HostilePeers } = await import('../hostile/hostile-peers.js')
    this.document.hostile = new HostilePeers(this.plan)
    const onDied = (/** @type {Error} */ error) => this.failure.raise(error)
    await this.document.hostile.start(this.target, { onDied, signal: this.starting })
  }

  warmUp() {
    return this.phases.plain('warmup', async () => {
      const measuring = (/** @type {Measurement} */ measurement) => {
        this.#current = measurement
      }
      this.document.warmUp = await runWarmUp(this.#phaseParts, measuring, { again: this.goesOn })
      return `${formatCount(this.document.warmUp?.operations ?? 0, 'operation')}, not counted`
    })
  }

  measure() {
    return this.phases.plain('measure', async () => {
      const { measurement, peers, profiles, hostile } = this.document
      await this.failure.guard(Promise.resolve(this.#startProfiles()))
      await this.failure.guard(Promise.resolve(peers?.begin(this.started)))
      await this.failure.guard(Promise.resolve(hostile?.readMemory('before')))
      await this.watching(() => this.#measure(measurement))
      await this.failure.guard(Promise.resolve(hostile?.readMemory('after')))
      await this.failure.guard(Promise.resolve(profiles?.stop()))
      return formatCount(measurement.load.operations, 'operation')
    })
  }

  /** Starts the profiles of server and workers, if the plan has any. */
  #startProfiles() {
    const { profiles } = this.document
    const { profiles: server = [] } = this.target
    if (profiles !== null && server.length === 0) this.log.warn('SERVER_NOT_PROFILED', {})
    return profiles?.start({ server, workers: this.started.profiles })
  }

  /** @param {Measurement} measurement */
  async #measure(measurement) {
    this.#current = measurement
    let lastMs = 0
    const timer = setInterval(() => {
      const { soFarMs } = measurement
      if (soFarMs - lastMs < PARTIAL_SHARE * soFarMs) return
      lastMs = soFarMs
      this.phases.emitPartial()
    }, PARTIAL_EVERY_MS)
    try {
      await runMeasurement(this.#phaseParts, measurement)
    } finally {
      clearInterval(timer)
    }
  }

  /** @param {import('../../../measure/operations.js').MeterInterval} interval @param {number} worker */
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
      this.notUndone = (await unregisterClients(this.#phaseParts, this.document.measurement)) !== null
      this.document.badReplies = (await this.pool?.finish()) ?? []
      await this.options.fleet?.settle()
      if (this.options.handover === undefined && !this.#hasFloor) await this.pool?.stop()
      await this.#countRegistrations()
      this.document.header.completed()
    })
  }

  /** @param {'connect' | 'cooldown'} phase - of full peers @param {number} done - ms @param {number} total */
  #waits(phase, done, total) {
    this.log.progress({ phase, done, total, unit: 'ms' })
  }

  /** Measures what this load generator adds to the response times of any server, while the server under test is idle. */
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
        return describeFloor(this.document.floor)
      } catch (error) {
        return `not measured: ${/** @type {Error} */ (error).message}`
      }
    })
  }

  /** No floor for clients on other machines, clients that a further run may use, or a run with registrations left behind. */
  get #hasFloor() {
    const { fleet, handover } = this.options
    const isOurs = fleet === undefined && handover === undefined && !this.notUndone
    return isOurs && measuresFloor(this.plan, this.document.measurement.measuredMs)
  }

  /** @override */
  async keepWhatThereIs() {
    if (this.pool !== null) await this.document.peers?.breakOff(this.pool)
    const { profiles } = this.document
    await Promise.race([profiles?.stop(), sleep(LAST_SAMPLES_MS, undefined, { ref: false })])
  }

  /** Reports of workers that come later are not counted. @param {Error} error @override */
  fail(error) {
    this.#current = null
    super.fail(error)
  }

  /** @override */
  async startPool() {
    if (publishesMessages(this.plan)) await this.#makePeers()
    return WorkerPool.start({
      plan: this.plan,
      fleet: this.options.fleet,
      runId: this.runId,
      enter: worker => this.joined.through(1 + worker),
      servers: listAddresses(this.target),
      expected: this.#expected,
      severalPerStream: this.severalPerStream,
      samplesFile: worker => this.#samplesFile(worker),
      networkOf: worker => this.document.peers?.setupOf(worker, this.#addressIn(worker)) ?? null,
      onInterval: (interval, worker) => this.recipient.run.#add(interval, worker),
      onNetwork: (interval, worker) => this.recipient.run.document.peers?.add(interval, worker),
      onConnected: done =>
        this.log.progress({ phase: 'connect', done, total: this.plan.nClients, unit: 'clients' }),
      onAlive: worker => this.recipient.run.workers.heard(worker),
      onDied: (error, worker) => {
        this.recipient.run.document.peers?.lost(worker)
        this.recipient.run.failure.raise(error)
      },
      signal: this.starting
    })
  }

  async #makePeers() {
    const { PeerNetwork } = await import('./gossip-network.js')
    const { fleet, folder } = this.options
    const traces = this.plan.samples && folder != null ? join(folder, 'traces') : null
    if (traces !== null) await makeFolder(traces)
    this.document.peers = new PeerNetwork(this.plan, {
      namespaces: new RunNamespaces(this.runId),
      fleet,
      traces
    })
  }

  /** @param {number} worker @returns {string | undefined} undefined: it is in no network namespace */
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
    const count = await unregisterAll({
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

  /** Looks up whether confirmed registrations are still there. A planned restart loses those kept in memory. */
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

  /** Whether a fault restarts a server that keeps registrations in memory only. */
  get #restarts() {
    if (this.plan.store !== 'memory') return false
    return this.plan.faults.some(({ kind }) => kind === 'restart')
  }

  /** Registrations that every DISCOVER reply must hold at least; null: not known, as for servers of others with caps of their own. */
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
      namespaces: new RunNamespaces(this.runId),
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
      failure: this.failure,
      log: this.log,
      hostile: this.document.hostile,
      figures: () => this.document.figures(),
      onStart: (/** @type {bigint} */ startNs) => this.document.peers?.starts(startNs)
    }
  }
}

/**
 * @typedef {import('../../../report/schema.js').Result} Result
 * @typedef {import('../../../target/target.js').Target} Target
 */

/** Package versions of our server, if its stack is not that of all clients. @param {Plan} plan @returns {Record<string, string>} */
function serverVersions(plan) {
  const stack = findServerStack(plan)
  if (plan.target !== null || (plan.stack.length === 1 && plan.stack[0] === stack)) return {}
  const versions = Object.entries(readPackageVersions(listClientPackages([stack])))
  return Object.fromEntries(versions.map(([name, version]) => [`server ${name}`, version]))
}

/**
 * Registrations of one machine are discovered on another: times below the error between their clocks are left out.
 *
 * @param {import('../schema.js').Churned} churn
 * @param {number} errorMs
 */
function withheld({ visible, ...churn }, errorMs) {
  const { all, known } = visible.delay
  const delay = { all: removeTimesBelow(all, errorMs), known: removeTimesBelow(known, errorMs) }
  return { ...churn, visible: { ...visible, delay } }
}

/** RunDocument collects all that is known about a rendezvous run; `result` can be called at any time. */
export class RunDocument {
  #plan
  #id
  #log
  #header
  measurement
  /** @type {Target | null} */
  target = null
  /** @type {import('../../../libp2p/node-settings.js').LibrarySettings} as nodes of clients have them */
  clientSettings = {}
  /** @type {string | null} reason for the choice of --server auto */
  targetChosenBy = null
  /** @type {Result['outcome']['registrations']} */
  registrations = { before: null, after: null, namespaces: null }
  /** @type {Result['outcome']['lookUp']} */
  lookUp = null
  /** @type {Result['outcome']['warmUp']} */
  warmUp = null
  /** @type {Result['outcome']['floor']} response times of a null server, by the clients of the run */
  floor = undefined
  /** @type {import('../../namespace-run.js').NamespaceRun | null} network namespaces of server and clients */
  joined = null
  /** @type {import('./gossip-network.js').PeerNetwork | null} null: clients are no full peers */
  peers = null
  /** @type {import('../../../run/profiles.js').Profiles | null} null: nothing is sampled */
  profiles = null
  /** @type {import('../hostile/hostile-peers.js').HostilePeers | null} null: there are none */
  hostile = null
  /** @type {{ detail: string, count: number }[]} */
  badReplies = []

  /**
   * @param {Plan} plan
   * @param {string} id
   * @param {import('../../../run/run-header.js').RunLog} log
   * @param {import('../../../run/fleet.js').Fleet} [fleet] - machines that hold the workers
   */
  constructor(plan, id, log, fleet) {
    this.#plan = plan
    this.#id = id
    this.#log = log
    const packagesOf = publishesMessages(plan) ? listGossipPackages : listClientPackages
    this.#header = new RunHeader(id, log, packagesOf(plan.stack))
    this.#header.fleet = fleet
    // the recovery from faults is measured in seconds
    this.measurement = new Measurement(
      plan.workers,
      plan.faults.length > 0 ? { points: MAX_POINTS_WITH_FAULTS } : {}
    )
  }

  /** header holds how, when and where the run ended. */
  get header() {
    return this.#header
  }

  /** figures gives the figures so far. @returns {import('../../../report/schema.js').Figures} */
  figures() {
    const gossip = this.peers?.figures
    const hostile = this.hostile?.outcome()
    return {
      ...makeLiveFigures(this.measurement),
      ...(gossip !== undefined && { gossip }),
      ...(hostile !== undefined && { hostile })
    }
  }

  /** @returns {import('../../../report/schema.js').StartRecord} */
  startRecord() {
    return { type: 'start', id: this.#id, plan: this.#plan, run: this.#header.run([], []) }
  }

  /** judged checks the thresholds of the run. @param {import('../../../report/schema.js').Figures} figures */
  judged(figures) {
    return judgeThresholds(this.#plan.thresholds, figures, RENDEZVOUS_FIGURES, this.#header.brokeOff)
  }

  /** @param {Result['run']} run */
  #withOperations({ agents, ...run }) {
    if (agents === undefined) return run
    const { workerOperations } = this.measurement
    const operationsOf = (/** @type {readonly number[]} */ workers) =>
      computeSum(workers, worker => workerOperations[worker])
    return { ...run, agents: agents.map(row => ({ ...row, operations: operationsOf(row.workers) })) }
  }

  /** @returns {Result} */
  result() {
    const health = makeWorkerHealth(this.measurement)
    const namespaces = this.joined?.figures ?? null
    const outcome = makeRunOutcome(this.#plan, this.measurement, {
      namespaces,
      target: {
        kind: this.target?.kind ?? 'none',
        chosenBy: this.targetChosenBy,
        multiaddr: this.target?.multiaddr ?? null,
        container: this.target?.container ?? null,
        settings: {
          // its options, and settings of its node; not known for a server of others
          server: { ...this.target?.settings, ...this.target?.nodeSettings },
          clients: this.clientSettings
        }
      },
      memoryCountedAs: this.target?.memoryCountedAs ?? null,
      registrations: this.registrations,
      lookUp: this.lookUp,
      warmUp: this.warmUp,
      floor: this.floor,
      gossip: this.peers?.outcome,
      profiles: this.profiles,
      hostile: this.hostile?.outcome(),
      judged: figures => this.judged(figures),
      sinceBegin: ms => this.#log.sinceBegin(ms)
    })
    const run = this.#header.run(health, [], { ...serverVersions(this.#plan), ...this.target?.versions })
    const limitedBy = findRunLimit({ plan: this.#plan, outcome, run })
    // error of times between clients of two machines
    const clockErrorMs = findClockError(this.#header.fleet?.agents(() => 0) ?? [])
    const { churn } = outcome
    const { badReplies, measurement } = this
    const { namespacesUsed } = measurement
    const warnings = [
      ...makeRunWarnings(this.#plan, outcome, health, {
        namespacesUsed,
        badReplies,
        limitedBy,
        clockErrorMs
      }),
      ...((outcome.gossip && this.peers?.warnings(outcome.gossip)) ?? []),
      ...((outcome.hostile && this.hostile?.warnings(outcome.hostile)) ?? []),
      ...makeNamespaceWarnings(namespaces),
      ...(this.profiles?.warnings ?? [])
    ]
    return {
      ...this.#header.ending(),
      scenario: 'rendezvous',
      plan: this.#plan,
      outcome: {
        ...outcome,
        ...(churn !== undefined && clockErrorMs > 0 && { churn: withheld(churn, clockErrorMs) }),
        ...(limitedBy !== undefined && { limitedBy })
      },
      run: this.#withOperations({ ...run, warnings: [...run.warnings, ...warnings] })
    }
  }
}
