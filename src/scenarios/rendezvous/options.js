// The table of all rendezvous options, from which flags, configuration files, validation and help are made. Also parses
// faults (--fault).

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
  choice,
  containerName,
  cores,
  duration,
  milliseconds,
  path,
  rate,
  seconds,
  shares,
  size,
  targetAddress,
  targetAddresses,
  timeRange,
  wholeNumber,
  yesOrNo
} from '../../plan/values.js'
import { hasPassword, readStoreAddress } from '../../server/store.js'
import {
  requireClosedModel,
  requireOpenModel,
  requireOwnServer,
  requireSeveralServers,
  requireTarget,
  requireTargets
} from '../conditions.js'
import { makeClientLinkOptions, makeNamespaceOptions } from '../network-options.js'
import { makeServerStackOption, makeStackOption, makeStockOption } from '../stack-options.js'
import { OPERATIONS_COMPARED, RENDEZVOUS_FIGURES } from './figures.js'
import { CHURN_OPTIONS, HOSTILE_OPTIONS, PEER_OPTIONS, ROLE_OPTIONS } from './peer-options.js'

/**
 * @typedef {import('../../plan/options.js').Option} Option
 * @typedef {import('../../plan/plan.js').OptionTable} OptionTable
 */

const LINKS_GROUP = 'Network between server and clients:'

const { network, linkLoss } = makeNamespaceOptions(
  LINKS_GROUP,
  'Our server has namespace 0, clients one each from 1'
)

/** A store of our servers. Results hold their plan, so a password must not be part of it. @type {import('../../plan/values.js').OptionValueKind} */
const STORE = {
  allowed:
    'must be memory, postgres or postgres://user@host/database without a password: set that in PGPASSWORD',
  schema: z =>
    z
      .string()
      .trim()
      .refine(
        value =>
          ['memory', 'postgres'].includes(value) ||
          (readStoreAddress(value)?.kind === 'postgres' && !hasPassword(value))
      )
}

/** needsMoreThanMemory says whether a plan needs more than one server with its registrations in memory. @param {{ store: string, servers: number }} plan */
export const needsMoreThanMemory = ({ store, servers }) => store !== 'memory' || servers > 1

/** STORE_RULES refuse combinations of --store and --servers. @type {readonly import('../../plan/options.js').Rule[]} */
export const STORE_RULES = [
  {
    flag: 'servers',
    needs: ['store'],
    refuse: ({ servers, store }) =>
      servers > 1 && store === 'memory' && `needs a store that they share, not ${store}: use --store postgres`
  },
  ...['server', 'cpus', 'memory'].map(flag => ({
    flag,
    needs: ['store', 'servers'],
    /** @param {Record<string, any>} values */
    refuse: values =>
      needsMoreThanMemory(/** @type {any} */ (values)) &&
      (flag === 'server' ? values.server === 'docker' : values[flag] !== undefined) &&
      'needs one server that keeps registrations in memory: with --store or --servers our servers run in processes'
  }))
]

/**
 * @typedef {Fault['kind']} FaultKind
 * @typedef {import('zod').infer<ReturnType<typeof faultSchema>>} Fault - an action on our server while it is under load
 *
 * @typedef {{ allowed: string }} Refused - what a value must be
 */

const SHAPE =
  'must say when and what, such as "at=10s pause=2s", "at=10s restart=1s", "at=10s kill" or "at=10s cpu=0.5 for=5s"'

const KINDS = /** @type {const} */ (['pause', 'kill', 'restart', 'cpu'])

/** @param {unknown} raw @returns {Record<string, string> | null} */
function partsOf(raw) {
  if (raw !== null && typeof raw === 'object')
    return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]))
  if (typeof raw !== 'string') return null
  const words = raw.replace(/\s*=\s*/g, '=').split(/[\s,]+/)
  return Object.fromEntries(
    words.filter(Boolean).map(word => {
      const [name, ...value] = word.split('=')
      return [name, value.length === 0 ? 'true' : value.join('=')]
    })
  )
}

/** @param {string | undefined} text @param {number} min @returns {number | null} ms; null: no time that is allowed */
function timeIn(text, min) {
  const ms = milliseconds(text ?? '')
  return ms >= min && ms <= 24 * 24 * 3_600_000 ? ms : null
}

/**
 * @param {FaultKind} kind
 * @param {Record<string, string>} parts
 * @returns {Pick<Fault, 'forMs' | 'cpus'> | Refused}
 */
function readAction(kind, parts) {
  if (kind === 'kill')
    return parts.kill === 'true'
      ? { forMs: null, cpus: null }
      : { allowed: 'has a kill, which takes no value: restart=1s starts the server again' }
  const time = kind === 'cpu' ? parts.for : parts[kind]
  const forMs = timeIn(time, 1)
  if (kind !== 'cpu')
    return forMs === null
      ? { allowed: `has a ${kind} that needs a time with its unit, such as ${kind}=2s` }
      : { forMs, cpus: null }
  const cpus = /^\d*\.?\d+$/.test(parts.cpu) ? Number(parts.cpu) : 0
  if (cpus < 0.01 || cpus > 1024)
    return { allowed: 'has a cpu that must be a number of cores from 0.01, such as cpu=0.5' }
  if (time !== undefined && forMs === null)
    return { allowed: 'has a for that needs a time with its unit, such as for=5s' }
  return { forMs, cpus }
}

/**
 * parseFault reads a fault from a flag, or from a mapping in YAML.
 *
 * @param {unknown} raw - `at=10s pause=2s`, or `{ at: '10s', pause: '2s' }`
 * @returns {{ value: Fault } | Refused}
 */
export function parseFault(raw) {
  const parts = partsOf(raw)
  const kinds = KINDS.filter(kind => parts !== null && kind in parts)
  if (parts === null || kinds.length !== 1) return { allowed: SHAPE }
  const [kind] = kinds
  const other = Object.keys(parts).find(
    name => !['at', 'server', kind].includes(name) && !(name === 'for' && kind === 'cpu')
  )
  if (other !== undefined) return { allowed: `may not have ${other} with ${kind}: ${SHAPE}` }
  const atMs = timeIn(parts.at, 0)
  if (atMs === null) return { allowed: 'needs its time with the unit, such as at=10s' }
  if (!/^([1-9]\d*)?$/.test(parts.server ?? ''))
    return { allowed: 'has a server that must be its number, from 1, such as server=2' }
  const server = parts.server === undefined ? {} : { server: Number(parts.server) }
  const action = readAction(kind, parts)
  return 'allowed' in action ? action : { value: Object.freeze({ kind, atMs, ...action, ...server }) }
}

/**
 * formatFault writes a fault as --fault takes it.
 *
 * @param {Fault} fault
 */
export function formatFault({ kind, atMs, forMs, cpus, server }) {
  const at = `${server === undefined ? '' : `server=${server} `}at=${atMs}ms`
  if (kind === 'kill') return `${at} kill`
  if (kind === 'cpu') return `${at} cpu=${cpus}${forMs === null ? '' : ` for=${forMs}ms`}`
  return `${at} ${kind}=${forMs}ms`
}

/** @param {import('../../plan/values.js').Zod} z */
const faultSchema = z =>
  z.object({
    kind: z.enum(KINDS),
    /** since the measurement began */
    atMs: z.number(),
    /** duration; null: it is not undone */
    forMs: z.number().nullable(),
    /** cores that the server is limited to; null unless `cpu` */
    cpus: z.number().nullable(),
    server: z.int().optional().describe('of several, from 1')
  })

/** The values of --fault. @type {import('../../plan/values.js').OptionValueKind & { write: (fault: Fault) => string }} */
const FAULTS = {
  allowed: SHAPE,
  item: parseFault,
  write: formatFault,
  schema: z => z.array(faultSchema(z))
}

/**
 * sortFaults sorts faults by time.
 *
 * @param {readonly Fault[]} faults
 * @returns {readonly Fault[]}
 */
export const sortFaults = faults => Object.freeze(faults.toSorted((a, b) => a.atMs - b.atMs))

/**
 * @typedef {object} OwnPlan - the complete, validated, frozen parameters of one run of the rendezvous scenario. Keys are the flags'
 *   names, with the unit where a value has one
 * @property {'rendezvous'} scenario
 * @property {number} seed
 * @property {number} nClients - of all roles together
 * @property {number | null} [providers] - of them, the first, only register; null: all clients send the same
 * @property {number | null} [discoverers] - of them, the others, only discover
 * @property {number | null} [providerRatePerSecond] - of all providers together; null: the closed model
 * @property {number | null} [discovererRatePerSecond]
 * @property {number} nNamespaces
 * @property {number} initialRegistrations
 * @property {number | null} benchmarkRuns - operations in all; null: as many as the duration allows
 * @property {number | null} durationMs
 * @property {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'MIXED'} benchmarkType
 * @property {{ register: number, discover: number, unregister: number, publish?: number } | null} mix - shares that add up to 1; null unless
 *   MIXED, and with roles. With `publish` clients are full peers
 * @property {readonly import('../gossip/options.js').Topic[]} [topics] - of full peers: the first of the namespaces
 * @property {Readonly<import('../../plan/values.js').Range>} [messageBytes] - of full peers
 * @property {boolean} [signing] - full peers sign what they publish
 * @property {number} discoverLimit
 * @property {boolean} discoverInexistentNamespaces
 * @property {'auto' | 'process' | 'docker'} server - where our server runs; of no meaning with a target
 * @property {number | null} cpus - cores our server may use; null: all
 * @property {number | null} memoryBytes - our server may use; null: all
 * @property {string} store - where our servers keep registrations: memory, postgres or the URL of one
 * @property {number} servers - of ours
 * @property {boolean} failover - clients go to another server when theirs is gone
 * @property {string | null} target - multiaddr; the first of several; null: our server is started
 * @property {readonly string[] | null} targets - multiaddrs of several
 * @property {number | null} targetPid
 * @property {string | null} targetContainer - name or id
 * @property {boolean} iOwnTheTarget
 * @property {number} workers - at most nClients
 * @property {number | null} ratePerSecond - null: closed model; of arrivals that say their rates themselves, the mean
 * @property {import('../../plan/arrivals.js').Arrivals} arrivals
 * @property {{ min: number, max: number } | null} thinkTimeMs - closed model: between a reply and the client's next operation
 * @property {number} maxInFlight
 * @property {number} timeoutMs
 * @property {boolean} connectionPerOperation
 * @property {boolean} streamPerOperation
 * @property {number} inFlight - on one long-lived stream; 1 with streamPerOperation
 * @property {'new' | 'refresh'} registerMode
 * @property {number} ttlSeconds
 * @property {'libp2p-peer-record' | 'libp2p-routing-state'} recordDomain
 * @property {number} minDurationMs - beside benchmarkRuns: more operations follow until so much was measured
 * @property {number} warmupMs
 * @property {boolean} skipLookUp - what the server has confirmed is not looked up at the end
 * @property {readonly Fault[]} faults - in the order they come in
 * @property {Readonly<Record<string, number>>} [hostile] - hostile peers: times their usual rate, by kind; absent: there are none
 * @property {number} [hostileEveryMs] - length of stretches, quiet and hostile in turn
 * @property {boolean} samples
 * @property {boolean} stock - server and clients of ours are libp2p as published
 * @property {readonly string[]} stack - generations of libp2p that clients are of; several are dealt out by the client's number
 * @property {string | null} serverStack - of our server; null: the first of `stack`
 * @property {number} maxPeerRegistrations - cap of our server
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds - what figures of the result must be
 * @property {'loopback' | 'namespaces'} network - what joins server and clients
 * @property {import('../../load/churn.js').ChurnSpec | null} churn - null: clients stay
 * @property {number} [refreshEveryMs] - with churn, after which a client registers again
 * @property {boolean} [cookies] - with churn, a DISCOVER carries the cookie of the one before
 * @property {readonly import('../../plan/options.js').Profilable[]} [profiled] - of server and workers; absent: nothing
 *
 * @typedef {OwnPlan & import('../namespace-run.js').NamespaceLinkPlan} Plan
 */

const LOAD = 'What is sent:'
const PACE = 'How it is sent:'
const SERVER = 'The server:'
const { MEASURE, VERDICT } = OPTION_GROUPS

/** @param {string} group - heading in --help @param {Readonly<Record<string, Readonly<Omit<Option, 'group'>>>>} options @returns {OptionTable} */
const inGroup = (group, options) =>
  Object.fromEntries(Object.entries(options).map(([flag, option]) => [flag, { group, ...option }]))

/**
 * RENDEZVOUS_OPTIONS is the one table of the rendezvous options: flags, configuration files, validation and --help follow from it.
 *
 * @type {OptionTable}
 */
export const RENDEZVOUS_OPTIONS = {
  ...inGroup(LOAD, {
    nClients: {
      common: true,
      short: 'c',
      default: 4,
      ...wholeNumber(1, 100_000),
      ofCase: true,
      describe: 'libp2p clients that send operations in parallel'
    },
    ...ROLE_OPTIONS,
    nNamespaces: {
      default: 5,
      ...wholeNumber(1, 1_000_000),
      ofCase: true,
      describe: 'namespaces that registrations are spread over'
    },
    initialRegistrations: {
      common: true,
      default: 100,
      ...wholeNumber(0, 10_000_000),
      ofCase: true,
      describe: 'registrations at the server before measurement; each of a separate peer'
    },
    benchmarkRuns: {
      common: true,
      short: 'n',
      ...wholeNumber(1, 100_000_000),
      notIn: { trial: CONSTANT_LOAD_REASON },
      ofCase: true,
      describe: 'total operations of all clients; with --duration, the first limit ends the run'
    },
    duration: {
      common: true,
      short: 'd',
      ...duration({ min: '100ms' }),
      planKey: 'durationMs',
      ofCase: true,
      describe: 'duration of the measurement; 10 s if neither this nor --benchmarkRuns is given'
    },
    benchmarkType: {
      common: true,
      default: 'REGISTER',
      ...choice(['REGISTER', 'DISCOVER', 'UNREGISTER', 'MIXED'], { anyCase: true }),
      ofCase: true,
      describe: 'operation: REGISTER, DISCOVER, UNREGISTER or MIXED'
    },
    mix: {
      default: 'register=1,discover=8,unregister=1',
      ...shares(['register', 'discover', 'unregister'], 'register=1,discover=8,unregister=1', ['publish']),
      canBeOutOfForce: true,
      describe:
        'shares of operations in MIXED; with publish, as in register=1,discover=8,publish=4, clients are full peers, which dial each other and publish by gossipsub'
    },
    ...PEER_OPTIONS,
    discoverLimit: {
      common: true,
      default: 20,
      ...wholeNumber(1, 1_000_000),
      ofCase: true,
      describe: 'registrations requested per DISCOVER'
    },
    discoverInexistentNamespaces: {
      default: false,
      ...yesOrNo(),
      ofCase: true,
      describe: 'DISCOVER namespaces that do not exist'
    },
    registerMode: {
      default: 'refresh',
      ...choice(['new', 'refresh']),
      ofCase: true,
      describe:
        'effect of REGISTER; refresh: renew a registration of its client; new: add one in a namespace new to the client'
    },
    ttl: {
      default: '2h',
      ...seconds({ min: '1s', max: '72h' }),
      planKey: 'ttlSeconds',
      describe: 'time to live of registrations'
    },
    recordDomain: {
      default: 'libp2p-peer-record',
      ...choice(['libp2p-peer-record', 'libp2p-routing-state']),
      describe: 'domain of signed records; rust servers need libp2p-routing-state'
    },
    seed: {
      default: 1,
      ...wholeNumber(0, 4_294_967_295),
      describe: 'seed of all random choices, including peer identities'
    }
  }),

  ...inGroup(PACE, {
    rate: {
      common: true,
      short: 'r',
      ...rate({ max: 1_000_000 }),
      planKey: 'ratePerSecond',
      canBeOutOfForce: true,
      notIn: { trial: 'the command sets the rate of each trial' },
      ofCase: true,
      describe: 'open model: rate of all operations together; independent of replies (default: closed model)'
    },
    arrivals: {
      default: 'constant',
      ...arrivalsKind(),
      only: requireOpenModel(),
      ofCase: true,
      describe:
        'schedule of operations; constant: evenly spaced; poisson: independent; ramp:to=500/s or sine:amplitude=0.8,period=1m: --rate changes over --duration; steps:100/s,200/s,400/s or replay:<path>: instead of --rate. See docs/rendezvous.md'
    },
    thinkTime: {
      ...timeRange({ least: 0, most: 3_600_000 }),
      planKey: 'thinkTimeMs',
      only: requireClosedModel(
        'does not apply in the open model: operations are due on a schedule, independent of replies'
      ),
      ofCase: true,
      added: null,
      describe: 'closed model: pause before the next operation, such as 100ms or 50ms-150ms'
    },
    maxInFlight: {
      default: 100_000,
      ...wholeNumber(1, 10_000_000),
      only: requireOpenModel(),
      describe: 'maximum operations in flight with --rate; more are dropped and counted'
    },
    timeout: {
      default: '10s',
      ...duration({ min: '1ms', max: '1h' }),
      planKey: 'timeoutMs',
      describe: 'maximum wait for the reply to an operation'
    },
    connectionPerOperation: {
      default: false,
      ...yesOrNo(),
      ofCase: true,
      describe: 'a connection for each operation'
    },
    streamPerOperation: {
      default: true,
      ...yesOrNo(),
      describe: 'open a stream for each operation; --no-streamPerOperation: one long-lived stream'
    },
    inFlight: {
      default: 1,
      ...wholeNumber(1, 10_000),
      only: requireClosedModel(
        'does not apply with --rate, which sends on schedule: use --maxInFlight',
        value => value > 1
      ),
      describe: 'operations in flight per client; more than 1 uses one long-lived stream'
    },
    workers: {
      defaultText: 'cores − 1',
      ...wholeNumber(1, 1024),
      describe: 'processes the clients are spread over'
    },
    ...makeStackOption(PACE, 'clients'),
    ...makeStockOption(PACE, 'server and clients')
  }),

  ...inGroup('Who comes and goes:', CHURN_OPTIONS),

  ...{ network, linkLoss },
  ...makeClientLinkOptions(LINKS_GROUP),

  ...inGroup(SERVER, {
    server: {
      common: true,
      default: 'auto',
      ...choice(['auto', 'process', 'docker']),
      only: requireOwnServer('says where our own server runs'),
      added: 'process',
      describe:
        'where our server runs: auto, process or docker; auto: Docker with an engine and a Node image, else process'
    },
    ...makeServerStackOption(SERVER),
    cpus: {
      ...cores({ min: 0.01, max: 1024 }),
      only: requireOwnServer('limits our own server'),
      added: null,
      describe: 'CPU cores of the server; needs Docker'
    },
    memory: {
      ...size({ min: '6MiB', max: '64TiB' }),
      planKey: 'memoryBytes',
      only: requireOwnServer('limits our own server'),
      added: null,
      describe: 'memory limit of the server, such as 512MiB; needs Docker'
    },
    store: {
      default: 'memory',
      ...STORE,
      only: requireOwnServer('says where our own server keeps registrations'),
      ofCase: true,
      added: 'memory',
      describe:
        'where registrations are kept: memory, postgres or postgres://user@host/database; postgres ends with the run, a URL gets its own schema. See docs/server.md'
    },
    servers: {
      default: 1,
      ...wholeNumber(1, 64),
      only: requireOwnServer('says how many of our own servers run'),
      ofCase: true,
      added: 1,
      describe: 'our servers, which share a store'
    },
    failover: {
      default: false,
      ...yesOrNo(),
      only: requireSeveralServers(),
      ofCase: true,
      added: false,
      describe: 'clients of a lost server move to another and stay; operations in flight count as SERVER_GONE'
    },
    target: {
      common: true,
      ...targetAddress(),
      describe:
        "multiaddr of a running server to test; with /tcp and /p2p. Our server on another machine needs --unlimitedFrom with this machine's address, or its limits are measured"
    },
    targets: {
      ...targetAddresses(),
      added: null,
      describe:
        'multiaddrs of running servers to test; joined by commas, as for --target. They are assumed to share registrations'
    },
    targetPid: {
      ...wholeNumber(1, 4_194_304),
      only: requireTarget(),
      describe: 'process whose CPU and memory are sampled; needs --target'
    },
    targetContainer: {
      ...containerName(),
      only: requireTarget(),
      added: null,
      describe: 'container whose CPU and memory are sampled; needs --target'
    },
    iOwnTheTarget: {
      default: false,
      ...yesOrNo(),
      only: requireTargets(),
      describe: 'allow a target with a public address; with --targets, any beyond this host'
    },
    maxPeerRegistrations: {
      family: 'limits',
      default: 1000,
      ...wholeNumber(1, 100_000_000),
      only: requireOwnServer('sets a cap of our own server'),
      describe: 'maximum registrations per peer at our server'
    }
  }),

  ...inGroup(MEASURE, {
    minDuration: {
      default: '0',
      ...duration({ max: '24h' }),
      planKey: 'minDurationMs',
      notIn: { trial: CONSTANT_LOAD_REASON },
      describe: 'minimum measured time; more operations than --benchmarkRuns follow until then'
    },
    warmup: {
      default: '2s',
      ...duration({ max: '1h' }),
      planKey: 'warmupMs',
      describe: 'uncounted load before measurement; continues until p50 is stable, at most five times as long'
    },
    skipLookUp: {
      default: false,
      ...yesOrNo(),
      added: false,
      describe: 'skip the final look-up of confirmed registrations; for servers that refuse DISCOVER'
    },
    fault: {
      defaultText: 'none',
      ...FAULTS,
      planKey: 'faults',
      notIn: { trial: 'nothing but the load may act on the server' },
      ofCase: true,
      added: [],
      describe:
        'fault of our server during the run; "at=10s pause=2s", "at=10s restart=1s" (killed, down for 1 s, started again), "at=10s kill", in Docker "at=10s cpu=0.5 for=5s". One of several servers: "server=2 at=10s kill". Can be repeated. See docs/churn.md'
    },
    ...HOSTILE_OPTIONS,
    samples: {
      default: false,
      ...yesOrNo(),
      describe:
        'keep due, sent and replied time of every measured operation; with publish in --mix, also client traces in the go-libp2p-pubsub schema'
    }
  }),

  ...makeProfileOption('server and worker processes'),

  threshold: {
    common: true,
    group: VERDICT,
    defaultText: 'none',
    ...thresholdsKind(RENDEZVOUS_FIGURES),
    planKey: 'thresholds',
    notIn: { trial: FAILING_TRIALS_REASON },
    added: [],
    describe:
      'required value, such as "DISCOVER.p99 < 50ms"; if not met, exit code 3. Can be repeated. Append ", abortOnFail, grace=5s" to end a run that has failed it for 5 s'
  },
  ...STRICT_OPTION,

  ...makeVerdictOptions(OPERATIONS_COMPARED, REPEATED_NOT_IN),

  hdr: {
    group: OPTION_GROUPS.OUTPUT,
    part: 'output',
    planKey: 'hdrFile',
    ...path(),
    notIn: Object.fromEntries(['trial', 'ab', 'matrix'].map(place => [place, 'a log is for one run'])),
    describe: 'write response times to this HdrHistogram log; one line per second and operation'
  },
  ...AGENT_OPTIONS,
  ...OUTPUT_OPTIONS
}
