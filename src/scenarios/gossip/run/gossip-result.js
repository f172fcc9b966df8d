import { present, sumOf as total } from '../../../kit/lists.js'
import { withheldBelow } from '../../../measure/clock-error.js'
import { Histogram } from '../../../measure/histogram.js'
import { summarize } from '../../../measure/summary.js'
import { causesResult } from '../../../network/gossip/causes.js'
import { hasScores } from '../../../network/gossip/gossipsub-options.js'
import { surroundingSettings } from '../../../network/namespaces/settings.js'
import { simulatedSettings } from '../../../network/simulated/settings.js'
import { graphMeasures } from '../../../network/topology/graph-measures.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { generatorLimited } from '../../generator-limited.js'
import { namespaceWarnings } from '../../namespaces/namespace-warnings.js'
import { GOSSIP_FIGURES } from '../figures.js'
import { backlogGrows } from '../measure/backlog-growth.js'
import { lateAllowedMs } from '../measure/publication-times.js'
import { processesOf, whyTogether } from '../plan/processes-of.js'
import { nodesOf } from './gossip-pool.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../gossip-types.js').GossipOutcome} GossipOutcome
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('../measure/delivery-result.js').DeliveryResult} DeliveryResult
 * @typedef {import('../../../network/node-host.js').Dialled} Dialled
 * @typedef {import('../../../network/node-host.js').PublishEnd} PublishEnd
 * @typedef {import('./gossip-measurement.js').GossipMeasurement} GossipMeasurement
 *
 * @typedef {object} GossipKnown - what is known of a run beside its measurement
 * @property {Dialled[]} dialled
 * @property {import('../../../libp2p/node-settings.js').Settings} settings - of nodes of a real network
 * @property {GossipOutcome['rendezvous']} rendezvous
 * @property {{ node: number, error: string }[]} [traceErrors]
 * @property {ReturnType<typeof import('../measure/score-series.js').scoresByNode>} [scores] - in the end
 * @property {import('./gossip-rendezvous.js').RendezvousServer | null} [server] - at which nodes found one another
 * @property {Omit<GossipOutcome['mesh'], 'series'>} mesh
 * @property {PublishEnd[]} publishEnds
 * @property {number} meshPeersWithoutStream
 * @property {DeliveryResult | null} deliveries - null: nothing was published
 * @property {number} [clockErrorMs] - by which times between machines may be off; 0: there is one machine
 * @property {import('../../../network/node-host.js').Windows[]} [windows] - of the processes that shared a virtual time
 * @property {import('../../namespaces/namespace-network.js').NamespaceNetwork | null} joinedBy - null: nodes are in no
 *   namespaces
 * @property {import('../gossip-types.js').NamespaceFigures | null} carried - by it, of a stretch that is over; null: none is
 * @property {import('../../containers/node-containers.js').NodeContainers | null} containers - null: nodes are in none
 * @property {import('../../../result/types.js').ThresholdResult | null} brokeOff - the threshold that ended the run
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
 * @param {GossipKnown & { topology: GossipOutcome['topology'], phases: import('../measure/usage-by-phase.js').UsageByPhase | null }} known
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
            nodes: nodesOf(plan, each.worker),
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
 * @param {readonly import('../../../network/node-host.js').Windows[]} [windows] - of its processes
 * @returns {{ simulator?: import('../gossip-types.js').Simulator }} nothing of a real network
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
 * @param {readonly import('../../../network/node-host.js').Windows[]} windows
 * @returns {import('../gossip-types.js').Split}
 */
function splitOf(plan, windows) {
  const processes = processesOf(plan)
  const first = windows[0]
  return {
    processes,
    why: processes < plan.workers ? whyTogether(plan) : null,
    lookaheadMs: first?.lookaheadMs ?? null,
    meetings: first?.meetings ?? 0,
    events: total(windows, ({ events }) => events),
    handedOver: total(windows, ({ handedOver }) => handedOver)
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
 * @param {import('../../../result/types.js').WorkerHealth[]} health
 * @param {Pick<GossipKnown, 'publishEnds' | 'traceErrors' | 'clockErrorMs'> & { publishMs?: number, begun?: boolean,
 *   rowsError?: Error | null, limitedBy?: import('../../../result/types.js').LimitedBy }} known -
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
    messages.failed > 0 && warning('PUBLISH_FAILED', { count: messages.failed, errors: sumOf(publishEnds) }),
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

/** What 1 % of the messages exceed. Of few messages there is no p99, and what half of them exceed, 1 % do too. @param {import('../../../result/types.js').Summary} lateness */
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
function sumOf(ends) {
  /** @type {Record<string, number>} */
  const sum = {}
  for (const { errors } of ends)
    for (const [code, count] of Object.entries(errors)) sum[code] = (sum[code] ?? 0) + count
  return sum
}
