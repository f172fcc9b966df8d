// The table of all gossip options, from which flags, configuration files, validation and help are made. It also defines
// the type of a plan.
import { describeReadError, isMapping, readTextSync } from '../../kit/files.js'
import { describeUnknownKey } from '../../kit/option-problems.js'
import { IMPAIRMENT_OPTIONS, listImpairments } from '../../network/link-properties.js'
import { describeRouterProblem } from '../../network/namespaces.js'
import { parseTopology, parseTopologyFile } from '../../network/topology-file.js'
import { AGENT_OPTIONS } from '../../plan/agents.js'
import { arrivalsKind } from '../../plan/arrivals.js'
import { makeVerdictOptions, REPEATED_NOT_IN } from '../../plan/fail-rules.js'
import {
  CONSTANT_LOAD_REASON,
  FAILING_TRIALS_REASON,
  makeProfileOption,
  OPTION_GROUPS,
  OUTPUT_OPTIONS,
  STRICT_OPTION
} from '../../plan/options.js'
import { thresholdsKind } from '../../plan/threshold.js'
import {
  byteRange,
  choice,
  cores,
  duration,
  onOrOff,
  path,
  rate,
  shares,
  size,
  timeRange,
  wholeNumber,
  yesOrNo
} from '../../plan/values.js'
import { findDockerProblem } from '../../target/docker-processes.js'
import {
  DOCKER,
  makeJitterKind,
  makeLatencyKind,
  makeLinkOptions,
  requireContainers,
  requireEdges,
  requireImpairable,
  requireNamespaces,
  requireOwnIntervals,
  requireRendezvousTopology
} from '../network-options.js'
import { makeStackOption, makeStockOption } from '../stack-options.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from './figures.js'
import {
  computeMaxMessageBytes,
  findMessageBytesProblem,
  GOSSIPSUB_PARAMS,
  GOSSIPSUB_PRESETS,
  topicScoreParamsKind
} from './gossipsub.js'
import { networkFileKind } from './plan/network-file.js'
import { publishersKind, topicsKind } from './topics.js'

/** @typedef {import('../../plan/arrivals.js').ReadText} ReadText */

/**
 * readTopologyOption reads a topology, as typed, or as a mapping of YAML: `{ kind: 'regular', k: 4 }`.
 *
 * @param {unknown} value
 * @param {ReadText} readText
 * @returns {{ value: TopologySpec } | { allowed: string }}
 */
function readTopologyOption(value, readText) {
  const unknown = isMapping(value) && 'path' in value && describeUnknownKey(value, ['kind', 'path'])
  if (unknown) return { allowed: unknown }
  let typed = String(value)
  if (value !== null && typeof value === 'object') {
    const { kind, path, ...parameters } = /** @type {Record<string, unknown>} */ (value)
    const pairs = Object.entries(parameters).map(([name, each]) => `${name}=${each}`)
    typed = `${kind}:${path ?? pairs.join(',')}`
  }
  const spec = parseTopology(typed)
  if ('allowed' in spec) return spec
  if (spec.kind !== 'file') return { value: spec }
  try {
    const { names, repeated, ...edges } = parseTopologyFile(readText(spec.path), spec.path)
    return { value: edges }
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error)
    return {
      allowed: code === 'INVALID_TOPOLOGY_FILE' ? `is not a topology: ${message}` : describeReadError(error)
    }
  }
}

/** @param {TopologySpec} spec */
function writeTopology(spec) {
  if (spec.kind === 'file') return `file:${spec.path}`
  const { kind, ...parameters } = spec
  const pairs = Object.entries(parameters).filter(([, value]) => value !== null)
  return pairs.length === 0 ? kind : `${kind}:${pairs.map(([name, value]) => `${name}=${value}`).join(',')}`
}

/**
 * topology is the kind of --topology. It reads a file, and a plan then holds all that its run needs.
 *
 * @param {ReadText} [readText]
 * @returns {import('../../plan/values.js').OptionValueKind & { write: (spec: TopologySpec) => string }}
 */
const topology = (readText = readTextSync) => ({
  allowed: 'must name a topology',
  read: value => readTopologyOption(value, readText),
  schema: z =>
    z.preprocess(
      value => {
        const spec = typeof value === 'string' ? readTopologyOption(value, readText) : { value }
        return 'value' in spec ? spec.value : undefined
      },
      z.looseObject({ kind: z.string() })
    ),
  write: writeTopology
})

/** @typedef {import('../../plan/options.js').Rule} Rule */

/** With less, Node takes minutes to start, or cannot start. */
const MIN_PER_NODE = { cpus: 0.05, memory: '96MB' }

/** @param {Pick<Rule, 'flag' | 'needs' | 'refuse'>} rule @returns {Rule} of a network of containers */
const inContainers = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  needs: ['network', ...needs],
  refuse: (values, explicit) => values.network === DOCKER && refuse(values, explicit)
})

/** CONTAINER_RULES refuse options that containers, or containers on this machine, do not support. @type {readonly Rule[]} */
export const CONTAINER_RULES = [
  inContainers({ flag: 'network', refuse: findDockerProblem }),
  inContainers({
    flag: 'network',
    needs: IMPAIRMENT_OPTIONS,
    refuse: values => {
      const [impairment] = listImpairments(values)
      const lack = impairment === undefined ? null : describeRouterProblem()
      return lack !== null && `with --${impairment} ${lack}`
    }
  }),
  inContainers({
    flag: 'nodesPerContainer',
    needs: IMPAIRMENT_OPTIONS,
    refuse: ({ nodesPerContainer, ...values }) => {
      const [impairment] = listImpairments(values)
      return (
        nodesPerContainer > 1 &&
        impairment !== undefined &&
        `must be 1 with --${impairment}: nodes that share a container bypass every impairment`
      )
    }
  }),
  inContainers({
    flag: 'congestionControl',
    needs: IMPAIRMENT_OPTIONS,
    refuse: (values, explicit) =>
      explicit.has('congestionControl') &&
      listImpairments(values).length === 0 &&
      'does not apply with --network docker without link options such as --linkLatency: the Docker engine then connects the nodes'
  }),
  inContainers({
    flag: 'workers',
    refuse: (_, explicit) =>
      explicit.has('workers') &&
      'does not apply with --network docker: --nodesPerContainer sets the number of workers'
  })
]

/**
 * @typedef {object} GossipPlan - the complete, validated, frozen parameters of one run of a gossip network. Keys are the flags'
 *   names, with the unit where a value has one
 * @property {'gossip'} scenario
 * @property {number} seed
 * @property {'loopback' | 'namespaces' | 'docker' | 'simulated'} network - what joins the nodes
 * @property {number} nodes
 * @property {number} workers - at most nodes
 * @property {TopologySpec} topology
 * @property {number} [refreshEveryMs] - how often a node registers and discovers again; topology rendezvous
 * @property {'random' | 'ascending'} dialOrder - in which the edges of the topology are dialled
 * @property {readonly Topic[]} topics
 * @property {boolean} stock - nodes are libp2p as published
 * @property {readonly string[]} stack - generations of libp2p that nodes are of; several are dealt out by the node's number
 * @property {'gossipsub' | 'floodsub'} pubsub
 * @property {'noise' | 'plaintext'} security
 * @property {'tcp' | 'websocket'} transport
 * @property {string} muxer - yamux or mplex; joined by a comma both are offered, in this order
 * @property {boolean} signing
 * @property {'ed25519' | 'secp256k1'} keyType
 * @property {number} linkLatencyMs - one way, of all links; 0: none is added, or they have `linkLatencies`
 * @property {Readonly<import('../../network/link-properties.js').LatencySpec> | null} linkLatencies - what each simulated link has of
 *   its own; null: all have `linkLatencyMs`
 * @property {Readonly<import('../../network/link-properties.js').JitterSpec> | null} linkJitter - each segment on a simulated link takes up to
 *   so much longer or shorter; null: none does
 * @property {number | null} linkLossShare - of the segments on a simulated link, in each direction; null: none is lost on purpose
 * @property {number | null} linkBandwidthBytesPerSecond - of each direction of a simulated link; null: without a limit
 * @property {number | null} upBandwidthBytesPerSecond - of each simulated node; null: without a limit
 * @property {number | null} downBandwidthBytesPerSecond - of each simulated node; null: without a limit
 * @property {readonly import('../../network/link-properties.js').Cut[]} partitions - of a simulated network
 * @property {Readonly<import('../../load/churn.js').ChurnSpec> | null} churn - which nodes leave, and return or are replaced; null: all stay
 * @property {number | null} sendQueue - RPCs that may wait for a peer of a simulated node, besides the RPC in hand; null: no limit
 * @property {string | null} congestionControl - that TCP between namespaces goes by; `host`: what it goes by on this machine; null: there
 *   are no namespaces
 * @property {number | null} nodesPerContainer - null: 1, where there are containers
 * @property {number | null} nodeCpus - cores that each node in a container may use; null: all there are
 * @property {number | null} nodeMemoryBytes - that each node in a container may use; null: all there is
 * @property {import('./topics.js').Publishers} publishers
 * @property {number | null} ratePerSecond - of the whole network; null with publishers `every`
 * @property {import('../../plan/arrivals.js').Arrivals} arrivals
 * @property {number | null} messages - in all; null: for `durationMs`
 * @property {number | null} durationMs
 * @property {Readonly<import('../../plan/values.js').Range>} intervalMs - with publishers `every`
 * @property {'open' | 'closed'} loadModel - closed, with publishers `every`: the next interval starts when the publish has returned
 * @property {Readonly<import('../../plan/values.js').Range>} messageBytes
 * @property {number | null} maxBacklogBytes - of a publisher's write buffers above which it skips messages (open) or waits (closed)
 * @property {number | null} memoryCeilingBytes - of a worker process, above which publishing ends
 * @property {keyof typeof GOSSIPSUB_PRESETS} preset - it has been applied to `gossipsub` already
 * @property {Readonly<Record<string, any>>} gossipsub - parameters other than the library's defaults, by their names; those of scores and decode
 *   limits are among the others
 * @property {Readonly<Record<string, object>> | null} topicScoreParams - by topic, in the library's names
 * @property {boolean} fastMsgId
 * @property {number} validationDelayMs - of the application; 0 with validation of accept only: no validator is installed
 * @property {Readonly<Validation>} validation
 * @property {number | null} warmupMs - just so long, whatever the mesh does; null: until it has formed, for `warmupTimeoutMs` at most
 * @property {number} warmupTimeoutMs - for the mesh to form
 * @property {number} cooldownMs - at most, for deliveries still under way
 * @property {Readonly<import('./plan/network-file.js').NetworkFile>} [networkFile] - what topics, gossipsub, topicScoreParams and partitions are from
 *   the file is there too; absent: flags give everything
 * @property {boolean} traces - per node, in the trace schema of go-libp2p-pubsub
 * @property {readonly import('../../plan/options.js').Profilable[]} [profiled] - of worker processes; absent: nothing
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds
 */

const NETWORK = 'The network:'
const LOAD = 'What is published:'
const NODE = 'The nodes:'
const { MEASURE, VERDICT } = OPTION_GROUPS

/** Why some options have no use in trials. */
const RATES = 'loads are rates of the whole network'

/**
 * GOSSIP_OPTIONS is the one table of the gossip options: flags, configuration files, validation and --help follow from it.
 *
 * @type {import('../../plan/plan.js').OptionTable}
 */
export const GOSSIP_OPTIONS = {
  nodes: {
    common: true,
    group: NETWORK,
    default: 30,
    ...wholeNumber(2, 60_000),
    ofCase: true,
    describe: 'gossipsub nodes, each a full libp2p node'
  },
  topology: {
    common: true,
    group: NETWORK,
    default: 'barabasi-albert',
    ...topology(),
    ofCase: true,
    describe:
      'who dials whom: a graph model, file or rendezvous; models: barabasi-albert:m=6,seed=42,networkx=2.4, erdos-renyi:p=0.1, random-geometric:radius=0.2, powerlaw-cluster:m=6,p=0.1, full, random-degree:k=10, regular:k=6, ring, line, star, small-world:k=4,p=0.1. Random models take seed=… (default: --seed). file:<path>: CSV, edge list, GML, GraphML or JSON, with link data. rendezvous:k=6: nodes find each other at a rendezvous server and dial k'
  },
  dialOrder: {
    group: NETWORK,
    default: 'random',
    ...choice(['random', 'ascending']),
    only: requireEdges(),
    added: 'ascending',
    describe:
      "order of dialling the topology's connections; random: from --seed, the same on every network; ascending: by node number, so nodes of dense networks graft neighbours by number"
  },
  refreshEvery: {
    group: NETWORK,
    default: '10s',
    ...duration({ min: '100ms', max: '72h' }),
    planKey: 'refreshEveryMs',
    ofSomePlans: true,
    only: requireRendezvousTopology(),
    describe: 'how often nodes register and discover again during publishing; needs --topology rendezvous'
  },
  networkFile: {
    group: NETWORK,
    ...networkFileKind(),
    ofSomePlans: true,
    ofCase: true,
    describe:
      'YAML or JSON file of zones, node classes, topics, gossipsub parameters, script; see docs/links.md'
  },
  network: {
    common: true,
    group: NETWORK,
    default: 'loopback',
    ...choice(['loopback', 'namespaces', 'docker', 'simulated']),
    anyway: 'loopback',
    describe:
      'how nodes are connected; loopback: real TCP on this machine; namespaces: real TCP with every impairment, a network namespace per node; docker: a container per node; simulated: virtual time, nothing real. See docs/links.md, docs/simulation.md'
  },
  linkLatency: {
    common: true,
    group: NETWORK,
    default: '100ms',
    ...makeLatencyKind(),
    planKey: 'linkLatencyMs',
    ofCase: true,
    describe:
      'one-way latency of links, such as 50ms; 0: none, so on real TCP all time is work of this machine. On loopback a delay transport adds it to every byte. Elsewhere it can differ per link: uniform:40ms-60ms, normal:50ms,10ms or lognormal:50ms,20ms (mean, standard deviation), or file:<matrix> of nodes or regions'
  },
  linkJitter: {
    group: NETWORK,
    ...makeJitterKind(),
    only: requireImpairable(({ share, ms }) => (share ?? ms) > 0),
    describe:
      'maximum jitter of each segment, up or down; a share of the latency (default: 1%) or a time such as 5ms; not on loopback'
  },
  ...makeLinkOptions(NETWORK),
  congestionControl: {
    group: NETWORK,
    allowed: 'must be host, or a congestion control of the kernel by its name, such as reno',
    schema: z => z.string().regex(/^[a-z0-9_]+$/),
    only: requireNamespaces(),
    ofCase: true,
    added: null,
    describe:
      'TCP congestion control: reno, another one that this machine allows all users, or host; host (default): that of this machine. Needs --network namespaces or docker'
  },
  nodesPerContainer: {
    group: NETWORK,
    ...wholeNumber(1, 1024),
    only: requireContainers(),
    added: null,
    describe: 'nodes per container and process (default: 1); needs --network docker'
  },
  cpus: {
    planKey: 'nodeCpus',
    formerly: ['nodeCpus'],
    group: NETWORK,
    ...cores({ min: MIN_PER_NODE.cpus, max: 1024 }),
    only: requireContainers(),
    added: null,
    describe: 'CPU cores per node, such as 0.2; a container gets the sum of its nodes; needs --network docker'
  },
  memory: {
    formerly: ['nodeMemory'],
    group: NETWORK,
    ...size({ min: MIN_PER_NODE.memory, max: '64TiB' }),
    planKey: 'nodeMemoryBytes',
    only: requireContainers(),
    added: null,
    describe:
      'memory limit per node, with its unit; a container gets the sum of its nodes; needs --network docker'
  },
  workers: {
    group: NETWORK,
    defaultText: 'cores',
    ...wholeNumber(1, 1024),
    describe: 'processes the nodes are spread over'
  },
  seed: {
    group: NETWORK,
    default: 1,
    ...wholeNumber(0, 4_294_967_295),
    describe: 'seed of all random choices: keys, topology, sources, sizes, times'
  },

  messages: {
    common: true,
    short: 'n',
    group: LOAD,
    default: 100,
    ...wholeNumber(1, 100_000_000),
    canBeOutOfForce: true,
    notIn: { trial: CONSTANT_LOAD_REASON },
    describe: 'total messages to publish'
  },
  duration: {
    common: true,
    short: 'd',
    group: LOAD,
    ...duration({ min: '1s' }),
    planKey: 'durationMs',
    describe: 'duration of publishing, instead of --messages'
  },
  rate: {
    common: true,
    short: 'r',
    group: LOAD,
    default: '3/s',
    ...rate({ max: 1_000_000 }),
    planKey: 'ratePerSecond',
    canBeOutOfForce: true,
    ofCase: true,
    describe: 'message rate of the network'
  },
  arrivals: {
    group: LOAD,
    default: 'constant',
    ...arrivalsKind(),
    describe:
      'schedule of messages; constant: evenly spaced; poisson: independent; ramp:to=50/s or sine:amplitude=0.8,period=1m: --rate changes over --duration; steps:5/s,10/s or replay:<path>: instead of --rate. See docs/rendezvous.md'
  },
  publishers: {
    group: LOAD,
    default: 'random',
    ...publishersKind(),
    notIn: { trial: RATES },
    ofCase: true,
    describe:
      'who publishes; random: a random node each time, at --rate; node:3 or node:3,7: only these, at --rate; every: each node at its random interval'
  },
  interval: {
    family: 'publishers',
    member: 'interval',
    group: LOAD,
    default: '100ms-300ms',
    ...timeRange({ least: 1, most: 3_600_000 }),
    planKey: 'intervalMs',
    notIn: { trial: RATES },
    only: requireOwnIntervals('else messages are due at --rate'),
    ofCase: true,
    describe: 'time between messages of a node, with --publishers every'
  },
  loadModel: {
    group: LOAD,
    default: 'open',
    ...choice(['open', 'closed']),
    notIn: { trial: RATES },
    only: requireOwnIntervals('a rate is an open model'),
    describe:
      'open or closed model, with --publishers every; closed: an interval starts when the publish returned and the backlog is small; messages wait for their process'
  },
  messageBytes: {
    common: true,
    group: LOAD,
    default: '1000',
    // every payload has the nonce of the run and the number of the message
    ...byteRange({ least: 8, most: computeMaxMessageBytes(), why: findMessageBytesProblem }),
    ofCase: true,
    describe: 'message size or range, such as 64kB or 8KiB-16KiB'
  },
  topics: {
    group: LOAD,
    default: '1',
    ...topicsKind(),
    ofCase: true,
    describe: 'number of topics, or topics with subscription probabilities: foo=0.7,bar=0.4,quix=0.8'
  },
  maxBacklog: {
    group: LOAD,
    ...size({ min: '1kB', max: '1TiB' }),
    planKey: 'maxBacklogBytes',
    describe:
      "maximum backlog in a publisher's write buffers; beyond it messages are skipped and counted (closed model: wait)"
  },
  memoryCeiling: {
    group: LOAD,
    ...size({ min: '64MB', max: '64TiB' }),
    planKey: 'memoryCeilingBytes',
    describe: 'publishing ends above this memory of a worker process'
  },

  ...makeStackOption(NODE, 'nodes'),
  ...makeStockOption(NODE, 'nodes'),
  pubsub: {
    group: NODE,
    default: 'gossipsub',
    ...choice(['gossipsub', 'floodsub']),
    added: 'gossipsub',
    ofCase: true,
    describe: 'gossipsub or floodsub; floodsub sends every message to every subscribed peer, for comparison'
  },
  security: {
    group: NODE,
    default: 'noise',
    ...choice(['noise', 'plaintext']),
    describe: 'encryption of connections: noise or plaintext'
  },
  transport: {
    group: NODE,
    default: 'tcp',
    ...choice(['tcp', 'websocket']),
    added: 'tcp',
    describe: 'libp2p transport on real TCP: tcp or websocket'
  },
  muxer: {
    group: NODE,
    default: 'yamux',
    ...choice(['yamux', 'mplex', 'yamux,mplex', 'mplex,yamux']),
    allowed: 'must be yamux or mplex, or both joined by a comma',
    ofCase: true,
    describe: 'stream multiplexer: yamux, mplex or both; yamux,mplex offers both, prefers the first'
  },
  signing: {
    group: NODE,
    default: 'on',
    ...onOrOff(),
    ofCase: true,
    describe: 'signing: on (StrictSign) or off (StrictNoSign, without author)'
  },
  keyType: {
    group: NODE,
    default: 'ed25519',
    ...choice(['ed25519', 'secp256k1']),
    describe: 'key type of the nodes: ed25519 or secp256k1'
  },
  fastMsgId: {
    family: 'gossipsub',
    group: NODE,
    default: 'off',
    ...onOrOff(),
    describe: 'detect duplicates by a fast message id, before their signatures are checked'
  },
  validation: {
    group: NODE,
    default: 'accept=1',
    ...shares(['accept', 'ignore', 'reject'], 'accept=98,ignore=1,reject=1'),
    describe: "shares of the application's verdicts, such as accept=98,ignore=1,reject=1"
  },
  validationDelay: {
    family: 'validation',
    member: 'delay',
    group: NODE,
    default: '0',
    ...duration({ max: '1m' }),
    planKey: 'validationDelayMs',
    describe: 'time that the application takes per verdict'
  },
  topicScoreParams: {
    group: NODE,
    ...topicScoreParamsKind(),
    describe:
      "topic score parameters by topic, with the library's names. A YAML mapping or file:<path> (YAML, JSON)"
  },
  preset: {
    group: NODE,
    default: 'default',
    ...choice(Object.keys(GOSSIPSUB_PRESETS)),
    describe:
      "published gossipsub parameters; default: the library's; study-2019: no flood publishing, no IDONTWANT, gossip to D_lazy peers, score weights 0, as in the 95-node study; eth2, filecoin-f3, optimism, waku: as these projects publish them"
  },
  ...GOSSIPSUB_PARAMS,

  warmup: {
    group: MEASURE,
    ...duration({ max: '1h' }),
    planKey: 'warmupMs',
    added: null,
    describe: 'exact warm-up after the last connection (default: until the mesh has formed)'
  },
  warmupTimeout: {
    family: 'warmup',
    member: 'timeout',
    group: MEASURE,
    default: '30s',
    ...duration({ min: '1s', max: '1h' }),
    planKey: 'warmupTimeoutMs',
    describe: 'maximum wait for the mesh, then continue with a warning'
  },
  cooldown: {
    group: MEASURE,
    default: '30s',
    ...duration({ max: '24h' }),
    planKey: 'cooldownMs',
    describe: 'maximum wait for deliveries after the last message'
  },
  traces: {
    group: MEASURE,
    default: false,
    ...yesOrNo(),
    notIn: { trial: 'writing them costs what is measured' },
    describe: 'also keep a trace of every node in the go-libp2p-pubsub schema'
  },

  ...makeProfileOption('worker processes'),

  threshold: {
    common: true,
    group: VERDICT,
    defaultText: 'none',
    ...thresholdsKind(GOSSIP_FIGURES),
    planKey: 'thresholds',
    notIn: { trial: FAILING_TRIALS_REASON },
    describe:
      'required value, such as "deliveryRatio >= 99.9%"; if not met, exit code 3. Other example: "dissemination.p99 < 1s". Can be repeated. Append ", abortOnFail, grace=5s" to end a run that has failed it for 5 s'
  },
  ...STRICT_OPTION,
  ...makeVerdictOptions(GOSSIP_COMPARED, REPEATED_NOT_IN),
  deliveries: {
    group: OPTION_GROUPS.OUTPUT,
    part: 'output',
    planKey: 'deliveriesFile',
    ...path(['.csv', '.csv.gz', '.jsonl', '.jsonl.gz']),
    notIn: Object.fromEntries(['trial', 'ab', 'matrix'].map(place => [place, 'a file is for one run'])),
    describe:
      'write every expected delivery, also missing ones, to this file; .csv or .jsonl, compressed with .gz behind it; written during the run'
  },
  ...AGENT_OPTIONS,
  ...OUTPUT_OPTIONS
}

/**
 * @typedef {import('../../network/topology.js').TopologySpec} EdgesSpec
 * @typedef {import('../../network/topology-file.js').RendezvousSpec} RendezvousSpec
 * @typedef {(EdgesSpec | RendezvousSpec) & { path?: string }} TopologySpec - `path`: of the file that edges were read from; they are
 *   kept, so that a plan can be run where the file is not
 *
 * @typedef {object} Topic
 * @property {string} name
 * @property {number} chance - that a node subscribes to it, above 0 to 1
 *
 * @typedef {import('../../plan/values.js').Range} Range
 *
 * @typedef {object} Validation - by the application
 * @property {number} accept - shares that add up to 1
 * @property {number} ignore
 * @property {number} reject
 */
