// Rules that refuse combinations of gossip options.
import { joinWords } from '../../../kit/collections.js'
import { findNearWord } from '../../../kit/option-problems.js'
import { DEFAULT_STACK } from '../../../libp2p/stacks.js'
import { computePublishMs, drawSubscriptions } from '../../../load/network-script.js'
import { describeTopologyProblem } from '../../../network/topology.js'
import { makeAgentConflictRule, makeAgentRules } from '../../../plan/agents.js'
import { getReplayMs, hasOwnRates, makeArrivalRules } from '../../../plan/arrivals.js'
import { makeChurnRules } from '../../../plan/churn.js'
import { makeConditionRules } from '../../../plan/options.js'
import { parseCondition } from '../../../plan/threshold.js'
import { countNodes, MACHINE_RULES, NAMESPACE_RULES } from '../../network-options.js'
import { STACK_RULES } from '../../stack-options.js'
import { GOSSIP_FIGURES } from '../figures.js'
import {
  findGossipsubProblems,
  findMessageBytesProblem,
  GOSSIPSUB_PARAMS,
  gatherGossipsubParams
} from '../gossipsub.js'
import { CONTAINER_RULES, GOSSIP_OPTIONS } from '../options.js'
import { matchesTopic } from '../topics.js'
import { NETWORK_FILE_RULES } from './network-file-rules.js'

/** @typedef {import('../../../plan/options.js').Rule} Rule */

/**
 * refusedBeside makes rules that refuse values of an option beside those of another one.
 *
 * @param {string} other - option
 * @param {(value: any) => boolean} holds - of the other option
 * @returns {(flag: string, asks: (value: any) => boolean, why: string) => Rule} `asks`: of the option to refuse
 */
const refusedBeside = (other, holds) => (flag, asks, why) => ({
  flag,
  needs: [other],
  refuse: ({ [other]: value, ...values }) => holds(value) && asks(values[flag]) && why
})

const notFloodsub = refusedBeside('pubsub', pubsub => pubsub === 'floodsub')
const notSimulated = refusedBeside('network', network => network === 'simulated')
const notRendezvous = refusedBeside('topology', ({ kind }) => kind === 'rendezvous')

/** Options of gossipsub that floodsub does not have. */
const OF_GOSSIPSUB = [...Object.keys(GOSSIPSUB_PARAMS), 'preset', 'fastMsgId', 'topicScoreParams', 'traces']

/** FLOODSUB_RULES refuse options without a meaning for floodsub, and abilities that it lacks. @type {readonly Rule[]} */
const FLOODSUB_RULES = [
  ...OF_GOSSIPSUB.map(flag => ({
    flag,
    needs: ['pubsub'],
    refuse: (/** @type {Record<string, any>} */ { pubsub }, /** @type {Map<string, unknown>} */ explicit) =>
      pubsub === 'floodsub' &&
      explicit.has(flag) &&
      'does not apply with --pubsub floodsub: it is a gossipsub option'
  })),
  notFloodsub(
    'signing',
    signing => !signing,
    "must be on with --pubsub floodsub: js-libp2p's drops every message without an author"
  ),
  notFloodsub(
    'network',
    network => network === 'simulated',
    'must not be simulated with --pubsub floodsub: only gossipsub is'
  ),
  notFloodsub(
    'stack',
    stack => stack.some((/** @type {string} */ each) => each !== DEFAULT_STACK),
    `must be ${DEFAULT_STACK} with --pubsub floodsub`
  )
]

/**
 * @typedef {import('../../../network/link-properties.js').Cut} Cut
 */

/** @param {Record<string, any>} values */
const publishMs = ({ duration, arrivals, messages, rate, publishers }) =>
  computePublishMs({
    durationMs: duration ?? getReplayMs(arrivals),
    messages: publishers === 'every' ? null : messages,
    ratePerSecond: hasOwnRates(arrivals) ? null : rate
  })

/** @type {readonly Rule[]} */
const PARTITION_RULES = [
  {
    flag: 'partition',
    needs: ['nodes', 'topology'],
    refuse: ({ partition = [], ...values }) => {
      const nodes = countNodes(values)
      const named = partition.flatMap((/** @type {Cut} */ { between }) =>
        between.flat().map(({ last }) => last)
      )
      const node = named.find((/** @type {number} */ last) => last >= nodes)
      return node !== undefined && `names node ${node}, and there are ${nodes}: 0 to ${nodes - 1}`
    }
  },
  {
    flag: 'partition',
    needs: ['duration', 'arrivals', 'messages', 'rate', 'publishers'],
    refuse: ({ partition = [], ...values }) => {
      const endMs = publishMs(values)
      const late = partition.find((/** @type {Cut} */ { toMs }) => toMs > endMs)
      return (
        late !== undefined &&
        `lasts until ${late.toMs / 1000}s, and publishing ends after ${endMs / 1000}s: give it an earlier end, or --duration a later one`
      )
    }
  }
]

/** Properties that a topology file can have, each with the option for all links or nodes. */
const IN_FILE = /** @type {const} */ ([
  ['linkLatency', 'links', 'latencyMs', 'links a latency'],
  ['linkLoss', 'links', 'lossShare', 'links a loss'],
  ['linkBandwidth', 'links', 'bytesPerSecond', 'links a bandwidth'],
  ['upBandwidth', 'hosts', 'upBytesPerSecond', 'nodes a bandwidth up'],
  ['downBandwidth', 'hosts', 'downBytesPerSecond', 'nodes a bandwidth down']
])

/** @param {any} topology @param {(typeof IN_FILE)[number]} what */
const isInFile = (topology, [, of, key]) =>
  topology[of]?.some((/** @type {Record<string, number>} */ data) => data[key] !== undefined) ?? false

/** FILE_RULES refuse properties of links in a file where the network has no such links, or where an option gives them too. @type {readonly Rule[]} */
const FILE_RULES = [
  {
    flag: 'topology',
    needs: ['network'],
    lacks: 'simulated',
    refuse: ({ topology, network }) => {
      const inFile = IN_FILE.filter(what => isInFile(topology, what)).map(([, , , words]) => words)
      return (
        network === 'loopback' &&
        inFile.length > 0 &&
        `gives ${joinWords(inFile)}: needs --network simulated, namespaces or docker; loopback has no such links`
      )
    }
  },
  ...IN_FILE.map(what => ({
    flag: what[0],
    needs: ['topology'],
    refuse: (/** @type {Record<string, any>} */ { topology }, /** @type {Map<string, unknown>} */ explicit) =>
      explicit.has(what[0]) &&
      isInFile(topology, what) &&
      `cannot be given together with --topology file:${topology.path}, which gives ${what[3]}: leave it out of one of them`
  }))
]

/** IMPAIRMENT_RULES refuse impairments that a network cannot have. @type {readonly Rule[]} */
const IMPAIRMENT_RULES = [
  {
    flag: 'linkLatency',
    needs: ['network'],
    lacks: 'simulated',
    refuse: ({ network, linkLatency }) =>
      network === 'loopback' &&
      linkLatency.kind !== 'constant' &&
      'needs --network simulated, namespaces or docker: on loopback all links have the same latency, such as 50ms'
  },
  ...FILE_RULES,
  ...PARTITION_RULES
]

/** @param {string} muxers */
const several = muxers => muxers.includes(',')

/** SIMULATED_RULES refuse options that the simulated network does not support. @type {readonly Rule[]} */
const SIMULATED_RULES = [
  notSimulated(
    'topology',
    ({ kind }) => kind === 'rendezvous',
    'cannot be rendezvous with --network simulated: the server would be a real one'
  ),
  notSimulated(
    'transport',
    transport => transport !== 'tcp',
    'must be tcp with --network simulated: WebSocket framing is not simulated'
  ),
  notSimulated('muxer', several, 'must be one value with --network simulated: nothing is negotiated there'),
  ...[
    ['security', 'noise'],
    ['muxer', 'yamux']
  ].map(([flag, usual]) =>
    notSimulated(
      flag,
      value => value !== usual && !several(value),
      `must be ${usual} with --network simulated: nothing is encrypted or multiplexed there, only the bytes are counted`
    )
  )
]

/** @type {Rule[]} */
const AGENT_RULES = [
  ...makeAgentRules('nodes'),
  makeAgentConflictRule('network', 'loopback'),
  makeAgentConflictRule('profile'),
  makeAgentConflictRule('traces')
]

/** RENDEZVOUS_RULES refuse nodes that our rendezvous server does not understand. @type {readonly Rule[]} */
const RENDEZVOUS_RULES = [
  ['security', 'noise'],
  ['muxer', 'yamux'],
  ['transport', 'tcp']
].map(([flag, only]) =>
  notRendezvous(
    flag,
    value => value !== only,
    `must be ${only} with --topology rendezvous: the rendezvous server supports nothing else`
  )
)

/** @param {string} flag @returns {Rule} */
const onlyWithRandom = flag => ({
  flag,
  needs: ['publishers'],
  refuse: ({ publishers }, explicit) =>
    explicit.has(flag) &&
    publishers === 'every' &&
    'does not apply with --publishers every, where each node has its own interval'
})

/** @type {Rule[]} */
const LOAD_RULES = [
  {
    flag: 'profile',
    needs: ['network', 'churn'],
    refuse: ({ profile, network, churn }) =>
      profile !== undefined &&
      (network === 'simulated' || churn !== undefined) &&
      'applies to nodes on real TCP without churn: leave out --network simulated and --churn'
  },
  {
    flag: 'duration',
    refuse: (_, explicit) =>
      explicit.has('duration') &&
      explicit.has('messages') &&
      'cannot be given together with --messages: choose one'
  },
  {
    flag: 'messages',
    needs: ['publishers'],
    refuse: ({ publishers }, explicit) =>
      explicit.has('messages') &&
      publishers === 'every' &&
      'does not apply with --publishers every: give --duration'
  },
  {
    flag: 'warmup',
    refuse: (_, explicit) =>
      explicit.has('warmup') &&
      explicit.has('warmupTimeout') &&
      'cannot be given together with --warmup timeout: choose one'
  },
  {
    // nodes whose processes are profiled publish until the user ends the run
    flag: 'publishers',
    needs: ['duration', 'profile'],
    refuse: ({ publishers, duration, profile }) =>
      publishers === 'every' &&
      duration === undefined &&
      profile === undefined &&
      'needs --duration: nodes publish until it is over'
  },
  onlyWithRandom('rate'),
  onlyWithRandom('arrivals'),
  ...makeArrivalRules('messages')
]

/** @param {Record<string, any>} values */
const subscriptionsIn = ({ seed, topics, networkFile, ...values }) =>
  drawSubscriptions({ seed, nodes: countNodes(/** @type {any} */ (values)), topics, networkFile })

/** @type {Rule[]} */
const NETWORK_RULES = [
  {
    flag: 'publishers',
    needs: ['nodes', 'topology', 'topics', 'seed'],
    refuse: values => {
      const { publishers, seed } = values
      const nodes = countNodes(values)
      const named = publishers.nodes ?? []
      const unknown = named.find((/** @type {number} */ node) => node >= nodes)
      if (unknown !== undefined) return `names node ${unknown}, and there are ${nodes}: 0 to ${nodes - 1}`
      const subscribed = named.length > 0 ? subscriptionsIn(values) : []
      const mute = named.find((/** @type {number} */ node) => subscribed[node].length === 0)
      return (
        mute !== undefined &&
        `names node ${mute}, which subscribes to no topic with --seed ${seed}: raise the chances, or name another node`
      )
    }
  },
  {
    flag: 'messageBytes',
    needs: ['networkFile'],
    refuse: (values, explicit) =>
      explicit.has('messageBytes') &&
      findMessageBytesProblem(values.messageBytes.max, gatherGossipsubParams(values))
  },
  {
    flag: 'topology',
    needs: ['nodes'],
    refuse: ({ topology, nodes }, explicit) => {
      if (topology.kind === 'rendezvous') return
      return describeTopologyProblem(
        topology,
        explicit.has('nodes') ? nodes : countNodes({ topology, nodes })
      )
    }
  },
  {
    flag: 'workers',
    needs: ['nodes', 'topology'],
    refuse: ({ workers, ...values }, explicit) =>
      explicit.has('workers') &&
      workers > countNodes(values) &&
      `must be at most --nodes ${countNodes(values)}: each worker needs a node`
  },
  {
    flag: 'topics',
    needs: ['nodes', 'topology', 'seed', 'networkFile'],
    refuse: values =>
      subscriptionsIn(values).every(mine => mine.length === 0) &&
      `leaves each of ${countNodes(values)} nodes without a topic with --seed ${values.seed}: raise the chances, or choose another seed`
  },
  {
    flag: 'topicScoreParams',
    needs: ['topics'],
    refuse: ({ topicScoreParams = {}, topics }) => {
      const names = topics.map((/** @type {{ name: string }} */ { name }) => name)
      const unknown = Object.keys(topicScoreParams).find(name => !names.includes(name))
      return unknown !== undefined && `has parameters of ${unknown}, and the topics are ${names.join(', ')}`
    }
  }
]

/** @param {Pick<Rule, 'needs' | 'refuse'>} rule @returns {Rule} */
const withChurn = ({ needs = [], refuse }) => ({
  flag: 'churn',
  needs: ['nodes', 'topology', ...needs],
  refuse: (values, explicit) =>
    values.churn !== undefined && refuse({ ...values, nodes: countNodes(values) }, explicit)
})

/** @type {Rule[]} */
const CHURN_RULES = [
  ...makeChurnRules('nodes', { minStable: 2 }).map(withChurn),
  withChurn({
    refuse: ({ churn }) =>
      churn.asNew &&
      'share' in churn &&
      'must name a number of ephemeral nodes for as=new, such as 10,every=15s,away=5s: new nodes dial those that stay'
  }),
  withChurn({
    needs: ['network'],
    refuse: ({ churn, network }) =>
      churn.asNew &&
      network === 'simulated' &&
      'must have as=itself with --network simulated: new nodes are supported on real TCP only'
  }),
  withChurn({
    refuse: ({ topology }) =>
      topology.kind === 'rendezvous' &&
      'needs another --topology than rendezvous: new nodes dial nodes that the topology or chance selects'
  }),
  withChurn({
    needs: ['partition', 'traces'],
    refuse: ({ churn, partition, traces }) =>
      churn.asNew &&
      ((partition !== undefined && 'must have as=itself with --partition: only its nodes reconnect') ||
        (traces && 'must have as=itself with --traces: new nodes write none'))
  }),
  withChurn({
    needs: ['publishers', 'topics', 'seed', 'networkFile'],
    refuse: values => {
      const { churn, nodes, publishers, seed } = values
      if (!('peers' in churn)) return false
      const stable = nodes - churn.peers
      if (stable < 1) return false
      if (publishers === 'every' || publishers.nodes?.some((/** @type {number} */ node) => node >= stable))
        return `needs stable publishers: of ${nodes} nodes 0 to ${stable - 1} are stable; use --publishers random, or some of these`
      const own = subscriptionsIn(values).slice(0, stable)
      return (
        !own.some(mine => mine.length > 0) &&
        `leaves each of ${stable} stable nodes without a topic with --seed ${seed}: they are the ones that publish`
      )
    }
  })
]

/** PARAM_RULES refuse parameters that gossipsub forbids together. @type {Rule[]} */
const PARAM_RULES = Object.entries(GOSSIPSUB_PARAMS).map(([flag, { param }]) => ({
  flag,
  needs: ['preset', 'networkFile', ...Object.keys(GOSSIPSUB_PARAMS)],
  refuse: (values, explicit) =>
    explicit.has(flag) &&
    findGossipsubProblems(gatherGossipsubParams(values), values.preset).find(
      problem => problem.param === param
    )?.message
}))

/**
 * unknownPartProblem refuses a threshold on a topic, class or zone that a network does not have.
 *
 * @param {readonly import('../../../plan/threshold.js').Threshold[]} thresholds
 * @param {Record<string, any>} values - of options
 * @returns {string | null} null: there is none
 */
function unknownPartProblem(thresholds, { topics, networkFile }) {
  /** @type {Record<string, string[]>} */
  const known = {
    topic: topics.map((/** @type {{ name: string }} */ { name }) => name),
    class: (networkFile?.classes ?? []).map((/** @type {{ name: string }} */ { name }) => name),
    zone: networkFile?.zones?.names ?? []
  }
  for (const threshold of thresholds) {
    const { part = {} } = parseCondition(threshold, GOSSIP_FIGURES)
    for (const [kind, name] of Object.entries(part)) {
      const names = known[kind]
      if (names.some(each => (kind === 'topic' ? matchesTopic(name, each) : name === each))) continue
      const near = findNearWord(name, names, 3)
      const hint = near === null ? '' : `; did you mean ${near}?`
      const there = names.length === 0 ? 'A network file defines them.' : `Names: ${names.join(', ')}`
      return `uses the ${kind} ${name}, which the network does not have${hint || '.'} ${there}`
    }
  }
  return null
}

/**
 * GOSSIP_COMBINATIONS are the combinations of gossip options that cannot be run.
 *
 * @type {readonly Rule[]}
 */
export const GOSSIP_COMBINATIONS = [
  {
    flag: 'runs',
    needs: ['network'],
    refuse: ({ runs, network }) =>
      runs > 1 &&
      network === 'simulated' &&
      'must be 1 with --network simulated: the same seed gives the same result'
  },
  {
    flag: 'threshold',
    needs: ['topics'],
    refuse: ({ threshold = [], ...values }) => unknownPartProblem(threshold, values)
  },
  ...NETWORK_RULES,
  ...NETWORK_FILE_RULES,
  ...MACHINE_RULES,
  ...RENDEZVOUS_RULES,
  ...makeConditionRules(GOSSIP_OPTIONS),
  ...IMPAIRMENT_RULES,
  ...NAMESPACE_RULES,
  ...CONTAINER_RULES,
  ...SIMULATED_RULES,
  ...STACK_RULES,
  ...FLOODSUB_RULES,
  ...LOAD_RULES,
  ...CHURN_RULES,
  ...AGENT_RULES,
  ...PARAM_RULES
]
