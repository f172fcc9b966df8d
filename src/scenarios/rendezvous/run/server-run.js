// Base class of a rendezvous run: starts the servers under test, client processes and their monitors. Also probes a
// foreign server and preloads registrations.
import { randomUUID } from 'node:crypto'
import { multiaddr } from '@multiformats/multiaddr'
import { chooseClientAddress, dial } from '../../../client/dial.js'
import { ClientError } from '../../../client/errors.js'
import { derivePrivateKey, Purpose } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import {
  encodeRegisterBodies,
  loadRegistrants,
  registerOverWire,
  unregisterOverWire
} from '../../../client/registrants.js'
import { findAbilities } from '../../../client/target-abilities.js'
import { computeSum, dealIndices, omitMissing } from '../../../kit/collections.js'
import { formatCount, formatWhole } from '../../../kit/numbers.js'
import { limitSignal, makeTimeLimit } from '../../../kit/time.js'
import { DEFAULT_STACK, findServerStack } from '../../../libp2p/stacks.js'
import { doesChangeState } from '../../../load/clients.js'
import { makeRegistrantNamespaces } from '../../../load/registrations.js'
import { describeOutage, describeWarning } from '../../../report/warnings.js'
import { makeOwnMachineSettings } from '../../../run/fleet.js'
import { InterruptedError, Run } from '../../../run/run.js'
import { WorkerWatch } from '../../../run/workers.js'
import { LIMITS } from '../../../server/limits.js'
import { startTarget } from '../../../target/start-target.js'
import { listAddresses } from '../../../target/target.js'
import { NamespaceRun } from '../../namespace-run.js'
import { canReuseServer, makeLinkPlan } from '../plan/rendezvous-plan.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../report/schema.js').RunRecord} RunRecord
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {Omit<import('../../index.js').RunOptions, 'folder' | 'deliveries'> & { folder?: string | null }} RunOptions - `folder`: for the files of
 *   --samples; null: none are written
 *
 * @typedef {object} ClientProcesses - the processes that hold the clients
 * @property {readonly (number | null)[]} pids - in the order of their names
 * @property {() => Promise<void>} stop
 */

/** Preloaded registrations must not expire in the next run that reuses the server: this share of their time to live must be left. */
const LEFT_OF_TTL = 0.5
/** An outage of the database may cause failures until this long after its end. */
const RECENT_MS = 2000
/** The end of an outage is waited for this long, so that its duration can be reported. */
const BACK_WITHIN_MS = 5000

/**
 * ServerRun is a run at a rendezvous server: it starts the target, the processes that hold the clients, and the watches of both. A scenario
 * adds its phases, with `startPool` and `takeBack`.
 *
 * @template {import('./rendezvous-run.js').RunDocument} D
 * @template {ClientProcesses} P
 * @extends {Run<D>}
 */
export class ServerRun extends Run {
  #names
  /** @type {Promise<string> | null} */
  #settingUp = null
  /** @type {P | null} */
  pool = null
  /** The network namespaces of server and clients, if any. */
  joined = new NamespaceRun()
  /** Why it ended early, until the cause is known. @type {Error | null} */
  #failure = null
  /** Whether the target serves several requests on a stream. */
  severalPerStream = true
  /** @type {{ run: any }} the run that now uses target and processes, and receives their events */
  recipient = { run: this }
  /** It reuses the server and the clients of an earlier run. */
  goesOn = false
  /** When the first preloaded registration expires, in ms on the monotonic clock of the host. */
  preloadExpiresMs = 0
  /** Some registrations of its clients could not be removed. */
  notUndone = false

  /**
   * @param {Plan} plan
   * @param {RunOptions} options
   * @param {object} parts
   * @param {(record: RunRecord) => void} parts.emit
   * @param {(log: import('../../../run/run-header.js').RunLog) => D} parts.documentOf
   * @param {readonly string[]} parts.workers - names of the processes
   */
  constructor(plan, options, { emit, documentOf, workers }) {
    super({ emit, signal: options.signal, documentOf })
    this.plan = plan
    this.options = options
    this.#names = workers
    this.workers = new WorkerWatch(workers, error => this.failure.raise(error), {
      pidOf: worker => this.pool?.pids[worker]
    })
    // a server of others may hold registrations of another run with the same peers
    this.runId = plan.target == null ? String(plan.seed) : `${options.id}-${randomUUID().slice(0, 8)}`
  }

  /** @override */
  begin() {
    super.begin()
    this.options.fleet?.watch({
      onBusLost: error => this.failure.raise(error),
      onLost: lost => this.#lost(lost)
    })
  }

  /** Handles the loss of an agent, with its clients. @param {import('../../../run/fleet.js').LostAgent} lost */
  #lost({ name, workers, error, goesOn }) {
    const clients = computeSum(
      workers,
      worker => dealIndices(this.plan.nClients, worker, this.plan.workers).length
    )
    const { nClients } = this.plan
    this.log.warn('AGENT_LOST', { name, why: error.message, clients, of: nClients, goesOn })
    for (const worker of workers) {
      this.workers.lost(worker)
      this.document.measurement.lost(worker)
      this.document.peers?.lost(worker)
    }
    if (!goesOn) this.failure.raise(error)
  }

  /** @override @param {Error} error */
  fail(error) {
    // whether an outage of the database is the cause is known a little later
    if (this.document.target?.database === undefined) super.fail(error)
    else this.#failure = this.failure.error ?? error
  }

  /** Reports outages of the database. One is the cause of a failure during it or shortly after it. */
  async #reportOutages() {
    const { target } = this.document
    const failure = this.#failure
    if (target?.database === undefined) return
    const { whose, watch } = target.database
    if (failure !== null) await watch.look()
    const last = watch.outages.at(-1)
    const isRecent = last != null && (last.toMs === null || performance.now() - last.toMs < RECENT_MS)
    const isCause = failure !== null && !(failure instanceof InterruptedError) && isRecent
    if (isCause) await watch.back(BACK_WITHIN_MS)
    for (const outage of watch.outages.filter(({ fromMs }) => this.log.sinceBegin(fromMs) >= 0)) {
      const values = {
        whose,
        atMs: this.log.sinceBegin(outage.fromMs),
        forMs: (outage.toMs ?? performance.now()) - outage.fromMs,
        back: outage.toMs !== null
      }
      if (!isCause || outage !== last) this.log.warn('STORE_AWAY', values)
      else
        this.document.header.failed(Object.assign(new Error(describeOutage(values)), { code: 'STORE_AWAY' }))
    }
    if (failure !== null) super.fail(failure)
  }

  setup() {
    return this.phases.guarded('setup', () => {
      this.#settingUp = this.#startParts()
      return this.#settingUp
    })
  }

  teardown() {
    return this.log.phase('teardown', async () => {
      this.workers.stop()
      // stopping later would wait for the measurement of links
      if (this.pool === null) await this.joined.stop()
      // the signal `starting` ends a setup that is still going on
      await this.#settingUp?.catch(() => {})
      await this.#reportOutages()
      await this.keepWhatThereIs()
      if (!this.#isReusable()) return this.endParts()
      this.options.handover?.leave(this)
      return { detail: 'left up for the next run' }
    })
  }

  /** Whether server and clients are unchanged, so that another run may reuse them. */
  #isReusable() {
    const { header, measurement, registrations } = this.document
    const { initialRegistrations: had, faults } = this.plan
    const isAsItWas = !this.notUndone && (registrations.after ?? had) === had && faults.length === 0
    const isSpared = this.plan.hostile === undefined && measurement.load.failed === 0
    return this.options.handover && header.complete && isAsItWas && isSpared
  }

  /** serves says whether another run can reuse the server and the clients of this one. @param {Plan} plan */
  serves(plan) {
    const leftMs = this.preloadExpiresMs - Number(process.hrtime.bigint()) / 1e6
    const lasts = leftMs > LEFT_OF_TTL * 1000 * this.plan.ttlSeconds
    // this run receives the errors of processes that died since then
    return canReuseServer(this.plan, plan) && this.failure.error === null && lasts
  }

  /** clear ends the server and the clients that no further run reuses. @returns {Promise<string[]>} what went wrong */
  async clear() {
    const { warnings } = this.log
    const before = warnings.length
    await this.endParts()
    const { reason } = this.document.header.ending()
    const texts = warnings.slice(before).map(warning => describeWarning(warning, { plan: this.plan }))
    return [...omitMissing([reason?.message]), ...texts]
  }

  endParts() {
    return this.endAll([
      () => this.document.hostile?.stop({ failed: !this.document.header.complete }),
      () => this.takeBack(),
      () => this.pool?.stop(),
      () => this.document.target?.stop(),
      () => this.joined.stop()
    ])
  }

  /** The target, once it was started. */
  get target() {
    return /** @type {Target} */ (this.document.target)
  }

  /** The processes, once they were started. */
  get started() {
    return /** @type {P} */ (this.pool)
  }

  /**
   * watching measures the scheduling delays of server and client processes during a measurement.
   *
   * @template T
   * @param {() => Promise<T>} measure
   * @param {import('../measurement.js').Measurement} [measurement] - that holds the CPU use of workers
   * @param {(watch: import('../../../run/lateness.js').LatenessWatch) => void} [keep] - receives the watch; default: the run
   * @returns {Promise<T>}
   */
  async watching(measure, { workerUsage } = this.document.measurement, keep = undefined) {
    const own = this.started.pids.map((pid, i) => ({
      name: this.#names[i],
      pid: () => pid,
      ...(i < workerUsage.length && { activeMs: () => workerUsage[i].activeMs })
    }))
    const { network } = this.joined
    const router = network === null ? [] : [{ name: 'router', pid: () => network.pid }]
    const processes = [{ name: 'server', pid: () => this.target.pid }, ...own, ...router]
    const isMain = keep === undefined
    if (isMain) await this.failure.guard(this.joined.begin())
    const measured = await this.document.header.watching(processes, measure, keep)
    if (isMain) await this.failure.guard(this.joined.over())
    return measured
  }

  /** startPool starts the processes that hold the clients. @returns {Promise<P>} */
  async startPool() {
    throw new Error('a scenario says which processes it starts')
  }

  /** keepWhatThereIs keeps the measurements of a run that ended early. */
  async keepWhatThereIs() {}

  /** takeBack removes the registrations of the run from a server of others. */
  async takeBack() {}

  /** goOn passes this run's plan to the reused processes. */
  async goOn() {}

  /** @returns {Promise<string>} in words */
  async #startParts() {
    const before = await this.options.handover?.take(this.plan)
    if (before == null) return this.#startAnew()
    this.goesOn = true
    const { recipient, runId, pool, joined, severalPerStream, preloadExpiresMs, document } = before
    recipient.run = this
    Object.assign(this, { recipient, runId, pool, joined, severalPerStream, preloadExpiresMs })
    const { target, targetChosenBy } = document
    Object.assign(this.document, { target, targetChosenBy, joined, peers: document.peers })
    document.peers?.reset()
    await this.goOn()
    return `up since an earlier run, ${target.multiaddr}`
  }

  async #startAnew() {
    this.document.joined = this.joined
    const links = makeLinkPlan(this.plan)
    if (links !== null) await this.joined.start(links, error => this.recipient.run.failure.raise(error))
    const where = await this.#startTarget()
    this.starting.throwIfAborted()
    const can = await this.#probeTarget()
    this.pool = await this.startPool()
    this.joined.hold([...omitMissing([this.target.pid]), ...omitMissing([...this.pool.pids])])
    return `${where}${can}`
  }

  /** @returns {Promise<string>} the abilities of the target, in words */
  async #probeTarget() {
    if (this.plan.target == null) return ''
    const abilities = await probeTargets(this.plan, {
      addresses: listAddresses(this.target),
      ns: `loadtest-${this.runId}-abilities`,
      stop: this.starting
    })
    const { severalPerStream, repeats, refusal, problem } = abilities
    // repeated replies on a stream would be taken for replies to later requests
    this.severalPerStream = severalPerStream !== false && !repeats
    if (severalPerStream === false && !repeats) this.log.warn('ONE_REQUEST_PER_STREAM', {})
    const unfit = problem ?? refusal
    if (unfit !== null) this.log.warn('PROBE_REFUSED', { text: unfit.message })
    const { grantedSeconds } = abilities
    const streams = severalPerStream ? 'many requests on a stream' : 'one request on each stream'
    const words = omitMissing([
      severalPerStream !== null && !repeats && streams,
      grantedSeconds !== null && `takes ${this.plan.recordDomain} for ${formatWhole(grantedSeconds)} s`
    ])
    return words.map(text => `, ${text}`).join('')
  }

  async #startTarget() {
    const { target, why } = await startTarget(this.plan, {
      id: this.options.id,
      fixedServer: this.options.server,
      settings: makeServerSettings(this.plan, LIMITS, this.options.fleet),
      host: this.options.fleet?.address,
      // the server must see the real addresses of hostile peers
      ...(this.plan.hostile !== undefined && { inHostNetwork: true }),
      inside: this.joined.inside(0),
      profiled: this.plan.profiled !== undefined,
      signal: this.starting,
      onFailed: error => this.recipient.run.failure.raise(error),
      onProgress: ({ done, total, unit }) => this.log.progress({ phase: 'setup', done, total, unit })
    })
    this.document.target = target
    this.document.targetChosenBy = why
    const { left = [], whose } = target.database ?? {}
    if (left.length > 0)
      this.log.warn('LEFT_BEHIND', {
        text: `${whose} has ${formatCount(left.length, 'schema')} of earlier runs; this drops them: ${left.join(' ')}`
      })
    return serverIn(target, why)
  }
}

/**
 * serverIn says where the server under test runs.
 *
 * @param {Target} target
 * @param {string | null} why - reason for the choice of --server auto
 */
function serverIn({ kind, multiaddr, container }, why) {
  if (kind === 'address') return multiaddr
  const where = container === null ? 'process' : `container of ${container.image}`
  return `${where}, ${multiaddr}${why === null ? '' : ` (--server auto: ${why})`}`
}

/**
 * Settings of our own server beside hostile peers. Its limits also hold for loopback, where all peers are. A small store can be filled within
 * a short run.
 */
const HOSTILE_SERVER_SETTINGS = Object.freeze({ unlimitedFrom: '', maxStoreBytes: '48MiB' })

/**
 * makeServerSettings gives the options of our own server that differ from its defaults, because of the plan or of a load test on one host. The
 * result records them.
 *
 * @param {import('../options.js').Plan} plan
 * @param {{ minTtlSeconds: number, maxRegistrations: number }} defaults - of the server
 * @param {import('../../../run/fleet.js').Fleet} [fleet] - machines that hold the clients; none: this one does
 * @returns {Record<string, string | number | boolean>}
 */
export function makeServerSettings(plan, defaults, fleet) {
  const { maxPeerRegistrations, ttlSeconds, initialRegistrations, nClients, seed, network } = plan
  const maxRegistrations = initialRegistrations + (nClients + 1) * maxPeerRegistrations
  return {
    // libp2p admits 5 connections a second of one host, and all clients are on a few hosts
    ...makeOwnMachineSettings(fleet, network),
    ...(plan.hostile !== undefined && HOSTILE_SERVER_SETTINGS),
    // a stall leaves many streams open on one connection; beside hostile peers the default limit holds
    ...(plan.hostile === undefined && { maxStreams: 1000 }),
    maxPeerRegistrations,
    ...(findServerStack(plan) !== DEFAULT_STACK && { stack: findServerStack(plan) }),
    ...(plan.stock && { stock: true }),
    // a restarted server must be the same peer
    ...(plan.faults.some(({ kind }) => kind === 'restart') && { keySeed: seed }),
    ...(ttlSeconds < defaults.minTtlSeconds && { minTtl: `${ttlSeconds}s` }),
    ...(maxRegistrations > defaults.maxRegistrations && { maxRegistrations })
  }
}

/** @typedef {import('../../../client/target-abilities.js').Abilities} Abilities */

/**
 * Finds out what a server of others can do, before any registration.
 *
 * @param {Plan} plan
 * @param {{ address: string, ns: string, stop: AbortSignal }} options - `ns`: a namespace of its own
 * @returns {Promise<Abilities>}
 * @throws {ClientError} the plan cannot be run there: ONE_REQUEST_PER_STREAM, OTHER_RECORD_DOMAIN, TTL_REFUSED, and what
 *   connecting throws
 */
async function probeTarget(plan, { address, ns, stop }) {
  const server = multiaddr(address)
  const privateKey = await derivePrivateKey(plan.seed, Purpose.ABILITIES, 0)
  const node = await createClientNode({
    privateKey,
    localAddress: chooseClientAddress(server, plan.nClients, process.platform),
    stock: plan.stock
  })
  await node.start()
  try {
    const signal = limitSignal(stop, plan.timeoutMs)
    const connection = await dial(node, server, { signal })
    const { ttlSeconds, recordDomain: domain, benchmarkType, initialRegistrations } = plan
    const registers = benchmarkType !== 'DISCOVER' || initialRegistrations > 0
    const abilities = await findAbilities(connection, {
      privateKey,
      ns,
      registration: registers ? { ttlSeconds, domain } : null,
      signal: stop,
      timeoutMs: Math.min(plan.timeoutMs, ANSWER_WITHIN_MS)
    })
    requireFitting(plan, abilities)
    return abilities
  } finally {
    await node.stop()
  }
}

/**
 * Finds out what all servers under test can do.
 *
 * @param {Plan} plan
 * @param {{ addresses: readonly string[], ns: string, stop: AbortSignal }} options
 * @returns {Promise<Abilities>} those of the first, without what another one cannot do
 * @throws {ClientError} as probeTarget
 */
async function probeTargets(plan, { addresses, ...options }) {
  /** @type {Abilities[]} */
  const all = []
  for (const address of addresses) all.push(await probeTarget(plan, { address, ...options }))
  const [first] = all
  const onePerStream = all.some(({ severalPerStream }) => severalPerStream === false)
  return {
    ...first,
    severalPerStream: onePerStream ? false : first.severalPerStream,
    repeats: all.some(({ repeats }) => repeats)
  }
}

/** Time limit for a reply to a probe. */
const ANSWER_WITHIN_MS = 10_000

/** @param {Plan} plan @param {Abilities} abilities */
function requireFitting(plan, { severalPerStream, otherDomain, refusal, ttlBounds }) {
  const { streamPerOperation, connectionPerOperation, inFlight, recordDomain, ttlSeconds } = plan
  if (severalPerStream === false && streamPerOperation === false && !connectionPerOperation)
    throw new ClientError(
      'ONE_REQUEST_PER_STREAM',
      `the target serves one request on each stream: leave out ${inFlight > 1 ? '--inFlight' : '--no-streamPerOperation'}`
    )
  if (otherDomain !== null)
    throw new ClientError(
      'OTHER_RECORD_DOMAIN',
      `the target refuses signed records of the domain ${recordDomain}: use --recordDomain ${otherDomain}`
    )
  if (refusal?.code === 'E_INVALID_TTL')
    throw new ClientError(
      'TTL_REFUSED',
      `the target refuses a time to live of ${ttlSeconds} s${insteadOf(ttlSeconds, ttlBounds)}`,
      { cause: refusal }
    )
}

/** @param {number} ttlSeconds @param {Abilities['ttlBounds']} bounds */
function insteadOf(ttlSeconds, bounds) {
  if (bounds === null)
    return ' and all others that were tried: ask its operator for an accepted value, and set it with --ttl'
  const { minSeconds, maxSeconds } = bounds
  const near = Math.min(maxSeconds, Math.max(minSeconds, ttlSeconds))
  return ` and accepts ${formatWhole(minSeconds)} to ${formatWhole(maxSeconds)} s: use --ttl ${near}s`
}

/**
 * @typedef {object} PreloadOptions
 * @property {Plan} plan
 * @property {Target} target
 * @property {import('../../../load/registrations.js').RunNamespaces} namespaces
 * @property {string | null} cacheDir
 * @property {AbortSignal} signal
 * @property {(done: number, total: number) => void} onProgress
 */

/**
 * preloadServer makes the initial registrations at the server, each by a peer of its own with a validly signed record: in bulk at our server, by
 * REGISTER at any other.
 *
 * @param {PreloadOptions} options
 * @returns {Promise<{ how: string, expiresMs: number }>} how it was done, in words; when the first of them expires, on the
 *   monotonic clock of the host
 */
export async function preloadServer(options) {
  const { plan, target, namespaces, cacheDir, signal, onProgress } = options
  const beganMs = Number(process.hrtime.bigint()) / 1e6
  const until = (/** @type {number} */ ttlSeconds) => beganMs + 1000 * Math.min(ttlSeconds, plan.ttlSeconds)
  const expiresMs = until(plan.ttlSeconds)
  if (plan.initialRegistrations === 0) return { how: 'none requested', expiresMs }
  if (target.control == null) {
    const granted = await registerOverWire({ ...overWire(options), ttlSeconds: plan.ttlSeconds })
    return { how: 'over the wire', expiresMs: until(granted) }
  }
  const { initialRegistrations: count, seed, recordDomain: domain } = plan
  const registrants = await loadRegistrants({ seed, count, domain, cacheDir, signal, onProgress })
  const bodies = encodeRegisterBodies(
    registrants,
    makeRegistrantNamespaces(plan, namespaces),
    plan.ttlSeconds
  )
  const added = await target.control.preload(bodies, signal)
  if (added !== count) throw new Error(`the server took ${added} of ${count} registrations`)
  const isCached = cacheDir !== null && registrants.cacheProblem === undefined
  const made = isCached ? 'new identities, kept for next time' : 'new identities, not kept'
  return { how: registrants.reused === registrants.count ? 'cached identities' : made, expiresMs }
}

/** @param {PreloadOptions} options */
const overWire = ({ plan, target, namespaces, signal, onProgress }) => ({
  server: multiaddr(target.multiaddr),
  seed: plan.seed,
  count: plan.initialRegistrations,
  recordDomain: plan.recordDomain,
  stock: plan.stock,
  namespaceOf: makeRegistrantNamespaces(plan, namespaces),
  signal,
  onProgress
})

/** Time limit for removing registrations from a server of others, after a run that ended early. */
const AFTER_FAILURE_MS = 10_000

/**
 * unregisterAll removes the registrations of a run from a server of others, within a time limit.
 *
 * @param {object} options
 * @param {Plan} options.plan
 * @param {boolean} options.failed - the run ended early: time is limited, and the clients' own registrations are still there
 * @param {import('../worker-pool.js').WorkerPool | null} options.pool
 * @param {number} options.operations - that were measured
 * @param {(signal: AbortSignal, onProgress: (done: number) => void) => PreloadOptions} options.preloaded
 * @returns {Promise<number>} how many registrations stay at most, until they expire
 */
export async function unregisterAll({ plan, failed, pool, operations, preloaded }) {
  const signal = failed ? makeTimeLimit(AFTER_FAILURE_MS) : new AbortController().signal
  const restored = !failed || (await unlessAborted(signal, pool?.restore()))
  const leftByClients = restored || !doesChangeState(plan) ? 0 : operations
  if (plan.initialRegistrations === 0) return leftByClients
  let takenBack = 0
  const options = preloaded(signal, done => {
    takenBack = done
  })
  // the registrations that stay are counted
  await unregisterOverWire(overWire(options)).catch(() => {})
  return leftByClients + plan.initialRegistrations - takenBack
}

/**
 * @param {AbortSignal} signal
 * @param {Promise<unknown> | undefined} work
 * @returns {Promise<boolean>} whether it was done in time
 */
async function unlessAborted(signal, work) {
  const late = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  return Promise.race([work, late]).then(
    () => true,
    () => false
  )
}
