// Makes the outcome and warnings of a gossip result from reports of worker processes. Includes the digest that shows
// whether two simulations were identical.
import { createHash } from 'node:crypto'
import { computeSum, median, omitMissing } from '../../kit/collections.js'
import { removeTimesBelow } from '../../measure/distribution.js'
import { Histogram, summarize } from '../../measure/histogram.js'
import { StepSeries } from '../../measure/series.js'
import { decodeCauses, hasScores, scoreBucketMiddle } from '../../network/gossipsub.js'
import { networkSettingsOf } from '../../network/namespaces.js'
import { measureGraph } from '../../network/topology.js'
import { judgeThresholds } from '../../report/checks.js'
import { findGeneratorLimit } from '../../report/warnings.js'
import { describeSimulatedSettings, digestWithEngine } from '../../simulator/simulation-settings.js'
import { makeNamespaceWarnings } from '../router-figures.js'
import { GOSSIP_FIGURES } from './figures.js'
import { computeLateAllowanceMs, DeliveryTracker } from './measure/delivery-tracker.js'
import { mergeEvidence } from './measure/receipts.js'
import { findBacklogGrowth, WorkerUsage } from './measure/resource-usage.js'
import { countProcesses, explainSingleProcess } from './plan/resources.js'
import { listNodesOfWorker } from './run/pool.js'

/** @typedef {import('../../network/node-host.js').Counters} Counters */

/** COUNTER_NAMES are the names of all counters. */
export const COUNTER_NAMES = /** @type {const} */ ([
  ...['duplicates', 'bytesSent', 'bytesReceived', 'rpcsSent', 'rpcsReceived', 'messagesSent'],
  ...['messagesReceived', 'ihaveSent', 'iwantSent', 'graftSent', 'pruneSent', 'idontwantSent'],
  ...['accepted', 'ignored', 'rejected', 'promisesBroken', 'foreign', 'refusedRpcs']
])

/** @param {(name: keyof Counters) => number} countOf */
const makeCounters = countOf =>
  /** @type {Counters} */ (Object.fromEntries(COUNTER_NAMES.map(name => [name, countOf(name)])))

/**
 * subtractCounters gives the counts between two moments.
 *
 * @param {Counters} later
 * @param {Counters} earlier
 */
export const subtractCounters = (later, earlier) =>
  makeCounters(name => (later[name] ?? 0) - (earlier[name] ?? 0))

/** NetworkCounters sums the latest counters of the hosts of all workers. A worker that has died counts with its latest report. */
export class NetworkCounters {
  /** @type {Map<number, Pick<HostInterval, 'seq' | 'counters' | 'causes'>>} by worker */
  #latest = new Map()

  /**
   * add takes an interval of a worker.
   *
   * @param {number} worker
   * @param {Pick<HostInterval, 'seq' | 'counters' | 'causes'>} interval
   */
  add(worker, { seq, counters, causes }) {
    const known = this.#latest.get(worker)
    if (known === undefined || seq > known.seq) this.#latest.set(worker, { seq, counters, causes })
  }

  /** total of the network so far: the difference of two totals is that of a phase. */
  total() {
    const hosts = [...this.#latest.values()]
    return makeCounters(name => computeSum(hosts, ({ counters }) => counters[name] ?? 0))
  }

  /** causes of the network so far. @returns {Float64Array | undefined} undefined: a worker does not report them */
  causes() {
    const [first, ...others] = [...this.#latest.values()].map(({ causes }) => causes)
    return others.reduce((sum, causes) => causes && sum?.map((each, i) => each + causes[i]), first)
  }
}

/**
 * @typedef {import('../../network/node-host.js').HostInterval['meshDegree']} Degrees
 *
 * @typedef {MeshResult['series'][number]} MeshPoint
 */

/**
 * MeshSeries is the mesh degree of the network over time. Workers report theirs at moments of their own. A step without a report of a worker
 * has the latest one before it, unless the worker never reports again.
 */
export class MeshSeries {
  /** @type {StepSeries<ReadonlyMap<number, Degrees>>} by worker */
  #steps

  /**
   * @param {number} startNs
   * @param {number} [stepMs] - at the beginning
   */
  constructor(startNs, stepMs) {
    this.#steps = new StepSeries({
      startNs,
      stepMs,
      join: (first, second) => [...second].reduce(withDegrees, first)
    })
  }

  /**
   * add takes an interval of a worker.
   *
   * @param {number} worker
   * @param {Pick<import('../../network/node-host.js').HostInterval, 'atNs' | 'meshDegree'>} interval
   */
  add(worker, { atNs, meshDegree }) {
    if (meshDegree.count === 0) return
    this.#steps.tell(atNs, (before = new Map()) => withDegrees(before, [worker, meshDegree]))
  }

  /** @returns {MeshPoint[]} ascending, at most MAX_STEPS */
  result() {
    const steps = this.#steps.result()
    const ends = new Map(steps.flatMap(([atMs, step]) => [...step.keys()].map(worker => [worker, atMs])))
    /** @type {Map<number, Degrees>} by worker */
    const last = new Map()
    return steps.map(([atMs, step]) => {
      for (const [worker, degrees] of step) last.set(worker, degrees)
      for (const [worker, endMs] of ends) if (endMs < atMs) last.delete(worker)
      const { min, max, sum, count } = [...last.values()].reduce(mergeDegrees)
      return { atMs, min, avg: sum / count, max }
    })
  }
}

/** @param {ReadonlyMap<number, Degrees>} step @param {[worker: number, degrees: Degrees]} more */
function withDegrees(step, [worker, degrees]) {
  const before = step.get(worker)
  return new Map(step).set(worker, before === undefined ? degrees : mergeDegrees(before, degrees))
}

/** @param {Degrees} a @param {Degrees} b @returns {Degrees} */
const mergeDegrees = (a, b) => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
  sum: a.sum + b.sum,
  count: a.count + b.count
})

/**
 * @typedef {import('../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('./measure/delivery-tracker.js').DeliveryResult} DeliveryResult
 * @typedef {object} ReceiptFilter - a filter of receipts before they are counted as deliveries
 * @property {(interval: HostInterval, received: ReceivedRows) => ReceivedRows} take - returns the receipts that are expected deliveries
 */

/** GossipMeasurement gathers the reports of the hosts of all workers, from the moment publishing begins. */
export class GossipMeasurement {
  #counters = new NetworkCounters()
  /** @type {Counters | null} when publishing began */
  #before = null
  /** @type {Float64Array | undefined} when publishing began */
  #causesBefore
  /** startNs of the publish phase. */
  startNs
  /** endNs is the latest time that a host reported. */
  endNs
  /** @type {{ before: number, now: number }[]} by worker */
  #aborted = []
  tracker
  /** Only a simulated network reports rows in the order of their times. @type {DeliveryDigest | null} */
  #digest
  meshSeries
  scoreSeries
  /** @type {WorkerUsage[]} */
  usage
  #lens
  #groups

  /**
   * @param {object} run
   * @param {number} run.workers
   * @param {number} run.nodes - that there are, or will be
   * @param {readonly (readonly number[])[]} run.subscriptions - at any time
   * @param {number} run.startNs - of the publish phase
   * @param {number | null} run.planned - messages
   * @param {boolean} [run.simulated]
   * @param {(node: number, publishedUs: number, topic: number) => boolean} [run.isThere] - where nodes come and go, or change their
   *   subscriptions: who is to receive what is published
   * @param {ReceiptFilter | null} [run.lens]
   * @param {import('./measure/delivery-breakdown.js').DeliveryRows | null} [run.rows] - where each delivery is a row; null: nowhere
   * @param {import('./measure/delivery-breakdown.js').Groups | null} [run.groups] - that count too; null: there are none
   */
  constructor({ workers, simulated = false, lens = null, rows = null, groups = null, ...run }) {
    const { startNs } = run
    this.rows = rows
    this.#groups = groups
    this.#lens = lens
    this.startNs = startNs
    this.endNs = startNs
    this.tracker = new DeliveryTracker({ ...run, rows, groups })
    this.#digest = simulated ? new DeliveryDigest(workers) : null
    this.meshSeries = new MeshSeries(startNs)
    this.scoreSeries = new ScoreSeries(startNs)
    this.usage = Array.from({ length: workers }, () => new WorkerUsage(startNs))
  }

  /** before takes the counters of a host when publishing began. @param {HostInterval} interval @param {number} worker */
  before(interval, worker) {
    this.#counters.add(worker, interval)
    this.#aborted[worker] = { before: interval.abortedStreams, now: interval.abortedStreams }
    this.#before = this.#counters.total()
    this.#groups?.addBytes(interval.nodeBytes, true)
    this.#causesBefore = this.#counters.causes()
  }

  /** add takes an interval. @param {HostInterval} interval @param {number} worker */
  add(interval, worker) {
    const { published, received, atNs, abortedStreams } = interval
    this.tracker.addPublished(published)
    const own = this.#lens === null ? received : this.#lens.take(interval, received)
    this.tracker.addReceived(own)
    if (interval.copies !== undefined) this.tracker.addCopies(interval.copies, atNs)
    this.tracker.writeRows(atNs)
    this.#digest?.addPublished(published, worker, atNs)
    // receipts that were not expected, of nodes that left or returned, are part of the digest too
    this.#digest?.addReceived(received, worker, atNs)
    this.#counters.add(worker, interval)
    this.#groups?.addBytes(interval.nodeBytes)
    this.meshSeries.add(worker, interval)
    this.scoreSeries.add(interval.scores ?? [])
    this.usage[worker].add(interval)
    this.#aborted[worker] = { before: this.#aborted[worker]?.before ?? 0, now: abortedStreams }
    this.endNs = Math.max(this.endNs, atNs)
  }

  /**
   * close ends the measurement: deliveries not made by now are missing.
   *
   * @param {HostEnd[]} ends - of the workers that reported theirs
   * @param {Pick<import('./measure/receipts.js').DeliveryEvidence, 'ended' | 'partitions' | 'absences' | 'components'>} known - in the main process
   * @returns {{ deliveries: DeliveryResult, meshPeersWithoutStream: number }}
   */
  close(ends, { ended, partitions, absences, components }) {
    const hosts = ends.map(({ evidence }) => evidence)
    const evidence = mergeEvidence(hosts, ended, { partitions, absences }, components)
    this.tracker.close(evidence, this.endNs)
    return { deliveries: this.tracker.result(), meshPeersWithoutStream: evidence.meshWithoutStream.length }
  }

  /** digest of all deliveries so far, after the name of its engine; null: the network is real. */
  get digest() {
    return this.#digest === null ? null : digestWithEngine(this.#digest.hex())
  }

  get measuredMs() {
    return Math.max(0, this.endNs - this.startNs) / 1e6
  }

  get abortedStreams() {
    return computeSum(this.#aborted, ({ before, now }) => now - before)
  }

  /** counters since publishing began. */
  get counters() {
    const total = this.#counters.total()
    return subtractCounters(total, this.#before ?? total)
  }

  /** causes since publishing began. @returns {Float64Array | undefined} undefined: not known */
  get causes() {
    const before = this.#causesBefore
    return before && this.#counters.causes()?.map((count, i) => count - before[i])
  }

  /**
   * cost per delivery.
   *
   * @param {number} deliveries
   * @returns {GossipCost}
   */
  cost(deliveries) {
    const { duplicates, bytesSent, rpcsSent, ...counters } = this.counters
    const { ihaveSent, iwantSent, graftSent, pruneSent, idontwantSent } = counters
    const each = (/** @type {number} */ sum) => (deliveries === 0 ? null : sum / deliveries)
    return {
      cpuMicrosPerDelivery: each(computeSum(this.usage, ({ cpuMicros }) => cpuMicros)),
      duplicatesPerDelivery: each(duplicates),
      bytesPerDelivery: each(bytesSent),
      rpcsPerDelivery: each(rpcsSent),
      controlPerDelivery: each(ihaveSent + iwantSent + graftSent + pruneSent + idontwantSent)
    }
  }

  /** partOf gives the figures of a part of the network that a threshold is set on. @param {import('../../measure/figure.js').NetworkPart} part */
  partOf = part => /** @type {any} */ (this.#groups?.part(part) ?? null)

  /** resources that each worker used. */
  get resources() {
    return this.usage.map((each, worker) => each.result(worker))
  }

  /** figures so far. @returns {GossipFigures} */
  figures() {
    const { openMessages, ...figures } = this.tracker.figures()
    return { ...figures, cost: this.cost(figures.delivery.delivered), measuredMs: this.measuredMs }
  }
}

/**
 * @typedef {import('./options.js').GossipPlan} GossipPlan
 * @typedef {import('../../report/schema.js').Warning} Warning
 * @typedef {import('../../network/node-host.js').DialResult} DialResult
 * @typedef {import('../../network/node-host.js').PublishEnd} PublishEnd
 * @typedef {object} RunFacts - the facts of a run other than its measurement
 * @property {DialResult[]} dialled
 * @property {import('../../libp2p/node-settings.js').LibrarySettings} settings - of nodes of a real network
 * @property {GossipOutcome['rendezvous']} rendezvous
 * @property {{ node: number, error: string }[]} [traceErrors]
 * @property {ReturnType<typeof summarizeScoresByNode>} [scores] - at the end
 * @property {import('./bootstrap.js').BootstrapServer | null} [server] - at which nodes discovered one another
 * @property {Omit<GossipOutcome['mesh'], 'series'>} mesh
 * @property {PublishEnd[]} publishEnds
 * @property {number} meshPeersWithoutStream
 * @property {DeliveryResult | null} deliveries - null: nothing was published
 * @property {number} [clockErrorMs] - by which times between machines may be off; 0: there is one machine
 * @property {import('../../network/node-host.js').LookaheadWindows[]} [windows] - of the processes that shared a virtual time
 * @property {import('../../network/namespace-network.js').NamespaceNetwork | null} joinedBy - null: nodes are in no
 *   namespaces
 * @property {NamespaceFigures | null} carried - by it, of a stretch that is over; null: none is
 * @property {{ versions: Record<string, string> } | null} containers - those of its nodes; null: nodes are in none
 * @property {import('../../report/schema.js').ThresholdResult | null} brokeOff - the threshold that ended the run
 */

/** MAX_LISTED_EDGES: a larger topology is described by its measures alone. */
export const MAX_LISTED_EDGES = 20_000

/** So few messages can remain unpublished because the end came between their due time and the turn of their timer. */
const CUT_OFF_SHARE = 0.01

/**
 * makeTopologyResult describes the network as it was connected.
 *
 * @param {GossipPlan} plan
 * @param {DialResult[]} dialled
 * @returns {GossipOutcome['topology']}
 */
export function makeTopologyResult({ nodes, topology }, dialled) {
  const edges = dialled.flatMap(({ from, to, error }) =>
    error === null ? [/** @type {[number, number]} */ ([from, to])] : []
  )
  const times = new Histogram()
  for (const { ms, error } of dialled) if (error === null) times.record(ms * 1000)
  return {
    kind: topology.kind,
    nodes,
    edges: edges.length <= MAX_LISTED_EDGES ? edges : [],
    edgeCount: edges.length,
    measures: dialled.length === 0 ? null : measureGraph({ nodes, edges }),
    dialsFailed: dialled.length - edges.length,
    dialMs: summarize(times)
  }
}

/**
 * makeGossipOutcome gives what was measured of the network, as far as a run has come.
 *
 * @param {GossipPlan} plan
 * @param {GossipMeasurement} measurement
 * @param {RunFacts & { topology: GossipOutcome['topology'], phases: import('./measure/resource-usage.js').UsageByPhase | null }} known
 * @returns {GossipOutcome}
 */
export function makeGossipOutcome(plan, measurement, known) {
  const { topology, rendezvous, mesh, meshPeersWithoutStream, brokeOff } = known
  const { messages, ...all } = known.deliveries ?? measurement.tracker.resultSoFar()
  const deliveries = omitUncertainTimes(all, known.clockErrorMs ?? 0)
  const { digest, causes, measuredMs, partOf } = measurement
  const cost = {
    ...measurement.cost(deliveries.delivery.delivered),
    // the CPU time of a simulation depends on the machine, and its outcome does not
    ...(digest !== null && { cpuMicrosPerDelivery: null })
  }
  const figures = { messages, ...deliveries, cost, measuredMs, partOf }
  return {
    network: {
      kind: plan.network,
      settings:
        plan.network === 'simulated'
          ? describeSimulatedSettings(plan)
          : { ...known.settings, ...networkSettingsOf(plan) },
      ...(known.joinedBy !== null && { namespaces: known.carried ?? known.joinedBy.figures })
    },
    ...(digest !== null && { digest }),
    topology,
    rendezvous: rendezvous && {
      ...rendezvous,
      ...(known.server != null && { server: known.server.figures })
    },
    // the series grows while partial results are read
    mesh: { ...mesh, series: measurement.meshSeries.result() },
    messages,
    ...deliveries,
    counters: measurement.counters,
    ...(causes !== undefined && decodeCauses(causes)),
    ...(hasScores(plan) && {
      scores: { series: measurement.scoreSeries.result(), nodes: known.scores ?? [] }
    }),
    cost,
    streams: { aborted: measurement.abortedStreams, meshPeersWithoutStream },
    resources:
      digest === null
        ? measurement.resources.map(each => ({
            ...each,
            nodes: listNodesOfWorker(plan, each.worker),
            phases: known.phases?.result(each.worker)
          }))
        : [],
    measuredMs,
    thresholds: judgeThresholds(plan.thresholds, figures, GOSSIP_FIGURES, brokeOff)
  }
}

/** The keys of summaries among times; the others are histograms. */
const SUMMARIES = new Set(['all', 'delivered', 'complete'])

/**
 * omitUncertainTimes leaves out times between machines that are below the possible error of their clocks.
 *
 * @template {Pick<DeliveryResult, 'latency' | 'dissemination' | 'topics' | 'groups'>} T
 * @param {T} deliveries
 * @param {number} errorMs
 * @returns {T}
 */
function omitUncertainTimes(deliveries, errorMs) {
  if (errorMs === 0) return deliveries
  const { latency, dissemination, topics, groups } = deliveries
  /** @param {Record<string, any>} times - summaries, and histograms */
  const ofTimes = times =>
    Object.fromEntries(
      Object.entries(times).map(([key, value]) => [
        key,
        SUMMARIES.has(key) ? removeTimesBelow(value, errorMs) : value
      ])
    )
  /** @param {Record<string, any>} group */
  const ofGroup = group => ({
    ...group,
    ...(group.latency && { latency: ofTimes(group.latency) }),
    ...(group.dissemination && { dissemination: ofTimes(group.dissemination) })
  })
  return {
    ...deliveries,
    ...ofGroup({ latency, dissemination }),
    topics: topics.map(ofGroup),
    ...(groups !== undefined && {
      groups: Object.fromEntries(Object.entries(groups).map(([by, list]) => [by, list.map(ofGroup)]))
    })
  }
}

/**
 * makeSimulatorResult describes the cost of a simulation for the machine it ran on.
 *
 * @param {GossipPlan} plan
 * @param {GossipMeasurement} measurement
 * @param {readonly import('../../network/node-host.js').LookaheadWindows[]} [windows] - of its processes
 * @returns {{ simulator?: Simulator }} empty: the network is real
 */
export function makeSimulatorResult(plan, measurement, windows = []) {
  if (measurement.digest === null) return {}
  const { delivered } = measurement.tracker.figures().delivery
  const { cpuMicrosPerDelivery } = measurement.cost(delivered)
  const processes = countProcesses(plan)
  const [first] = windows
  const split = {
    processes,
    why: processes < plan.workers ? explainSingleProcess(plan) : null,
    lookaheadMs: first?.lookaheadMs ?? null,
    meetings: first?.meetings ?? 0,
    events: computeSum(windows, ({ events }) => events),
    handedOver: computeSum(windows, ({ handedOver }) => handedOver)
  }
  const { resources } = measurement
  return { simulator: { cpuMicrosPerDelivery, resources, ...(plan.workers > 1 && { split }) } }
}

/** @param {string} code @param {Record<string, unknown>} values @returns {Warning} */
const warning = (code, values) => ({ code, values })

/**
 * makeGossipWarnings gives the warnings of a run, ordered by harm.
 *
 * @param {GossipOutcome} outcome
 * @param {import('../../report/schema.js').WorkerHealth[]} health
 * @param {Pick<RunFacts, 'publishEnds' | 'traceErrors' | 'clockErrorMs'> & { publishMs?: number, started?: boolean,
 *   rowsError?: Error | null, limitedBy?: import('../../report/schema.js').LimitedBy }} known -
 *   `publishMs`: how long messages were published; `begun`: publishing has begun; `rowsError`: why rows of deliveries
 *   are missing in their file
 * @returns {Warning[]}
 */
export function makeGossipWarnings(outcome, health, known) {
  const {
    publishEnds,
    publishMs = 0,
    started = true,
    traceErrors = [],
    clockErrorMs = 0,
    rowsError,
    limitedBy
  } = known
  const { messages, lateness, anomalies, streams, latency, dissemination } = outcome
  const { published, skipped, failed } = messages
  // the lateness that 1 % of the messages exceed; of few messages there is no p99, and what half of them exceed, 1 % do too
  const { p99, p95, p90, p50 } = lateness.summary
  const lateMs = (p99 ?? p95 ?? p90 ?? p50)?.ms ?? 0
  const unpublished = unpublishedOf(messages, publishEnds)
  const clockAnomalies = clockAnomaliesOf(anomalies, publishEnds)
  const full = publishEnds.filter(({ endedBy }) => endedBy === 'memory')
  return omitMissing([
    started &&
      // skipped and failed messages have warnings of their own, and a received message was published
      published + skipped + failed + anomalies.unknownMessages + unpublished === 0 &&
      warning('NOTHING_PUBLISHED', { brokenOff: publishEnds.length === 0 }),
    // virtual time waits for a process that is busy
    ...(outcome.network.kind === 'simulated'
      ? []
      : findGeneratorLimit({
          ...{ health, limitedBy },
          times: [
            ['latency', latency.all],
            ['dissemination', dissemination.all]
          ]
        })),
    clockErrorMs > 0 && warning('CLOCKS_APART', { errorMs: clockErrorMs }),
    ...meshWarnings(outcome),
    full.length > 0 && warning('MEMORY_CEILING', { workers: full.length }),
    unpublished > 0 && warning('NOT_PUBLISHED', { count: unpublished, planned: messages.planned }),
    skipped > 0 && warning('MESSAGES_SKIPPED', { count: skipped }),
    failed > 0 && warning('PUBLISH_FAILED', { count: failed, errors: errorCounts(publishEnds) }),
    missingWarning(outcome),
    findBacklogGrowth(outcome.resources, publishMs) !== null && warning('BACKLOG_GROWING', {}),
    streams.aborted > 0 && warning('STREAMS_ABORTED', { count: streams.aborted }),
    lateMs > computeLateAllowanceMs(outcome) && warning('PUBLISH_LATE', { p99Ms: lateMs }),
    traceErrors.length > 0 &&
      warning('TRACES_NOT_WRITTEN', { count: traceErrors.length, error: traceErrors[0].error }),
    rowsError != null && warning('DELIVERIES_NOT_WRITTEN', { error: rowsError.message }),
    clockAnomalies > 0 && warning('CLOCK_ANOMALY', { count: clockAnomalies }),
    ...makeNamespaceWarnings(outcome.network.namespaces)
  ])
}

/** @param {Pick<GossipOutcome, 'topology' | 'mesh'>} outcome */
const meshWarnings = ({ topology, mesh }) =>
  omitMissing([
    topology.dialsFailed > 0 && warning('DIALS_FAILED', { count: topology.dialsFailed }),
    topology.measures?.connected === false &&
      warning('NOT_CONNECTED', { components: topology.measures.components }),
    mesh.missing.length > 0 && warning('MESH_NOT_FORMED', { missing: mesh.missing })
  ])

/** @param {Pick<GossipOutcome, 'missing' | 'delivery'>} outcome */
const missingWarning = ({ missing: { pairs, byReason }, delivery: { expected } }) =>
  pairs > 0 && warning('DELIVERIES_MISSING', { pairs, expected, byReason })

/**
 * makeNetworkWarnings gives the warnings of a network whose nodes are the clients of a rendezvous server.
 *
 * @param {Pick<GossipOutcome, 'topology' | 'mesh' | 'missing' | 'delivery' | 'streams' | 'anomalies'>} outcome
 * @param {number} clockErrorMs - possible error of times between machines; 0: there is one machine
 * @returns {Warning[]}
 */
export function makeNetworkWarnings(outcome, clockErrorMs) {
  const { aborted } = outcome.streams
  const clockAnomalies = clockAnomaliesOf(outcome.anomalies, [])
  return omitMissing([
    clockErrorMs > 0 && warning('CLOCKS_APART', { errorMs: clockErrorMs }),
    ...meshWarnings(outcome),
    missingWarning(outcome),
    aborted > 0 && warning('STREAMS_ABORTED', { count: aborted }),
    clockAnomalies > 0 && warning('CLOCK_ANOMALY', { count: clockAnomalies })
  ])
}

/**
 * clockAnomaliesOf counts impossible events. Publishing that was broken off leaves messages of which only receipts were reported: their
 * publisher ended before its report.
 *
 * @param {GossipOutcome['anomalies']} anomalies
 * @param {PublishEnd[]} ends
 */
const clockAnomaliesOf = ({ negativeLatencies, duplicateReceipts, unknownMessages }, ends) =>
  negativeLatencies + duplicateReceipts + (ends.length === 0 ? 0 : unknownMessages)

/**
 * unpublishedOf counts messages of the schedule that were not published when its time was over.
 *
 * @param {GossipOutcome['messages']} messages
 * @param {PublishEnd[]} ends
 */
function unpublishedOf({ planned, published, skipped, failed }, ends) {
  if (planned === null || !ends.some(({ endedBy }) => endedBy === 'time')) return 0
  const unpublished = planned - published - skipped - failed
  return unpublished > Math.max(1, CUT_OFF_SHARE * planned) ? unpublished : 0
}

/** @param {PublishEnd[]} ends @returns {Record<string, number>} failed publications by error */
function errorCounts(ends) {
  /** @type {Record<string, number>} */
  const sum = {}
  for (const { errors } of ends)
    for (const [code, count] of Object.entries(errors)) sum[code] = (sum[code] ?? 0) + count
  return sum
}

/**
 * @typedef {import('../../network/node-host.js').ScoreStep} ScoreStep
 * @typedef {import('../../network/node-host.js').HostEnd} HostEnd
 * @typedef {import('../../network/node-host.js').ScoreCounts} ScoreCounts
 */

/** As many steps as a plot or a table shows. */
const MAX_SCORE_STEPS = 300

/** ScoreSeries holds the scores that the nodes of a network gave their peers over time. */
export class ScoreSeries {
  #startNs
  /** @type {StepSeries<ScoreCounts>} */
  #steps

  /** @param {number} startNs - earlier samples are left out */
  constructor(startNs) {
    this.#startNs = startNs
    this.#steps = new StepSeries({ startNs, maxSteps: MAX_SCORE_STEPS, join: mergeScores })
  }

  /** add takes the samples of a worker. @param {readonly ScoreStep[]} steps */
  add(steps) {
    for (const { atNs, min, below, buckets, counts } of steps) {
      if (atNs < this.#startNs) continue
      const sample = { min, below, buckets: new Map(Array.from(buckets, (bucket, i) => [bucket, counts[i]])) }
      this.#steps.tell(atNs, before => (before === undefined ? sample : mergeScores(before, sample)))
    }
  }

  /** result has percentiles with an error of up to 1 %, and exact shares; ascending. */
  result() {
    return this.#steps.result().map(([atMs, { min, below, buckets }]) => {
      const ascending = [...buckets].sort(([a], [b]) => a - b)
      const samples = computeSum(ascending, ([, count]) => count)
      const quantile = (/** @type {number} */ q) => {
        let left = q * samples
        const [bucket] = ascending.find(([, count]) => {
          left -= count
          return left <= 0
        }) ?? [0]
        return Math.max(min, Number(scoreBucketMiddle(bucket).toPrecision(3)))
      }
      const [zero, gossip, publish, graylist] = below.map(count => count / samples)
      return {
        ...{ atMs, samples, min, p5: quantile(0.05), p50: quantile(0.5), p95: quantile(0.95) },
        below: { zero, gossipThreshold: gossip, publishThreshold: publish, graylistThreshold: graylist }
      }
    })
  }
}

/** @param {ScoreCounts} a @param {ScoreCounts} b @returns {ScoreCounts} */
function mergeScores(a, b) {
  const buckets = new Map(a.buckets)
  for (const [bucket, count] of b.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
  return { min: Math.min(a.min, b.min), below: a.below.map((count, i) => count + b.below[i]), buckets }
}

/**
 * summarizeScoresByNode gives the scores that each node had from its peers at the end.
 *
 * @param {readonly Pick<HostEnd, 'scores'>[]} ends
 * @returns {{ node: number, peers: number, median: number, min: number }[]} by node
 */
export function summarizeScoresByNode(ends) {
  /** @type {Map<number, number[]>} */
  const nodes = new Map()
  for (const { scores } of ends)
    for (const [row, node] of scores?.peer.entries() ?? []) {
      const own = nodes.get(node) ?? []
      own.push(/** @type {NonNullable<typeof scores>} */ (scores).score[row])
      nodes.set(node, own)
    }
  return [...nodes]
    .sort(([a], [b]) => a - b)
    .map(([node, scores]) => ({
      node,
      peers: scores.length,
      median: median(scores),
      min: Math.min(...scores)
    }))
}

/**
 * @typedef {import('../../network/node-host.js').PublishedRows} PublishedRows
 * @typedef {{ atNs: number, node: number, message: number, parent: number }} Row
 */

const ROW_BYTES = 20
/** The parent of a publication. */
const NO_PARENT = 0xffff_ffff

/**
 * DeliveryDigest is a fingerprint of everything that happened in a run: SHA-256 over every (time, node, message, parent), of
 * publications and of first receipts each, in the order of times, then nodes, then messages. Two runs have the same digest only if
 * every message came to every node at the same nanosecond from the same peer.
 */
export class DeliveryDigest {
  #published
  #received

  /** @param {number} [workers] - that report rows */
  constructor(workers = 1) {
    this.#published = new RowHash(workers)
    this.#received = new RowHash(workers)
  }

  /** @param {PublishedRows} rows @param {number} [worker] @param {number} [untilNs] - it has reported all rows before that time */
  addPublished({ message, node, atNs }, worker = 0, untilNs = 0) {
    for (let i = 0; i < message.length; i++)
      this.#published.add({ atNs: atNs[i], node: node[i], message: message[i], parent: NO_PARENT })
    this.#published.reported(worker, untilNs)
  }

  /** @param {ReceivedRows} rows @param {number} [worker] @param {number} [untilNs] - it has reported all rows before that time */
  addReceived({ message, node, from, atNs }, worker = 0, untilNs = 0) {
    for (let i = 0; i < message.length; i++)
      this.#received.add({ atNs: atNs[i], node: node[i], message: message[i], parent: from[i] })
    this.#received.reported(worker, untilNs)
  }

  /** hex is the digest of all rows so far. @returns {string} 64 digits */
  hex() {
    return createHash('sha256').update(this.#published.digest()).update(this.#received.digest()).digest('hex')
  }
}

/** RowHash hashes rows of workers in the order of their times: a row waits until all workers have reported the rows before it. */
class RowHash {
  #hash = createHash('sha256')
  /** @type {Row[]} */
  #waiting = []
  #untilNs

  /** @param {number} workers */
  constructor(workers) {
    this.#untilNs = Array(workers).fill(Number.NEGATIVE_INFINITY)
  }

  /** @param {Row} row */
  add(row) {
    this.#waiting.push(row)
  }

  /** @param {number} worker @param {number} untilNs */
  reported(worker, untilNs) {
    this.#untilNs[worker] = untilNs
    const allUntilNs = Math.min(...this.#untilNs)
    this.#waiting.sort(byTime)
    const late = this.#waiting.findIndex(({ atNs }) => atNs >= allUntilNs)
    this.#hash.update(bytesOf(this.#waiting.splice(0, late === -1 ? this.#waiting.length : late)))
  }

  digest() {
    return this.#hash
      .copy()
      .update(bytesOf(this.#waiting.toSorted(byTime)))
      .digest()
  }
}

/** @param {Row} a @param {Row} b */
const byTime = (a, b) => a.atNs - b.atNs || a.node - b.node || a.message - b.message || a.parent - b.parent

/** @param {Row[]} rows @returns {Buffer} */
function bytesOf(rows) {
  const bytes = Buffer.alloc(rows.length * ROW_BYTES)
  for (const [i, { atNs, node, message, parent }] of rows.entries()) {
    const at = i * ROW_BYTES
    bytes.writeDoubleLE(atNs, at)
    bytes.writeUInt32LE(node, at + 8)
    bytes.writeUInt32LE(message, at + 12)
    bytes.writeUInt32LE(parent, at + 16)
  }
  return bytes
}

/**
 * The result document of a run of the gossip scenario.
 *
 * @typedef {import('../../report/schema.js').Summary} Summary
 * @typedef {import('../../report/schema.js').Result} RendezvousResult
 * @typedef {import('../../report/schema.js').Shape<typeof import('./schema.js').outcome>} GossipOutcome
 * @typedef {Omit<import('./measure/delivery-tracker.js').DeliveryFigures, 'openMessages'> & Pick<GossipOutcome, 'cost' | 'measuredMs'>} GossipFigures - the
 *   figures that thresholds check, during a run and in its outcome
 * @typedef {GossipOutcome['cost']} GossipCost - of the publish and cool-down phases
 * @typedef {GossipOutcome['topology']} TopologyResult
 * @typedef {GossipOutcome['mesh']} MeshResult
 * @typedef {NonNullable<GossipOutcome['network']['namespaces']>} NamespaceFigures
 * @typedef {NonNullable<GossipOutcome['rendezvous']>} RendezvousSteps - of the topology `rendezvous`
 * @typedef {GossipOutcome['resources'][number]} WorkerResources
 * @typedef {Pick<WorkerResources, 'cpu' | 'memory' | 'traffic'>} WorkerUse
 * @typedef {NonNullable<GossipOutcome['churn']>} ChurnResult - nodes that left, and returned or were replaced, besides the expected deliveries:
 *   those of nodes that were there, and had been for long enough
 * @typedef {NonNullable<GossipOutcome['script']>} ScriptResult
 *
 * @typedef {object} Simulator - what the simulation of a network cost the machine it ran on
 * @property {number | null} cpuMicrosPerDelivery
 * @property {WorkerResources[]} resources
 * @property {Split} [split] - where several processes were asked for
 *
 * @typedef {object} Split - of a simulation over processes
 * @property {number} processes
 * @property {string | null} why - there is one alone; null: there are as many as asked for
 * @property {number | null} lookaheadMs - for so long what nodes send is under way at the least; null: not known
 * @property {number} meetings - of the processes
 * @property {number} events - in all of them
 * @property {number} handedOver - from one process to another
 *
 * @typedef {RendezvousResult['run'] & { simulator?: Simulator }} GossipRun
 * @typedef {Omit<RendezvousResult, 'scenario' | 'plan' | 'outcome' | 'run'> & { scenario: 'gossip',
 *   plan: import('./options.js').GossipPlan, outcome: GossipOutcome, run: GossipRun }} GossipResult
 *
 * @typedef {Extract<import('../index.js').AnyResult, { outcome: GossipOutcome }>} NetworkResult - of any network that carries
 *   messages: views of a GossipResult hold for it too
 */
