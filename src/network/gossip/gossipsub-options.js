import { PAYLOAD_HEADER_BYTES } from './payload.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
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
 * gossipsubOptions gives the options of gossipsub: what the plan asks for, and what peers on one host need. Everything else is left
 * to the library.
 *
 * @param {Pick<GossipPlan, 'gossipsub' | 'signing' | 'fastMsgId' | 'topicScoreParams' | 'preset'>} plan
 * @returns {GossipsubOptions}
 */
export function gossipsubOptions({ gossipsub, signing, fastMsgId, topicScoreParams, preset }) {
  const { options, scoreParams, scoreThresholds, decodeRpcLimits } = sorted(gossipsub)
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
function sorted(gossipsub) {
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
