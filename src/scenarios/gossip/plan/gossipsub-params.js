import { duration, numberBetween, size, wholeNumber, yesOrNo } from '../../../plan/values.js'

/**
 * @typedef {import('../../../plan/option.js').OptionText & import('../../../plan/values.js').Kind & { param: string }} ParamOption - `param`: what the
 *   library calls it
 */

const GROUP = 'Gossipsub, under the names of its specification (default: those of the library):'

/** @param {string} param @param {string} describe @param {import('../../../plan/values.js').Kind} kind @returns {ParamOption} */
const parameter = (param, describe, kind) => ({ group: GROUP, param, describe, ...kind })

/** @param {Parameters<typeof duration>[0]} range */
const time = range => ({ ...duration(range), write: (/** @type {number} */ ms) => `${ms}ms` })

/** @param {Parameters<typeof size>[0]} range */
const bytes = range => ({ ...size(range), write: String })

/**
 * GOSSIPSUB_PARAMS are the parameters of gossipsub that can be set, by their names in the specification (v1.0 to v1.2). None has a
 * default here: the library's own are what is measured.
 *
 * @type {Readonly<Record<string, Readonly<ParamOption>>>}
 */
export const GOSSIPSUB_PARAMS = {
  D: parameter('D', 'desired mesh peers per topic', wholeNumber(0, 1000)),
  D_low: parameter('Dlo', 'fewer mesh peers than this are added to', wholeNumber(0, 1000)),
  D_high: parameter('Dhi', 'more mesh peers than this are pruned', wholeNumber(0, 1000)),
  D_score: parameter('Dscore', 'mesh peers kept by score when pruning', wholeNumber(0, 1000)),
  D_out: parameter('Dout', 'outbound mesh peers kept when pruning', wholeNumber(0, 1000)),
  D_lazy: parameter('Dlazy', 'peers gossiped to at each heartbeat, at least', wholeNumber(0, 1000)),
  gossip_factor: parameter(
    'gossipFactor',
    'share of the peers outside the mesh gossiped to',
    numberBetween(0, 1)
  ),
  heartbeat_interval: parameter(
    'heartbeatInterval',
    'time between heartbeats',
    time({ min: '10ms', max: '1h' })
  ),
  fanout_ttl: parameter(
    'fanoutTTL',
    'how long the fanout of a topic is kept',
    time({ min: '1ms', max: '24h' })
  ),
  mcache_len: parameter(
    'mcacheLength',
    'heartbeats for which messages can be asked for',
    wholeNumber(1, 1000)
  ),
  mcache_gossip: parameter(
    'mcacheGossip',
    'heartbeats whose messages are gossiped about',
    wholeNumber(0, 1000)
  ),
  seen_ttl: parameter('seenTTL', 'how long message ids are remembered', time({ min: '1ms', max: '24h' })),
  prune_backoff: parameter(
    'pruneBackoff',
    'time before a pruned peer is grafted again',
    time({ max: '24h' })
  ),
  // the library spells it so
  unsubscribe_backoff: parameter(
    'unsubcribeBackoff',
    'time before a topic is subscribed to again',
    time({ max: '24h' })
  ),
  prune_peers: parameter('prunePeers', 'peers named to a pruned one', wholeNumber(0, 1000)),
  graft_flood_threshold: parameter(
    'graftFloodThreshold',
    'a graft so soon after a prune costs score',
    time({ max: '24h' })
  ),
  opportunistic_graft_peers: parameter(
    'opportunisticGraftPeers',
    'peers grafted opportunistically',
    wholeNumber(0, 1000)
  ),
  opportunistic_graft_ticks: parameter(
    'opportunisticGraftTicks',
    'heartbeats between opportunistic grafts',
    wholeNumber(1, 100_000)
  ),
  iwant_followup_time: parameter(
    'gossipsubIWantFollowupMs',
    'time for an IWANT to be answered',
    time({ min: '1ms', max: '1h' })
  ),
  flood_publish: parameter(
    'floodPublish',
    'own messages go to all peers of the topic, not to the mesh only',
    yesOrNo()
  ),
  do_px: parameter('doPX', 'pruned peers are told of others (peer exchange)', yesOrNo()),
  idontwant_message_size_threshold: parameter(
    'idontwantMinDataSize',
    'size from which on IDONTWANT is sent',
    bytes({ min: '0', max: '1GB' })
  ),
  max_idontwant_messages: parameter(
    'idontwantMaxMessages',
    'IDONTWANTs taken from a peer in a heartbeat',
    wholeNumber(0, 1_000_000)
  )
}

/** More than any message has: no IDONTWANT is ever sent. */
const NEVER = 1_000_000_000

/**
 * PRESETS are named sets of parameters, by the library's names. `study-2019` is what the gossipsub v1.0 of the 95-node study did:
 * no flood publishing, no IDONTWANT, gossip to D_lazy peers however many there are (a share of them is the adaptive gossip of v1.1); scores,
 * which it did not have either, get no weight.
 */
export const PRESETS = {
  default: {},
  'study-2019': { floodPublish: false, idontwantMinDataSize: NEVER, gossipFactor: 0 }
}

/**
 * gossipsubValues gathers the parameters that were given, by the library's names.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Record<string, number | boolean>}
 */
export const gossipsubValues = values =>
  Object.fromEntries(
    Object.entries(GOSSIPSUB_PARAMS).flatMap(([flag, { param }]) =>
      values[flag] === undefined ? [] : [[param, values[flag]]]
    )
  )

/**
 * gossipsubFlags is the way back.
 *
 * @param {Readonly<Record<string, number | boolean>>} gossipsub - by the library's names
 * @returns {Record<string, number | boolean>} by flag
 */
export const gossipsubFlags = gossipsub =>
  Object.fromEntries(
    Object.entries(GOSSIPSUB_PARAMS).flatMap(([flag, { param }]) =>
      gossipsub[param] === undefined ? [] : [[flag, gossipsub[param]]]
    )
  )

// STUBS
/** @param {any} z */
export const gossipsubShape = z => z.record(z.string(), z.unknown())
/** @param {any} z */
export const topicScoreShape = z => z.record(z.string(), z.unknown())
/** @param {any} value @returns {{ gossipsub: Record<string, any>, problems: { path: (string | number)[], message: string }[] }} */
export const gossipsubFromFile = value => ({ gossipsub: value, problems: [] })
/** @param {any} value @returns {{ score: Record<string, any>, problems: { path: (string | number)[], message: string }[] }} */
export const topicScoreFromFile = value => ({ score: value, problems: [] })
/** @param {string} param */
export const topicParamsProblem = param => `${param}: not of a topic`
