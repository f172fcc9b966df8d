// The gossip scenario as commands, studies or reports see it: how a network of nodes that publish messages is planned, estimated, scaled, named.
import { placementOf, scriptedCuts, topicsOf } from '../../load/network-script.js'
import { agentsIn } from '../../plan/agents.js'
import { meanRate, replayedMs, saysItsRates } from '../../plan/arrivals.js'
import { clean, fewer, safeInNames, scaledArrivals, shorter, slower } from '../../plan/matrix-case.js'
import { addedSince, caseKeys } from '../../plan/options.js'
import { coreSample, gaugeSample } from '../../report/prometheus.js'
import { DOCKER, isImpairable, nodeCount, USUAL_JITTER } from '../network-options.js'
import { COMMAND } from './command.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from './figures.js'
import {
  GOSSIPSUB_PARAMS,
  gossipsubFlags,
  gossipsubValues,
  PRESET_TOPIC_SCORES,
  PRESETS
} from './gossipsub.js'
import { GOSSIP_OPTIONS } from './options.js'
import { estimateMs } from './plan/resources.js'
import { GOSSIP_COMBINATIONS } from './plan/rules.js'
import { writePublishers } from './topics.js'

/**
 * usualTopology has a network of few nodes be of the usual topology all the same, with as many neighbours as there are: who chose none is
 * not told to choose another one.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @param {ReadonlyMap<string, unknown>} given
 * @param {number} nodes
 * @returns {Record<string, any>} values
 */
function usualTopology(values, given, nodes) {
  const { topology } = values
  if (given.has('topology') || !(nodes >= 2)) return values
  const fitted = Object.entries(topology).map(([name, value]) =>
    name === 'k' || name === 'm' ? [name, Math.min(value, nodes - 1)] : [name, value]
  )
  return { ...values, topology: Object.fromEntries(fitted) }
}

/** @typedef {import('./options.js').GossipPlan} GossipPlan */

/**
 * fromNetworkFile has values be what the network file says, so that whoever reads them need not know whence they are.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Record<string, any>} values
 */
function fromNetworkFile(values) {
  const { networkFile, seed, topology } = values
  if (networkFile === undefined || topology === undefined) return values
  const plan = { networkFile, seed, nodes: nodeCount(values) }
  const { topics, zones } = /** @type {import('./plan/network-file.js').NetworkFile} */ (networkFile)
  return {
    ...values,
    ...(topics !== null && ofTopics(topics, values)),
    ...(zones !== null && {
      linkLatency: {
        kind: 'matrix',
        ms: zones.latencyMs,
        names: zones.names,
        regions: placementOf(plan)?.zoneOf
      }
    })
  }
}

/** @param {readonly import('./plan/network-file.js').TopicSpec[]} specs @param {Record<string, any>} values */
function ofTopics(specs, values) {
  const all = topicsOf({ topics: specs })
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
    ...(perSecond === 0 && { duration: values.duration ?? scriptMs(values.networkFile) })
  }
}

/** Publishing that only the script does ends with it. @param {import('./plan/network-file.js').NetworkFile} file */
const scriptMs = ({ script }) =>
  Math.max(1000, ...script.map(({ atMs, forMs = 0 }) => Math.ceil((atMs + forMs + 1) / 1000) * 1000))

/** Time between the messages of a host of the profiling study. */
const STUDY_MS = { min: 100, max: 300 }
/**
 * 30 nodes that publish as often have 2,800 deliveries/s, which take 1.3 ms of CPU each, twice that until their code is compiled: so many cores
 * carry them and have half of their time left.
 */
const STUDY = { nodes: 30, cores: 16 }

/**
 * scaledInterval is the study's where there are cores enough for it, and so many times as long where there are fewer. Deliveries grow with the
 * square of the nodes.
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
  const durationMs = values.duration ?? replayedMs(arrivals) ?? null
  const rate = saysItsRates(arrivals) ? meanRate(arrivals) : values.rate
  const nodes = nodeCount(values)
  const { networkFile: _, ...others } = picked
  const own = Object.entries(others).filter(([key]) => !Object.hasOwn(GOSSIPSUB_PARAMS, key))
  return /** @type {GossipPlan} */ ({
    scenario: 'gossip',
    ...Object.fromEntries(own),
    ...(networkFile && { networkFile: Object.freeze(networkFile) }),
    ...linksInPlan(values),
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
      ...PRESETS[/** @type {keyof typeof PRESETS} */ (preset)],
      ...gossipsubValues(values)
    }),
    topicScoreParams: topicScores(values),
    thresholds: Object.freeze(values.threshold ?? []),
    workers:
      values.workers ?? (values.agents == null ? usualWorkers(values, nodes, cores) : agentsIn(values.agents))
  })
}

/** A topic that nothing is said of has the score parameters of the preset. @param {Record<string, any>} values */
function topicScores({ topics, preset, topicScoreParams: own = null }) {
  const general = PRESET_TOPIC_SCORES[preset]
  if (general === undefined) return own
  const ofPreset = topics.map((/** @type {{ name: string }} */ { name }) => [name, general])
  return { ...Object.fromEntries(ofPreset), ...own }
}

/** A node on real links is alone with its addresses. @param {Record<string, any>} values @param {number} nodes @param {number} cores */
function usualWorkers({ network, nodesPerContainer }, nodes, cores) {
  if (network === 'simulated') return 1
  if (network === DOCKER) return Math.ceil(nodes / (nodesPerContainer ?? 1))
  return network === 'namespaces' ? nodes : Math.max(1, Math.min(cores, nodes))
}

/** What a plan has from its network file nobody gave. @param {GossipPlan} plan */
function ofFlagsAlone({ networkFile }) {
  if (networkFile === undefined) return {}
  const { topics, zones, gossipsub } = networkFile
  const none = (/** @type {string[]} */ keys) => Object.fromEntries(keys.map(key => [key, null]))
  return {
    ...(topics !== null && none(['topics', 'ratePerSecond', 'messageBytes', 'topicScoreParams'])),
    ...(zones !== null && none(['linkLatencyMs'])),
    ...none(Object.keys(gossipsubFlags(/** @type {any} */ (gossipsub))))
  }
}

/** A topology with the seed of the plan needs none of its own. @param {GossipPlan} plan */
const withoutPlanSeed = ({ topology, seed }) =>
  'seed' in topology && topology.seed === seed ? { ...topology, seed: null } : topology

/** GOSSIP_KIND makes the plans of the gossip scenario. @type {Readonly<import('../index.js').Kind>} */
export const GOSSIP_KIND = {
  options: GOSSIP_OPTIONS,
  combinations: GOSSIP_COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'messages'],
    ['messages', 'duration'],
    ['warmup', 'warmupTimeout'],
    ['warmupTimeout', 'warmup']
  ]),
  implied: (values, given) => fromNetworkFile(usualTopology(values, given, values.nodes)),
  toPlan,
  flat: (/** @type {GossipPlan} */ plan) => ({
    ...plan,
    ...linksAsked(plan),
    topology: withoutPlanSeed(plan),
    ...gossipsubFlags(plan.gossipsub),
    ...ofFlagsAlone(plan)
  }),
  unsaid: (/** @type {GossipPlan} */ plan) => [
    ...(plan.messages === null ? ['messages'] : []),
    ...(saysItsRates(plan.arrivals) ? ['ratePerSecond'] : [])
  ]
}

/**
 * @typedef {import('../../network/link-properties.js').LatencySpec} LatencySpec
 * @typedef {import('../../network/link-properties.js').JitterSpec} JitterSpec
 */

/** @param {Record<string, any>} values @returns {JitterSpec | null} */
function jitterOf({ network, linkJitter }) {
  if (!isImpairable({ network })) return null
  return linkJitter ?? USUAL_JITTER
}

/**
 * linksInPlan gives what a plan has of its links that does not stand there as it was given.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Pick<GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'partitions'>}
 */
function linksInPlan(values) {
  /** @type {LatencySpec} */
  const latency = values.linkLatency
  const isSame = latency.kind === 'constant'
  return {
    linkLatencyMs: isSame ? latency.ms : 0,
    linkLatencies: isSame ? null : Object.freeze(latency),
    linkJitter: jitterOf(values),
    partitions: Object.freeze([
      ...(values.partition ?? []),
      ...scriptedCuts({ nodes: nodeCount(values), seed: values.seed, networkFile: values.networkFile })
    ])
  }
}

/**
 * linksAsked gives it back as it was asked for.
 *
 * @param {GossipPlan} plan
 * @returns {{ linkLatencyMs: LatencySpec, linkJitter: JitterSpec | null, partitions: GossipPlan['partitions'] | null }} null: it is as usual
 */
function linksAsked(plan) {
  const { network, linkLatencyMs, linkLatencies, linkJitter } = plan
  const partitions = plan.partitions.slice(0, plan.partitions.length - scriptedCuts(plan).length)
  const usual = JSON.stringify(jitterOf({ network }))
  return {
    linkLatencyMs: linkLatencies ?? { kind: 'constant', ms: linkLatencyMs },
    linkJitter: JSON.stringify(linkJitter) === usual ? null : linkJitter,
    partitions: partitions.length === 0 ? null : partitions
  }
}

/** What was added to the plans of networks of nodes since they were first run. */
const ADDED_TO_PLAN = { linkLatencies: null, ...addedSince(GOSSIP_OPTIONS) }

/** @param {number | null | undefined} ms */
const jitterIn = ms => (ms == null || ms === 0 ? null : { kind: 'time', ms })

/** These had no seed of their own. */
const UNSEEDED = ['random-degree', 'regular', 'small-world']

/** @param {Record<string, any>} topology @param {number} seed - of the plan */
const seeded = (topology, seed) =>
  UNSEEDED.includes(topology?.kind) && !('seed' in topology) ? { ...topology, seed } : topology

/** What was called otherwise when networks of nodes were first run, and options that said nothing. @param {Record<string, any>} plan */
const withNames = ({
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
  linkJitter: jitterIn(linkJitterMs),
  linkLossShare: lossShare ?? null,
  upBandwidthBytesPerSecond: bandwidthBytesPerSecond ?? null,
  ...plan,
  topology: seeded(plan.topology, plan.seed),
  preset: preset === 'none' ? 'default' : preset
})

/**
 * filled gives a result of a network what was added to version 1. A part that is missing altogether stays so: the schema says which.
 *
 * @param {Record<string, any>} document
 * @returns {Record<string, any>}
 */
export const filled = ({ plan, ...document }) => ({ ...document, plan: plan && withNames(plan) })

/** NETWORK_GAUGES are what Prometheus is told of a network beside its figures. @type {readonly import('../../report/prometheus.js').GaugeSpec[]} */
const NETWORK_GAUGES = [
  {
    name: 'loadtest_network_info',
    help: '1, with what joins the nodes: real TCP on this host (loopback, namespaces, docker), or nothing real (simulated)',
    labelNames: ['network'],
    read: ({ plan }) => (plan !== null && 'network' in plan ? gaugeSample(1, { network: plan.network }) : [])
  },
  {
    name: 'loadtest_workers_cpu_cores',
    help: 'CPU of the worker processes at the last sample, in cores',
    read: ({ progress }) => coreSample(progress.cpuPercent)
  },
  {
    name: 'loadtest_workers_memory_bytes',
    help: 'Memory of the worker processes at the last sample',
    read: ({ progress }) => gaugeSample(progress.rssBytes)
  }
]

/** @param {GossipPlan} plan */
const pace = ({ publishers, ratePerSecond, intervalMs }) =>
  publishers === 'every'
    ? `each${intervalMs.min}-${intervalMs.max}ms`
    : `${typeof publishers === 'object' ? `${safeInNames(writePublishers(publishers))}-` : ''}rate${ratePerSecond ?? 'auto'}`

/** NAMING of the cases of networks that carry messages. @type {import('../../plan/matrix-case.js').Naming} */
export const NAMING = {
  short: new Set(['nodes', 'topology', 'publishers', 'rate', 'interval', 'messages', 'duration']),
  inShort: (/** @type {GossipPlan} */ plan) => [
    `n${plan.nodes}`,
    safeInNames(GOSSIP_OPTIONS.topology.write?.(plan.topology) ?? plan.topology.kind),
    pace(plan),
    plan.messages === null ? `${plan.durationMs}ms` : `msgs${plan.messages}`
  ]
}

/** Keys of a plan that are of a case and have no option of their own. */
const NO_OPTION = ['gossipsub', 'linkLatencies']

/** gossipCase gives the keys in which plans of a published case of a network agree. @param {import('../../plan/plan.js').OptionTable} options */
const gossipCase = options => [...caseKeys(options), ...NO_OPTION]

/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../index.js').Published>} */
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
  case: gossipCase(GOSSIP_OPTIONS),
  rates: ['ratePerSecond', 'intervalMs'],
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const ofAll = z.tuple([number, number], { error: 'must be two numbers: how many, and of how many' })
    // of a study that published how many it expected, or not
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

/** What is waited for at most is no shorter than this, unless the case has it so. */
const SHORTEST_WAIT_MS = 10_000

/** Networks are cut off in the same part of a shorter time. @param {GossipPlan['partitions']} cuts @param {number} share */
const scaledCuts = (cuts, share) =>
  Object.freeze(
    cuts.map(cut => ({ ...cut, fromMs: clean(cut.fromMs * share), toMs: clean(cut.toMs * share) }))
  )

/** @param {NonNullable<GossipPlan['networkFile']>} file @param {{ rate: number, time: number }} scale */
const scaledFile = ({ topics, script, ...file }, { rate, time }) =>
  Object.freeze({
    ...file,
    topics: topics?.map(topic => ({ ...topic, ratePerSecond: slower(topic.ratePerSecond, rate) })) ?? null,
    script: script.map(step => ({
      ...step,
      atMs: clean(step.atMs * time),
      ...(step.forMs !== undefined && { forMs: clean(step.forMs * time) })
    }))
  })

/**
 * scaled is what of a plan changes with its size. The mesh takes the time it takes: warm-up has no other limit. Messages by number are time, at their rate.
 *
 * @param {GossipPlan} plan
 * @param {import('../../plan/matrix-case.js').AllScales} scales
 * @returns {Partial<GossipPlan>}
 */
function scaled(
  {
    messages,
    durationMs,
    cooldownMs,
    ratePerSecond,
    arrivals,
    intervalMs,
    publishers,
    partitions,
    networkFile
  },
  { scale, ...scales }
) {
  const time = scale * scales.scaleTime
  const { min, max } = intervalMs
  const longer = (/** @type {number} */ ms) => clean(ms / scales.scaleRate)
  return {
    messages: fewer(messages, time, 1),
    durationMs: shorter(durationMs, time),
    cooldownMs: Math.max(Math.min(cooldownMs, SHORTEST_WAIT_MS), Math.ceil(cooldownMs * time)),
    ratePerSecond: slower(ratePerSecond, scales.scaleRate),
    arrivals: scaledArrivals(arrivals, { rate: scales.scaleRate, time }),
    partitions: scaledCuts(partitions, time),
    ...(networkFile && { networkFile: scaledFile(networkFile, { rate: scales.scaleRate, time }) }),
    intervalMs: publishers === 'every' ? Object.freeze({ min: longer(min), max: longer(max) }) : intervalMs
  }
}

/** GOSSIP publishes messages in a gossipsub network. @type {import('../index.js').ComparableScenario} */
export const GOSSIP = {
  name: 'gossip',
  command: COMMAND,
  ...GOSSIP_KIND,
  ...PUBLISHED,
  naming: NAMING,
  estimateMs,
  scaled,
  schemas: () => import('./schema.js'),
  filled,
  figures: GOSSIP_FIGURES,
  compared: GOSSIP_COMPARED,
  gauges: NETWORK_GAUGES,
  differences: async () => (await import('../../run/profile-description.js')).DIFFERENCES,
  endless: (/** @type {import('./options.js').GossipPlan} */ { messages, durationMs }) =>
    messages === null && durationMs === null,
  run: async () => (await import('./run/gossip-run.js')).runGossip,
  describe: () => import('./describe.js')
}
