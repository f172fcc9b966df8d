import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { ServerRun } from '../../rendezvous/run/server-run.js'
import { workerNames } from '../../worker-watch.js'
import { RotateRendezvousDocument } from './rotate-rendezvous-document.js'
import { RotateRendezvousPool } from './rotate-rendezvous-pool.js'
import { measureRotating } from './rotate-rendezvous-round.js'

/**
 * @typedef {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan
 * @typedef {import('../../../result/types.js').Record_} Record_
 */

/**
 * runRotateRendezvous has peers of a rendezvous server come and go by a plan. It never throws for what goes wrong with the run: the
 * last record is always the result, whose `status` and `reason` tell.
 *
 * @param {RotateRendezvousPlan} plan
 * @param {import('../../rendezvous/run/server-run.js').RunOptions} options
 * @returns {AsyncGenerator<Record_>}
 */
export const runRotateRendezvous = (plan, options) =>
  recordsOf(emit => execute(new RotateRendezvousRun(plan, options, emit), phases))

/** @param {RotateRendezvousRun} run */
async function phases(run) {
  await run.setup()
  await run.connect()
  await run.warmUp()
  await run.measure()
  await run.cooldown()
}

/**
 * RotateRendezvousRun is one run with what it has started; its methods are the phases.
 *
 * @extends {ServerRun<RotateRendezvousDocument, RotateRendezvousPool>}
 */
class RotateRendezvousRun extends ServerRun {
  #plan
  /** Intervals count only while it is measured. */
  #measuring = false

  /**
   * @param {RotateRendezvousPlan} plan
   * @param {import('../../rendezvous/run/server-run.js').RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, options, emit) {
    // of what all runs share, the plan has everything
    super(/** @type {any} */ (plan), options, {
      emit,
      documentOf: log => new RotateRendezvousDocument(plan, options.id, log, options.fleet),
      workers: workerNames(plan.workers)
    })
    this.#plan = plan
  }

  connect() {
    return this.phases.guarded('connect', async () => {
      const state = await this.target.control?.state()
      this.document.registrations.before = state?.registrations ?? null
      await this.started.connect()
      this.document.clientSettings = this.started.settings
    })
  }

  warmUp() {
    return this.phases.guarded('warmup', async () => {
      await this.started.warmUp(this.#plan.warmupMs)
    })
  }

  measure() {
    return this.phases.plain('measure', async () => {
      // its registrations are as old as the measurement
      await this.trouble.guard(this.started.register())
      await this.trouble.guard(this.target.control?.resetDurations() ?? Promise.resolve())
      this.#measuring = true
      const parts = {
        plan: this.#plan,
        target: this.target,
        pool: this.started,
        document: this.document,
        trouble: this.trouble,
        log: this.log,
        emitPartial: () => this.phases.emitPartial()
      }
      await this.watching(() => measureRotating(parts))
      this.#measuring = false
      const { load } = this.document.measurement
      return `${load.operations.toLocaleString('en')} operations`
    })
  }

  cooldown() {
    return this.phases.guarded('cooldown', async () => {
      this.document.badReplies = await this.started.finish()
      await this.options.fleet?.settle()
      const state = await this.target.control?.state()
      if (state != null) {
        const { registrations, namespaces } = state
        Object.assign(this.document.registrations, { after: registrations, namespaces })
      }
      this.document.header.completed()
    })
  }

  /** What a worker says from now on is too late. @param {Error} error @override */
  fail(error) {
    this.#measuring = false
    super.fail(error)
  }

  /** @override */
  startPool() {
    return RotateRendezvousPool.start({
      plan: this.#plan,
      fleet: this.options.fleet,
      runId: this.runId,
      server: this.target.multiaddr,
      enter: worker => this.joined.through(1 + worker),
      onInterval: (interval, worker) => {
        if (!this.#measuring) return
        this.document.measurement.addLoad(interval, worker)
        this.document.rotation?.take(interval.rotation, worker)
      },
      onConnected: done =>
        this.log.progress({ phase: 'connect', done, total: this.#plan.nClients, unit: 'peers' }),
      onAlive: worker => this.workers.heard(worker),
      onDied: error => this.trouble.raise(error)
    })
  }

  /** What peers have registered at a server of others is taken back, but for what killed ones left. @override */
  async takeBack() {
    if (this.document.target == null || this.target.control != null || this.pool === null) return
    await this.pool.leave()
    const { dead = 0 } = this.document.rotation?.result(null).series.at(-1) ?? {}
    if (dead > 0) this.log.warn('LEFT_UNTIL_TTL', { count: dead, ttlSeconds: this.#plan.ttlSeconds })
  }
}
