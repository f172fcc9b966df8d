// The gossipsub parameters that a plan can set: defaults, limits, presets of known projects, and checks of values that
// the protocol forbids together.
import { describeReadError, isMapping, parseYaml, readTextSync, YamlError } from '../../kit/files.js'
import { formatWhole, parseBytes } from '../../kit/numbers.js'
import { findNearWord } from '../../kit/option-problems.js'
import { duration, milliseconds, numberBetween, size, wholeNumber, yesOrNo } from '../../plan/values.js'

/** No message is so large: no IDONTWANT is ever sent. */
const UNREACHABLE_BYTES = 1_000_000_000

/** decayOver gives the factor of each tick that leaves a hundredth after so many ticks, as projects define a decay. @param {number} ticks */
const decayOver = ticks => 0.01 ** (1 / ticks)

/** Lodestar's weight: a peer that is penalised 10 times an epoch of 32 slots ends at gossipThreshold. */
const ETH2_DECAY = decayOver(10 * 32)
const ETH2_EXCESS = 10 / 32 / (1 - ETH2_DECAY) - 6

/**
 * GOSSIPSUB_PRESETS are named sets of parameters, by the library's names, as projects publish them. None has penalties for peers behind one address
 * (IPColocationFactor…): the nodes of a run often share an address.
 */
export const GOSSIPSUB_PRESETS = {
  default: {},
  /**
   * The gossipsub v1.0 of the 95-node study: no flood publishing, no IDONTWANT, gossip to a fixed number of D_lazy peers (v1.1 has adaptive
   * gossip to a share of the peers). It had no scores: they get no weight.
   */
  'study-2019': { floodPublish: false, idontwantMinDataSize: UNREACHABLE_BYTES, gossipFactor: 0 },
  eth2: {
    // ethereum/consensus-specs, specs/phase0/p2p-interface.md at a30fdec: "Gossipsub Parameters"; seen_ttl is two epochs of 32 slots of 12 s
    ...{ D: 8, Dlo: 6, Dhi: 12, Dlazy: 6, heartbeatInterval: 700, fanoutTTL: 60_000 },
    ...{ mcacheLength: 6, mcacheGossip: 3, seenTTL: 768_000 },
    // ChainSafe/lodestar, packages/beacon-node/src/network/gossip/gossipsub.ts; idontwantMinDataSize since its pull request 7077
    ...{ gossipsubIWantFollowupMs: 12_000, idontwantMinDataSize: 16_829 },
    ...{ floodPublish: true, batchPublish: true, maxOutboundBufferSize: 2 ** 24 },
    // ChainSafe/lodestar, scoringParameters.ts at 0174336, which takes them from Lighthouse, gossipsub_scoring_parameters.rs at b0ac346
    ...{ gossipThreshold: -4000, publishThreshold: -8000, graylistThreshold: -16_000 },
    ...{ acceptPXThreshold: 100, opportunisticGraftThreshold: 5 },
    ...{ topicScoreCap: 53.75, appSpecificWeight: 1 },
    ...{ behaviourPenaltyWeight: -4000 / ETH2_EXCESS ** 2, behaviourPenaltyThreshold: 6 },
    ...{
      behaviourPenaltyDecay: ETH2_DECAY,
      decayInterval: 12_000,
      decayToZero: 0.01,
      retainScore: 38_400_000
    }
  },
  'filecoin-f3': {
    // filecoin-project/go-f3, cmd/f3/pubsub.go at c92e6d4
    ...{ D: 8, Dscore: 6, Dout: 3, Dlo: 6, Dhi: 12, Dlazy: 12, mcacheLength: 10 },
    ...{ gossipFactor: 0.1, gossipsubIWantFollowupMs: 5000 },
    // cmd/f3/observer.go: WithPeerExchange, WithFloodPublish
    ...{ doPX: true, floodPublish: true },
    // internal/psutil/psutil.go at 67e2c06: PubsubPeerScoreParams, PubsubPeerScoreThresholds
    ...{ gossipThreshold: -500, publishThreshold: -1000, graylistThreshold: -2500 },
    ...{ acceptPXThreshold: 1000, opportunisticGraftThreshold: 3.5 },
    ...{ topicScoreCap: 0, appSpecificWeight: 1 },
    ...{ behaviourPenaltyWeight: -10, behaviourPenaltyThreshold: 6, behaviourPenaltyDecay: decayOver(3600) },
    ...{ decayInterval: 1000, decayToZero: 0.01, retainScore: 21_600_000 }
  },
  optimism: {
    // ethereum-optimism/optimism, op-node/p2p/gossip.go at 05ec8aa: BuildGlobalGossipParams, NewGossipSub
    ...{ D: 8, Dlo: 6, Dhi: 12, Dlazy: 6, heartbeatInterval: 500, fanoutTTL: 24_000 },
    ...{ mcacheLength: 12, mcacheGossip: 3, seenTTL: 65_000, doPX: false },
    // op-node/flags/p2p_flags.go at 048ba7a: p2p.gossip.mesh.floodpublish is off unless asked for
    floodPublish: false,
    // op-node/p2p/peer_params.go at 48c949f: LightPeerScoreParams with blocks of 2 s, NewPeerScoreThresholds
    ...{ gossipThreshold: -10, publishThreshold: -40, graylistThreshold: -40 },
    ...{ acceptPXThreshold: 20, opportunisticGraftThreshold: 0.05 },
    ...{ topicScoreCap: 34, appSpecificWeight: 1 },
    ...{ behaviourPenaltyWeight: -16, behaviourPenaltyThreshold: 6, behaviourPenaltyDecay: decayOver(60) },
    ...{ decayInterval: 2000, decayToZero: 0.01, retainScore: 1_200_000 }
  },
  waku: {
    // waku-org/nwaku, waku/waku_relay/protocol.nim at 642bc6f: GossipsubParameters
    ...{ D: 6, Dlo: 4, Dhi: 8, Dscore: 6, Dout: 3, Dlazy: 6, gossipFactor: 0.25, heartbeatInterval: 1000 },
    ...{ mcacheLength: 6, mcacheGossip: 3, fanoutTTL: 60_000, seenTTL: 120_000 },
    ...{ pruneBackoff: 60_000, unsubcribeBackoff: 5000, floodPublish: true },
    ...{ gossipThreshold: -100, publishThreshold: -1000, graylistThreshold: -10_000 },
    // 0 is no cap: go-waku, waku/v2/protocol/relay/config.go at 277721a, with the same scores
    ...{ opportunisticGraftThreshold: 0, topicScoreCap: 0, appSpecificWeight: 0 },
    ...{ behaviourPenaltyWeight: -10, behaviourPenaltyDecay: 0.986 },
    ...{ decayInterval: 12_000, decayToZero: 0.01, retainScore: 600_000 }
  }
}

/** No penalties for mesh deliveries, in projects that do not use these scores. */
const NO_MESH_PENALTY = { meshMessageDeliveriesWeight: 0, meshFailurePenaltyWeight: 0 }

/**
 * PRESET_TOPIC_SCORES are the score parameters of presets for every topic of their project.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const PRESET_TOPIC_SCORES = {
  // go-f3, internal/psutil/psutil.go at 67e2c06: PubsubTopicScoreParams
  'filecoin-f3': {
    ...{ topicWeight: 0.1, timeInMeshWeight: 0.0002778, timeInMeshQuantum: 1000, timeInMeshCap: 1 },
    ...{ firstMessageDeliveriesWeight: 0.5, firstMessageDeliveriesDecay: decayOver(600) },
    ...{ firstMessageDeliveriesCap: 100, ...NO_MESH_PENALTY },
    ...{ invalidMessageDeliveriesWeight: -1000, invalidMessageDeliveriesDecay: decayOver(3600) }
  },
  // nwaku, waku/waku_relay/protocol.nim at 642bc6f: TopicParameters
  waku: {
    ...{ topicWeight: 1, timeInMeshWeight: 0.01, timeInMeshQuantum: 1000, timeInMeshCap: 10 },
    ...{ firstMessageDeliveriesWeight: 1, firstMessageDeliveriesDecay: 0.5, firstMessageDeliveriesCap: 10 },
    ...{ ...NO_MESH_PENALTY, invalidMessageDeliveriesWeight: -100, invalidMessageDeliveriesDecay: 0.5 }
  }
}

/**
 * @typedef {import('../../plan/values.js').Zod} Zod
 * @typedef {import('./options.js').ReadText} ReadText
 *
 * @typedef {object} FileValue - the value of a parameter in a file
 * @property {(value: unknown) => unknown} take - reads the value; undefined: it is not allowed
 * @property {(z: Zod) => import('zod').ZodType} shape - makes its schema
 *
 * @typedef {import('../../plan/values.js').OptionValueKind & FileValue} Form
 * @typedef {Pick<Form, 'allowed'> & FileValue & { param: string }} FileParam - `param`: what the library calls it
 * @typedef {import('../../plan/options.js').OptionText & Form & { param: string }} ParamOption
 *
 * @typedef {{ [key: string]: FileParam | FileTable }} FileTable - the parameters of a mapping in a file
 * @typedef {(string | number)[]} KeyPath - keys from the mapping on
 * @typedef {{ path: KeyPath, message: string }} FileProblem
 */

/** Limit of weights, thresholds and counts. */
const MAX_PARAM_VALUE = 1e9

/** @param {number} min @param {number} max @param {(value: unknown) => number} read @returns {Form['take']} */
const makeRangeReader = (min, max, read) => value => {
  const number = read(value)
  return number >= min && number <= max ? number : undefined
}

/** @param {unknown} value */
const asNumber = value => (typeof value === 'number' ? value : Number.NaN)

/** @param {number} min @param {number} max @returns {Form} */
const whole = (min, max) => ({
  ...wholeNumber(min, max),
  take: makeRangeReader(min, max, value => (Number.isInteger(value) ? asNumber(value) : Number.NaN)),
  shape: z => z.int().min(min).max(max)
})

/** @param {number} min @param {number} max @returns {Form} */
const number = (min, max) => ({
  ...numberBetween(min, max),
  take: makeRangeReader(min, max, asNumber),
  shape: z => z.number().min(min).max(max)
})

/** Time with its unit; in a file also ms. @param {string} min @param {string} max @returns {Form} */
function time(min, max) {
  const [minMs, maxMs] = [milliseconds(min), milliseconds(max)]
  return /** @type {Form} */ ({
    ...duration({ min, max }),
    write: (/** @type {number} */ ms) => `${ms}ms`,
    take: makeRangeReader(minMs, maxMs, value =>
      typeof value === 'number' ? value : milliseconds(String(value).trim())
    ),
    shape: z => z.union([z.number().min(minMs).max(maxMs), z.string()])
  })
}

/** @param {string} min @param {string} max @returns {Form} */
const bytes = (min, max) =>
  /** @type {Form} */ ({
    ...size({ min, max }),
    write: String,
    take: makeRangeReader(parseBytes(min), parseBytes(max), value => {
      const many = parseBytes(String(value))
      return Number.isInteger(many) ? many : Number.NaN
    }),
    shape: z => z.union([z.int().min(parseBytes(min)).max(parseBytes(max)), z.string()])
  })

/** @returns {Form} */
const onOff = () => ({
  ...yesOrNo(),
  take: value => (typeof value === 'boolean' ? value : undefined),
  shape: z => z.boolean()
})

/** @type {Pick<Form, 'allowed'> & FileValue} */
const addresses = {
  allowed: 'must be a list of IP addresses',
  take: value => {
    const isList = Array.isArray(value) && value.every(each => /^[\d.]+$|^[\da-f:.]*:[\da-f:.]*$/i.test(each))
    return isList ? value : undefined
  },
  shape: z => z.array(z.string())
}

const GROUP = 'Gossipsub, under the names of its specification (default: those of the library):'

/** @param {string} param @param {string} describe @param {Form} form @returns {ParamOption} */
const parameter = (param, describe, form) => ({ group: GROUP, family: 'gossipsub', param, describe, ...form })

/**
 * GOSSIPSUB_PARAMS are the parameters of gossipsub that have a flag, by their names in the specification (v1.0 to v1.2). None has a
 * default here: the library's own are what is measured.
 *
 * @type {Readonly<Record<string, Readonly<ParamOption>>>}
 */
export const GOSSIPSUB_PARAMS = {
  D: parameter('D', 'desired mesh peers per topic', whole(0, 1000)),
  D_low: parameter('Dlo', 'mesh size below which peers are added', whole(0, 1000)),
  D_high: parameter('Dhi', 'mesh size above which peers are pruned', whole(0, 1000)),
  D_score: parameter('Dscore', 'mesh peers kept by score when pruning', whole(0, 1000)),
  D_out: parameter('Dout', 'outbound mesh peers kept when pruning', whole(0, 1000)),
  D_lazy: parameter('Dlazy', 'minimum peers to gossip to per heartbeat', whole(0, 1000)),
  gossip_factor: parameter('gossipFactor', 'share of peers outside the mesh to gossip to', number(0, 1)),
  heartbeat_interval: parameter('heartbeatInterval', 'time between heartbeats', time('10ms', '1h')),
  fanout_ttl: parameter('fanoutTTL', "lifetime of a topic's fanout", time('1ms', '24h')),
  mcache_len: parameter('mcacheLength', 'heartbeats for which messages can be requested', whole(1, 1000)),
  mcache_gossip: parameter('mcacheGossip', 'heartbeats whose messages are gossiped', whole(0, 1000)),
  seen_ttl: parameter('seenTTL', 'how long message ids are remembered', time('1ms', '24h')),
  prune_backoff: parameter('pruneBackoff', 'wait before a pruned peer is grafted again', time('0', '24h')),
  // the library spells it so
  unsubscribe_backoff: parameter(
    'unsubcribeBackoff',
    'wait before a topic is subscribed to again',
    time('0', '24h')
  ),
  prune_peers: parameter('prunePeers', 'peers suggested to a pruned peer', whole(0, 1000)),
  graft_flood_threshold: parameter(
    'graftFloodThreshold',
    'time after a prune when a graft costs score',
    time('0', '24h')
  ),
  opportunistic_graft_peers: parameter(
    'opportunisticGraftPeers',
    'peers grafted opportunistically',
    whole(0, 1000)
  ),
  opportunistic_graft_ticks: parameter(
    'opportunisticGraftTicks',
    'heartbeats between opportunistic grafts',
    whole(1, 100_000)
  ),
  iwant_followup_time: parameter(
    'gossipsubIWantFollowupMs',
    'time limit for answers to IWANT',
    time('1ms', '1h')
  ),
  flood_publish: parameter('floodPublish', 'publish to all peers of the topic, not only the mesh', onOff()),
  do_px: parameter('doPX', 'peer exchange: suggest other peers to pruned ones', onOff()),
  idontwant_message_size_threshold: parameter(
    'idontwantMinDataSize',
    'minimum message size for IDONTWANT',
    bytes('0', '1GB')
  ),
  max_idontwant_messages: parameter(
    'idontwantMaxMessages',
    'maximum IDONTWANTs accepted per peer and heartbeat',
    whole(0, 1_000_000)
  )
}

/** @param {Pick<Form, 'allowed'> & FileValue} form @param {string[]} params @returns {Record<string, FileParam>} */
const each = (form, ...params) => Object.fromEntries(params.map(param => [param, { ...form, param }]))

/** The options of the library. @type {Record<string, FileParam>} */
const OPTIONS = {
  ...Object.fromEntries(Object.values(GOSSIPSUB_PARAMS).map(known => [known.param, known])),
  ...each(onOff(), 'fallbackToFloodsub', 'batchPublish', 'tagMeshPeers', 'runOnLimitedConnection'),
  ...each(onOff(), 'allowPublishToZeroTopicPeers', 'ignoreDuplicatePublishError'),
  ...each(onOff(), 'awaitRpcHandler', 'awaitRpcMessageHandler'),
  ...each(whole(1, 100_000), 'directConnectTicks', 'maxInboundStreams', 'maxOutboundStreams'),
  ...each(bytes('1kB', '1TiB'), 'maxOutboundBufferSize'),
  ...each(bytes('2KiB', '4MiB'), 'maxInboundDataLength'),
  ...each(bytes('0', '1TiB'), 'maxTopicBytesPerPeer')
}

const DECODE_LIMITS = {
  ...each(whole(0, MAX_PARAM_VALUE), 'maxSubscriptions', 'maxMessages', 'maxControlMessages', 'maxPeerInfos'),
  ...each(whole(0, MAX_PARAM_VALUE), 'maxIhaveMessageIDs', 'maxIwantMessageIDs', 'maxIdontwantMessageIDs')
}

const THRESHOLDS = {
  ...each(number(-MAX_PARAM_VALUE, 0), 'gossipThreshold', 'publishThreshold', 'graylistThreshold'),
  ...each(number(0, MAX_PARAM_VALUE), 'acceptPXThreshold', 'opportunisticGraftThreshold')
}

const PEER_SCORE = {
  ...each(number(0, MAX_PARAM_VALUE), 'topicScoreCap', 'behaviourPenaltyThreshold'),
  ...each(number(-MAX_PARAM_VALUE, MAX_PARAM_VALUE), 'appSpecificWeight'),
  ...each(number(-MAX_PARAM_VALUE, 0), 'IPColocationFactorWeight', 'behaviourPenaltyWeight'),
  ...each(number(1, MAX_PARAM_VALUE), 'IPColocationFactorThreshold'),
  ...each(addresses, 'IPColocationFactorWhitelist'),
  ...each(number(0, 1), 'behaviourPenaltyDecay', 'decayToZero'),
  ...each(time('1s', '24h'), 'decayInterval'),
  ...each(time('0', '24d'), 'retainScore')
}

const TOPIC_SCORE = {
  ...each(number(0, MAX_PARAM_VALUE), 'topicWeight', 'timeInMeshWeight', 'timeInMeshCap'),
  ...each(number(0, MAX_PARAM_VALUE), 'firstMessageDeliveriesWeight', 'firstMessageDeliveriesCap'),
  ...each(number(0, MAX_PARAM_VALUE), 'meshMessageDeliveriesCap', 'meshMessageDeliveriesThreshold'),
  ...each(number(-MAX_PARAM_VALUE, 0), 'meshMessageDeliveriesWeight', 'meshFailurePenaltyWeight'),
  ...each(number(-MAX_PARAM_VALUE, 0), 'invalidMessageDeliveriesWeight'),
  ...each(number(0, 1), 'firstMessageDeliveriesDecay', 'meshMessageDeliveriesDecay'),
  ...each(number(0, 1), 'meshFailurePenaltyDecay', 'invalidMessageDeliveriesDecay'),
  ...each(time('1ms', '24h'), 'timeInMeshQuantum'),
  ...each(time('0', '24h'), 'meshMessageDeliveriesWindow', 'meshMessageDeliveriesActivation')
}

/** Parameters of the mapping `gossipsub` in a file. @type {FileTable} */
const FILE = {
  ...OPTIONS,
  ...GOSSIPSUB_PARAMS,
  heartbeat: OPTIONS.heartbeatInterval,
  decodeRpcLimits: DECODE_LIMITS,
  score: { ...PEER_SCORE, thresholds: THRESHOLDS }
}

const A_FUNCTION = 'is a function, which a file cannot contain'
const NO_EFFECT = 'is a name in the types of @libp2p/gossipsub that its code does not read'
const FOR_FIGURES = 'is what the run reads its figures from'

/** REFUSED_OPTIONS are the options of the library that no file can set, and why. @type {Readonly<Record<string, string>>} */
export const REFUSED_OPTIONS = {
  directPeers: 'does not apply here: --topology sets which nodes connect, and each run makes their ids',
  allowedTopics: 'does not apply here: nodes subscribe to the topics of the run (--topics)',
  asyncValidation: 'would forward nothing: --validation is the validation of a run',
  emitSelf: 'would count what a node publishes as a delivery to itself',
  msgIdFn: `${A_FUNCTION}: messages have the ids of the library`,
  fastMsgIdFn: `${A_FUNCTION}: --gossipsub fastMsgId=on sets one`,
  msgIdToStrFn: `${A_FUNCTION}: messages have the ids of the library`,
  dataTransform: `${A_FUNCTION}: --messageBytes is the size of what is sent`,
  messageCache: 'is an object: give mcacheLength and mcacheGossip',
  metricsRegister: FOR_FIGURES,
  metricsTopicStrToLabel: FOR_FIGURES,
  debugName: 'does not apply here: results contain no debug logs',
  globalSignaturePolicy: 'is --signing: on is StrictSign, off is StrictNoSign',
  protocols: NO_EFFECT,
  canRelayMessage: NO_EFFECT,
  messageProcessingConcurrency: NO_EFFECT,
  scoreParams: 'is the mapping score',
  scoreThresholds: 'is the mapping thresholds in score',
  topics: "is the mapping score of each topic's own",
  appSpecificScore: `${A_FUNCTION}: it is 0 for every peer`
}

/** LIBRARY_CONSTANTS are limits that @libp2p/gossipsub has no option for. @type {Readonly<Record<string, number>>} */
export const LIBRARY_CONSTANTS = {
  GossipsubMaxIHaveLength: 5000,
  GossipsubMaxIHaveMessages: 10,
  GossipsubMaxIWantMessages: 10,
  GossipsubGossipRetransmission: 3,
  GossipsubHeartbeatInitialDelay: 100,
  GossipsubPruneBackoffTicks: 15,
  GossipsubConnectors: 8,
  GossipsubMaxPendingConnections: 128,
  GossipsubConnectionTimeout: 30_000,
  GossipsubDirectConnectInitialDelay: 1000,
  GossipsubTopicEntryOverhead: 1024
}

/** Constants have several spellings: max_ihave_length, MaxIHaveLength. @param {string} name */
const normalizeName = name => name.toLowerCase().replaceAll(/_|^gossipsub/g, '')

/** Mappings of a file with their parameters. @type {[string, FileTable][]} */
const PARAM_TABLES = [
  ['gossipsub', OPTIONS],
  ['decodeRpcLimits of gossipsub', DECODE_LIMITS],
  ['score of gossipsub', PEER_SCORE],
  ['thresholds in score of gossipsub', THRESHOLDS],
  ['score of a topic', TOPIC_SCORE]
]

/** @param {string} key @param {FileTable} table */
function noParameter(key, table) {
  if (Object.hasOwn(REFUSED_OPTIONS, key)) return REFUSED_OPTIONS[key]
  const constant = Object.keys(LIBRARY_CONSTANTS).find(name => normalizeName(name) === normalizeName(key))
  if (constant !== undefined)
    return `cannot be set: ${constant} is a constant of @libp2p/gossipsub, ${LIBRARY_CONSTANTS[constant]}`
  const belongs = PARAM_TABLES.find(([, params]) => Object.hasOwn(params, key))
  if (belongs !== undefined) return `belongs in ${belongs[0]}`
  const near = findNearWord(key, Object.keys(table))
  return near === null
    ? `is not a parameter: must be one of ${Object.keys(table).join(', ')}`
    : `is not a parameter; did you mean ${near}?`
}

/**
 * @typedef {object} ParsedParams - the parameters in a mapping of a file
 * @property {Record<string, any>} values - by the library's names, in ms and bytes
 * @property {Record<string, KeyPath>} places - path of each parameter
 * @property {FileProblem[]} problems
 */

/** @param {unknown} value @param {FileTable} table @param {ParsedParams} [collected] @param {KeyPath} [path] @returns {ParsedParams} */
function readMapping(value, table, collected = { values: {}, places: {}, problems: [] }, path = []) {
  const { values, places, problems } = collected
  if (!isMapping(value)) {
    problems.push({ path, message: 'must be a mapping of parameters' })
    return collected
  }
  for (const [key, raw] of Object.entries(value)) {
    const place = [...path, key]
    const refuse = (/** @type {string} */ message) => problems.push({ path: place, message })
    const known = Object.hasOwn(table, key) ? table[key] : null
    if (raw === null) continue // YAML writes null for a key left open
    if (known === null) refuse(noParameter(key, table))
    else if (!isParam(known)) readMapping(raw, known, collected, place)
    else if (Object.hasOwn(places, known.param))
      refuse(`is the same parameter as ${places[known.param].join('.')}: give one of them`)
    else {
      const taken = known.take(raw)
      if (taken === undefined) refuse(known.allowed)
      else values[known.param] = taken
      places[known.param] = place
    }
  }
  return collected
}

/** @param {FileParam | FileTable} known @returns {known is FileParam} */
const isParam = known => typeof known.take === 'function'

/**
 * parseGossipsub reads the mapping `gossipsub` of a network file, by the names of the library or the specification. findGossipsubProblems
 * checks its values against one another and against flags.
 *
 * @param {unknown} value
 * @returns {{ gossipsub: Record<string, any>, places: Record<string, KeyPath>, problems: FileProblem[] }} `gossipsub`: by the library's names, as in
 *   a plan; `places`: the keys each was given by
 */
export function parseGossipsub(value) {
  const { values, places, problems } = readMapping(value, FILE)
  return { gossipsub: values, places, problems }
}

/**
 * parseTopicScore reads the score parameters of a topic.
 *
 * @param {unknown} value
 * @returns {{ score: Record<string, number>, problems: FileProblem[] }} by the library's names
 */
export function parseTopicScore(value) {
  const { values, places, problems } = readMapping(value, TOPIC_SCORE)
  const together = findGossipsubProblems(values).map(({ param, message }) => ({
    path: places[param],
    message
  }))
  return { score: values, problems: [...problems, ...together] }
}

/**
 * findTopicParamProblems refuses parameters of a topic: @libp2p/gossipsub 17 reads each from its options, whatever the topic.
 *
 * @param {unknown} params - that a file gives a topic
 * @returns {FileProblem[]}
 */
export const findTopicParamProblems = params =>
  (isMapping(params) ? Object.keys(params) : []).map(key => ({
    path: [key],
    message: Object.hasOwn(TOPIC_SCORE, key)
      ? 'belongs in score of the topic'
      : `cannot be set for a topic: @libp2p/gossipsub has no parameters of a topic but those of its score. Give ${key} in gossipsub, for all topics`
  }))

/** @param {Zod} z @param {FileTable} table @returns {import('zod').ZodType} */
const shapeOf = (z, table) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(table).map(([key, known]) => {
        const shape = isParam(known) ? known.shape(z) : shapeOf(z, known)
        const { describe } = /** @type {{ describe?: unknown }} */ (known)
        return [key, (typeof describe === 'string' ? shape.describe(describe) : shape).optional()]
      })
    )
  )

/** makeGossipsubSchema makes the schema of what parseGossipsub reads. @param {Zod} z */
export const makeGossipsubSchema = z => shapeOf(z, FILE)

/** makeTopicScoreSchema makes the schema of what parseTopicScore reads. @param {Zod} z */
export const makeTopicScoreSchema = z => shapeOf(z, TOPIC_SCORE)

/** LIBRARY_DEFAULTS are the library's defaults that rules need. @type {Readonly<Record<string, number>>} */
export const LIBRARY_DEFAULTS = {
  ...{ D: 6, Dlo: 4, Dhi: 12, Dout: 2, mcacheLength: 5, mcacheGossip: 3 },
  ...{ gossipThreshold: -10, publishThreshold: -50, graylistThreshold: -80 },
  ...{ behaviourPenaltyWeight: -10, timeInMeshWeight: 1, firstMessageDeliveriesWeight: 1 },
  ...{ meshMessageDeliveriesWeight: -1, meshFailurePenaltyWeight: -1 }
}

/**
 * @typedef {object} Order - of two parameters
 * @property {string} low
 * @property {string} high
 * @property {(low: number, high: number) => boolean} holds
 * @property {[low: string, high: string]} must - what is said of each
 */

/** @param {string} low @param {string} high @returns {Order} */
const inOrder = (low, high) => ({
  low,
  high,
  holds: (min, max) => min <= max,
  must: ['must be at most', 'must be at least']
})

/** @type {readonly Order[]} */
const ORDER_RULES = [
  inOrder('Dlo', 'D'),
  inOrder('D', 'Dhi'),
  // Dout = 0 has no condition
  {
    low: 'Dout',
    high: 'Dlo',
    holds: (out, low) => out === 0 || out < low,
    must: ['must be 0, or below', 'must be above']
  },
  {
    low: 'Dout',
    high: 'D',
    holds: (out, desired) => out <= desired / 2,
    must: ['must be at most half of', 'must be at least twice']
  },
  inOrder('mcacheGossip', 'mcacheLength'),
  inOrder('graylistThreshold', 'publishThreshold'),
  inOrder('publishThreshold', 'gossipThreshold')
]

/** @type {readonly { of: string[], holds: (value: number) => boolean, must: string }[]} */
const VALUE_RULES = [
  {
    of: [
      ...Object.keys(TOPIC_SCORE).filter(key => key.endsWith('Decay')),
      'behaviourPenaltyDecay',
      'decayToZero'
    ],
    holds: value => value > 0 && value < 1,
    must: 'must be above 0 and below 1'
  },
  {
    of: [...Object.keys(TOPIC_SCORE).filter(key => key.endsWith('Cap')), 'meshMessageDeliveriesThreshold'],
    holds: value => value > 0,
    must: 'must be above 0'
  },
  { of: ['meshMessageDeliveriesActivation'], holds: ms => ms >= 1000, must: 'must be at least 1s' }
]

/** Parameters without a weight. */
const UNWEIGHTED_PARAMS = ['decayToZero', 'invalidMessageDeliveriesDecay']

/** @param {string} param @returns {string} */
const findFlagName = param =>
  Object.keys(GOSSIPSUB_PARAMS).find(flag => GOSSIPSUB_PARAMS[flag].param === param) ?? param

/**
 * findGossipsubProblems finds parameters that gossipsub forbids together, whether they come from flags or a file. It checks them against one
 * another, the preset and the library's defaults.
 *
 * @param {Readonly<Record<string, any>>} values - by the library's names
 * @param {string} [preset]
 * @returns {{ param: string, message: string }[]} `param`: a parameter in `given`; `message`: what it must be
 */
export function findGossipsubProblems(values, preset = 'default') {
  const base = /** @type {Record<string, any>} */ (GOSSIPSUB_PRESETS)[preset]
  const valueIn = (/** @type {string} */ param) => values[param] ?? base[param] ?? LIBRARY_DEFAULTS[param]
  const saying = (/** @type {string} */ param) => {
    const by = values[param] !== undefined ? '' : base[param] !== undefined ? ' by the preset' : ' by default'
    return `${valueIn(param)}${by}`
  }
  const which = (/** @type {string} */ param) => `${findFlagName(param)}, which is ${saying(param)}`
  const orders = ORDER_RULES.flatMap(({ low, high, holds, must }) => {
    if (holds(valueIn(low), valueIn(high))) return []
    if (values[low] !== undefined) return [{ param: low, message: `${must[0]} ${which(high)}` }]
    return values[high] === undefined ? [] : [{ param: high, message: `${must[1]} ${which(low)}` }]
  })
  const weighed = VALUE_RULES.flatMap(({ of, holds, must }) =>
    of.flatMap(param => {
      if (values[param] === undefined || holds(values[param])) return []
      if (UNWEIGHTED_PARAMS.includes(param)) return [{ param, message: must }]
      const weight = param.replace(/[A-Z][a-z]+$/, 'Weight')
      return valueIn(weight) === 0
        ? []
        : [{ param, message: `${must} unless ${weight} is 0: it is ${saying(weight)}` }]
    })
  )
  return [...orders, ...weighed]
}

/** An RPC has a length prefix. Its encoder refuses larger RPCs, whatever the options are. */
const MAX_RPC_BYTES = 4 * 2 ** 20
/** Bytes of an RPC for other parts than the payload: 170 bytes with a signature, the topic's name, and control messages. */
const RPC_RESERVE_BYTES = 1024

/**
 * computeMaxMessageBytes is the largest payload that gets through.
 *
 * @param {Readonly<Record<string, any>>} [gossipsub] - parameters by the library's names
 */
export const computeMaxMessageBytes = ({ maxInboundDataLength = MAX_RPC_BYTES } = {}) =>
  Math.min(maxInboundDataLength, MAX_RPC_BYTES) - RPC_RESERVE_BYTES

/**
 * findMessageBytesProblem names the limit that a payload exceeds.
 *
 * @param {number} maxBytes - bytes of the largest one
 * @param {Readonly<Record<string, any>>} [gossipsub] - parameters by the library's names
 * @returns {string | undefined} undefined: it gets through
 */
export function findMessageBytesProblem(maxBytes, gossipsub = {}) {
  const max = computeMaxMessageBytes(gossipsub)
  if (!(maxBytes > max)) return undefined
  const { maxInboundDataLength: own } = gossipsub
  const limit =
    own < MAX_RPC_BYTES
      ? `gossipsub reads no RPC above maxInboundDataLength, ${formatWhole(own)} bytes: raise that, to 4MiB at most`
      : `gossipsub sends and reads no RPC above 4 MiB (${formatWhole(MAX_RPC_BYTES)} bytes), the limit of its length prefix, which no option raises`
  return `must be at most ${formatWhole(max)} bytes: ${limit}; ${formatWhole(RPC_RESERVE_BYTES)} bytes of it are kept for what goes along`
}

/**
 * gatherGossipsubParams gathers the parameters of flags and a network file, by the library's names.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Record<string, any>}
 */
export const gatherGossipsubParams = values => ({
  ...values.networkFile?.gossipsub,
  ...Object.fromEntries(
    Object.entries(GOSSIPSUB_PARAMS).flatMap(([flag, { param }]) =>
      values[flag] === undefined ? [] : [[param, values[flag]]]
    )
  )
})

/**
 * toGossipsubFlags converts parameters back to flags.
 *
 * @param {Readonly<Record<string, unknown>>} gossipsub - by the library's names
 * @returns {Record<string, unknown>} by flag
 */
export const toGossipsubFlags = gossipsub =>
  Object.fromEntries(
    Object.entries(GOSSIPSUB_PARAMS).flatMap(([flag, { param }]) =>
      gossipsub[param] === undefined ? [] : [[flag, gossipsub[param]]]
    )
  )

const TOPIC_SCORE_ALLOWED =
  'must be parameters by topic, such as { foo: { topicWeight: 1, timeInMeshWeight: 0.01, timeInMeshQuantum: 1000 } }'

/** @param {Zod} z */
const byTopic = z => z.record(z.string(), z.record(z.string(), z.union([z.number(), z.boolean()])))

/**
 * @param {string} text - YAML or JSON, or `file:<path>` of such a file
 * @param {ReadText} readText
 * @returns {{ value: unknown } | { allowed: string }}
 */
function readFrom(text, readText) {
  const path = /^file:(.*)$/s.exec(text.trim())?.[1]
  try {
    return { value: parseYaml(path === undefined ? text : readText(path)) }
  } catch (error) {
    return { allowed: error instanceof YamlError ? error.message : describeReadError(error) }
  }
}

/**
 * topicScoreParamsKind is the kind of --topicScoreParams: parameters by topic and by the library's names, as a mapping, as its text or
 * in a file. It reads the file, and a plan then holds all that its run needs.
 *
 * @param {ReadText} [readText]
 * @returns {import('../../plan/values.js').OptionValueKind & { write: (value: object) => string }}
 */
export const topicScoreParamsKind = (readText = readTextSync) => ({
  allowed: TOPIC_SCORE_ALLOWED,
  read: value => {
    const read = typeof value === 'string' ? readFrom(value, readText) : { value }
    if ('allowed' in read) return read
    if (!isMapping(read.value) || !Object.values(read.value).every(isMapping))
      return { allowed: TOPIC_SCORE_ALLOWED }
    /** @type {Record<string, object>} */
    const scores = {}
    for (const [topic, params] of Object.entries(read.value)) {
      const { score, problems } = parseTopicScore(params)
      if (problems.length > 0)
        return { allowed: `topic ${topic}: ${problems[0].path.join('.')} ${problems[0].message}` }
      scores[topic] = score
    }
    return { value: scores }
  },
  schema: byTopic,
  write: value => JSON.stringify(value)
})
