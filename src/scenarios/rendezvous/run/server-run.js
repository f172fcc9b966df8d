// The servers of a run: started or probed, filled with registrations, emptied again.
import { randomUUID } from 'node:crypto'
import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor, dial } from '../../../client/dial.js'
import { ClientError } from '../../../client/errors.js'
import { Purpose, privateKeyOf } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import {
  loadRegistrants,
  registerBodies,
  registerOverWire,
  unregisterOverWire
} from '../../../client/registrants.js'
import { findAbilities } from '../../../client/target-abilities.js'
import { dealt, present, sumOf } from '../../../kit/collections.js'
import { counted, grouped } from '../../../kit/numbers.js'
import { timeLimit, within } from '../../../kit/time.js'
import { DEFAULT_STACK, serverStackOf } from '../../../libp2p/stacks.js'
import { changesState } from '../../../load/clients.js'
import { registrantNamespaces } from '../../../load/registrations.js'
import { awayWords, describeWarning } from '../../../report/warnings.js'
import { ownMachineSettings } from '../../../run/fleet.js'
import { InterruptedError, Run } from '../../../run/run.js'
import { WorkerWatch } from '../../../run/workers.js'
import { LIMITS } from '../../../server/limits.js'
import { startTarget } from '../../../target/start-target.js'
import { addressesOf } from '../../../target/target.js'
import { NamespaceRun } from '../../namespace-run.js'
import { linksOf, sameParts } from '../plan/rendezvous-plan.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../report/schema.js').Record_} Record_
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {object} RunOptions
 * @property {string} id - of the run
 * @property {string | null} [folder] - for the samples of --samples; null: none are kept
 * @property {string | null} [cacheDir] - where identities are kept between runs; null: nowhere
 * @property {AbortSignal} [signal] - ends the run; what was measured is kept
 * @property {import('../../../run/fleet.js').Fleet} [fleet] - machines that hold the clients; none: this one does
 * @property {'process' | 'docker'} [server] - where --server auto is to put our server
 * @property {import('../../../run/run.js').Handover} [standing] - what runs of a study leave up for one another; none: everything is
 *   started anew
 *
 * @typedef {object} Pool - the processes that hold the clients
 * @property {readonly (number | null)[]} pids - in the order of their names
 * @property {() => Promise<void>} stop
 */

/** Registrations that were there before a run are to outlast the next one too: so much of their time to live is to be left. */
const LEFT_OF_TTL = 0.5
/** A database that was away may come back so long before something fails for want of it. */
const RECENT_MS = 2000
/** How long it is away is told up to so much. */
const BACK_WITHIN_MS = 5000

/** @param {import('../../../target/postgres/run-store.js').Outage} outage */
const isRecent = ({ toMs }) => toMs === null || performance.now() - toMs < RECENT_MS

/**
 * ServerRun is a run against a rendezvous server with what all such runs start: the target, the processes that hold the clients, and
 * whoever watches them. A scenario adds its phases, `startPool` and `takeBack`.
 *
 * @template {import('./rendezvous-run.js').RunDocument} D
 * @template {Pool} P
 * @extends {Run<D>}
 */
export class ServerRun extends Run {
  #names
  /** @type {Promise<string> | null} */
  #settingUp = null
  /** @type {P | null} */
  pool = null
  /** What joins them, where it is a network of namespaces. */
  joined = new NamespaceRun()
  /** Why it ended early, as long as that is looked into. @type {Error | null} */
  #failure = null
  /** Whether the target serves more than one request on a stream, as ours does. */
  severalPerStream = true
  /** @type {{ run: any }} whom the target and the processes tell what happens: the run that has them just now */
  told = { run: this }
  /** It goes on with what the run before has left up. */
  goesOn = false
  /** When the first of the registrations that were there before it is over, in ms on the monotonic clock of the host. */
  preloadExpiresMs = 0
  /** What its clients registered could not all be taken back. */
  notUndone = false

  /**
   * @param {Plan} plan
   * @param {RunOptions} options
   * @param {object} parts
   * @param {(record: Record_) => void} parts.emit
   * @param {(log: import('../../../run/run-header.js').RunLog) => D} parts.documentOf
   * @param {readonly string[]} parts.workers - names of the processes
   */
  constructor(plan, options, { emit, documentOf, workers }) {
    super({ emit, signal: options.signal, documentOf })
    this.plan = plan
    this.options = options
    this.#names = workers
    this.workers = new WorkerWatch(workers, error => this.trouble.raise(error), {
      pidOf: worker => this.pool?.pids[worker]
    })
    // a server of others may still hold what another run left behind, or have one at the same minute, with the same peers
    this.runId = plan.target == null ? String(plan.seed) : `${options.id}-${randomUUID().slice(0, 8)}`
  }

  /** @override */
  begin() {
    super.begin()
    this.options.fleet?.watch({
      onBusLost: error => this.trouble.raise(error),
      onLost: lost => this.#lost(lost)
    })
  }

  /** An agent is gone, and its clients with it. @param {import('../../../run/fleet.js').LostAgent} lost */
  #lost({ name, workers, error, goesOn }) {
    const clients = sumOf(workers, worker => dealt(this.plan.nClients, worker, this.plan.workers).length)
    const { nClients } = this.plan
    this.log.warn('AGENT_LOST', { name, why: error.message, clients, of: nClients, goesOn })
    for (const worker of workers) {
      this.workers.lost(worker)
      this.document.measurement.lost(worker)
      this.document.peers?.lost(worker)
    }
    if (!goesOn) this.trouble.raise(error)
  }

  /** @override @param {Error} error */
  fail(error) {
    // whether it is for want of the database is known a little later
    if (this.document.target?.database === undefined) super.fail(error)
    else this.#failure = this.trouble.error ?? error
  }

  /** Whatever fails while the database is away, or has just come back, fails for want of it. */
  async #tellOutages() {
    const { target } = this.document
    const failure = this.#failure
    if (target?.database === undefined) return
    const { whose, watch } = target.database
    if (failure !== null) await watch.look()
    const last = watch.outages.at(-1)
    const forWant =
      failure !== null && !(failure instanceof InterruptedError) && last !== undefined && isRecent(last)
    if (forWant) await watch.back(BACK_WITHIN_MS)
    for (const outage of watch.outages.filter(({ fromMs }) => this.log.sinceBegin(fromMs) >= 0)) {
      const values = {
        whose,
        atMs: this.log.sinceBegin(outage.fromMs),
        forMs: (outage.toMs ?? performance.now()) - outage.fromMs,
        back: outage.toMs !== null
      }
      if (!forWant || outage !== last) this.log.warn('STORE_AWAY', values)
      else this.document.header.failed(Object.assign(new Error(awayWords(values)), { code: 'STORE_AWAY' }))
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
      // links that are measured would be waited for
      if (this.pool === null) await this.joined.stop()
      // what is still being started is ended by `starting`
      await this.#settingUp?.catch(() => {})
      await this.#tellOutages()
      await this.keepWhatThereIs()
      if (!this.#leavesAll()) return this.endParts()
      this.options.standing?.leave(this)
      return { detail: 'left up for the next run' }
    })
  }

  /** Whether all that was started is as it was, and may serve another run. */
  #leavesAll() {
    const { header, measurement, registrations } = this.document
    const { initialRegistrations: had, faults } = this.plan
    const isAsItWas = !this.notUndone && (registrations.after ?? had) === had && faults.length === 0
    const isSpared = this.plan.hostile === undefined && measurement.load.failed === 0
    return this.options.standing && header.complete && isAsItWas && isSpared
  }

  /** serves says whether what was left up is still there, and does for another run. @param {Plan} plan */
  serves(plan) {
    const leftMs = this.preloadExpiresMs - Number(process.hrtime.bigint()) / 1e6
    const lasts = leftMs > LEFT_OF_TTL * 1000 * this.plan.ttlSeconds
    // who died since then has told this run
    return sameParts(this.plan, plan) && this.trouble.error === null && lasts
  }

  /** clear ends what was left up. @returns {Promise<string[]>} what went wrong */
  async clear() {
    const { warnings } = this.log
    const before = warnings.length
    await this.endParts()
    const { reason } = this.document.header.ending()
    const said = warnings.slice(before).map(warning => describeWarning(warning, { plan: this.plan }))
    return [...present([reason?.message]), ...said]
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
   * watching tells who could be late while something is measured: the server, or a process with clients.
   *
   * @template T
   * @param {() => Promise<T>} measure
   * @param {import('../measurement.js').Measurement} [measurement] - that workers tell how busy they were
   * @param {(watch: import('../../../run/lateness.js').LatenessWatch) => void} [keep] - whoever tells it; default: the run
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
    if (isMain) await this.trouble.guard(this.joined.begin())
    const measured = await this.document.header.watching(processes, measure, keep)
    if (isMain) await this.trouble.guard(this.joined.over())
    return measured
  }

  /** startPool starts the processes that hold the clients. @returns {Promise<P>} */
  async startPool() {
    throw new Error('a scenario says which processes it starts')
  }

  /** keepWhatThereIs keeps what was measured of a run that was broken off. */
  async keepWhatThereIs() {}

  /** takeBack takes back what clients have registered at a server of others. */
  async takeBack() {}

  /** goOn has the processes that were left up go on with this run. */
  async goOn() {}

  /** @returns {Promise<string>} in words */
  async #startParts() {
    const before = await this.options.standing?.take(this.plan)
    if (before == null) return this.#startAnew()
    this.goesOn = true
    const { told, runId, pool, joined, severalPerStream, preloadExpiresMs, document } = before
    told.run = this
    Object.assign(this, { told, runId, pool, joined, severalPerStream, preloadExpiresMs })
    const { target, targetChosenBy } = document
    Object.assign(this.document, { target, targetChosenBy, joined, peers: document.peers })
    document.peers?.reset()
    await this.goOn()
    return `up since an earlier run, ${target.multiaddr}`
  }

  async #startAnew() {
    this.document.joined = this.joined
    const links = linksOf(this.plan)
    if (links !== null) await this.joined.start(links, error => this.told.run.trouble.raise(error))
    const where = await this.#startTarget()
    this.starting.throwIfAborted()
    const can = await this.#probeTarget()
    this.pool = await this.startPool()
    this.joined.hold([...present([this.target.pid]), ...present([...this.pool.pids])])
    return `${where}${can}`
  }

  /** @returns {Promise<string>} what was found, in words */
  async #probeTarget() {
    if (this.plan.target == null) return ''
    const abilities = await probeTargets(this.plan, {
      addresses: addressesOf(this.target),
      ns: `loadtest-${this.runId}-abilities`,
      stop: this.starting
    })
    const { severalPerStream, repeats, refusal, problem } = abilities
    // further replies on a stream would be taken for those to other requests
    this.severalPerStream = severalPerStream !== false && !repeats
    if (severalPerStream === false && !repeats) this.log.warn('ONE_REQUEST_PER_STREAM', {})
    const unfit = problem ?? refusal
    if (unfit !== null) this.log.warn('PROBE_REFUSED', { text: unfit.message })
    const words = abilitiesInWords(abilities, this.plan)
    return words === '' ? '' : `, ${words}`
  }

  async #startTarget() {
    const { target, why } = await startTarget(this.plan, {
      id: this.options.id,
      held: this.options.server,
      settings: serverSettings(this.plan, LIMITS, this.options.fleet),
      host: this.options.fleet?.address,
      // peers keep the addresses that they have
      ...(this.plan.hostile !== undefined && { inHostNetwork: true }),
      inside: this.joined.inside(0),
      profiled: this.plan.profiled !== undefined,
      signal: this.starting,
      onFailed: error => this.told.run.trouble.raise(error),
      onProgress: ({ done, total, unit }) => this.log.progress({ phase: 'setup', done, total, unit })
    })
    this.document.target = target
    this.document.targetChosenBy = why
    const { left = [], whose } = target.database ?? {}
    if (left.length > 0)
      this.log.warn('LEFT_BEHIND', {
        text: `${whose} has ${counted(left.length, 'schema')} of runs that are gone; this drops them: ${left.join(' ')}`
      })
    return serverIn(target, why)
  }
}

/**
 * serverIn says where the server under test runs.
 *
 * @param {import('../../../target/target.js').Target} target
 * @param {string | null} why - what --server auto was decided by
 * @returns {string}
 */
function serverIn({ kind, multiaddr, container }, why) {
  if (kind === 'address') return multiaddr
  const where = container === null ? 'process' : `container of ${container.image}`
  return `${where}, ${multiaddr}${why === null ? '' : ` (--server auto: ${why})`}`
}

/**
 * Settings of our own server beside hostile peers: elsewhere loopback has no limits, and here all peers are there; a small store is filled
 * within a short run.
 */
const HOSTILE_SERVER_SETTINGS = Object.freeze({ unlimitedFrom: '', maxStoreBytes: '48MiB' })

/**
 * serverSettings gives the options that our own server is started with beside its defaults, because the plan asks for them or a
 * load test on one host needs them. They are recorded with the result.
 *
 * @param {import('../options.js').Plan} plan
 * @param {{ minTtlSeconds: number, maxRegistrations: number }} defaults - of the server
 * @param {import('../../../run/fleet.js').Fleet} [fleet] - machines that hold the clients; none: this one does
 * @returns {Record<string, string | number | boolean>}
 */
export function serverSettings(plan, defaults, fleet) {
  const { maxPeerRegistrations, ttlSeconds, initialRegistrations, nClients, seed, network } = plan
  const most = initialRegistrations + (nClients + 1) * maxPeerRegistrations
  return {
    // libp2p admits 5 connections a second from one host, and here all clients are on a few
    ...ownMachineSettings(fleet, network),
    ...(plan.hostile !== undefined && HOSTILE_SERVER_SETTINGS),
    // a stall leaves many streams open on one connection; hostile peers have the limit that strangers have
    ...(plan.hostile === undefined && { maxStreams: 1000 }),
    maxPeerRegistrations,
    ...(serverStackOf(plan) !== DEFAULT_STACK && { stack: serverStackOf(plan) }),
    ...(plan.stock && { stock: true }),
    // one that is started again must be the same peer
    ...(plan.faults.some(({ kind }) => kind === 'restart') && { keySeed: seed }),
    ...(ttlSeconds < defaults.minTtlSeconds && { minTtl: `${ttlSeconds}s` }),
    ...(most > defaults.maxRegistrations && { maxRegistrations: most })
  }
}

/**
 * @typedef {import('../../../client/target-abilities.js').Abilities} Abilities
 */

/**
 * probeTarget finds out what a server of others can do, before anything is registered there.
 *
 * @param {Plan} plan
 * @param {{ address: string, ns: string, stop: AbortSignal }} options - `ns` of nobody else
 * @returns {Promise<Abilities>}
 * @throws {ClientError} where the run could not be made: ONE_REQUEST_PER_STREAM, OTHER_RECORD_DOMAIN, TTL_REFUSED, and what
 *   connecting throws
 */
async function probeTarget(plan, { address, ns, stop }) {
  const server = multiaddr(address)
  const privateKey = await privateKeyOf(plan.seed, Purpose.ABILITIES, 0)
  const node = await createClientNode({
    privateKey,
    localAddress: clientAddressFor(server, plan.nClients, process.platform),
    stock: plan.stock
  })
  await node.start()
  try {
    const signal = within(stop, plan.timeoutMs)
    const connection = await dial(node, server, { signal })
    const timeoutMs = Math.min(plan.timeoutMs, ANSWER_WITHIN_MS)
    const abilities = await findAbilities(connection, {
      privateKey,
      ns,
      registration: registers(plan) ? { ttlSeconds: plan.ttlSeconds, domain: plan.recordDomain } : null,
      signal: stop,
      timeoutMs
    })
    requireFitting(plan, abilities)
    return abilities
  } finally {
    await node.stop()
  }
}

/**
 * probeTargets finds out what all servers under test can do.
 *
 * @param {Plan} plan
 * @param {{ addresses: readonly string[], ns: string, stop: AbortSignal }} options
 * @returns {Promise<Abilities>} the first's, but for what one of them cannot do
 * @throws {ClientError} as probeTarget
 */
async function probeTargets(plan, { addresses, ...options }) {
  /** @type {Abilities[]} */
  const all = []
  for (const address of addresses) all.push(await probeTarget(plan, { address, ...options }))
  const [first] = all
  return {
    ...first,
    severalPerStream: all.some(({ severalPerStream }) => severalPerStream === false)
      ? false
      : first.severalPerStream,
    repeats: all.some(({ repeats }) => repeats)
  }
}

/** A reply that takes longer says enough about a server. */
const ANSWER_WITHIN_MS = 10_000

/** @param {Plan} plan */
const registers = ({ benchmarkType, initialRegistrations }) =>
  benchmarkType !== 'DISCOVER' || initialRegistrations > 0

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
      `the target takes no signed records of the domain ${recordDomain}: use --recordDomain ${otherDomain}`
    )
  if (refusal?.code === 'E_INVALID_TTL')
    throw new ClientError(
      'TTL_REFUSED',
      `the target takes no time to live of ${ttlSeconds} s${insteadOf(ttlSeconds, ttlBounds)}`,
      { cause: refusal }
    )
}

/** @param {number} ttlSeconds @param {Abilities['ttlBounds']} bounds */
function insteadOf(ttlSeconds, bounds) {
  if (bounds === null)
    return ', and of no other that was tried: ask who runs it for one, and give it as --ttl'
  const { minSeconds, maxSeconds } = bounds
  const near = Math.min(maxSeconds, Math.max(minSeconds, ttlSeconds))
  return `, but ${grouped(minSeconds)} to ${grouped(maxSeconds)} s: use --ttl ${near}s`
}

/**
 * abilitiesInWords says in a line what a server was found to do.
 *
 * @param {Abilities} abilities
 * @param {Pick<Plan, 'recordDomain'>} plan
 */
function abilitiesInWords({ severalPerStream, repeats, grantedSeconds }, { recordDomain }) {
  const streams = severalPerStream ? 'many requests on a stream' : 'one request on each stream'
  return present([
    severalPerStream !== null && !repeats && streams,
    grantedSeconds !== null && `takes ${recordDomain} for ${grouped(grantedSeconds)} s`
  ]).join(', ')
}

/**
 * @typedef {object} PreloadOptions
 * @property {Plan} plan
 * @property {Target} target
 * @property {import('../../../load/registrations.js').Namespaces} namespaces
 * @property {string | null} cacheDir
 * @property {AbortSignal} signal
 * @property {(done: number, total: number) => void} onProgress
 */

/**
 * preload gives the server the registrations it holds before the measurement, each by a peer of its own with a properly signed
 * record: our server gets them in bulk, any other one over the wire.
 *
 * @param {PreloadOptions} options
 * @returns {Promise<{ how: string, expiresMs: number }>} how it was done, in words; when the first of them is over, on the monotonic
 *   clock of the host
 */
export async function preload(options) {
  const { plan, target, namespaces, cacheDir, signal, onProgress } = options
  const beganMs = Number(process.hrtime.bigint()) / 1e6
  const until = (/** @type {number} */ ttlSeconds) => beganMs + 1000 * Math.min(ttlSeconds, plan.ttlSeconds)
  const expiresMs = until(plan.ttlSeconds)
  if (plan.initialRegistrations === 0) return { how: 'none asked for', expiresMs }
  if (target.control == null) {
    const granted = await registerOverWire({ ...overWire(options), ttlSeconds: plan.ttlSeconds })
    return { how: 'over the wire', expiresMs: until(granted) }
  }
  const { initialRegistrations: count, seed, recordDomain: domain } = plan
  const registrants = await loadRegistrants({ seed, count, domain, cacheDir, signal, onProgress })
  const bodies = registerBodies(registrants, registrantNamespaces(plan, namespaces), plan.ttlSeconds)
  const added = await target.control.preload(bodies, signal)
  if (added !== count) throw new Error(`the server took ${added} of ${count} registrations`)
  return {
    how: identitiesIn(registrants, cacheDir),
    expiresMs
  }
}

/** @param {import('../../../client/registrants.js').Registrants} registrants @param {string | null} cacheDir */
function identitiesIn({ reused, count, cacheProblem }, cacheDir) {
  if (reused === count) return 'cached identities'
  return cacheDir === null || cacheProblem !== undefined
    ? 'new identities, not kept'
    : 'new identities, kept for next time'
}

/**
 * unregisterPreloaded unregisters what preload registered over the wire.
 *
 * @param {PreloadOptions} options
 */
const unregisterPreloaded = options => unregisterOverWire(overWire(options))

/** @param {PreloadOptions} options */
const overWire = ({ plan, target, namespaces, signal, onProgress }) => ({
  server: multiaddr(target.multiaddr),
  seed: plan.seed,
  count: plan.initialRegistrations,
  recordDomain: plan.recordDomain,
  stock: plan.stock,
  namespaceOf: registrantNamespaces(plan, namespaces),
  signal,
  onProgress
})

/** Time to leave a server of others as it was, after a run that was broken off. */
const AFTER_FAILURE_MS = 10_000

/**
 * unregisterAll unregisters at a server of others what a run registered there, as far as time allows.
 *
 * @param {object} options
 * @param {import('../options.js').Plan} options.plan
 * @param {boolean} options.failed - the run was broken off: little time, and the clients' own registrations are still there
 * @param {import('../worker-pool.js').WorkerPool | null} options.pool
 * @param {number} options.operations - that were measured
 * @param {(signal: AbortSignal, onProgress: (done: number) => void) => PreloadOptions} options.preloaded
 * @returns {Promise<number>} how many registrations stay at most, until their time to live has passed
 */
export async function unregisterAll({ plan, failed, pool, operations, preloaded }) {
  const signal = failed ? timeLimit(AFTER_FAILURE_MS) : new AbortController().signal
  const restored = !failed || (await unlessAborted(signal, pool?.restore()))
  const leftByClients = restored || !changesState(plan) ? 0 : operations
  if (plan.initialRegistrations === 0) return leftByClients
  let takenBack = 0
  const options = preloaded(signal, done => {
    takenBack = done
  })
  // what could not be taken back is counted
  await unregisterPreloaded(options).catch(() => {})
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
