// Gossipsub in a run: options from the plan, message payloads, counters of the library's metrics, samples of peer
// scores.
import { computeSum } from '../kit/collections.js'

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {Partial<import('@libp2p/gossipsub').GossipsubOpts>} GossipsubOptions
 * @typedef {import('@libp2p/gossipsub/score').PeerScoreParams['topics']} TopicScores
 */

/** Where the library takes a parameter, by its name; other ones are options. Nothing of it is imported: which one runs is up to the stack. */
export const SCORE_PARAMS = [
  'topics',
  'topicScoreCap',
  'appSpecificScore',
  'appSpecificWeight',
  'IPColocationFactorWeight',
  'IPColocationFactorThreshold',
  'IPColocationFactorWhitelist',
  'behaviourPenaltyWeight',
  'behaviourPenaltyThreshold',
  'behaviourPenaltyDecay',
  'decayInterval',
  'decayToZero',
  'retainScore'
]

/** SCORE_THRESHOLDS are those of its other place. */
export const SCORE_THRESHOLDS = [
  'gossipThreshold',
  'publishThreshold',
  'graylistThreshold',
  'acceptPXThreshold',
  'opportunisticGraftThreshold'
]

/** DECODE_LIMITS are the library's defaults: it takes all of them, or none. */
export const DECODE_LIMITS = {
  maxSubscriptions: 5000,
  maxMessages: 5000,
  maxIhaveMessageIDs: 5000,
  maxIwantMessageIDs: 5000,
  maxIdontwantMessageIDs: 512,
  maxControlMessages: 5000,
  maxPeerInfos: 16
}

/** The study's gossipsub had no scores: nothing that is counted weighs anything. */
const NO_SCORE_WEIGHTS = { appSpecificWeight: 0, behaviourPenaltyWeight: 0 }

/**
 * makeGossipsubOptions gives the options of gossipsub: what the plan asks for, and what peers on one host need. Everything else is left
 * to the library.
 *
 * @param {Pick<GossipPlan, 'gossipsub' | 'signing' | 'fastMsgId' | 'topicScoreParams' | 'preset'>} plan
 * @returns {GossipsubOptions}
 */
export function makeGossipsubOptions({ gossipsub, signing, fastMsgId, topicScoreParams, preset }) {
  const { options, scoreParams, scoreThresholds, decodeRpcLimits } = sortParameters(gossipsub)
  const { IPColocationFactorWhitelist: whitelist, ...scores } = scoreParams
  return {
    ...options,
    ...(Object.keys(decodeRpcLimits).length > 0 && {
      decodeRpcLimits: { ...DECODE_LIMITS, ...decodeRpcLimits }
    }),
    scoreParams: {
      IPColocationFactorWeight: 0,
      ...(preset === 'study-2019' && NO_SCORE_WEIGHTS),
      ...scores,
      ...(whitelist !== undefined && { IPColocationFactorWhitelist: new Set(whitelist) }),
      // the library fills what is left out of a topic's parameters
      ...(topicScoreParams != null && { topics: /** @type {TopicScores} */ (topicScoreParams) })
    },
    ...(Object.keys(scoreThresholds).length > 0 && { scoreThresholds }),
    globalSignaturePolicy: signing ? 'StrictSign' : 'StrictNoSign',
    ...(fastMsgId && { fastMsgIdFn })
  }
}

/**
 * hasScores says whether a plan sets anything by which peers are scored: without it, scores say nothing of a network.
 *
 * @param {Pick<GossipPlan, 'gossipsub' | 'topicScoreParams'>} plan
 */
export const hasScores = ({ gossipsub, topicScoreParams }) =>
  Object.keys(topicScoreParams ?? {}).length > 0 ||
  Object.keys(gossipsub).some(name => SCORE_PARAMS.includes(name) || SCORE_THRESHOLDS.includes(name))

/**
 * The library takes its parameters in four places.
 *
 * @param {GossipPlan['gossipsub']} gossipsub
 */
function sortParameters(gossipsub) {
  /** @type {Record<'options' | 'scoreParams' | 'scoreThresholds' | 'decodeRpcLimits', Record<string, any>>} */
  const places = { options: {}, scoreParams: {}, scoreThresholds: {}, decodeRpcLimits: {} }
  for (const [name, value] of Object.entries(gossipsub)) {
    if (SCORE_PARAMS.includes(name)) places.scoreParams[name] = value
    else if (SCORE_THRESHOLDS.includes(name)) places.scoreThresholds[name] = value
    else if (Object.hasOwn(DECODE_LIMITS, name)) places.decodeRpcLimits[name] = value
    else places.options[name] = value
  }
  return places
}

/**
 * fastMsgIdFn is as an application would have it that knows what makes its messages unique: the first bytes of ours do, signed or not.
 *
 * @param {{ data?: Uint8Array }} message
 */
export const fastMsgIdFn = ({ data }) =>
  data === undefined ? '' : String.fromCharCode(...data.subarray(0, PAYLOAD_HEADER_BYTES))

/** Of `@libp2p/gossipsub`, and of the specification. */
const LIBRARY_HEARTBEAT_MS = 1000

/**
 * heartbeatIntervalMs is how long it is from one heartbeat of a node to the next.
 *
 * @param {Readonly<Record<string, unknown>>} gossipsub - parameters that a plan sets
 */
export const heartbeatIntervalMs = gossipsub => Number(gossipsub.heartbeatInterval ?? LIBRARY_HEARTBEAT_MS)

/** PAYLOAD_HEADER_BYTES are the run's nonce and the number of the message, 4 bytes each, big endian. */
const PAYLOAD_HEADER_BYTES = 8

const FILLER_BYTE = 0x5a

/** Fields of the protocol's RPC and of the messages in it. */
const RPC_PUBLISH = 2
const MESSAGE_DATA = 2
const LENGTH_DELIMITED = 2
/** A message's number stands behind the run's nonce. */
const MESSAGE_NUMBER_OFFSET = 4

/**
 * makePayload makes the payload of a message: header, then filler.
 *
 * @param {number} runNonce - 32 bits
 * @param {number} message - 32 bits
 * @param {number} bytes - of the payload, at least PAYLOAD_HEADER_BYTES
 * @returns {Uint8Array}
 * @throws {RangeError} when the header does not fit
 */
export function makePayload(runNonce, message, bytes) {
  if (bytes < PAYLOAD_HEADER_BYTES) {
    throw new RangeError(
      `message ${message} cannot have ${bytes} bytes: its header takes ${PAYLOAD_HEADER_BYTES}`
    )
  }
  const payload = Buffer.alloc(bytes, FILLER_BYTE)
  payload.writeUInt32BE(runNonce >>> 0, 0)
  payload.writeUInt32BE(message >>> 0, 4)
  return payload
}

/**
 * readMessageNumber reads the number of a message.
 *
 * @param {Uint8Array} payload
 * @param {number} runNonce - of the run
 * @returns {number} -1: the message is not one of the run
 */
export function readMessageNumber(payload, runNonce) {
  if (payload.length < PAYLOAD_HEADER_BYTES) return -1
  return uint32(payload, 0) === runNonce >>> 0 ? uint32(payload, 4) : -1
}

/**
 * readMessageNumbers reads the numbers of the messages that an RPC carries, without decoding it: it tells what a node will have to do before
 * the library does it.
 *
 * @param {Uint8Array} framed - RPCs, each behind its length
 * @returns {number[]}
 */
export function readMessageNumbers(framed) {
  /** @type {number[]} */
  const numbers = []
  const reader = new FieldReader(framed)
  while (!reader.ended) {
    const { start, end } = reader.delimited()
    for (const publish of reader.fields(start, end, RPC_PUBLISH))
      for (const data of reader.fields(publish.start, publish.end, MESSAGE_DATA))
        if (data.end - data.start >= PAYLOAD_HEADER_BYTES)
          numbers.push(uint32(framed, data.start + MESSAGE_NUMBER_OFFSET))
    reader.goTo(end)
  }
  return numbers
}

/** FieldReader walks over the fields of protobuf messages. */
class FieldReader {
  #bytes
  #at = 0

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
  }

  get ended() {
    return this.#at >= this.#bytes.length
  }

  /** delimited skips what stands behind its length. */
  delimited() {
    const length = this.#varint()
    const start = this.#at
    this.#at = Math.min(start + length, this.#bytes.length)
    return { start, end: this.#at }
  }

  /**
   * fields finds the contents of a length-delimited field.
   *
   * @param {number} start
   * @param {number} end
   * @param {number} number
   */
  fields(start, end, number) {
    const contents = []
    this.#at = start
    while (this.#at < end) {
      const tag = this.#varint()
      if ((tag & 7) !== LENGTH_DELIMITED) this.#varint()
      else {
        const content = this.delimited()
        if (tag >>> 3 === number) contents.push(content)
      }
    }
    return contents
  }

  /** @param {number} at */
  goTo(at) {
    this.#at = at
  }

  #varint() {
    let value = 0
    for (let factor = 1; this.#at < this.#bytes.length; factor *= 128) {
      const byte = this.#bytes[this.#at++]
      value += (byte & 127) * factor
      if (byte < 128) break
    }
    return value
  }
}

/** @param {Uint8Array} bytes @param {number} at */
const uint32 = (bytes, at) =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0

/**
 * @typedef {import('@libp2p/gossipsub/metrics').MetricsRegister} MetricsRegister
 * @typedef {import('./node-host.js').Counters} Counters
 * @typedef {import('./node-host.js').NodeBytes} NodeBytes
 * @typedef {Exclude<keyof Counters, 'accepted' | 'ignored' | 'rejected' | 'foreign'>} LibraryCounter - those of Counters that the
 *   library counts
 */

/**
 * What each counter is in the library (read in the sources of @libp2p/gossipsub 17.1.1).
 *
 * | counter | what is counted there |
 * |---|---|
 * | duplicates | copies whose id was in the seen cache, own messages that came back among them. With signing and without fast ids the signature of each has been checked by then |
 * | bytesSent, bytesReceived | encoded RPCs without their length prefix; sent: handed to the stream, whether or not they have left it |
 * | rpcsSent, rpcsReceived | RPCs, also those of peers whose score is too low to be listened to |
 * | messagesSent, messagesReceived | messages inside RPCs, first copies and further ones |
 * | ihaveSent, iwantSent | entries of control messages: an IHAVE is one topic to one peer, an IWANT one request; each names many message ids |
 * | graftSent, pruneSent | entries: one topic to one peer |
 * | idontwantSent | entries: in this library each names one message id |
 * | promisesBroken | a message id drawn from each IWANT is remembered; broken when it has not come within gossipsubIWantFollowupMs. Looked at on heartbeats |
 *
 * @type {Readonly<Record<string, LibraryCounter>>}
 */
export const METRIC_COUNTERS = {
  gossipsub_pre_validation_duplicate_total: 'duplicates',
  gossipsub_rpc_sent_bytes_total: 'bytesSent',
  gossipsub_rpc_recv_bytes_total: 'bytesReceived',
  gossipsub_rpc_sent_count_total: 'rpcsSent',
  gossipsub_rpc_recv_count_total: 'rpcsReceived',
  gossipsub_rpc_sent_message_total: 'messagesSent',
  gossipsub_rpc_recv_message_total: 'messagesReceived',
  gossipsub_rpc_sent_ihave_total: 'ihaveSent',
  gossipsub_rpc_sent_iwant_total: 'iwantSent',
  gossipsub_rpc_sent_graft_total: 'graftSent',
  gossipsub_rpc_sent_prune_total: 'pruneSent',
  gossipsub_rpc_sent_idontwant_total: 'idontwantSent',
  gossipsub_iwant_promise_broken: 'promisesBroken'
}

/** GRAFT_REASONS are why peers came into a mesh. `subscribed`: they sent a GRAFT, or subscribed while the mesh was below D_low. */
export const GRAFT_REASONS = /** @type {const} */ ([
  ...['fanout', 'random', 'subscribed', 'outbound', 'notEnough', 'opportunistic', 'unknown']
])

/** PRUNE_REASONS are why peers left a mesh. `prune`: they sent a PRUNE. */
export const PRUNE_REASONS = /** @type {const} */ (['disconnected', 'badScore', 'prune', 'excess', 'unknown'])

const inSnakeCase = (/** @type {string} */ name) =>
  name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Metrics that count peers coming into meshes, and leaving them. */
const MESH_CHANGES = [
  ...GRAFT_REASONS.map(reason => `gossipsub_mesh_peer_inclusion_events_${inSnakeCase(reason)}_total`),
  ...PRUNE_REASONS.map(reason => `gossipsub_peer_churn_events_${inSnakeCase(reason)}_total`)
]

const nothing = () => {}
const IGNORED_GAUGE = { inc: nothing, set: nothing, addCollect: nothing }
const IGNORED_HISTOGRAM = { startTimer: () => nothing, observe: nothing, reset: nothing }
const IGNORED_AVERAGE = { set: nothing }

/**
 * makeCountingRegister makes what gossipsub takes as `metricsRegister`, which counts what Counters needs and nothing else. All nodes of a host
 * share one: their counts are summed.
 *
 * @param {{ perNode?: boolean }} [how] - `perNode`: bytes of each node are counted, too
 * @returns {{ register: MetricsRegister, registerOf: (node: number) => MetricsRegister, counts: () => Record<LibraryCounter, number>, bytes: () => NodeBytes,
 *   meshChanges: () => number[] }} `meshChanges`: by GRAFT_REASONS, and then PRUNE_REASONS
 */
export function makeCountingRegister({ perNode = false } = {}) {
  const counts = /** @type {Record<LibraryCounter, number>} */ (
    Object.fromEntries(Object.values(METRIC_COUNTERS).map(counter => [counter, 0]))
  )
  /** @type {Map<number, { bytesSent: number, bytesReceived: number }>} */
  const nodes = new Map()
  const meshChanges = MESH_CHANGES.map(() => 0)
  /** @param {LibraryCounter} counter @param {{ bytesSent: number, bytesReceived: number }} [own] */
  const adder = (counter, own) =>
    own !== undefined && (counter === 'bytesSent' || counter === 'bytesReceived')
      ? (by = 1) => {
          counts[counter] += by
          own[counter] += by
        }
      : (by = 1) => {
          counts[counter] += by
        }
  /** @param {{ bytesSent: number, bytesReceived: number }} [own] @returns {MetricsRegister} */
  const registerWith = own => {
    const gauge = (/** @type {{ name: string, labelNames?: string[] }} */ { name, labelNames }) => {
      const counter = METRIC_COUNTERS[name]
      const change = MESH_CHANGES.indexOf(name)
      if (counter === undefined && change < 0) return IGNORED_GAUGE
      const ofMesh = (by = 1) => {
        meshChanges[change] += by
      }
      const add = change < 0 ? adder(counter, own) : ofMesh
      // the library passes labels first where there are any
      const inc = labelNames === undefined ? add : (/** @type {unknown} */ _labels, by = 1) => add(by)
      return { ...IGNORED_GAUGE, inc }
    }
    return /** @type {MetricsRegister} */ (
      /** @type {unknown} */ ({ gauge, histogram: () => IGNORED_HISTOGRAM, avgMinMax: () => IGNORED_AVERAGE })
    )
  }
  const register = registerWith()
  return {
    register,
    registerOf(node) {
      if (!perNode) return register
      const own = nodes.get(node) ?? { bytesSent: 0, bytesReceived: 0 }
      nodes.set(node, own)
      return registerWith(own)
    },
    counts: () => ({ ...counts }),
    meshChanges: () => [...meshChanges],
    bytes: () => ({
      node: Uint16Array.from(nodes.keys()),
      sent: Float64Array.from(nodes.values(), ({ bytesSent }) => bytesSent),
      received: Float64Array.from(nodes.values(), ({ bytesReceived }) => bytesReceived)
    })
  }
}

/**
 * BYTE_CAUSES are what bytes of RPCs are sent for: own messages when they are published, messages of others that are passed on, messages
 * that a peer asked for (IWANT), control messages by their kinds, and changes of subscriptions. `other`: an RPC with none of them.
 */
export const BYTE_CAUSES = /** @type {const} */ ([
  ...['publish', 'forward', 'iwantAnswer'],
  ...['ihave', 'iwant', 'graft', 'prune', 'idontwant', 'subscriptions', 'other']
])

/**
 * DUPLICATE_CAUSES are why a node was sent a message that it had already, by the first that holds:
 *
 * - `iwantAnswer`: it had asked this peer for the message (IWANT);
 * - `mesh`: the peer is in its mesh for the topic;
 * - `floodPublish`: the peer published the message (flood publishing, or a publisher with too small a mesh);
 * - `other`: most of them come from a peer that has the node in its mesh, but is not, or no longer, in the node's.
 */
export const DUPLICATE_CAUSES = /** @type {const} */ (['iwantAnswer', 'mesh', 'floodPublish', 'other'])

/** @typedef {typeof BYTE_CAUSES[number]} ByteCause */

/**
 * encodeCauses puts what a host counted into one list of numbers, so that hosts can be added up, and moments taken from one another.
 *
 * @param {object} counted
 * @param {Float64Array} counted.duplicates - by DUPLICATE_CAUSES
 * @param {readonly number[]} counted.meshChanges - by GRAFT_REASONS, and then PRUNE_REASONS
 * @param {Float64Array} counted.bytes - by topic and BYTE_CAUSES; behind the topics, what names none
 */
export const encodeCauses = ({ duplicates, meshChanges, bytes }) =>
  Float64Array.from([...duplicates, ...meshChanges, ...bytes])

const MESH_CHANGES_OFFSET = DUPLICATE_CAUSES.length
const BYTES_OFFSET = MESH_CHANGES_OFFSET + GRAFT_REASONS.length + PRUNE_REASONS.length

/**
 * @template {string} Name
 * @param {Float64Array} causes
 * @param {number} at
 * @param {readonly Name[]} names
 */
const namedValues = (causes, at, names) =>
  /** @type {Record<Name, number>} */ (Object.fromEntries(names.map((name, i) => [name, causes[at + i]])))

/**
 * decodeCauses reads such a list.
 *
 * @param {Float64Array} causes - or the sum of several, or the difference of two
 * @returns what results hold; `topics` is empty where there is one
 */
export function decodeCauses(causes) {
  const rows = (causes.length - BYTES_OFFSET) / BYTE_CAUSES.length
  const topics = Array.from({ length: rows }, (_, row) => ({
    topic: row === rows - 1 ? null : row,
    ...namedValues(causes, BYTES_OFFSET + row * BYTE_CAUSES.length, BYTE_CAUSES),
    // these name messages, not topics
    ...(row < rows - 1 && { iwant: null, idontwant: null })
  }))
  const { floodPublish, ...duplicates } = namedValues(causes, 0, DUPLICATE_CAUSES)
  return {
    bytesByCause: {
      all: /** @type {Record<ByteCause, number>} */ (
        Object.fromEntries(BYTE_CAUSES.map(cause => [cause, computeSum(topics, row => row[cause] ?? 0)]))
      ),
      topics: rows > 2 ? topics : []
    },
    duplicatesByCause: { ...duplicates, floodPublish: Number.isNaN(floodPublish) ? null : floodPublish },
    meshChanges: {
      grafts: namedValues(causes, MESH_CHANGES_OFFSET, GRAFT_REASONS),
      prunes: namedValues(causes, MESH_CHANGES_OFFSET + GRAFT_REASONS.length, PRUNE_REASONS)
    }
  }
}

/**
 * @typedef {import('./node-host.js').ScoreStep} ScoreStep
 * @typedef {import('./node-host.js').ScoreCounts} ScoreCounts
 */

/** Scores nearer to 0 count as 0. */
const MIN_SCORE = 1e-3
/** A bucket is 2 % wide: its middle is within 1 % of each value in it. */
const BUCKET_WIDTH = Math.log(1.02)
const MIN_STEP_MS = 1000

/** scoreBucketOf gives the bucket of a value. @param {number} value */
export const scoreBucketOf = value =>
  Math.abs(value) < MIN_SCORE
    ? 0
    : Math.sign(value) * (1 + Math.round(Math.log(Math.abs(value) / MIN_SCORE) / BUCKET_WIDTH))

/** scoreBucketMiddle gives the middle of a bucket. @param {number} bucket */
export const scoreBucketMiddle = bucket =>
  bucket === 0 ? 0 : Math.sign(bucket) * MIN_SCORE * Math.exp((Math.abs(bucket) - 1) * BUCKET_WIDTH)

/**
 * What a node's gossipsub holds of its peers.
 *
 * @param {any} gossipsub
 */
const hasReadableScores = ({ score, opts }) =>
  typeof score?.computeScore === 'function' && score.peerStats instanceof Map && opts?.scoreThresholds != null

/**
 * ScoreSampler samples the scores that nodes give their peers, once in each step of time: at a heartbeat, or a second where heartbeats are more
 * frequent. The library keeps a score for as long as a heartbeat once it was asked for: to ask would change what it uses later. So the score
 * is computed by the library's own function, which changes nothing.
 */
export class ScoreSampler {
  #now
  #peers
  #stepNs
  /** @type {Map<number, any>} gossipsub by node */
  #nodes = new Map()
  /** @type {Map<number, ScoreCounts>} since the last `take` */
  #steps = new Map()

  /**
   * @param {object} components
   * @param {() => number} components.now - ns
   * @param {import('./node-host.js').PeerNumbers} components.peers
   * @param {number} components.heartbeatMs
   */
  constructor({ now, peers, heartbeatMs }) {
    this.#now = now
    this.#peers = peers
    this.#stepNs = Math.max(MIN_STEP_MS, heartbeatMs) * 1e6
  }

  /** watch samples a node's scores from now on. @param {number} node @param {any} gossipsub */
  watch(node, gossipsub) {
    if (!hasReadableScores(gossipsub)) return
    this.#nodes.set(node, gossipsub)
    let last = -1
    gossipsub.addEventListener('gossipsub:heartbeat', () => {
      const step = Math.floor(this.#now() / this.#stepNs)
      if (step === last || this.#nodes.get(node) !== gossipsub) return
      last = step
      this.#sample(step, gossipsub)
    })
  }

  /** forget samples a node no more. @param {number} node */
  forget(node) {
    this.#nodes.delete(node)
  }

  /** take is what was sampled since the last time. @returns {ScoreStep[]} */
  take() {
    const steps = [...this.#steps].map(([step, { min, below, buckets }]) => ({
      atNs: step * this.#stepNs,
      ...{ min, below },
      buckets: Int16Array.from(buckets.keys()),
      counts: Uint32Array.from(buckets.values())
    }))
    this.#steps = new Map()
    return steps
  }

  /** ofPeers gives the scores of just now. @returns {{ peer: Uint16Array, score: Float64Array }} a row for each node and peer of it */
  ofPeers() {
    const rows = [...this.#nodes.values()].flatMap(gossipsub =>
      readScores(gossipsub).flatMap(({ id, score }) => {
        const peer = this.#peers.nodeOf(id)
        return peer === undefined ? [] : [{ peer, score }]
      })
    )
    return {
      peer: Uint16Array.from(rows, ({ peer }) => peer),
      score: Float64Array.from(rows, ({ score }) => score)
    }
  }

  /** @param {number} at @param {any} gossipsub */
  #sample(at, gossipsub) {
    const { gossipThreshold, publishThreshold, graylistThreshold } = gossipsub.opts.scoreThresholds
    const limits = [0, gossipThreshold, publishThreshold, graylistThreshold]
    const step = this.#steps.get(at) ?? { min: Infinity, below: limits.map(() => 0), buckets: new Map() }
    for (const { score } of readScores(gossipsub)) {
      const bucket = scoreBucketOf(score)
      step.buckets.set(bucket, (step.buckets.get(bucket) ?? 0) + 1)
      step.min = Math.min(step.min, score)
      for (const [i, limit] of limits.entries()) if (score < limit) step.below[i]++
    }
    if (step.buckets.size > 0) this.#steps.set(at, step)
  }
}

/** Of connected peers. @param {any} gossipsub @returns {{ id: string, score: number }[]} */
const readScores = ({ score: { peerStats, params, peerIPs, computeScore } }) =>
  [...peerStats].flatMap(([id, stats]) =>
    stats.connected ? [{ id, score: computeScore(id, stats, params, peerIPs) }] : []
  )
