import { grouped, spell } from '../../../kit/numbers.js'
import { durationOf, USUAL_PAIRS } from '../../../load/hostile-stretches.js'
import { duration } from '../../../plan/values.js'
import { isOurs, usualDurationMs } from './conditions.js'

/**
 * Hostile peers beside the clients of a run.
 *
 * @typedef {import('../../../plan/option.js').Option} Option
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {Record<string, any>} Values - of options, by flag
 * @typedef {Readonly<Record<string, number>>} Hostile - times its usual rate, by kind
 */

/**
 * @typedef {object} KindText - of hostile peers
 * @property {string} what - they do at their usual rate, for a table
 * @property {boolean} [ofOurs] - it needs what only our own server has
 */

/** KINDS of hostile peers there are, by name. Who does them: hostile/worker.js. @type {Readonly<Record<string, Readonly<KindText>>>} */
export const KINDS = Object.freeze({
  http: { what: '20 broken requests a second at the second port', ofOurs: true },
  requests: { what: 'each second 60,000 empty frames in one piece, and 20,000 DISCOVERs of 3 bytes' },
  unread: {
    what: '2 clients with 250 streams each, a reply of 1 MiB asked for on each, which read nothing'
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

/** Whether hostile peers of a kind can be sent to servers of others. @param {string} kind */
const isAnyServers = kind => !KINDS[kind].ofOurs

/** More than one process can send of any kind. */
const MAX_TIMES = 100
/** Each quarter of a second of the load has a histogram of its own. */
const MAX_DURATION_MS = 3_600_000
/** A stretch with fewer operations says nothing. */
const MIN_OPERATIONS = 20
/** Each at an address of its own, our server takes some more than so many connections in all. */
const MAX_CLIENTS = 200

/** hostileText is how hostile peers are typed: `frames=2,slow=1`. @param {Hostile} hostile */
export const hostileText = hostile =>
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

/** @returns {import('../../../plan/values.js').Kind & { write: (hostile: Hostile) => string }} */
const hostileKind = () => ({
  allowed: `must be some of ${Object.keys(KINDS).join(', ')}, joined by commas, each with how many times its usual rate, from 1 to ${MAX_TIMES}, such as frames=2,slow=1`,
  write: hostileText,
  schema: z =>
    z.preprocess(
      parseHostile,
      z
        .record(z.string(), z.number().int().min(1).max(MAX_TIMES))
        .refine(
          asked => Object.keys(asked).length > 0 && Object.keys(asked).every(k => Object.hasOwn(KINDS, k))
        )
    )
})

/** @type {Readonly<import('../../../plan/option.js').Condition>} */
const WITH_HOSTILE = {
  of: '--hostile',
  needs: ['hostile'],
  met: ({ hostile }) => hostile !== undefined,
  otherwise: 'needs --hostile'
}

const PLACE = {
  only: WITH_HOSTILE,
  ofSomePlans: true,
  ofCase: true,
  notIn: {
    trial: 'a load is held, and nothing else happens to the server'
  }
}

/** hostileOptions have hostile peers beside the load. @param {string} group - heading in --help @returns {Readonly<Record<string, Readonly<Option>>>} */
export const hostileOptions = group => ({
  hostile: {
    group,
    defaultText: 'none',
    ...hostileKind(),
    ...PLACE,
    describe: `hostile peers beside the clients, in stretches that take turns with quiet ones: kinds with how many times their usual rate, such as frames=2,slow=1; several at once. Kinds: ${Object.keys(KINDS).join(', ')}. Our own server then has its limits for all peers. See docs/security.md`
  },
  hostileEvery: {
    group,
    default: '10s',
    ...duration({ min: '500ms', max: '10m' }),
    planKey: 'hostileEveryMs',
    ...PLACE,
    describe: `with --hostile, length of each stretch; a pair of a quiet and a hostile one takes twice as long and some seconds. Without --duration there are ${USUAL_PAIRS} pairs: fewer give no interval; p99 needs 1,000 operations in a stretch`
  }
})

/** @param {string} flag @param {string[]} needs @param {(values: Values) => ReturnType<Rule['refuse']>} refuse @returns {Rule} */
const beside = (flag, needs, refuse) => ({
  flag,
  needs: ['hostile', ...needs],
  refuse: values => (values.hostile === undefined ? false : refuse(values))
})

/** @param {string} flag @param {(value: any) => boolean} asks @param {string} why @returns {Rule} */
const notBeside = (flag, asks, why) =>
  beside(flag, [], ({ [flag]: value }) => asks(value) && `has no use with --hostile: ${why}`)

/** HOSTILE_RULES are the combinations with hostile peers that cannot be run. @type {readonly Rule[]} */
export const HOSTILE_RULES = [
  beside('hostile', ['target', 'targets'], ({ hostile, ...values }) => {
    const ofOurs = Object.keys(hostile).find(kind => !isAnyServers(kind))
    return (
      !isOurs(values) &&
      ofOurs !== undefined &&
      `cannot have ${ofOurs} with --target: it is of our own server`
    )
  }),
  beside('hostileEvery', ['duration'], ({ hostileEvery: everyMs, duration: durationMs }) => {
    const minMs = durationOf(1, everyMs)
    return (
      durationMs < minMs &&
      `needs a --duration of a quiet and a hostile stretch at least: ${spell(minMs)}, not ${spell(durationMs)}`
    )
  }),
  beside('hostileEvery', ['rate'], ({ hostileEvery: everyMs, rate }) => {
    const operations = Math.floor((everyMs * rate) / 1000)
    return (
      operations < MIN_OPERATIONS &&
      `has ${grouped(operations)} operations at --rate ${rate}/s: at least ${MIN_OPERATIONS}`
    )
  }),
  beside('nClients', ['target', 'targets'], ({ nClients, ...values }) => {
    return (
      isOurs(values) &&
      nClients > MAX_CLIENTS &&
      `must be at most ${MAX_CLIENTS} with --hostile: our server then has its limit of connections for all peers`
    )
  }),
  beside(
    'duration',
    ['hostileEvery'],
    ({ hostileEvery, duration: durationMs = usualDurationMs({ hostile: {}, hostileEvery }) }) =>
      durationMs > MAX_DURATION_MS && 'must be at most 1h with --hostile'
  ),
  notBeside('benchmarkRuns', value => value !== undefined, 'stretches have a length, so use --duration'),
  notBeside(
    'arrivals',
    value => String(value.shape ?? value) === 'replay',
    'a replay ends when its file does'
  ),
  notBeside('targets', value => value !== undefined, 'hostile peers connect to one server'),
  notBeside('servers', value => value > 1, 'hostile peers connect to one server'),
  notBeside('store', value => value !== 'memory', 'stretches are measured of one server with its own memory'),
  notBeside('churn', value => value !== undefined, 'who left, and who was kept out, could not be told apart'),
  notBeside('fault', value => (value ?? []).length > 0, 'a fault would be measured as hostile peers'),
  notBeside('network', value => value === 'namespaces', 'hostile peers connect over loopback'),
  notBeside('agents', value => value != null, 'hostile peers run on the machine of the server')
]
