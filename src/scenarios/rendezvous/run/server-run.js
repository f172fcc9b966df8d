import { randomUUID } from 'node:crypto'
import { present, sumOf } from '../../../kit/lists.js'
import { counted } from '../../../kit/numbers.js'
import { dealt } from '../../../load/shares.js'
import { awayWords, describeWarning } from '../../../result/warnings.js'
import { LIMITS } from '../../../server/limits.js'
import { startTarget } from '../../../target/start-target.js'
import { addressesOf } from '../../../target/target.js'
import { Joined } from '../../namespaces/joined.js'
import { Run } from '../../run.js'
import { InterruptedError } from '../../trouble.js'
import { WorkerWatch } from '../../worker-watch.js'
import { linksOf } from '../plan/namespaces.js'
import { sameParts } from '../plan/same-parts.js'
import { serverSettings } from './server-settings.js'
import { abilitiesInWords, probeTargets } from './target-probe.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../result/types.js').Record_} Record_
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {object} RunOptions
 * @property {string} id - of the run
 * @property {string | null} [folder] - for the samples of --samples; null: none are kept
 * @property {string | null} [cacheDir] - where identities are kept between runs; null: nowhere
 * @property {AbortSignal} [signal] - ends the run; what was measured is kept
 * @property {import('../../../workers/fleet.js').Fleet} [fleet] - machines that hold the clients; none: this one does
 * @property {'process' | 'docker'} [server] - where --server auto is to put our server
 * @property {import('../../standing.js').Standing} [standing] - what runs of a study leave up for one another; none: everything is
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

/** @param {import('../../../target/postgres/database-watch.js').Outage} outage */
const isRecent = ({ toMs }) => toMs === null || performance.now() - toMs < RECENT_MS

/**
 * ServerRun is a run against a rendezvous server with what all such runs start: the target, the processes that hold the clients, and
 * whoever watches them. A scenario adds its phases, `startPool` and `takeBack`.
 *
 * @template {import('./run-document.js').RunDocument} D
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
  joined = new Joined()
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
   * @param {(log: import('../../run-log.js').RunLog) => D} parts.documentOf
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

  /** An agent is gone, and its clients with it. @param {import('../../../workers/fleet.js').LostAgent} lost */
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
   * @param {import('../measure/measurement.js').Measurement} [measurement] - that workers tell how busy they were
   * @param {(watch: import('../../../workers/lateness.js').LatenessWatch) => void} [keep] - whoever tells it; default: the run
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
