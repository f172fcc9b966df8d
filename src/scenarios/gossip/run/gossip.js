import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from '../../../kit/numbers.js'
import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { Profiles } from '../../profile/profiles.js'
import { ChurnedNodes } from './churn.js'
import { NetworkRun } from './network-run.js'
import { Publishing } from './publishing.js'

/**
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('./gossip-pool.js').GossipPool} GossipPool
 * @typedef {ConstructorParameters<typeof import('./gossip-measurement.js').GossipMeasurement>[0]} Measured
 *
 * @typedef {object} Companion - what goes on with the workers while messages are published, such as profiles and churn
 * @property {(pool: GossipPool) => Promise<void>} start
 * @property {(startNs: number) => void} [begin] - publishing begins at that moment
 * @property {{ all: number[][], publishing: number[][] }} [subscriptions] - of nodes that are started later too, and of those that publish;
 *   default: nobody is started later, and all nodes publish
 * @property {(stretch: Pick<Measured, 'startNs' | 'planned'>) => Pick<Measured, 'isThere' | 'lens'> & Partial<Pick<Measured, 'subscriptions'>>} [measurement] - what deliveries are
 *   looked at with
 * @property {() => Promise<void>} stop
 * @property {() => object} outcome - what it adds to that of the run
 * @property {(ofRun: Warning[]) => Warning[]} warnings - those of the run, as they hold with it
 */

/** NO_COMPANION does nothing. @type {Readonly<Companion>} */
export const NO_COMPANION = {
  start: async () => {},
  stop: async () => {},
  outcome: () => ({}),
  warnings: ofRun => ofRun
}

/** Of nodes that publish as fast as the machine lets them: a machine that is used up is what is asked for. */
const INTENDED = new Set(['GENERATOR_LIMITED', 'PUBLISH_LATE'])

/** Samples the workers of a plan. @param {import('../plan/gossip-plan.js').GossipPlan} plan @param {string | null} folder @returns {Companion} */
function sampling({ profiled = [], publishers, loadModel }, folder) {
  const profiles = new Profiles(profiled, folder)
  const intended = publishers === 'every' && loadModel === 'closed'
  return {
    start: ({ profiles: workers }) => profiles.start({ workers }),
    stop: () => profiles.stop(),
    outcome: () => profiles.sampledOf('workers'),
    warnings: ofRun => [
      ...ofRun.filter(({ code }) => !(intended && INTENDED.has(code))),
      ...profiles.warnings
    ]
  }
}

/**
 * companionOf is what a plan asks for beside its messages.
 *
 * @param {import('../plan/gossip-plan.js').GossipPlan} plan
 * @param {string | null} folder - of the run
 * @returns {Companion}
 */
export function companionOf(plan, folder) {
  if (plan.churn != null || plan.networkFile?.script.length) return new ChurnedNodes(plan)
  return plan.profiled === undefined ? NO_COMPANION : sampling(plan, folder)
}

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../result/types.js').Record_} Record_
 * @typedef {import('./network-run.js').RunOptions} RunOptions
 */

/** Plans of earlier releases do not say how often nodes refresh. */
const REFRESH_EVERY_MS = 10_000
/** How long samples are waited for once there is trouble. */
const LAST_SAMPLES_MS = 1000

/**
 * runGossip load-tests a gossipsub network by a plan. It never throws for what goes wrong with the run: the last record is always
 * the result, whose `status` and `reason` tell.
 *
 * @param {GossipPlan} plan
 * @param {RunOptions} options
 * @param {Companion} [companion]
 * @returns {AsyncGenerator<Record_>}
 */
export const runGossip = (plan, options, companion = companionOf(plan, options.folder ?? null)) =>
  recordsOf(emit => execute(new GossipRun(plan, options, { emit, companion }), phases))

/**
 * reachedInWords says what became of messages.
 *
 * @param {number} published
 * @param {number} open - that did not reach everyone
 */
export function reachedInWords(published, open) {
  if (open > 0) return `${counted(open, 'message')} did not reach everyone`
  return published === 0 ? 'there was none to wait for' : 'every message reached everyone'
}

/** @param {GossipRun} run */
const phases = async run => {
  await run.provision()
  await run.peer()
  await run.warmUp()
  await run.publish()
  await run.coolDown()
  await run.collect()
}

/** GossipRun is one run with what it has started; its methods are the phases. */
class GossipRun extends NetworkRun {
  /** @type {Publishing | null} the latest */
  #latest = null
  /** Nodes publish until their user ends it. */
  #endless = false

  publish() {
    return this.phases.plain('publish', async () => {
      this.#latest = this.#newPublishing()
      await this.trouble.guard(this.companion.start(this.hosts))
      this.#endless = publishesUntilEnded(this.plan)
      await this.#watching(this.#latest)
      await this.trouble.guard(Promise.resolve(this.document.known.server?.over(this.hosts)))
      this.#endless = false
      await this.trouble.guard(this.companion.stop())
      return counted(this.document.measurement.tracker.figures().messages.published, 'message')
    })
  }

  coolDown() {
    return this.phases.plain('cooldown', async () => {
      const open = await this.#published.coolDown()
      return reachedInWords(this.document.measurement.tracker.figures().messages.published, open)
    })
  }

  collect() {
    return this.phases.guarded('collect', async () => {
      if (this.#published.open) await this.#published.close()
      await this.fleet?.settle()
      this.document.header.completed()
    })
  }

  /** @override */
  get canLose() {
    return this.#latest?.open ?? false
  }

  /** The end of what has no other one is no interruption. @override @param {Error} error */
  interrupted(error) {
    if (this.#endless) this.#published.end()
    else super.interrupted(error)
  }

  /** @override */
  async keepWhatThereIs() {
    const lastSamples = Promise.race([
      this.companion.stop(),
      sleep(LAST_SAMPLES_MS, undefined, { ref: false })
    ])
    const { known } = this.document
    // of nodes that are gone nobody knows any more
    if (this.#latest?.open) known.carried = known.joinedBy?.figures ?? null
    if (this.#latest?.open) await this.#latest.breakOff()
    await lastSamples
  }

  /** @override @param {import('../../../network/node-host.js').HostInterval} interval @param {number} worker */
  take(interval, worker) {
    this.#latest?.add(interval, worker)
    if (interval.refreshed !== undefined) this.document.known.server?.add(interval.refreshed)
  }

  /** Publishes, and tells who could be late meanwhile: in virtual time nobody is. @param {Publishing} publishing */
  #watching(publishing) {
    if (this.plan.network === 'simulated') return publishing.publish()
    return this.document.header.watching(this.processes, () => publishing.publish())
  }

  #newPublishing() {
    const { hosts, subscriptions, document, log, trouble, workers } = this
    const parts = {
      ...{ hosts, document, log, trouble, workers },
      subscriptions: subscriptions.publishing,
      begin: (/** @type {number} */ startNs) => {
        this.#beginJoined(startNs).catch(error => trouble.raise(error))
        this.companion.begin?.(startNs)
      },
      over: () => this.#keepCarried(),
      emitPartial: () => this.phases.emitPartial()
    }
    return new Publishing(this.plan, parts)
  }

  /** Partitions count from the first publication, and so does what was carried. @param {number} startNs */
  async #beginJoined(startNs) {
    const { joinedBy, server } = this.document.known
    await server?.begin(this.hosts, this.plan.refreshEveryMs ?? REFRESH_EVERY_MS)
    await joinedBy?.cut(startNs)
    await joinedBy?.begin()
  }

  async #keepCarried() {
    const { known } = this.document
    await known.joinedBy?.over()
    known.carried = known.joinedBy?.figures ?? null
  }

  /** What was published, once it was. */
  get #published() {
    return /** @type {Publishing} */ (this.#latest)
  }
}

/** @param {GossipPlan} plan */
const publishesUntilEnded = ({ publishers, durationMs, messages }) =>
  publishers === 'every' && durationMs === null && messages === null
