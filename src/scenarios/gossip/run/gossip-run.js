// Runs a gossip plan: starts the network, publishes messages, waits for deliveries, collects the result. Also ends a run
// early when a threshold fails.
import { setTimeout as sleep } from 'node:timers/promises'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { omitMissing } from '../../../kit/collections.js'
import { formatCount } from '../../../kit/numbers.js'
import { countStablePeers, doNodesLeave, makeLives } from '../../../load/churn.js'
import { drawSubscriptions } from '../../../load/network-script.js'
import { makePublications } from '../../../load/publications.js'
import { deriveGossipKey } from '../../../network/node-host.js'
import { LiveThresholds, ThresholdError } from '../../../report/checks.js'
import { Profiles } from '../../../run/profiles.js'
import { executeRun, generateRecords } from '../../../run/run.js'
import { ChurnMeasurement, listAbsencesSince } from '../churn.js'
import { GOSSIP_FIGURES } from '../figures.js'
import { summarizeScoresByNode } from '../outcome.js'
import { NetworkRun } from './network-run.js'
import { listNodesOfWorker } from './pool.js'

const PROGRESS_EVERY_MS = 1000
/** A partial result is written this often. */
const PARTIAL_EVERY_MS = 5000

/**
 * watchPublishing reports the figures so far once a second, and ends the run when a threshold with abortOnFail has failed for
 * its grace time.
 *
 * @param {object} parts
 * @param {'publish' | 'cooldown'} parts.phase
 * @param {import('../options.js').GossipPlan} parts.plan
 * @param {import('../../../run/run-header.js').RunLog} parts.log
 * @param {import('../../../run/run.js').RunFailure} parts.failure
 * @param {import('../outcome.js').GossipMeasurement} parts.measurement
 * @param {() => void} parts.emitPartial
 * @param {() => number} [clock] - ms; grace times of a simulated network are virtual
 * @returns {{ stop: () => void }}
 */
export function watchPublishing(
  { phase, plan, log, failure, measurement, emitPartial },
  clock = () => (plan.network === 'simulated' ? measurement.measuredMs : performance.now())
) {
  const thresholds = new LiveThresholds(plan.thresholds, GOSSIP_FIGURES)
  const look = () => {
    const figures = measurement.figures()
    log.progress(progressOf(phase, plan, figures))
    const parted = { ...figures, partOf: measurement.partOf }
    const { results, brokeOff } = thresholds.look(parted, clock())
    const utilizations = measurement.usage.map(({ utilization }) => utilization)
    log.interval({ figures, utilizations, thresholds: results })
    if (brokeOff !== null) failure.raise(new ThresholdError(brokeOff))
  }
  const timers = [setInterval(look, PROGRESS_EVERY_MS), setInterval(emitPartial, PARTIAL_EVERY_MS)]
  return { stop: () => timers.forEach(clearInterval) }
}

/**
 * @param {'publish' | 'cooldown'} phase
 * @param {import('../options.js').GossipPlan} plan
 * @param {import('../outcome.js').GossipFigures} figures
 * @returns {Omit<import('../../../report/schema.js').ProgressRecord, 'type'>}
 */
function progressOf(phase, { durationMs }, { messages, delivery, latency, measuredMs }) {
  const times = { p50Ms: latency.delivered.p50?.ms, p99Ms: latency.delivered.p99?.ms }
  if (phase === 'cooldown')
    return { phase, done: delivery.delivered, total: delivery.expected, unit: 'deliveries', ...times }
  const done = messages.published + messages.skipped + messages.failed
  return durationMs === null
    ? { phase, done, total: messages.planned, unit: 'messages', ...times }
    : { phase, done: Math.min(measuredMs, durationMs), total: durationMs, unit: 'ms', ...times }
}

/**
 * @typedef {import('../options.js').GossipPlan} GossipPlan
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 *
 * @typedef {object} PublishingParts
 * @property {import('./pool.js').GossipPool} hosts - whose network is connected
 * @property {readonly (readonly number[])[]} subscriptions - of the nodes that publish: those with the first numbers
 * @property {import('./network-run.js').GossipDocument} document
 * @property {import('../../../run/run-header.js').RunLog} log
 * @property {import('../../../run/run.js').RunFailure} failure
 * @property {import('../../../run/workers.js').WorkerWatch} workers
 * @property {() => void} emitPartial
 * @property {(startNs: number) => void} begin - called when publishing begins
 * @property {() => Promise<void>} over - called when the wait for deliveries has ended
 */

/** Time until a start, within which all workers receive its message. */
const START_AFTER_NS = 200e6
const STEP_MS = 250

/** Publishing is the publish phase of a connected network with its cool-down: publish, wait for deliveries, collect. */
class Publishing {
  #plan
  #parts
  #lastPublishedNs = 0
  /** open: reports of the hosts belong to this phase. */
  open = false
  #ended = false

  /**
   * @param {GossipPlan} plan
   * @param {PublishingParts} parts
   */
  constructor(plan, parts) {
    this.#plan = plan
    this.#parts = parts
  }

  /** add takes an interval. @param {HostInterval} interval @param {number} worker */
  add(interval, worker) {
    if (this.open) this.#parts.document.measurement.add(interval, worker)
  }

  /** publish publishes the messages of the plan. */
  async publish() {
    const { hosts, document, failure, subscriptions } = this.#parts
    const { publishers, durationMs } = this.#plan
    const publications = publishers === 'every' ? null : makePublications(this.#plan, subscriptions)
    const planned = publications?.message.length ?? null
    const intervals = await failure.guard(hosts.snapshot())
    const startNs = Math.max(...intervals.map(({ atNs }) => atNs)) + START_AFTER_NS
    const measurement = document.begin({ startNs, planned })
    for (const [worker, interval] of intervals.entries()) measurement.before(interval, worker)
    document.phases.begin('publish')
    this.open = true
    this.#parts.begin(startNs)
    const endNs = durationMs === null ? Infinity : startNs + durationMs * 1e6
    await this.#watched('publish', async () => {
      const scheduled = hosts.schedule({ publications, startNs, endNs })
      if (this.#ended) hosts.endPublishing()
      const ends = await failure.guard(scheduled)
      document.known.publishEnds = ends
      // all activity until now belongs to this phase; in virtual time no resources are used
      if (this.#plan.network !== 'simulated')
        for (const [worker, interval] of (await failure.guard(hosts.snapshot())).entries()) {
          document.phases.add(interval, worker)
          this.add(interval, worker)
        }
      this.#lastPublishedNs = Math.max(...ends.map(({ endedNs }) => endedNs))
    })
  }

  /** end lets the nodes stop publishing: `publish` resolves as if all messages were published. */
  async end() {
    this.#ended = true
    await this.#parts.hosts.endPublishing()
  }

  /** coolDown waits until everything has arrived, or the time is up. @returns {Promise<number>} messages that did not reach everyone */
  async coolDown() {
    const { hosts, document, failure } = this.#parts
    const { tracker } = document.measurement
    document.phases.begin('cooldown')
    const waitedMs = () => (document.measurement.endNs - this.#lastPublishedNs) / 1e6
    await this.#watched('cooldown', async () => {
      while (tracker.memory.open > 0 && waitedMs() < this.#plan.cooldownMs)
        await failure.guard(hosts.drain(STEP_MS))
    })
    return tracker.memory.open
  }

  /** close ends the measurement: deliveries not made by now are missing. */
  async close() {
    const { hosts, failure, over } = this.#parts
    await failure.guard(over())
    return this.#close(await hosts.collect())
  }

  /** @param {import('../../../network/node-host.js').HostEnd[]} ends - of the workers that reported theirs */
  #close(ends) {
    const { document, workers } = this.#parts
    const { measurement, known } = document
    this.open = false
    document.phases.end()
    const ended = workers.lostWorkers.flatMap(({ worker, atNs }) =>
      listNodesOfWorker(this.#plan, worker).map(node => ({ node, atNs }))
    )
    const closed = measurement.close(ends, {
      ended,
      ...listDisruptions(this.#plan, measurement.startNs),
      components: document.components
    })
    known.deliveries = closed.deliveries
    known.meshPeersWithoutStream = closed.meshPeersWithoutStream
    known.windows = ends.flatMap(({ windows }) => windows ?? [])
    known.scores = summarizeScoresByNode(ends)
    known.traceErrors = ends.flatMap(({ traceErrors = [] }) => traceErrors)
    if (known.rendezvous !== null) known.rendezvous.doubled = countDoubledPairs(ends)
    return ends
  }

  /** breakOff keeps the measurement, with the last reports of the workers. */
  async breakOff() {
    const words = await this.#parts.hosts.breakOff('the run ends')
    for (const [worker, { interval }] of words.entries()) if (interval !== null) this.add(interval, worker)
    return this.#close(words.flatMap(({ end }) => end ?? []))
  }

  /** @param {'publish' | 'cooldown'} phase @param {() => Promise<void>} work */
  async #watched(phase, work) {
    const { log, failure, document, emitPartial } = this.#parts
    const { measurement } = document
    const watch = watchPublishing({ phase, plan: this.#plan, log, failure, measurement, emitPartial })
    try {
      await work()
    } finally {
      watch.stop()
    }
  }
}

/**
 * listDisruptions gives the disruptions of a network by its plan.
 *
 * @param {GossipPlan} plan
 * @param {number} startNs - of the publish phase
 * @returns {import('../measure/receipts.js').Disruptions}
 */
const listDisruptions = (plan, startNs) => ({
  partitions: plan.partitions.map(({ fromMs, toMs }) => ({
    fromNs: startNs + fromMs * 1e6,
    toNs: startNs + toMs * 1e6
  })),
  absences: listAbsencesSince(plan, startNs)
})

/**
 * Nodes that dial each other at the same moment can end up with two connections; both ends count both.
 *
 * @param {import('../../../network/node-host.js').HostEnd[]} ends
 */
const countDoubledPairs = ends =>
  ends
    .flatMap(({ connections }) => connections)
    .reduce((sum, { degree, connections }) => sum + (connections - degree) / 2, 0)

/**
 * @typedef {import('./pool.js').GossipPool} GossipPool
 * @typedef {import('../../../report/schema.js').Warning} Warning
 */

/** A change that is later than this is reported as late. */
const LATE_CHANGE_MS = 1000

/**
 * ChurnExtension measures a network whose nodes leave, or follow a script, while messages are published. Nodes that return as themselves do so by
 * the schedule of the plan, which their hosts know. New nodes are started by the hosts on request.
 *
 * @implements {RunExtension}
 */
export class ChurnExtension {
  #plan
  /** @type {import('../../../load/churn.js').Life[]} none: nodes return as themselves */
  #lives
  /** @type {{ pool: GossipPool, peers: { node: number, peerId: string }[] } | null} */
  #hosts = null
  /** @type {Promise<void>} */
  #replacing = Promise.resolve()
  /** @type {ChurnMeasurement | null} */
  #measurement = null
  #started = false
  subscriptions

  /** @param {GossipPlan} plan */
  constructor(plan) {
    this.#plan = plan
    this.#lives = plan.churn?.asNew ? makeLives(plan) : []
    const own = drawSubscriptions(plan)
    // a new node subscribes to the topics of the node that it replaces
    const later = this.#later.map(({ slot }) => own[slot])
    // where only a group of nodes leaves, the others publish
    const publishing = own.slice(0, countStablePeers(plan) || plan.nodes)
    this.subscriptions = { all: [...own, ...later], publishing }
  }

  /** null: nothing was published. */
  get #published() {
    return this.#started ? this.#measurement : null
  }

  /** Lives that begin later. */
  get #later() {
    return this.#lives.filter(({ startMs }) => startMs !== null)
  }

  /** start makes the identities of the nodes that start later. @param {GossipPool} pool */
  async start(pool) {
    const peers = await Promise.all(
      this.#later.map(async ({ node }) => ({
        node,
        peerId: peerIdFromPrivateKey(await deriveGossipKey(this.#plan, node)).toString()
      }))
    )
    this.#hosts = { pool, peers }
  }

  /** @param {{ startNs: number, planned: number | null }} stretch */
  measurement(stretch) {
    const measurement = new ChurnMeasurement(this.#plan, { subscriptions: this.subscriptions.all, stretch })
    this.#measurement = measurement
    const { subscriptions } = measurement
    return { lens: measurement, subscriptions, isThere: measurement.isThere.bind(measurement) }
  }

  /** begin starts the churn of the hosts. @param {number} startNs */
  begin(startNs) {
    this.#started = true
    if (this.#hosts === null || this.#lives.length === 0) return
    const { pool, peers } = this.#hosts
    // the watch of the workers reports a worker that died
    this.#replacing = pool.churn({ lives: this.#lives, startNs, peers }).catch(() => {})
  }

  /** stop waits until the last node was killed or started. */
  async stop() {
    await this.#replacing
  }

  /** @returns {Pick<import('../outcome.js').GossipOutcome, 'churn' | 'script'>} */
  outcome() {
    const measured = this.#published
    return {
      ...(doNodesLeave(this.#plan) && { churn: measured?.result() ?? null }),
      ...(this.#plan.networkFile?.script.length && { script: measured?.script().script ?? null })
    }
  }

  /** @param {Warning[]} ofRun @returns {Warning[]} */
  warnings(ofRun) {
    const { latestMs = 0, failed = 0 } = this.#published?.result().lives ?? {}
    const { script, error = null } = this.#published?.script() ?? {}
    const notDone = script?.failed ?? 0
    const scriptLatestMs = script?.latestMs ?? 0
    return omitMissing([
      ...ofRun,
      failed > 0 && { code: 'STARTS_FAILED', values: { count: failed } },
      latestMs > LATE_CHANGE_MS && { code: 'ROTATION_LATE', values: { latestMs } },
      notDone > 0 && { code: 'ACTIONS_FAILED', values: { count: notDone, error } },
      scriptLatestMs > LATE_CHANGE_MS && { code: 'SCRIPT_LATE', values: { latestMs: scriptLatestMs } }
    ])
  }
}

/**
 * @typedef {ConstructorParameters<typeof import('../outcome.js').GossipMeasurement>[0]} Measured
 *
 * @typedef {object} RunExtension - an addition to a run while messages are published, such as profiles and churn
 * @property {(pool: GossipPool) => Promise<void>} start
 * @property {(startNs: number) => void} [begin] - publishing begins at that moment
 * @property {{ all: number[][], publishing: number[][] }} [subscriptions] - of all nodes, also those started later, and of those that publish;
 *   default: no node is started later, and all nodes publish
 * @property {(stretch: Pick<Measured, 'startNs' | 'planned'>) => Pick<Measured, 'isThere' | 'lens'> & Partial<Pick<Measured, 'subscriptions'>>} [measurement] - of
 *   deliveries
 * @property {() => Promise<void>} stop
 * @property {() => object} outcome - its part of the outcome
 * @property {(ofRun: Warning[]) => Warning[]} warnings - changes the warnings of the run
 */

/** NO_EXTENSION does nothing. @type {Readonly<RunExtension>} */
export const NO_EXTENSION = {
  start: async () => {},
  stop: async () => {},
  outcome: () => ({}),
  warnings: ofRun => ofRun
}

/** Warnings that do not hold for nodes that are to publish as fast as the machine allows. */
const INTENDED_WARNINGS = new Set(['GENERATOR_LIMITED', 'PUBLISH_LATE'])

/** Profiles the workers of a plan. @param {import('../options.js').GossipPlan} plan @param {string | null} folder @returns {RunExtension} */
function makeProfileExtension({ profiled = [], publishers, loadModel }, folder) {
  const profiles = new Profiles(profiled, folder)
  const intended = publishers === 'every' && loadModel === 'closed'
  return {
    start: ({ profiles: workers }) => profiles.start({ workers }),
    stop: () => profiles.stop(),
    outcome: () => profiles.sampledOf('workers'),
    warnings: ofRun => [
      ...ofRun.filter(({ code }) => !(intended && INTENDED_WARNINGS.has(code))),
      ...profiles.warnings
    ]
  }
}

/**
 * makeExtension makes the companion of a plan.
 *
 * @param {import('../options.js').GossipPlan} plan
 * @param {string | null} folder - of the run
 * @returns {RunExtension}
 */
export function makeExtension(plan, folder) {
  if (plan.churn != null || plan.networkFile?.script.length) return new ChurnExtension(plan)
  return plan.profiled === undefined ? NO_EXTENSION : makeProfileExtension(plan, folder)
}

/**
 * @typedef {import('../../../report/schema.js').RunRecord} RunRecord
 * @typedef {import('./network-run.js').RunOptions} RunOptions
 */

/** Plans of earlier releases do not say how often nodes refresh. */
const REFRESH_EVERY_MS = 10_000
/** How long a run that failed waits for its last profiles. */
const LAST_SAMPLES_MS = 1000

/**
 * runGossip load-tests a gossipsub network by a plan. It does not throw when the run fails: the last record is always
 * the result, with `status` and `reason`.
 *
 * @param {GossipPlan} plan
 * @param {RunOptions} options
 * @param {RunExtension} [extension]
 * @returns {AsyncGenerator<RunRecord>}
 */
export const runGossip = (plan, options, extension = makeExtension(plan, options.folder ?? null)) =>
  generateRecords(emit =>
    executeRun(new GossipRun(plan, options, { emit, extension }), async run => {
      await run.provision()
      await run.peer()
      await run.warmUp()
      await run.publish()
      await run.coolDown()
      await run.collect()
    })
  )

/**
 * describeReachedMessages says how many messages reached everyone.
 *
 * @param {number} published
 * @param {number} open - that did not reach everyone
 */
export function describeReachedMessages(published, open) {
  if (open > 0) return `${formatCount(open, 'message')} did not reach everyone`
  return published === 0 ? 'there was none to wait for' : 'every message reached everyone'
}

/** GossipRun is one run with what it has started; its methods are the phases. */
class GossipRun extends NetworkRun {
  /** @type {Publishing | null} the latest */
  #latest = null
  /** Nodes publish until the user ends the run. */
  #endless = false

  publish() {
    return this.phases.plain('publish', async () => {
      const publishing = this.#newPublishing()
      this.#latest = publishing
      await this.failure.guard(this.companion.start(this.hosts))
      const { network, publishers, durationMs, messages } = this.plan
      this.#endless = publishers === 'every' && durationMs === null && messages === null
      // in virtual time no process is late
      if (network === 'simulated') await publishing.publish()
      else await this.document.header.watching(this.processes, () => publishing.publish())
      await this.failure.guard(Promise.resolve(this.document.known.server?.over(this.hosts)))
      this.#endless = false
      await this.failure.guard(this.companion.stop())
      return formatCount(this.document.measurement.tracker.figures().messages.published, 'message')
    })
  }

  coolDown() {
    return this.phases.plain('cooldown', async () => {
      const open = await this.#published.coolDown()
      return describeReachedMessages(this.document.measurement.tracker.figures().messages.published, open)
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

  /** The user ends endless publishing: that is no interruption. @override @param {Error} error */
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
    if (this.#latest?.open) {
      // once the nodes are gone, their links have no figures
      known.carried = known.joinedBy?.figures ?? null
      await this.#latest.breakOff()
    }
    await lastSamples
  }

  /** @override @param {import('../../../network/node-host.js').HostInterval} interval @param {number} worker */
  take(interval, worker) {
    this.#latest?.add(interval, worker)
    if (interval.refreshed !== undefined) this.document.known.server?.add(interval.refreshed)
  }

  #newPublishing() {
    const { hosts, subscriptions, document, log, failure, workers } = this
    return new Publishing(this.plan, {
      ...{ hosts, document, log, failure, workers },
      subscriptions: subscriptions.publishing,
      begin: startNs => {
        this.#beginJoined(startNs).catch(error => failure.raise(error))
        this.companion.begin?.(startNs)
      },
      over: async () => {
        const { known } = document
        await known.joinedBy?.over()
        known.carried = known.joinedBy?.figures ?? null
      },
      emitPartial: () => this.phases.emitPartial()
    })
  }

  /** Partitions, and the figures of links, count from the first publication. @param {number} startNs */
  async #beginJoined(startNs) {
    const { joinedBy, server } = this.document.known
    await server?.begin(this.hosts, this.plan.refreshEveryMs ?? REFRESH_EVERY_MS)
    await joinedBy?.cut(startNs)
    await joinedBy?.begin()
  }

  /** The publishing, once it has begun. */
  get #published() {
    return /** @type {Publishing} */ (this.#latest)
  }
}
