// Entry of the gossip scenario: the object through which commands, studies and reports make its plans, run them and read
// its results.
import { expandTopics, listScriptedCuts, placeNodes } from '../../load/network-script.js'
import { countWantedAgents } from '../../plan/agents.js'
import { computeMeanRate, getReplayMs, hasOwnRates } from '../../plan/arrivals.js'
import {
  escapeForName,
  lowerRateByShare,
  reduceCount,
  roundScaled,
  scaleArrivals,
  shortenTime
} from '../../plan/matrix-case.js'
import { listAddedValues, listCaseKeys } from '../../plan/options.js'
import { makeCoreSample, makeGaugeSample } from '../../report/prometheus.js'
import { countNodes, DEFAULT_JITTER, DOCKER, isImpairable } from '../network-options.js'
import { COMMAND } from './command.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from './figures.js'
import {
  GOSSIPSUB_PARAMS,
  GOSSIPSUB_PRESETS,
  gatherGossipsubParams,
  PRESET_TOPIC_SCORES,
  toGossipsubFlags
} from './gossipsub.js'
import { GOSSIP_OPTIONS } from './options.js'
import { estimateGossipMs } from './plan/resources.js'
import { GOSSIP_COMBINATIONS } from './plan/rules.js'
import { writePublishers } from './topics.js'

/**
 * limitDefaultTopology limits the neighbours of the default topology to the number of other nodes, so that a network of few nodes needs no other
 * topology.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @param {ReadonlyMap<string, unknown>} explicit
 * @param {number} nodes
 * @returns {Record<string, any>} values
 */
function limitDefaultTopology(values, explicit, nodes) {
  const { topology } = values
  if (explicit.has('topology') || !(nodes >= 2)) return values
  const fitted = Object.entries(topology).map(([name, value]) =>
    name === 'k' || name === 'm' ? [name, Math.min(value, nodes - 1)] : [name, value]
  )
  return { ...values, topology: Object.fromEntries(fitted) }
}

/** @typedef {import('./options.js').GossipPlan} GossipPlan */

/**
 * applyNetworkFile replaces values of options by those of the network file.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Record<string, any>} values
 */
function applyNetworkFile(values) {
  const { networkFile, seed, topology } = values
  if (networkFile === undefined || topology === undefined) return values
  const plan = { networkFile, seed, nodes: countNodes(values) }
  const { topics, zones } = /** @type {import('./plan/network-file.js').NetworkFile} */ (networkFile)
  return {
    ...values,
    ...(topics !== null && ofTopics(topics, values)),
    ...(zones !== null && {
      linkLatency: {
        kind: 'matrix',
        ms: zones.latencyMs,
        names: zones.names,
        regions: placeNodes(plan)?.zoneOf
      }
    })
  }
}

/** @param {readonly import('./plan/network-file.js').TopicSpec[]} specs @param {Record<string, any>} values */
function ofTopics(specs, values) {
  /** @type {import('./plan/network-file.js').NetworkFile} */
  const { script } = values.networkFile
  const all = expandTopics({ topics: specs })
  const scored = all.filter(({ spec }) => spec.score !== null)
  const perSecond = all.reduce((sum, { spec }) => sum + (spec.ratePerSecond ?? 0), 0)
  return {
    topics: all.map(({ name, spec }) => ({ name, chance: spec.subscribers?.share ?? 1 })),
    // without one only the script publishes
    rate: perSecond === 0 ? null : perSecond,
    messageBytes: {
      min: Math.min(...specs.map(({ messageBytes }) => messageBytes.min)),
      max: Math.max(...specs.map(({ messageBytes }) => messageBytes.max))
    },
    ...(scored.length > 0 && {
      topicScoreParams: Object.fromEntries(scored.map(({ name, spec }) => [name, spec.score]))
    }),
    // publishing by the script alone ends with the script
    ...(perSecond === 0 && {
      duration:
        values.duration ??
        Math.max(1000, ...script.map(({ atMs, forMs = 0 }) => Math.ceil((atMs + forMs + 1) / 1000) * 1000))
    })
  }
}

/** Time between two messages of a node of the profiling study. */
const STUDY_MS = { min: 100, max: 300 }
/**
 * 30 nodes with this interval have 2,800 deliveries/s. Each takes 1.3 ms of CPU, and twice that until its code is compiled. 16 cores are
 * half used by them.
 */
const STUDY = { nodes: 30, cores: 16 }

/**
 * scaledInterval is the interval of the study where the machine has enough cores for it, and longer where it has fewer. Deliveries grow with
 * the square of the number of nodes.
 *
 * @param {number} nodes
 * @param {number} cores
 */
function scaledInterval(nodes, cores) {
  const times = Math.max(1, (STUDY.cores / cores) * (nodes / STUDY.nodes) ** 2)
  return Object.freeze({ min: Math.round(times * STUDY_MS.min), max: Math.round(times * STUDY_MS.max) })
}

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {GossipPlan}
 */
function toPlan(picked, values, { cores }) {
  const { messages, publishers, arrivals, preset, topology, seed, networkFile } = values
  const durationMs = values.duration ?? getReplayMs(arrivals) ?? null
  const rate = hasOwnRates(arrivals) ? computeMeanRate(arrivals) : values.rate
  const nodes = countNodes(values)
  const { networkFile: _, ...others } = picked
  const own = Object.entries(others).filter(([key]) => !Object.hasOwn(GOSSIPSUB_PARAMS, key))
  return /** @type {GossipPlan} */ ({
    scenario: 'gossip',
    ...Object.fromEntries(own),
    ...(networkFile && { networkFile: Object.freeze(networkFile) }),
    ...makePlanLinks(values),
    topology: Object.freeze(topology.seed === null ? { ...topology, seed } : topology),
    nodes,
    durationMs,
    messages: durationMs === null && publishers !== 'every' ? messages : null,
    intervalMs:
      values.interval ??
      (publishers === 'every' ? scaledInterval(nodes, cores) : Object.freeze({ ...STUDY_MS })),
    loadModel: publishers === 'every' ? values.loadModel : 'open',
    ratePerSecond: publishers === 'every' ? null : rate,
    gossipsub: Object.freeze({
      ...GOSSIPSUB_PRESETS[/** @type {keyof typeof GOSSIPSUB_PRESETS} */ (preset)],
      ...gatherGossipsubParams(values)
    }),
    topicScoreParams: topicScores(values),
    thresholds: Object.freeze(values.threshold ?? []),
    workers:
      values.workers ??
      (values.agents == null ? computeDefaultWorkers(values, nodes, cores) : countWantedAgents(values.agents))
  })
}

/** A topic without score parameters has those of the preset. @param {Record<string, any>} values */
function topicScores({ topics, preset, topicScoreParams: own = null }) {
  const general = PRESET_TOPIC_SCORES[preset]
  if (general === undefined) return own
  const ofPreset = topics.map((/** @type {{ name: string }} */ { name }) => [name, general])
  return { ...Object.fromEntries(ofPreset), ...own }
}

/** A node on real links has addresses of its own, hence a worker of its own. @param {Record<string, any>} values @param {number} nodes @param {number} cores */
function computeDefaultWorkers({ network, nodesPerContainer }, nodes, cores) {
  if (network === 'simulated') return 1
  if (network === DOCKER) return Math.ceil(nodes / (nodesPerContainer ?? 1))
  return network === 'namespaces' ? nodes : Math.max(1, Math.min(cores, nodes))
}

/** Removes values that a plan has from its network file. @param {GossipPlan} plan */
function clearFileValues({ networkFile }) {
  if (networkFile === undefined) return {}
  const { topics, zones, gossipsub } = networkFile
  const none = (/** @type {string[]} */ keys) => Object.fromEntries(keys.map(key => [key, null]))
  return {
    ...(topics !== null && none(['topics', 'ratePerSecond', 'messageBytes', 'topicScoreParams'])),
    ...(zones !== null && none(['linkLatencyMs'])),
    ...none(Object.keys(toGossipsubFlags(/** @type {any} */ (gossipsub))))
  }
}

/** GOSSIP_KIND makes the plans of the gossip scenario. @type {Readonly<import('../index.js').PlanKind>} */
export const GOSSIP_KIND = {
  options: GOSSIP_OPTIONS,
  combinations: GOSSIP_COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'messages'],
    ['messages', 'duration'],
    ['warmup', 'warmupTimeout'],
    ['warmupTimeout', 'warmup']
  ]),
  implied: (values, explicit) => applyNetworkFile(limitDefaultTopology(values, explicit, values.nodes)),
  toPlan,
  flat(/** @type {GossipPlan} */ plan) {
    const { topology, seed, gossipsub } = plan
    const ofPlan = 'seed' in topology && topology.seed === seed
    return {
      ...plan,
      ...restoreLinkOptions(plan),
      topology: ofPlan ? { ...topology, seed: null } : topology,
      ...toGossipsubFlags(gossipsub),
      ...clearFileValues(plan)
    }
  },
  unsaid: (/** @type {GossipPlan} */ plan) => [
    ...(plan.messages === null ? ['messages'] : []),
    ...(hasOwnRates(plan.arrivals) ? ['ratePerSecond'] : [])
  ]
}

/**
 * @typedef {import('../../network/link-properties.js').LatencySpec} LatencySpec
 * @typedef {import('../../network/link-properties.js').JitterSpec} JitterSpec
 */

/** @param {Record<string, any>} values @returns {JitterSpec | null} */
const jitterOf = ({ network, linkJitter }) =>
  isImpairable({ network }) ? (linkJitter ?? DEFAULT_JITTER) : null

/**
 * makePlanLinks makes the keys of a plan for its links whose values differ from those of options.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Pick<GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'partitions'>}
 */
function makePlanLinks(values) {
  /** @type {LatencySpec} */
  const latency = values.linkLatency
  const isSame = latency.kind === 'constant'
  return {
    linkLatencyMs: isSame ? latency.ms : 0,
    linkLatencies: isSame ? null : Object.freeze(latency),
    linkJitter: jitterOf(values),
    partitions: Object.freeze([
      ...(values.partition ?? []),
      ...listScriptedCuts({ nodes: countNodes(values), seed: values.seed, networkFile: values.networkFile })
    ])
  }
}

/**
 * restoreLinkOptions converts these keys back to values of options.
 *
 * @param {GossipPlan} plan
 * @returns {{ linkLatencyMs: LatencySpec, linkJitter: JitterSpec | null, partitions: GossipPlan['partitions'] | null }} null: the default
 */
function restoreLinkOptions(plan) {
  const { network, linkLatencyMs, linkLatencies, linkJitter } = plan
  const partitions = plan.partitions.slice(0, plan.partitions.length - listScriptedCuts(plan).length)
  const usual = JSON.stringify(jitterOf({ network }))
  return {
    linkLatencyMs: linkLatencies ?? { kind: 'constant', ms: linkLatencyMs },
    linkJitter: JSON.stringify(linkJitter) === usual ? null : linkJitter,
    partitions: partitions.length === 0 ? null : partitions
  }
}

/** Keys that were added to plans since the first release. */
const ADDED_TO_PLAN = { linkLatencies: null, ...listAddedValues(GOSSIP_OPTIONS) }

/** Topologies that had no seed of their own in plans of earlier releases. */
const UNSEEDED = ['random-degree', 'regular', 'small-world']

/** Renames the keys of plans of earlier releases, and adds missing ones. @param {Record<string, any>} plan */
const migratePlan = ({
  preset,
  linkJitterMs,
  lossShare,
  bandwidthBytesPerSecond,
  fidelity,
  ideal,
  ...plan
}) => ({
  ...ADDED_TO_PLAN,
  ...(fidelity === 'full' && { fidelity }),
  ...(ideal && { ideal }),
  linkJitter: linkJitterMs ? { kind: 'time', ms: linkJitterMs } : null,
  linkLossShare: lossShare ?? null,
  upBandwidthBytesPerSecond: bandwidthBytesPerSecond ?? null,
  ...plan,
  topology:
    UNSEEDED.includes(plan.topology?.kind) && !('seed' in plan.topology)
      ? { ...plan.topology, seed: plan.seed }
      : plan.topology,
  preset: preset === 'none' ? 'default' : preset
})

/**
 * filled adds to a result of a network the parts that were added since version 1. A plan that is missing stays so.
 *
 * @param {Record<string, any>} document
 * @returns {Record<string, any>}
 */
export const filled = ({ plan, ...document }) => ({ ...document, plan: plan && migratePlan(plan) })

/** NETWORK_GAUGES are the Prometheus gauges of a network, besides its figures. @type {readonly import('../../report/prometheus.js').GaugeSpec[]} */
const NETWORK_GAUGES = [
  {
    name: 'loadtest_network_info',
    help: '1, with what joins the nodes: real TCP on this host (loopback, namespaces, docker), or nothing real (simulated)',
    labelNames: ['network'],
    read: ({ plan }) =>
      plan !== null && 'network' in plan ? makeGaugeSample(1, { network: plan.network }) : []
  },
  {
    name: 'loadtest_workers_cpu_cores',
    help: 'CPU of the worker processes at the last sample, in cores',
    read: ({ progress }) => makeCoreSample(progress.cpuPercent)
  },
  {
    name: 'loadtest_workers_memory_bytes',
    help: 'Memory of the worker processes at the last sample',
    read: ({ progress }) => makeGaugeSample(progress.rssBytes)
  }
]

/** @param {GossipPlan} plan */
const pace = ({ publishers, ratePerSecond, intervalMs }) =>
  publishers === 'every'
    ? `each${intervalMs.min}-${intervalMs.max}ms`
    : `${typeof publishers === 'object' ? `${escapeForName(writePublishers(publishers))}-` : ''}rate${ratePerSecond ?? 'auto'}`

/** NAMING of the cases of networks that carry messages. @type {import('../../plan/matrix-case.js').CaseNaming} */
export const NAMING = {
  short: new Set(['nodes', 'topology', 'publishers', 'rate', 'interval', 'messages', 'duration']),
  inShort: (/** @type {GossipPlan} */ plan) => [
    `n${plan.nodes}`,
    escapeForName(GOSSIP_OPTIONS.topology.write?.(plan.topology) ?? plan.topology.kind),
    pace(plan),
    plan.messages === null ? `${plan.durationMs}ms` : `msgs${plan.messages}`
  ]
}

/** PUBLISHED describes published cases: the keys of their plans, and their figures. @type {Readonly<import('../index.js').Published>} */
const PUBLISHED = {
  rowFigures: {
    columns: {
      nodes: 'Nodes',
      topology: 'Topology',
      network: 'Network',
      rate: 'Rate/s',
      disseminationMs: 'Dissem. avg ms',
      latencyMs: ['Latency p50 ms', 'Latency p90 ms', 'Latency max ms'],
      bytesPerDelivery: 'Bytes/delivery',
      received: ['Delivered', 'Expected'],
      published: 'Messages',
      seconds: 'Measured s',
      lost: ['Lost messages', 'Messages']
    },
    drawn: ['Last hop avg', 'Dissem. avg ms', 'Latency p50 ms', 'Latency p99 ms', 'MDR %'],
    over: ['Degree avg']
  },
  // the last two keys of a plan have no option of their own
  case: [...listCaseKeys(GOSSIP_OPTIONS), 'gossipsub', 'linkLatencies'],
  rates: ['ratePerSecond', 'intervalMs'],
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const ofAll = z.tuple([number, number], { error: 'must be two numbers: how many, and of how many' })
    // a study may have published how many deliveries it expected, or not
    return {
      disseminationMs: number,
      latencyMs: z.tuple([number, number, number], {
        error: 'must be three numbers: p50, p90 and the largest'
      }),
      bytesPerDelivery: number,
      received: z.union([ofAll, number]),
      lost: ofAll,
      published: number,
      seconds: number
    }
  }
}

/** A cool-down is not scaled below this. */
const MIN_COOLDOWN_MS = 10_000

/** @param {NonNullable<GossipPlan['networkFile']>} file @param {{ rate: number, time: number }} scale */
const scaledFile = ({ topics, script, ...file }, { rate, time }) =>
  Object.freeze({
    ...file,
    topics:
      topics?.map(topic => ({ ...topic, ratePerSecond: lowerRateByShare(topic.ratePerSecond, rate) })) ??
      null,
    script: script.map(step => ({
      ...step,
      atMs: roundScaled(step.atMs * time),
      ...(step.forMs !== undefined && { forMs: roundScaled(step.forMs * time) })
    }))
  })

/**
 * scaled gives the parts of a plan that change with its size. The warm-up of the mesh does not: it takes the same time. A number of messages
 * counts as time, at their rate.
 *
 * @param {GossipPlan} plan
 * @param {import('../../plan/matrix-case.js').AllScales} scales
 * @returns {Partial<GossipPlan>}
 */
function scaled(plan, { scale, scaleTime, scaleRate: rate }) {
  const { messages, durationMs, cooldownMs, ratePerSecond, intervalMs, networkFile } = plan
  const time = scale * scaleTime
  const { min, max } = intervalMs
  const longer = (/** @type {number} */ ms) => roundScaled(ms / rate)
  return {
    messages: reduceCount(messages, time, 1),
    durationMs: shortenTime(durationMs, time),
    cooldownMs: Math.max(Math.min(cooldownMs, MIN_COOLDOWN_MS), Math.ceil(cooldownMs * time)),
    ratePerSecond: lowerRateByShare(ratePerSecond, rate),
    arrivals: scaleArrivals(plan.arrivals, { rate, time }),
    // networks are partitioned in the same part of a shorter time
    partitions: Object.freeze(
      plan.partitions.map(cut => ({
        ...cut,
        fromMs: roundScaled(cut.fromMs * time),
        toMs: roundScaled(cut.toMs * time)
      }))
    ),
    ...(networkFile && { networkFile: scaledFile(networkFile, { rate, time }) }),
    intervalMs:
      plan.publishers === 'every' ? Object.freeze({ min: longer(min), max: longer(max) }) : intervalMs
  }
}

/** GOSSIP publishes messages in a gossipsub network. @type {import('../index.js').ComparableScenario} */
export const GOSSIP = {
  name: 'gossip',
  command: COMMAND,
  ...GOSSIP_KIND,
  ...PUBLISHED,
  naming: NAMING,
  estimateMs: estimateGossipMs,
  scaled,
  schemas: () => import('./schema.js'),
  filled,
  figures: GOSSIP_FIGURES,
  compared: GOSSIP_COMPARED,
  gauges: NETWORK_GAUGES,
  differences: async () => (await import('../../run/profile-description.js')).PROFILE_DIFFERENCES,
  endless: (/** @type {import('./options.js').GossipPlan} */ { messages, durationMs }) =>
    messages === null && durationMs === null,
  run: async () => (await import('./run/gossip-run.js')).runGossip,
  describe: () => import('./describe.js')
}
