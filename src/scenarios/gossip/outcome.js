// The outcome of a gossip run, gathered from what the hosts of all workers report.

import { createHash } from 'node:crypto'
import { present, sumOf } from '../../kit/collections.js'
import { withheldBelow } from '../../measure/distribution.js'
import { Histogram, summarize } from '../../measure/histogram.js'
import { Steps } from '../../measure/series.js'
import { causesResult, hasScores, scoreBucketMiddle } from '../../network/gossipsub.js'
import { surroundingSettings } from '../../network/namespaces.js'
import { graphMeasures } from '../../network/topology.js'
import { judgeAll } from '../../report/checks.js'
import { generatorLimited } from '../../report/warnings.js'
import { digestWithEngine, simulatedSettings } from '../../simulator/simulation-settings.js'
import { namespaceWarnings } from '../router-figures.js'
import { GOSSIP_FIGURES } from './figures.js'
import { DeliveryTracker, lateAllowedMs } from './measure/delivery-tracker.js'
import { mergeEvidence } from './measure/receipts.js'
import { backlogGrows, WorkerUsage } from './measure/resource-usage.js'
import { processesOf, whyTogether } from './plan/resources.js'
import { nodesOfWorker } from './run/pool.js'

/** @typedef {import('../../network/node-host.js').Counters} Counters */

/** COUNTER_NAMES of all Counters. @type {readonly (keyof Counters)[]} */
export const COUNTER_NAMES = [
  'duplicates',
  'bytesSent',
  'bytesReceived',
  'rpcsSent',
  'rpcsReceived',
  'messagesSent',
  'messagesReceived',
  'ihaveSent',
  'iwantSent',
  'graftSent',
  'pruneSent',
  'idontwantSent',
  'accepted',
  'ignored',
  'rejected',
  'promisesBroken',
  'foreign',
  'refusedRpcs'
]

/** @param {(name: keyof Counters) => number} countOf */
const countersOf = countOf =>
  /** @type {Counters} */ (Object.fromEntries(COUNTER_NAMES.map(name => [name, countOf(name)])))

/**
 * sumCounters adds counters up.
 *
 * @param {Iterable<Counters>} list
 */
function sumCounters(list) {
  const all = [...list]
  return countersOf(name => sumOf(all, counters => counters[name] ?? 0))
}

/**
 * counterDifference is what was counted between two moments.
 *
 * @param {Counters} later
 * @param {Counters} earlier
 */
export const counterDifference = (later, earlier) =>
  countersOf(name => (later[name] ?? 0) - (earlier[name] ?? 0))

/** NetworkCounters sums what the hosts of all workers last told. One whose worker has died keeps what it told last. */
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

  /** total of the network so far; kept at two moments, their difference is that of a phase. */
  total() {
    return sumCounters([...this.#latest.values()].map(({ counters }) => counters))
  }

  /** causes of the network so far. @returns {Float64Array | undefined} undefined: a worker does not know them */
  causes() {
    const [first, ...others] = [...this.#latest.values()].map(({ causes }) => causes)
    return others.reduce((sum, causes) => causes && sum?.map((each, i) => each + causes[i]), first)
  }
}

/**
 * @typedef {import('../../network/node-host.js').HostInterval['meshDegree']} Degrees
 *
 * @typedef {object} MeshPoint
 * @property {number} atMs - since the start, of the beginning of the step
 * @property {number} min - mesh peers of a (node, topic) pair
 * @property {number} avg
 * @property {number} max
 */

/**
 * MeshSeries is the mesh degree of the network over time. Workers tell theirs at moments of their own: a step in which one tells
 * nothing has what it told last, as long as it tells anything later.
 */
export class MeshSeries {
  /** @type {Steps<ReadonlyMap<number, Degrees>>} by worker */
  #steps

  /**
   * @param {number} startNs
   * @param {number} [stepMs] - at the beginning
   */
  constructor(startNs, stepMs) {
    this.#steps = new Steps({
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

  /** @returns {MeshPoint[]} ascending, at most MOST_STEPS */
  result() {
    const steps = this.#steps.result()
    const ends = new Map(steps.flatMap(([atMs, told]) => [...told.keys()].map(worker => [worker, atMs])))
    /** @type {Map<number, Degrees>} by worker */
    const last = new Map()
    return steps.map(([atMs, told]) => {
      for (const [worker, degrees] of told) last.set(worker, degrees)
      for (const [worker, endMs] of ends) if (endMs < atMs) last.delete(worker)
      const { min, max, sum, count } = [...last.values()].reduce(mergeDegrees)
      return { atMs, min, avg: sum / count, max }
    })
  }
}

/** @param {ReadonlyMap<number, Degrees>} told @param {[worker: number, degrees: Degrees]} more */
function withDegrees(told, [worker, degrees]) {
  const before = told.get(worker)
  return new Map(told).set(worker, before === undefined ? degrees : mergeDegrees(before, degrees))
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
 * @typedef {object} Lens - what looks at intervals before deliveries are counted
 * @property {(interval: HostInterval, received: ReceivedRows) => ReceivedRows} take - gives the receipts that are expected deliveries
 */

/** GossipMeasurement gathers what the hosts of all workers tell, from the moment publishing begins. */
export class GossipMeasurement {
  #counters = new NetworkCounters()
  /** @type {Counters | null} when publishing began */
  #before = null
  /** @type {Float64Array | undefined} then, too */
  #causesBefore
  #startNs
  #endNs
  /** @type {{ before: number, now: number }[]} by worker */
  #aborted = []
  tracker
  /** Rows come in the order of their times from a simulated network alone. @type {DeliveryDigest | null} */
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
   * @param {Lens | null} [run.lens]
   * @param {import('./measure/delivery-breakdown.js').DeliveryRows | null} [run.rows] - where each delivery is a row; null: nowhere
   * @param {import('./measure/delivery-breakdown.js').Groups | null} [run.groups] - that count too; null: there are none
   */
  constructor({
    workers,
    nodes,
    subscriptions,
    startNs,
    planned,
    simulated = false,
    isThere,
    lens = null,
    rows = null,
    groups = null
  }) {
    this.rows = rows
    this.#groups = groups
    this.#lens = lens
    this.#startNs = startNs
    this.#endNs = startNs
    this.tracker = new DeliveryTracker({ nodes, subscriptions, startNs, planned, isThere, rows, groups })
    this.#digest = simulated ? new DeliveryDigest(workers) : null
    this.meshSeries = new MeshSeries(startNs)
    this.scoreSeries = new ScoreSeries(startNs)
    this.usage = Array.from({ length: workers }, () => new WorkerUsage(startNs))
  }

  /** before takes what the hosts had counted when publishing began. @param {HostInterval} interval @param {number} worker */
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
    // what nobody expected of a node that left or returned has happened, too
    this.#digest?.addReceived(received, worker, atNs)
    this.#counters.add(worker, interval)
    this.#groups?.addBytes(interval.nodeBytes)
    this.meshSeries.add(worker, interval)
    this.scoreSeries.add(interval.scores ?? [])
    this.usage[worker].add(interval)
    this.#aborted[worker] = { before: this.#aborted[worker]?.before ?? 0, now: abortedStreams }
    this.#endNs = Math.max(this.#endNs, atNs)
  }

  /**
   * close ends the measurement: what has not been received by now is missing.
   *
   * @param {import('../../network/node-host.js').HostEnd[]} ends - of the workers that told theirs
   * @param {Pick<import('./measure/receipts.js').DeliveryEvidence, 'gone' | 'partitions' | 'absences' | 'components'>} known - in the main process
   * @returns {{ deliveries: DeliveryResult, meshPeersWithoutStream: number }}
   */
  close(ends, { gone, partitions, absences, components }) {
    const hosts = ends.map(({ evidence }) => evidence)
    const evidence = mergeEvidence(hosts, gone, { partitions, absences }, components)
    this.tracker.close(evidence, this.#endNs)
    return { deliveries: this.tracker.result(), meshPeersWithoutStream: evidence.meshWithoutStream.length }
  }

  /** startNs of the publish phase. */
  get startNs() {
    return this.#startNs
  }

  /** digest of all deliveries so far, behind the name of its engine; null: of a real network. */
  get digest() {
    return this.#digest === null ? null : digestWithEngine(this.#digest.hex())
  }

  /** endNs is the latest time that a host told. */
  get endNs() {
    return this.#endNs
  }

  get measuredMs() {
    return Math.max(0, this.#endNs - this.#startNs) / 1e6
  }

  get abortedStreams() {
    return this.#aborted.reduce((sum, { before, now }) => sum + now - before, 0)
  }

  /** counters since publishing began. */
  get counters() {
    const total = this.#counters.total()
    return counterDifference(total, this.#before ?? total)
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
      cpuMicrosPerDelivery: each(sumOf(this.usage, ({ cpuMicros }) => cpuMicros)),
      duplicatesPerDelivery: each(duplicates),
      bytesPerDelivery: each(bytesSent),
      rpcsPerDelivery: each(rpcsSent),
      controlPerDelivery: each(ihaveSent + iwantSent + graftSent + pruneSent + idontwantSent)
    }
  }

  /** partOf is what is known of a part of the network that a threshold is set on. @param {import('../../measure/figure.js').Part} part */
  partOf(part) {
    return /** @type {import('../../measure/figure.js').Outcome | null} */ (
      /** @type {unknown} */ (this.#groups?.part(part) ?? null)
    )
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
 * @typedef {import('../../network/node-host.js').Dialled} Dialled
 * @typedef {import('../../network/node-host.js').PublishEnd} PublishEnd
 * @typedef {object} GossipKnown - what is known of a run beside its measurement
 * @property {Dialled[]} dialled
 * @property {import('../../libp2p/node-settings.js').Settings} settings - of nodes of a real network
 * @property {GossipOutcome['rendezvous']} rendezvous
 * @property {{ node: number, error: string }[]} [traceErrors]
 * @property {ReturnType<typeof scoresByNode>} [scores] - in the end
 * @property {import('./bootstrap.js').RendezvousServer | null} [server] - at which nodes found one another
 * @property {Omit<GossipOutcome['mesh'], 'series'>} mesh
 * @property {PublishEnd[]} publishEnds
 * @property {number} meshPeersWithoutStream
 * @property {DeliveryResult | null} deliveries - null: nothing was published
 * @property {number} [clockErrorMs] - by which times between machines may be off; 0: there is one machine
 * @property {import('../../network/node-host.js').Windows[]} [windows] - of the processes that shared a virtual time
 * @property {import('../../network/namespace-network.js').NamespaceNetwork | null} joinedBy - null: nodes are in no
 *   namespaces
 * @property {NamespaceFigures | null} carried - by it, of a stretch that is over; null: none is
 * @property {import('../../network/node-containers.js').NodeContainers | null} containers - null: nodes are in none
 * @property {import('../../report/schema.js').ThresholdResult | null} brokeOff - the threshold that ended the run
 */

/** MAX_EDGES_KEPT: a larger topology is described by its measures alone. */
export const MAX_EDGES_KEPT = 20_000

/** The end can come between a message's due time and a timer's turn. */
const CUT_OFF_SHARE = 0.01

/**
 * topologyResult describes the network as it was connected.
 *
 * @param {GossipPlan} plan
 * @param {Dialled[]} dialled
 * @returns {GossipOutcome['topology']}
 */
export function topologyResult({ nodes, topology }, dialled) {
  const edges = dialled.flatMap(({ from, to, error }) =>
    error === null ? [/** @type {[number, number]} */ ([from, to])] : []
  )
  const times = new Histogram()
  for (const { ms, error } of dialled) if (error === null) times.record(ms * 1000)
  return {
    kind: topology.kind,
    nodes,
    edges: edges.length <= MAX_EDGES_KEPT ? edges : [],
    edgeCount: edges.length,
    measures: dialled.length === 0 ? null : graphMeasures({ nodes, edges }),
    dialsFailed: dialled.length - edges.length,
    dialMs: summarize(times)
  }
}

/**
 * gossipOutcome gives what was measured of the network, as far as a run has come.
 *
 * @param {GossipPlan} plan
 * @param {GossipMeasurement} measurement
 * @param {GossipKnown & { topology: GossipOutcome['topology'], phases: import('./measure/resource-usage.js').UsageByPhase | null }} known
 * @returns {GossipOutcome}
 */
export function gossipOutcome(plan, measurement, known) {
  const { topology, rendezvous, mesh, meshPeersWithoutStream, brokeOff } = known
  const { messages, ...all } = known.deliveries ?? measurement.tracker.resultSoFar()
  const deliveries = withheld(all, known.clockErrorMs ?? 0)
  const { digest, causes } = measurement
  const cost = costOf(measurement, deliveries.delivery.delivered)
  const partOf = measurement.partOf.bind(measurement)
  const figures = { messages, ...deliveries, cost, measuredMs: measurement.measuredMs, partOf }
  return {
    network: {
      kind: plan.network,
      settings: settingsOf(plan, known.settings),
      ...(known.joinedBy !== null && { namespaces: known.carried ?? known.joinedBy.figures })
    },
    ...(digest !== null && { digest }),
    topology,
    rendezvous: rendezvous && {
      ...rendezvous,
      ...(known.server != null && { server: known.server.figures })
    },
    // it grows while results so far are read
    mesh: { ...mesh, series: measurement.meshSeries.result() },
    messages,
    ...deliveries,
    counters: measurement.counters,
    ...(causes !== undefined && causesResult(causes)),
    ...(hasScores(plan) && {
      scores: { series: measurement.scoreSeries.result(), nodes: known.scores ?? [] }
    }),
    cost,
    streams: { aborted: measurement.abortedStreams, meshPeersWithoutStream },
    resources:
      digest === null
        ? resourcesOf(measurement).map(each => ({
            ...each,
            nodes: nodesOfWorker(plan, each.worker),
            phases: known.phases?.result(each.worker)
          }))
        : [],
    measuredMs: measurement.measuredMs,
    thresholds: judgeAll(plan.thresholds, figures, GOSSIP_FIGURES, brokeOff)
  }
}

/**
 * Times between machines that are less than these may be off by say nothing.
 *
 * @template {Pick<DeliveryResult, 'latency' | 'dissemination' | 'topics' | 'groups'>} T
 * @param {T} deliveries
 * @param {number} errorMs
 * @returns {T}
 */
function withheld(deliveries, errorMs) {
  if (errorMs === 0) return deliveries
  const { latency, dissemination, topics, groups } = deliveries
  /** @param {Record<string, any>} times - summaries, and histograms */
  const ofTimes = times =>
    Object.fromEntries(
      Object.entries(times).map(([key, value]) => [
        key,
        SUMMARIES.has(key) ? withheldBelow(value, errorMs) : value
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

/** What of times is a summary; the rest are histograms. */
const SUMMARIES = new Set(['all', 'delivered', 'complete'])

/** @param {GossipMeasurement} measurement */
const resourcesOf = ({ usage }) => usage.map((each, worker) => each.result(worker))

/**
 * The CPU time of a simulation is the machine's, and no part of an outcome that is the same on every machine.
 *
 * @param {GossipMeasurement} measurement
 * @param {number} deliveries
 * @returns {GossipOutcome['cost']}
 */
const costOf = (measurement, deliveries) => ({
  ...measurement.cost(deliveries),
  ...(measurement.digest !== null && { cpuMicrosPerDelivery: null })
})

/**
 * simulatorOf is what a simulation cost the machine it ran on.
 *
 * @param {GossipPlan} plan
 * @param {GossipMeasurement} measurement
 * @param {readonly import('../../network/node-host.js').Windows[]} [windows] - of its processes
 * @returns {{ simulator?: Simulator }} nothing of a real network
 */
export function simulatorOf(plan, measurement, windows = []) {
  if (measurement.digest === null) return {}
  const { delivered } = measurement.tracker.figures().delivery
  const { cpuMicrosPerDelivery } = measurement.cost(delivered)
  return {
    simulator: {
      cpuMicrosPerDelivery,
      resources: resourcesOf(measurement),
      ...(plan.workers > 1 && { split: splitOf(plan, windows) })
    }
  }
}

/**
 * @param {GossipPlan} plan
 * @param {readonly import('../../network/node-host.js').Windows[]} windows
 * @returns {Split}
 */
function splitOf(plan, windows) {
  const processes = processesOf(plan)
  const first = windows[0]
  return {
    processes,
    why: processes < plan.workers ? whyTogether(plan) : null,
    lookaheadMs: first?.lookaheadMs ?? null,
    meetings: first?.meetings ?? 0,
    events: sumOf(windows, ({ events }) => events),
    handedOver: sumOf(windows, ({ handedOver }) => handedOver)
  }
}

/** @param {GossipPlan} plan @param {GossipKnown['settings']} ofNodes */
const settingsOf = (plan, ofNodes) =>
  plan.network === 'simulated' ? simulatedSettings(plan) : { ...ofNodes, ...surroundingSettings(plan) }

/** Virtual time waits for a process that is busy. @param {GossipOutcome} outcome */
const isReal = ({ network }) => network.kind !== 'simulated'

/** @param {string} code @param {Record<string, unknown>} values @returns {Warning} */
const warning = (code, values) => ({ code, values })

/**
 * gossipWarnings gives what a reader of the figures must know.
 *
 * @param {GossipOutcome} outcome
 * @param {import('../../report/schema.js').WorkerHealth[]} health
 * @param {Pick<GossipKnown, 'publishEnds' | 'traceErrors' | 'clockErrorMs'> & { publishMs?: number, begun?: boolean,
 *   rowsError?: Error | null, limitedBy?: import('../../report/schema.js').LimitedBy }} known -
 *   `publishMs`: how long it was published for; `begun`: publishing has; `rowsError`: why rows of deliveries
 *   are missing in their file
 * @returns {Warning[]}
 */
export function gossipWarnings(
  outcome,
  health,
  {
    publishEnds,
    publishMs = 0,
    begun = true,
    traceErrors = [],
    clockErrorMs = 0,
    rowsError = null,
    limitedBy
  }
) {
  const { messages, lateness, anomalies, streams } = outcome
  const lateMs = latenessOf(lateness.summary)
  const unpublished = unpublishedOf(messages, publishEnds)
  const strange = strangeOf(anomalies, publishEnds)
  const full = publishEnds.filter(({ endedBy }) => endedBy === 'memory')
  return present([
    begun &&
      isNothing(outcome) &&
      unpublished === 0 &&
      warning('NOTHING_PUBLISHED', { brokenOff: publishEnds.length === 0 }),
    ...(isReal(outcome)
      ? generatorLimited({
          health,
          limitedBy,
          times: [
            ['latency', outcome.latency.all],
            ['dissemination', outcome.dissemination.all]
          ]
        })
      : []),
    clockErrorMs > 0 && warning('CLOCKS_APART', { errorMs: clockErrorMs }),
    ...meshWarnings(outcome),
    full.length > 0 && warning('MEMORY_CEILING', { workers: full.length }),
    unpublished > 0 && warning('NOT_PUBLISHED', { count: unpublished, planned: messages.planned }),
    messages.skipped > 0 && warning('MESSAGES_SKIPPED', { count: messages.skipped }),
    messages.failed > 0 &&
      warning('PUBLISH_FAILED', { count: messages.failed, errors: errorCounts(publishEnds) }),
    ...missingWarnings(outcome),
    backlogGrows(outcome.resources, publishMs) !== null && warning('BACKLOG_GROWING', {}),
    streams.aborted > 0 && warning('STREAMS_ABORTED', { count: streams.aborted }),
    lateMs > lateAllowedMs(outcome) && warning('PUBLISH_LATE', { p99Ms: lateMs }),
    traceErrors.length > 0 &&
      warning('TRACES_NOT_WRITTEN', { count: traceErrors.length, error: traceErrors[0].error }),
    rowsError !== null && warning('DELIVERIES_NOT_WRITTEN', { error: rowsError.message }),
    strange > 0 && warning('CLOCK_ANOMALY', { count: strange }),
    ...namespaceWarnings(outcome.network.namespaces)
  ])
}

/** @param {Pick<GossipOutcome, 'topology' | 'mesh'>} outcome */
const meshWarnings = ({ topology, mesh }) =>
  present([
    topology.dialsFailed > 0 && warning('DIALS_FAILED', { count: topology.dialsFailed }),
    topology.measures?.connected === false &&
      warning('NOT_CONNECTED', { components: topology.measures.components }),
    mesh.missing.length > 0 && warning('MESH_NOT_FORMED', { missing: mesh.missing })
  ])

/** @param {Pick<GossipOutcome, 'missing' | 'delivery'>} outcome */
const missingWarnings = ({ missing, delivery }) =>
  present([
    missing.pairs > 0 &&
      warning('DELIVERIES_MISSING', {
        pairs: missing.pairs,
        expected: delivery.expected,
        byReason: missing.byReason
      })
  ])

/**
 * networkWarnings gives what a reader must know of a network whose nodes are the clients of a rendezvous server.
 *
 * @param {Pick<GossipOutcome, 'topology' | 'mesh' | 'missing' | 'delivery' | 'streams' | 'anomalies'>} outcome
 * @param {number} clockErrorMs - by which times between machines may be off; 0: there is one machine
 * @returns {Warning[]}
 */
export function networkWarnings(outcome, clockErrorMs) {
  const { anomalies, streams } = outcome
  const strange = strangeOf(anomalies, [])
  return present([
    clockErrorMs > 0 && warning('CLOCKS_APART', { errorMs: clockErrorMs }),
    ...meshWarnings(outcome),
    ...missingWarnings(outcome),
    streams.aborted > 0 && warning('STREAMS_ABORTED', { count: streams.aborted }),
    strange > 0 && warning('CLOCK_ANOMALY', { count: strange })
  ])
}

/** What was skipped or failed has a warning of its own, and what was received was published. @param {GossipOutcome} outcome */
const isNothing = ({ messages: { published, skipped, failed }, anomalies }) =>
  published + skipped + failed + anomalies.unknownMessages === 0

/**
 * strangeOf counts what cannot be. Publishing that was broken off leaves messages of which only the receipts were told: their
 * publisher was gone before it could tell.
 *
 * @param {GossipOutcome['anomalies']} anomalies
 * @param {PublishEnd[]} ends
 */
const strangeOf = ({ negativeLatencies, duplicateReceipts, unknownMessages }, ends) =>
  negativeLatencies + duplicateReceipts + (ends.length === 0 ? 0 : unknownMessages)

/** What 1 % of the messages exceed. Of few messages there is no p99, and what half of them exceed, 1 % do too. @param {import('../../report/schema.js').Summary} lateness */
const latenessOf = ({ p99, p95, p90, p50 }) => (p99 ?? p95 ?? p90 ?? p50)?.ms ?? 0

/**
 * unpublishedOf counts messages of the schedule that were still to be published when its time was over.
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
 * @typedef {{ min: number, below: number[], buckets: Map<number, number> }} Told
 */

/** As many as are drawn, and rows of a table. */
const MAX_STEPS = 300

/** ScoreSeries is how the nodes of a network were scored by their peers over time. */
export class ScoreSeries {
  #startNs
  /** @type {Steps<Told>} */
  #steps

  /** @param {number} startNs - what was sampled before is left out */
  constructor(startNs) {
    this.#startNs = startNs
    this.#steps = new Steps({ startNs, most: MAX_STEPS, join: mergeScores })
  }

  /** add takes what a worker sampled. @param {readonly ScoreStep[]} steps */
  add(steps) {
    for (const { atNs, min, below, buckets, counts } of steps) {
      if (atNs < this.#startNs) continue
      const told = { min, below, buckets: new Map(Array.from(buckets, (bucket, i) => [bucket, counts[i]])) }
      this.#steps.tell(atNs, before => (before === undefined ? told : mergeScores(before, told)))
    }
  }

  /** result has percentiles to 1 %, and shares that are exact; ascending. */
  result() {
    return this.#steps.result().map(([atMs, { min, below, buckets }]) => {
      const ascending = [...buckets].sort(([a], [b]) => a - b)
      const samples = sumOf(ascending, ([, count]) => count)
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

/** @param {Told} a @param {Told} b @returns {Told} */
function mergeScores(a, b) {
  const buckets = new Map(a.buckets)
  for (const [bucket, count] of b.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
  return { min: Math.min(a.min, b.min), below: a.below.map((count, i) => count + b.below[i]), buckets }
}

/**
 * scoresByNode gives what the peers of each node gave it in the end.
 *
 * @param {readonly Pick<HostEnd, 'scores'>[]} ends
 * @returns {{ node: number, peers: number, median: number, min: number }[]} by node
 */
export function scoresByNode(ends) {
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
    .map(([node, unsorted]) => {
      const ascending = unsorted.sort((a, b) => a - b)
      const half = ascending.length / 2
      const median = (ascending[Math.ceil(half) - 1] + ascending[Math.floor(half)]) / 2
      return { node, peers: ascending.length, median, min: ascending[0] }
    })
}

/**
 * @typedef {import('../../network/node-host.js').PublishedRows} PublishedRows
 * @typedef {{ atNs: number, node: number, message: number, parent: number }} Row
 */

const ROW_BYTES = 20
/** Of a publication: nobody sent it. */
const NO_PARENT = 0xffff_ffff

/**
 * DeliveryDigest is a fingerprint of everything that happened in a run: SHA-256 over every (time, node, message, parent), of
 * publications and of first receipts each, in the order of times, then nodes, then messages. Two runs have the same one only if
 * every message came to every node at the same nanosecond from the same peer. Rows of one worker must come in the order of their times.
 */
export class DeliveryDigest {
  #published
  #received

  /** @param {number} [workers] - that rows come from */
  constructor(workers = 1) {
    const rows = () => (workers === 1 ? new RowHash() : new MergedRowHash(workers))
    this.#published = rows()
    this.#received = rows()
  }

  /** @param {PublishedRows} rows @param {number} [worker] @param {number} [untilNs] - it has told all before that time */
  addPublished({ message, node, atNs }, worker = 0, untilNs = 0) {
    for (let i = 0; i < message.length; i++)
      this.#published.add({ atNs: atNs[i], node: node[i], message: message[i], parent: NO_PARENT })
    this.#published.told(worker, untilNs)
  }

  /** @param {ReceivedRows} rows @param {number} [worker] @param {number} [untilNs] - it has told all before that time */
  addReceived({ message, node, from, atNs }, worker = 0, untilNs = 0) {
    for (let i = 0; i < message.length; i++)
      this.#received.add({ atNs: atNs[i], node: node[i], message: message[i], parent: from[i] })
    this.#received.told(worker, untilNs)
  }

  /** hex is the digest of what has come so far. @returns {string} 64 digits */
  hex() {
    return createHash('sha256').update(this.#published.digest()).update(this.#received.digest()).digest('hex')
  }
}

/** RowHash hashes rows in their order; those of one moment are put in order first, so that only they have to be kept. */
class RowHash {
  #hash = createHash('sha256')
  /** @type {Row[]} of one moment */
  #moment = []

  /** @param {Row} row */
  add(row) {
    if (this.#moment.length > 0 && this.#moment[0].atNs !== row.atNs) {
      this.#hash.update(bytesOf(this.#moment))
      this.#moment = []
    }
    this.#moment.push(row)
  }

  /** Rows of one worker are in order: nothing is waited for. */
  told() {}

  digest() {
    return this.#hash.copy().update(bytesOf(this.#moment)).digest()
  }

  /** copy gives another one that goes on from here. */
  copy() {
    const copy = new RowHash()
    copy.#hash = this.#hash.copy()
    copy.#moment = [...this.#moment]
    return copy
  }
}

/** MergedRowHash hashes rows of several workers in the order of their times: they wait until all workers have told what came before them. */
class MergedRowHash {
  #rows = new RowHash()
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
  told(worker, untilNs) {
    const before = Math.min(...this.#untilNs)
    this.#untilNs[worker] = untilNs
    const now = Math.min(...this.#untilNs)
    if (now === before) return
    const inOrder = inOrderOfTime(this.#waiting)
    const late = inOrder.findIndex(({ atNs }) => atNs >= now)
    this.#waiting = late === -1 ? [] : inOrder.slice(late)
    for (const row of late === -1 ? inOrder : inOrder.slice(0, late)) this.#rows.add(row)
  }

  digest() {
    const all = this.#rows.copy()
    for (const row of inOrderOfTime(this.#waiting)) all.add(row)
    return all.digest()
  }
}

/** @param {readonly Row[]} rows */
const inOrderOfTime = rows => rows.toSorted((a, b) => a.atNs - b.atNs)

/** @param {Row[]} rows @returns {Buffer} */
function bytesOf(rows) {
  if (rows.length > 1) rows.sort((a, b) => a.node - b.node || a.message - b.message || a.parent - b.parent)
  const bytes = Buffer.alloc(rows.length * ROW_BYTES)
  for (const [place, { atNs, node, message, parent }] of rows.entries()) {
    const at = place * ROW_BYTES
    bytes.writeDoubleLE(atNs, at)
    bytes.writeUInt32LE(node, at + 8)
    bytes.writeUInt32LE(message, at + 12)
    bytes.writeUInt32LE(parent, at + 16)
  }
  return bytes
}

/**
 * The result document of a run of the gossip scenario. Only types live here.
 *
 * @typedef {import('../../report/schema.js').Summary} Summary
 * @typedef {import('../../report/schema.js').Result} RendezvousResult
 * @typedef {object} GossipFigures - what thresholds are judged by: known while a run goes on, and part of its outcome
 * @property {DeliveryResult['messages']} messages
 * @property {DeliveryResult['delivery']} delivery
 * @property {{ all: Summary, delivered: Summary }} latency - publish to first receipt, of each delivery
 * @property {{ all: Summary, complete: Summary }} dissemination - publish to the last delivery, of each message
 * @property {GossipCost} cost
 * @property {number} measuredMs
 *
 * @typedef {object} CarriedRate - what `--rate auto` of an earlier release found
 * @property {number | null} perSecond - the highest rate that was carried; null: none was, or none yet
 * @property {number | null} lowestNotCarried - null: none so far
 * @property {Trial[]} trials - in the order they were made
 *
 * @typedef {object} Trial
 * @property {number} perSecond
 * @property {boolean} carried - in all of its repeats
 * @property {number} repeats - up to the first that failed
 * @property {import('./figures.js').NotCarried[]} reasons - why the last one was not carried
 *
 * @typedef {import('../../report/schema.js').Shape<typeof import('./schema.js').outcome>} Described
 * @typedef {Omit<Described, 'missing' | 'carriedRate'> & { missing: DeliveryResult['missing'], carriedRate?: CarriedRate | null }} GossipOutcome -
 *   `carriedRate`: where there is one the figures are those of the last trial carried, of its last repeat
 * @typedef {Described['cost']} GossipCost - of the publish and cool-down phases
 * @typedef {Described['topology']} TopologyResult
 * @typedef {Described['mesh']} MeshResult
 * @typedef {NonNullable<Described['network']['namespaces']>} NamespaceFigures
 * @typedef {NonNullable<Described['rendezvous']>} RendezvousSteps - of the topology `rendezvous`
 * @typedef {Described['resources'][number]} WorkerResources
 * @typedef {Pick<WorkerResources, 'cpu' | 'memory' | 'traffic'>} Used
 * @typedef {NonNullable<Described['churn']>} Churned - what became of nodes that left, and returned or were replaced, beside the deliveries that were expected:
 *   those of nodes that were there, and had been for long enough
 * @typedef {NonNullable<Described['script']>} ScriptResult
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
