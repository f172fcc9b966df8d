import { makePublications } from '../../../load/publications.js'
import { LiveThresholds } from '../../../result/thresholds/live.js'
import { ThresholdError } from '../../threshold-error.js'
import { GOSSIP_FIGURES } from '../figures.js'
import { absencesSince } from '../measure/churn.js'
import { scoresByNode } from '../measure/score-series.js'
import { nodesOf } from './gossip-pool.js'

const EVERY_MS = 1000
/** The result so far is written this often. */
const PARTIAL_EVERY_MS = 5000

/**
 * watchPublishing tells once a second what was measured so far, and ends the run when a threshold with abortOnFail has failed for
 * its grace time.
 *
 * @param {object} parts
 * @param {'publish' | 'cooldown'} parts.phase
 * @param {import('../plan/gossip-plan.js').GossipPlan} parts.plan
 * @param {import('../../run-log.js').RunLog} parts.log
 * @param {import('../../trouble.js').Trouble} parts.trouble
 * @param {import('./gossip-measurement.js').GossipMeasurement} parts.measurement
 * @param {() => void} parts.emitPartial
 * @param {() => number} [clock] - ms; grace times of a simulated network are virtual
 * @returns {{ stop: () => void }}
 */
export function watchPublishing(
  { phase, plan, log, trouble, measurement, emitPartial },
  clock = () => (plan.network === 'simulated' ? measurement.measuredMs : performance.now())
) {
  const thresholds = new LiveThresholds(plan.thresholds, GOSSIP_FIGURES)
  const look = () => {
    const figures = measurement.figures()
    log.progress(progressOf(phase, plan, figures))
    const parted = { ...figures, partOf: measurement.partOf.bind(measurement) }
    const { results, brokeOff } = thresholds.look(parted, clock())
    const utilizations = measurement.usage.map(({ utilization }) => utilization)
    log.interval({ figures, utilizations, thresholds: results })
    if (brokeOff !== null) trouble.raise(new ThresholdError(brokeOff))
  }
  const timers = [setInterval(look, EVERY_MS), setInterval(emitPartial, PARTIAL_EVERY_MS)]
  return { stop: () => timers.forEach(clearInterval) }
}

/**
 * @param {'publish' | 'cooldown'} phase
 * @param {import('../plan/gossip-plan.js').GossipPlan} plan
 * @param {import('../gossip-types.js').GossipFigures} figures
 * @returns {Omit<import('../../../result/types.js').ProgressRecord, 'type'>}
 */
function progressOf(phase, { durationMs }, { messages, delivery, latency, measuredMs }) {
  const times = {
    p50Ms: latency.delivered.p50?.ms,
    p99Ms: latency.delivered.p99?.ms
  }
  if (phase === 'cooldown')
    return { phase, done: delivery.delivered, total: delivery.expected, unit: 'deliveries', ...times }
  const done = messages.published + messages.skipped + messages.failed
  return durationMs === null
    ? { phase, done, total: messages.planned, unit: 'messages', ...times }
    : { phase, done: Math.min(measuredMs, durationMs), total: durationMs, unit: 'ms', ...times }
}

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 *
 * @typedef {object} PublishingParts
 * @property {import('./gossip-pool.js').GossipPool} hosts - with a network that stands
 * @property {readonly (readonly number[])[]} subscriptions - of the nodes that publish: those with the first numbers
 * @property {import('./gossip-document.js').GossipDocument} document
 * @property {import('../../run-log.js').RunLog} log
 * @property {import('../../trouble.js').Trouble} trouble
 * @property {import('../../worker-watch.js').WorkerWatch} workers
 * @property {() => void} emitPartial
 * @property {(startNs: number) => void} [begin] - is told when publishing begins
 * @property {() => Promise<void>} [over] - is told that nothing is waited for any more
 */

/** Time for all workers to hear of a start. */
const START_AFTER_NS = 200e6
const STEP_MS = 250

/** Publishing is one stretch of publishing on a network that stands: publish, wait for deliveries, take what there is. */
export class Publishing {
  #plan
  #parts
  #lastPublishedNs = 0
  #open = false
  #ended = false

  /**
   * @param {GossipPlan} plan
   * @param {PublishingParts} parts
   */
  constructor(plan, parts) {
    this.#plan = plan
    this.#parts = parts
  }

  /** open: what the hosts tell belongs to this stretch. */
  get open() {
    return this.#open
  }

  /** add takes an interval. @param {HostInterval} interval @param {number} worker */
  add(interval, worker) {
    if (this.#open) this.#parts.document.measurement.add(interval, worker)
  }

  /** publish publishes what the plan asks for. */
  async publish() {
    const { hosts, document, trouble, subscriptions } = this.#parts
    const { publishers, durationMs } = this.#plan
    const publications = publishers === 'every' ? null : makePublications(this.#plan, subscriptions)
    const planned = publications?.message.length ?? null
    const intervals = await trouble.guard(hosts.snapshot())
    const startNs = Math.max(...intervals.map(({ atNs }) => atNs)) + START_AFTER_NS
    const measurement = document.begin({ startNs, planned })
    for (const [worker, interval] of intervals.entries()) measurement.before(interval, worker)
    document.phases.begin('publish')
    this.#open = true
    this.#parts.begin?.(startNs)
    const endNs = durationMs === null ? Infinity : startNs + durationMs * 1e6
    await this.#watched('publish', async () => {
      const scheduled = hosts.schedule({ publications, startNs, endNs })
      if (this.#ended) hosts.endPublishing()
      const ends = await trouble.guard(scheduled)
      document.known.publishEnds = ends
      await this.#takeAll()
      this.#lastPublishedNs = Math.max(...ends.map(({ endedNs }) => endedNs))
    })
  }

  /** What nodes did until now is of this phase. In virtual time nothing is used. */
  async #takeAll() {
    const { hosts, document, trouble } = this.#parts
    if (this.#plan.network === 'simulated') return
    for (const [worker, interval] of (await trouble.guard(hosts.snapshot())).entries()) {
      document.phases.add(interval, worker)
      this.add(interval, worker)
    }
  }

  /** end has the nodes publish no more: `publish` comes to its end as if all were published. */
  async end() {
    this.#ended = true
    await this.#parts.hosts.endPublishing()
  }

  /** coolDown waits until everything has arrived, or the time is up. @returns {Promise<number>} messages that did not reach everyone */
  async coolDown() {
    const { hosts, document, trouble } = this.#parts
    const { tracker } = document.measurement
    document.phases.begin('cooldown')
    await this.#watched('cooldown', async () => {
      while (tracker.memory.open > 0 && this.#waitedMs < this.#plan.cooldownMs)
        await trouble.guard(hosts.drain(STEP_MS))
    })
    return tracker.memory.open
  }

  /** close ends the measurement: what has not come by now is missing. */
  async close() {
    const { hosts, trouble, over } = this.#parts
    await trouble.guard(Promise.resolve(over?.()))
    return this.#close(await hosts.collect())
  }

  /** @param {import('../../../network/node-host.js').HostEnd[]} ends - of the workers that told theirs */
  #close(ends) {
    const { document, workers } = this.#parts
    const { measurement, known } = document
    this.#open = false
    document.phases.end()
    const gone = workers.gone.flatMap(({ worker, atNs }) =>
      nodesOf(this.#plan, worker).map(node => ({ node, atNs }))
    )
    const closed = measurement.close(ends, {
      gone,
      ...disruptionsOf(this.#plan, measurement.startNs),
      components: document.components
    })
    known.deliveries = closed.deliveries
    known.meshPeersWithoutStream = closed.meshPeersWithoutStream
    known.windows = ends.flatMap(({ windows }) => windows ?? [])
    known.scores = scoresByNode(ends)
    known.traceErrors = ends.flatMap(({ traceErrors = [] }) => traceErrors)
    if (known.rendezvous !== null) known.rendezvous.doubled = doubledPairs(ends)
    return ends
  }

  /** breakOff keeps what was measured, with what the workers still know. */
  async breakOff() {
    const words = await this.#parts.hosts.breakOff('the run ends')
    for (const [worker, { interval }] of words.entries()) if (interval !== null) this.add(interval, worker)
    return this.#close(words.flatMap(({ end }) => end ?? []))
  }

  /** Since the last publication. */
  get #waitedMs() {
    return (this.#parts.document.measurement.endNs - this.#lastPublishedNs) / 1e6
  }

  /** @param {'publish' | 'cooldown'} phase @param {() => Promise<void>} work */
  async #watched(phase, work) {
    const { log, trouble, document, emitPartial } = this.#parts
    const { measurement } = document
    const watch = watchPublishing({ phase, plan: this.#plan, log, trouble, measurement, emitPartial })
    try {
      await work()
    } finally {
      watch.stop()
    }
  }
}

/**
 * What a plan does to its network while it publishes.
 *
 * @param {GossipPlan} plan
 * @param {number} startNs - of the publish phase
 * @returns {import('../measure/evidence.js').Disruptions}
 */
const disruptionsOf = (plan, startNs) => ({
  partitions: plan.partitions.map(({ fromMs, toMs }) => ({
    fromNs: startNs + fromMs * 1e6,
    toNs: startNs + toMs * 1e6
  })),
  absences: absencesSince(plan, startNs)
})

/**
 * Nodes that dial each other at the same moment can end up with two connections; both ends count both.
 *
 * @param {import('../../../network/node-host.js').HostEnd[]} ends
 */
const doubledPairs = ends =>
  ends
    .flatMap(({ connections }) => connections)
    .reduce((sum, { degree, connections }) => sum + (connections - degree) / 2, 0)
