import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../../server/limits.js'
import { startTarget } from '../../../target/start-target.js'
import { Run } from '../../run.js'
import { WorkerWatch } from '../../worker-watch.js'
import { serverSettings } from './server-settings.js'
import { abilitiesInWords, probeTarget } from './target-probe.js'

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
 *
 * @typedef {object} Pool - the processes that hold the clients
 * @property {readonly number[]} pids - in the order of their names
 * @property {() => Promise<void>} stop
 */

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
  /** Whether the target serves more than one request on a stream, as ours does. */
  severalPerStream = true

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

  setup() {
    return this.phases.guarded('setup', () => {
      this.#settingUp = this.#startParts()
      return this.#settingUp
    })
  }

  teardown() {
    return this.log.phase('teardown', async () => {
      this.workers.stop()
      // what is still being started could not be stopped
      await this.#settingUp?.catch(() => {})
      return this.endAll([() => this.takeBack(), () => this.pool?.stop(), () => this.document.target?.stop()])
    })
  }

  /** @override */
  end() {
    super.end()
    this.document.destroy()
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
  watching(measure, { workerUsage } = this.document.measurement, keep = undefined) {
    const own = this.started.pids.map((pid, i) => ({
      name: this.#names[i],
      pid: () => pid,
      ...(i < workerUsage.length && { activeMs: () => workerUsage[i].activeMs })
    }))
    const processes = [{ name: 'server', pid: () => this.target.pid }, ...own]
    return this.document.header.watching(processes, measure, keep)
  }

  /** startPool starts the processes that hold the clients. @returns {Promise<P>} */
  async startPool() {
    throw new Error('a scenario says which processes it starts')
  }

  /** takeBack takes back what clients have registered at a server of others. */
  async takeBack() {}

  async #startParts() {
    const where = await this.#startTarget()
    this.signal.throwIfAborted()
    const can = await this.#probeTarget()
    this.pool = await this.startPool()
    return `${where}${can}`
  }

  /** @returns {Promise<string>} what was found, in words */
  async #probeTarget() {
    if (this.plan.target == null) return ''
    const abilities = await probeTarget(this.plan, {
      address: this.target.multiaddr,
      ns: `loadtest-${this.runId}-abilities`,
      stop: this.signal
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
      settings: serverSettings(this.plan, LIMITS),
      signal: this.signal,
      onFailed: error => this.trouble.raise(error),
      onProgress: ({ done, total, unit }) => this.log.progress({ phase: 'setup', done, total, unit })
    })
    this.document.target = target
    this.document.targetChosenBy = why
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
