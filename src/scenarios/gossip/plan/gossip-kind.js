import { placementOf, topicsOf } from '../../../load/placement.js'
import { scriptedCuts } from '../../../load/script.js'
import { agentsIn } from '../../../plan/agents-option.js'
import { meanRate, replayedMs, saysItsRates } from '../../../plan/arrivals-option.js'
import { DOCKER, isImpairable } from './conditions.js'
import { GOSSIP_COMBINATIONS } from './gossip-combinations.js'
import { GOSSIP_OPTIONS } from './gossip-options.js'
import { GOSSIPSUB_PARAMS, gossipsubFlags, gossipsubValues } from './gossipsub-params.js'
import { PRESET_TOPIC_SCORES, PRESETS } from './gossipsub-presets.js'
import { USUAL_JITTER } from './link-jitter-option.js'
import { nodesOf } from './nodes-of.js'

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

/** @typedef {import('./gossip-plan.js').GossipPlan} GossipPlan */

/**
 * fromNetworkFile has values be what the network file says, so that whoever reads them need not know whence they are.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Record<string, any>} values
 */
function fromNetworkFile(values) {
  const { networkFile, seed, topology } = values
  if (networkFile === undefined || topology === undefined) return values
  const plan = { networkFile, seed, nodes: nodesOf(values) }
  const { topics, zones } = /** @type {import('./network-file.js').NetworkFile} */ (networkFile)
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

/** @param {readonly import('./network-file.js').TopicSpec[]} specs @param {Record<string, any>} values */
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

/** Publishing that only the script does ends with it. @param {import('./network-file.js').NetworkFile} file */
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
  const nodes = nodesOf(values)
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

/** GOSSIP_KIND makes the plans of the gossip scenario. @type {Readonly<import('../../scenario.js').Kind>} */
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
 * @typedef {import('../../../network/links/link-latencies.js').LatencySpec} LatencySpec
 * @typedef {import('../../../network/links/jitter.js').JitterSpec} JitterSpec
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
      ...scriptedCuts({ nodes: nodesOf(values), seed: values.seed, networkFile: values.networkFile })
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
