// Options of the kinds of peers in a rendezvous run: clients with roles, churn, hostile peers, full peers (which are
// gossip nodes too).
import { formatDuration, formatSignificant, formatWhole } from '../../kit/numbers.js'
import { drawSubscriptions } from '../../load/network-script.js'
import { DEFAULT_PAIRS, estimateHostileMs } from '../../load/trials.js'
import { churnKind, makeChurnRules } from '../../plan/churn.js'
import { byteRange, duration, onOrOff, rate, wholeNumber, yesOrNo } from '../../plan/values.js'
import { computeDefaultDuration, DEFAULT_DURATION_MS, isOwnServer } from '../conditions.js'
import { computeMaxMessageBytes, findMessageBytesProblem } from '../gossip/gossipsub.js'
import { topicsKind } from '../gossip/topics.js'

/**
 * @typedef {Readonly<Record<string, Readonly<Omit<import('../../plan/options.js').Option, 'group'>>>>} GrouplessOptions - by flag, without their heading in --help
 * @typedef {import('../../plan/options.js').Rule} Rule
 * @typedef {Record<string, any>} Values - of options, by flag
 */

/** Limits of one role: half of what a run can have. */
const MAX_CLIENTS_OF_ROLE = 50_000
const MAX_RATE_OF_ROLE = 500_000

const ROLE_PLACE = {
  notIn: { trial: 'each connection of a trial sends the same' },
  ofCase: true,
  added: null
}

/** hasRoles says whether some clients only register, and the others only discover. @param {Values} values */
export const hasRoles = ({ providers, discoverers }) => providers !== undefined || discoverers !== undefined

/** @type {Readonly<import('../../plan/options.js').Condition>} */
const OF_ROLES = {
  of: 'roles',
  needs: ['providers', 'discoverers'],
  met: hasRoles,
  otherwise: 'needs --providers and --discoverers'
}

/** ROLE_OPTIONS divide the clients into those that only register, and those that only discover. @type {GrouplessOptions} */
export const ROLE_OPTIONS = {
  providers: {
    ...wholeNumber(1, MAX_CLIENTS_OF_ROLE),
    ...ROLE_PLACE,
    describe: 'clients that only refresh registrations; instead of --nClients, with --discoverers'
  },
  discoverers: {
    ...wholeNumber(1, MAX_CLIENTS_OF_ROLE),
    ...ROLE_PLACE,
    describe: 'clients that only DISCOVER; needs --providers'
  },
  providerRate: {
    ...rate({ max: MAX_RATE_OF_ROLE }),
    planKey: 'providerRatePerSecond',
    only: OF_ROLES,
    ...ROLE_PLACE,
    describe: 'open model: REGISTER rate of all providers (default: closed model)'
  },
  discovererRate: {
    ...rate({ max: MAX_RATE_OF_ROLE }),
    planKey: 'discovererRatePerSecond',
    only: OF_ROLES,
    ...ROLE_PLACE,
    describe: 'open model: DISCOVER rate of all discoverers'
  }
}

/**
 * applyRoles derives other options from the roles, so that no other code needs to know about roles.
 *
 * @param {Values} values
 * @returns {Values}
 */
export function applyRoles(values) {
  if (!hasRoles(values)) return values
  const { providers = 0, discoverers = 0, providerRate, discovererRate } = values
  const isOpen = providerRate !== undefined || discovererRate !== undefined
  return {
    ...values,
    nClients: providers + discoverers,
    benchmarkType: 'MIXED',
    // both types are sent; the shares are never drawn from
    mix: { register: 0.5, discover: 0.5, unregister: 0 },
    registerMode: 'refresh',
    rate: isOpen ? (providerRate ?? 0) + (discovererRate ?? 0) : undefined,
    duration: values.duration ?? computeDefaultDuration(values)
  }
}

/** Options that roles replace: why, and which values conflict (default: any). @type {Readonly<Record<string, [otherwise: string, asks?: (value: any) => boolean]>>} */
const REPLACED_BY_ROLES = {
  nClients: ['together they are all clients'],
  benchmarkType: ['providers REGISTER, discoverers DISCOVER'],
  mix: ['each role sends at its own pace, --providerRate and --discovererRate'],
  registerMode: ['providers keep their registrations fresh', value => value !== 'refresh'],
  rate: ['each role has its own, --providerRate and --discovererRate'],
  benchmarkRuns: ['they send for --duration']
}

/** ROLE_CONFLICTS are the options that a later --providers puts out of force. @type {readonly [string, string][]} */
export const ROLE_CONFLICTS = Object.keys(REPLACED_BY_ROLES).map(flag => ['providers', flag])

/** ROLE_DERIVED_KEYS are the keys of a plan that follow from its roles. */
export const ROLE_DERIVED_KEYS = ['nClients', 'benchmarkType', 'mix', 'registerMode', 'ratePerSecond']

const BOTH = ['providers', 'discoverers']

/** @type {readonly Rule[]} */
const REPLACED_RULES = Object.entries(REPLACED_BY_ROLES).map(([flag, [otherwise, asks = () => true]]) => ({
  flag,
  needs: BOTH,
  refuse: (values, explicit) =>
    explicit.has(flag) &&
    hasRoles(values) &&
    asks(explicit.get(flag)?.value) &&
    `does not apply with --providers and --discoverers: ${otherwise}`
}))

/** @param {string} flag @param {string} other @param {string} advice @returns {Rule} */
const bothRoles = (flag, other, advice) => ({
  flag,
  needs: BOTH,
  refuse: values =>
    hasRoles(values) && values[other] === undefined && `needs --${other}; where all clients ${advice}`
})

/** @param {string} flag @param {string} other @returns {Rule} */
const bothRates = (flag, other) => ({
  flag,
  needs: [other, ...BOTH],
  refuse: values =>
    hasRoles(values) &&
    values[flag] !== undefined &&
    values[other] === undefined &&
    `needs --${other}: both roles send on a schedule, or both wait for replies`
})

/** ROLE_RULES refuse combinations with roles. @type {readonly Rule[]} */
export const ROLE_RULES = [
  bothRoles('providers', 'discoverers', 'register there is --nClients with --registerMode refresh'),
  bothRoles('discoverers', 'providers', 'discover there is --nClients with --benchmarkType DISCOVER'),
  ...REPLACED_RULES,
  bothRates('providerRate', 'discovererRate'),
  bothRates('discovererRate', 'providerRate'),
  {
    flag: 'providerRate',
    needs: [...BOTH, 'ttl'],
    refuse: ({ providers, providerRate, ttl }) =>
      providers / providerRate >= ttl &&
      `must be above ${formatSignificant(providers / ttl)}/s: each of ${formatWhole(providers)} providers is to register again within --ttl ${ttl}s`
  },
  {
    flag: 'arrivals',
    needs: BOTH,
    refuse: ({ arrivals, ...values }) =>
      hasRoles(values) &&
      ['ramp', 'steps', 'replay'].includes(arrivals.shape) &&
      'must be constant, poisson or sine with --providers and --discoverers: other arrivals have one rate for all clients'
  }
]

/** @typedef {import('./options.js').Plan} Plan */

/**
 * makeChurnPlan gives the parts of a plan that a schedule of churn is made from.
 *
 * @param {Pick<Plan, 'seed' | 'nClients' | 'churn' | 'durationMs'>} plan
 * @returns {import('../../load/churn.js').ChurnedPlan}
 */
export const makeChurnPlan = ({ seed, nClients, churn, durationMs }) => ({
  ...{ seed, churn, durationMs, nodes: nClients },
  messages: null,
  ratePerSecond: null
})

/**
 * readRefreshMs gives the time after which a client registers again; by default half of the time to live.
 *
 * @param {Values} values
 */
export const readRefreshMs = ({ refreshEvery, ttl }) => refreshEvery ?? ttl * 500

/** @type {Readonly<import('../../plan/options.js').Condition>} */
const WITH_CHURN = {
  of: '--churn',
  needs: ['churn'],
  met: ({ churn }) => churn !== undefined,
  otherwise: 'needs --churn',
  asks: value => value !== false
}

/** @type {Readonly<import('../../plan/options.js').Condition>} */
const OF_CHURN = { ...WITH_CHURN, of: 'churn', asks: () => false, otherwise: '' }

/** CHURN_OPTIONS say which clients leave, and when. @type {GrouplessOptions} */
export const CHURN_OPTIONS = {
  churn: {
    ...churnKind(),
    only: OF_CHURN,
    ofSomePlans: true,
    ofCase: true,
    describe:
      'clients leave without unregistering, and return or are replaced; every client registers in all namespaces. 10,every=5s,away=2s: every 5s one of 10 ephemeral clients is killed, and replaced 2s later. See docs/churn.md'
  },
  refreshEvery: {
    defaultText: 'half of --ttl',
    ...duration({ min: '100ms', max: '72h' }),
    planKey: 'refreshEveryMs',
    only: WITH_CHURN,
    ofSomePlans: true,
    ofCase: true,
    describe: 'how often a client registers again, so that nothing expires; needs --churn'
  },
  cookies: {
    default: false,
    ...yesOrNo(),
    only: WITH_CHURN,
    ofSomePlans: true,
    ofCase: true,
    describe: 'send the cookie of the previous DISCOVER, to get only newer registrations; needs --churn'
  }
}

/**
 * How many registrations one namespace can hold: those of all clients, of killed clients until they expire, and those made before the load.
 *
 * @param {Values} values
 */
function maxRegistrations({ churn: spec, nClients, ttl, initialRegistrations, nNamespaces, duration }) {
  const lengthMs = Math.min(ttl * 1000, duration ?? DEFAULT_DURATION_MS)
  const everyMs = 'peers' in spec ? spec.everyMs : spec.perMs / spec.share / nClients
  const dead = spec.asNew ? Math.ceil(lengthMs / everyMs) : 0
  return nClients + dead + Math.ceil(initialRegistrations / nNamespaces)
}

/** Options that no run with churn can have, and why. @type {readonly (readonly [flag: string, asked: (value: any) => boolean, why: string])[]} */
const RIVALS = [
  ['benchmarkType', value => value === 'UNREGISTER', 'clients keep their registrations'],
  ['benchmarkRuns', value => value !== undefined, 'clients come and go for --duration'],
  ['providers', value => value !== undefined, 'each client registers and discovers'],
  ['discoverInexistentNamespaces', Boolean, 'clients look for each other'],
  ['registerMode', value => value === 'new', 'clients keep their registrations'],
  ['connectionPerOperation', Boolean, 'a client stays connected as long as it lives'],
  ['servers', value => value > 1, 'clients go to one server'],
  ['targets', value => value !== undefined, 'clients go to one server'],
  ['fault', value => (value ?? []).length > 0, 'lost and expired registrations could not be distinguished']
]

/** CHURN_RULES refuse combinations with churn. @type {readonly Rule[]} */
export const CHURN_RULES = [
  ...makeChurnRules('nClients', { minStable: 1, durationMs: DEFAULT_DURATION_MS }),
  ...RIVALS.map(([flag, isSet, why]) => ({
    flag,
    needs: ['churn'],
    refuse: (/** @type {Values} */ values) =>
      values.churn !== undefined && isSet(values[flag]) && `cannot be given with --churn: ${why}`
  })),
  {
    flag: 'refreshEvery',
    needs: ['ttl', 'churn'],
    refuse: values =>
      values.churn !== undefined &&
      readRefreshMs(values) >= values.ttl * 1000 &&
      `must be less than --ttl ${values.ttl}s: registrations of clients that live would expire`
  },
  {
    flag: 'discoverLimit',
    needs: [
      ...['churn', 'cookies', 'benchmarkType', 'nClients', 'nNamespaces', 'initialRegistrations'],
      ...['ttl', 'duration']
    ],
    refuse: values => {
      if (values.churn === undefined || values.benchmarkType === 'REGISTER' || values.cookies) return false
      const max = maxRegistrations(values)
      return (
        values.discoverLimit < max &&
        `must be at least ${formatWhole(max)} with --churn, unless --cookies is set: a namespace can have as many registrations, and the newest are returned last`
      )
    }
  }
]

/** Every payload holds the run's nonce and the message's number. */
const MIN_BYTES = 8
/** Deliveries are stored with 16 bits for the number of a node. */
const MAX_PEERS = 60_000

/** DIALS_PER_TOPIC is how many peers of each of its topics a full peer dials: gossipsub's D. */
export const DIALS_PER_TOPIC = 6

/** FIRST_WARM_UP_MESSAGE is the first message number of the warm-up: late messages of it can so be told from measured ones. */
export const FIRST_WARM_UP_MESSAGE = 2 ** 31

/**
 * publishesMessages says whether the clients of a plan are full peers: nodes of a gossip network, which discover and dial one another, and publish.
 *
 * @param {{ mix?: Record<string, number | undefined> | null }} plan
 */
export const publishesMessages = ({ mix }) => (mix?.publish ?? 0) > 0

/**
 * drawPeerSubscriptions draws the topics of each client. A client that draws none is in one topic all the same, since it publishes.
 *
 * @param {Parameters<typeof drawSubscriptions>[0]} network
 */
export const drawPeerSubscriptions = network =>
  drawSubscriptions(network).map((own, client) => (own.length > 0 ? own : [client % network.topics.length]))

/**
 * assignTopics gives the topics of clients.
 *
 * @param {Pick<import('./options.js').Plan, 'seed' | 'nClients' | 'mix' | 'topics'>} plan
 * @returns {{ all: number, of: (client: number) => readonly number[] }} `all`: how many there are; 0: clients are no full peers
 */
export function assignTopics({ seed, nClients, mix, topics = [] }) {
  if (!publishesMessages({ mix })) return { all: 0, of: () => [] }
  const subscriptions = drawPeerSubscriptions({ seed, nodes: nClients, topics })
  return { all: topics.length, of: client => subscriptions[client] }
}

/** @param {Values} values */
const hasFullPeers = ({ benchmarkType, mix }) => benchmarkType === 'MIXED' && publishesMessages({ mix })

/** @type {Readonly<import('../../plan/options.js').Condition>} */
const OF_PEERS = {
  of: 'publish in --mix',
  needs: ['mix', 'benchmarkType'],
  met: hasFullPeers,
  otherwise: 'needs publish in --mix, as in --mix register=1,discover=8,publish=4'
}

const FULL_PEER_PLACE = {
  only: OF_PEERS,
  ofSomePlans: true,
  ofCase: true
}

/** PEER_OPTIONS say what full peers publish; gossip has options of the same names. @type {GrouplessOptions} */
export const PEER_OPTIONS = {
  topics: {
    default: '1',
    ...topicsKind(),
    ...FULL_PEER_PLACE,
    describe:
      "number of topics, or topics with each client's probability: foo=0.7,bar=0.4; topics are namespaces in which clients register, discover and publish. Needs publish in --mix"
  },
  messageBytes: {
    default: '1000',
    ...byteRange({ least: MIN_BYTES, most: computeMaxMessageBytes(), why: findMessageBytesProblem }),
    ...FULL_PEER_PLACE,
    describe: 'message size or range, such as 64kB or 8KiB-16KiB; needs publish in --mix'
  },
  signing: {
    default: 'on',
    ...onOrOff(),
    ...FULL_PEER_PLACE,
    describe: 'signing: on (StrictSign) or off (StrictNoSign, without author); needs publish in --mix'
  }
}

/**
 * applyMix makes MIXED the benchmark type where only a mix was given.
 *
 * @param {Values} values
 * @param {ReadonlyMap<string, unknown>} explicit
 * @returns {Values}
 */
export const applyMix = (values, explicit) =>
  explicit.has('mix') && !explicit.has('benchmarkType') ? { ...values, benchmarkType: 'MIXED' } : values

/** PEER_RULES refuse combinations with full peers. @type {readonly Rule[]} */
export const PEER_RULES = [
  {
    flag: 'nClients',
    needs: OF_PEERS.needs,
    refuse: values =>
      hasFullPeers(values) &&
      !(values.nClients >= 2 && values.nClients <= MAX_PEERS) &&
      `must be from 2 to ${MAX_PEERS} with publish in --mix: clients publish to one another`
  },
  {
    flag: 'topics',
    needs: [...OF_PEERS.needs, 'nNamespaces'],
    refuse: ({ topics, nNamespaces, ...values }) =>
      hasFullPeers(values) &&
      topics.length > nNamespaces &&
      `are ${topics.length}, but there are only --nNamespaces ${nNamespaces}: a topic is one of them`
  }
]

/**
 * @typedef {Readonly<Record<string, number>>} Hostile - times its usual rate, by kind
 *
 * @typedef {object} KindText - of hostile peers
 * @property {string} what - their behaviour at the usual rate, for a table
 * @property {boolean} [ofOurs] - it attacks a part that only our own server has
 */

/** HOSTILE_KINDS describes the kinds of hostile peers, by name; hostile/hostile-worker.js implements them. @type {Readonly<Record<string, Readonly<KindText>>>} */
export const HOSTILE_KINDS = Object.freeze({
  http: { what: '20 broken requests a second at the second port', ofOurs: true },
  requests: { what: 'each second 60,000 empty frames in one piece, and 20,000 DISCOVERs of 3 bytes' },
  unread: {
    what: '2 clients with 250 streams each, which request 1 MiB on each and read nothing'
  },
  store: { what: '25 peers, each 10 registrations of 14 kB a second, in 1,000 namespaces each' },
  records: { what: "one stream, 200 replays a second of somebody's record signed with secp256k1" },
  handshakes: { what: '100 connections a second from 20 addresses: silent, noise, or half a handshake' },
  frames: {
    what: '6 connections, each 2 pieces a second of 5,000 Yamux frames that carry nothing, or of 15,000 to 30,000 lines that ask for protocols'
  },
  invalid: {
    what: 'one stream, 400 REGISTERs a second that must be refused: a signature that does not fit, a record of somebody else, a ttl without end, no record'
  },
  connections: {
    what: '20 connections a second from 20 addresses through the whole handshake, up to 200 of them kept open'
  },
  streams: { what: 'one connection, 200 streams a second that agree on the protocol and are reset' },
  slow: {
    what: '2 clients with 100 streams each, which send a byte of a request of 1,000 bytes every second'
  },
  identities: {
    what: '20 peers at one address, each 20 DISCOVERs a second, which come back when they are refused'
  }
})

/** One process cannot send more, of any kind. */
const MAX_TIMES = 100
/** Memory bounds the duration: each quarter of a second of the load has a histogram of its own. */
const MAX_DURATION_MS = 3_600_000
/** Figures of a stretch with fewer operations would be chance. */
const MIN_OPERATIONS = 20
/** Our server admits a few more connections than this in all, if each has an address of its own. */
const MAX_CLIENTS = 200

/** formatHostile writes hostile peers as --hostile takes them: `frames=2,slow=1`. @param {Hostile} hostile */
export const formatHostile = hostile =>
  Object.entries(hostile)
    .map(([kind, times]) => `${kind}=${times}`)
    .join(',')

/** @param {unknown} value - `frames=2,slow`, or an object @returns {unknown} */
function parseHostile(value) {
  if (value !== null && typeof value === 'object') return value
  const parts = String(value)
    .split(',')
    .map(part => part.trim().split(/ ?= ?/))
  const kinds = new Set(parts.map(([kind]) => kind.toLowerCase()))
  if (kinds.size < parts.length) return undefined
  return Object.fromEntries(parts.map(([kind, times = '1']) => [kind.toLowerCase(), Number(times)]))
}

const KIND_NAMES = Object.keys(HOSTILE_KINDS).join(', ')

/** The values of --hostile. @type {import('../../plan/values.js').OptionValueKind & { write: (hostile: Hostile) => string }} */
const HOSTILE = {
  allowed: `must be some of ${KIND_NAMES}, joined by commas, each with how many times its usual rate, from 1 to ${MAX_TIMES}, such as frames=2,slow=1`,
  write: formatHostile,
  schema: z => {
    const times = z.record(z.string(), z.number().int().min(1).max(MAX_TIMES)).refine(counts => {
      const kinds = Object.keys(counts)
      return kinds.length > 0 && kinds.every(kind => Object.hasOwn(HOSTILE_KINDS, kind))
    })
    return z.preprocess(parseHostile, times)
  }
}

/** @type {Readonly<import('../../plan/options.js').Condition>} */
const WITH_HOSTILE = {
  of: '--hostile',
  needs: ['hostile'],
  met: ({ hostile }) => hostile !== undefined,
  otherwise: 'needs --hostile'
}

const HOSTILE_PLACE = {
  only: WITH_HOSTILE,
  ofSomePlans: true,
  ofCase: true,
  notIn: { trial: 'nothing but the load may act on the server' }
}

/** HOSTILE_OPTIONS add hostile peers to the load. @type {GrouplessOptions} */
export const HOSTILE_OPTIONS = {
  hostile: {
    defaultText: 'none',
    ...HOSTILE,
    ...HOSTILE_PLACE,
    describe: `hostile peers in every other stretch of the run; kinds with multiples of their usual rate, such as frames=2,slow=1. Kinds: ${KIND_NAMES}. Our server then limits all peers. See docs/churn.md`
  },
  hostileEvery: {
    family: 'hostile',
    member: 'every',
    default: '10s',
    ...duration({ min: '500ms', max: '10m' }),
    planKey: 'hostileEveryMs',
    ...HOSTILE_PLACE,
    describe: `length of each stretch (a pair takes two, and some seconds). Default: ${DEFAULT_PAIRS} pairs, the minimum for an interval, unless --duration is given. p99 needs 1,000 operations per stretch`
  }
}

/** @param {string} flag @param {string[]} needs @param {(values: Values) => ReturnType<Rule['refuse']>} refuse @returns {Rule} */
const beside = (flag, needs, refuse) => ({
  flag,
  needs: ['hostile', ...needs],
  refuse: values => (values.hostile === undefined ? false : refuse(values))
})

/** @param {string} flag @param {(value: any) => boolean} asks @param {string} why @returns {Rule} */
const notBeside = (flag, asks, why) =>
  beside(flag, [], ({ [flag]: value }) => asks(value) && `does not apply with --hostile: ${why}`)

/** HOSTILE_RULES refuse combinations with hostile peers. @type {readonly Rule[]} */
export const HOSTILE_RULES = [
  beside('hostile', ['target', 'targets'], ({ hostile, ...values }) => {
    const ofOurs = Object.keys(hostile).find(kind => HOSTILE_KINDS[kind].ofOurs)
    return (
      !isOwnServer(values) &&
      ofOurs !== undefined &&
      `cannot have ${ofOurs} with --target: it needs our own server`
    )
  }),
  beside('hostileEvery', ['duration'], ({ hostileEvery: everyMs, duration: durationMs }) => {
    const minMs = estimateHostileMs(1, everyMs)
    return (
      durationMs < minMs &&
      `needs a --duration of a quiet and a hostile stretch at least: ${formatDuration(minMs)}, not ${formatDuration(durationMs)}`
    )
  }),
  beside('hostileEvery', ['rate'], ({ hostileEvery: everyMs, rate }) => {
    const operations = Math.floor((everyMs * rate) / 1000)
    return (
      operations < MIN_OPERATIONS &&
      `has ${formatWhole(operations)} operations at --rate ${rate}/s: at least ${MIN_OPERATIONS}`
    )
  }),
  beside(
    'nClients',
    ['target', 'targets'],
    ({ nClients, ...values }) =>
      isOwnServer(values) &&
      nClients > MAX_CLIENTS &&
      `must be at most ${MAX_CLIENTS} with --hostile: our server then has its limit of connections for all peers`
  ),
  beside('duration', ['hostileEvery'], ({ duration, hostileEvery }) => {
    const durationMs = duration ?? computeDefaultDuration({ hostile: {}, hostileEvery })
    return durationMs > MAX_DURATION_MS && 'must be at most 1h with --hostile'
  }),
  notBeside('benchmarkRuns', value => value !== undefined, 'stretches have a length, so use --duration'),
  notBeside(
    'arrivals',
    value => String(value.shape ?? value) === 'replay',
    'a replay ends when its file does'
  ),
  notBeside('targets', value => value !== undefined, 'hostile peers connect to one server'),
  notBeside('servers', value => value > 1, 'hostile peers connect to one server'),
  notBeside('store', value => value !== 'memory', 'stretches are measured of one server with its own memory'),
  notBeside(
    'churn',
    value => value !== undefined,
    'peers that left and peers that were refused could not be distinguished'
  ),
  notBeside('fault', value => (value ?? []).length > 0, 'a fault would be measured as hostile peers'),
  notBeside('network', value => value === 'namespaces', 'hostile peers connect over loopback'),
  notBeside('agents', value => value != null, 'hostile peers run on the machine of the server')
]

/**
 * measuresStaleness says whether a run measures staleness: how long a registration at one server takes to be visible at another. Servers of
 * others are left out if the load only reads from them.
 *
 * @param {import('./options.js').Plan} plan
 */
export const measuresStaleness = ({ servers, targets, benchmarkType }) =>
  servers > 1 || (targets != null && benchmarkType !== 'DISCOVER')
