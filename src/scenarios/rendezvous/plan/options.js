import { AGENT_OPTIONS } from '../../../plan/agents-option.js'
import { arrivalsKind } from '../../../plan/arrivals-option.js'
import { gateOptions, REPEATED } from '../../../plan/gate-options.js'
import { profileOption } from '../../../plan/profile-option.js'
import { timeRange } from '../../../plan/ranges.js'
import { FAILING, GROUP, HELD, OUTPUT_OPTIONS, STRICT } from '../../../plan/shared-options.js'
import { shares } from '../../../plan/shares.js'
import { targetAddress } from '../../../plan/target-address.js'
import { targetAddresses } from '../../../plan/target-addresses.js'
import { thresholds } from '../../../plan/threshold.js'
import {
  choice,
  containerName,
  cores,
  duration,
  path,
  rate,
  seconds,
  size,
  wholeNumber,
  yesOrNo
} from '../../../plan/values.js'
import { serverStackOption, stackOption, stockOption } from '../../stack-options.js'
import { OPERATIONS_COMPARED, RENDEZVOUS_FIGURES } from '../figures.js'
import { churnOptions } from './churn.js'
import { closedModel, openModel, ownServer, severalServers, withTarget, withTargets } from './conditions.js'
import { faults } from './fault-option.js'
import { peerOptions } from './full-peers.js'
import { hostileOptions } from './hostile-options.js'
import { LINK_OPTIONS } from './link-options.js'
import { roleOptions } from './role-options.js'
import { storeKind } from './store-option.js'

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
 * @property {number | null} benchmarkRuns - operations in all; null: as many as come in the duration
 * @property {number | null} durationMs
 * @property {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'MIXED'} benchmarkType
 * @property {{ register: number, discover: number, unregister: number, publish?: number } | null} mix - shares that add up to 1; null unless
 *   MIXED, and with roles. With `publish` clients are full peers
 * @property {readonly import('../../gossip/plan/gossip-plan.js').Topic[]} [topics] - of full peers: the first of the namespaces
 * @property {Readonly<import('../../../plan/ranges.js').Range>} [messageBytes] - of full peers
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
 * @property {import('../../../plan/arrivals-option.js').Arrivals} arrivals
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
 * @property {readonly import('./fault-option.js').Fault[]} faults - in the order they come in
 * @property {Readonly<Record<string, number>>} [hostile] - hostile peers: times their usual rate, by kind; absent: there are none
 * @property {number} [hostileEveryMs] - length of stretches, quiet and hostile in turn
 * @property {boolean} samples
 * @property {boolean} stock - server and clients of ours are libp2p as published
 * @property {readonly string[]} stack - generations of libp2p that clients are of; several are dealt out by the client's number
 * @property {string | null} serverStack - of our server; null: the first of `stack`
 * @property {number} maxPeerRegistrations - cap of our server
 * @property {readonly import('../../../plan/threshold.js').Threshold[]} thresholds - what figures of the result must be
 * @property {'loopback' | 'namespaces'} network - what joins server and clients
 * @property {import('../../../load/churn.js').ChurnSpec | null} churn - null: clients stay
 * @property {number} [refreshEveryMs] - with churn, after which a client registers again
 * @property {boolean} [cookies] - with churn, a DISCOVER carries the cookie of the one before
 * @property {readonly import('../../../plan/profile-option.js').Profilable[]} [profiled] - of server and workers; absent: nothing
 *
 * @typedef {OwnPlan & import('../../namespaces/network-plan.js').LinksAsked} Plan
 */

const BENCHMARK_TYPES = ['REGISTER', 'DISCOVER', 'UNREGISTER', 'MIXED']

/** Where our server can run. */
const SERVERS = ['auto', 'process', 'docker']

const LOAD = 'What is sent:'
const PACE = 'How it is sent:'
const SERVER = 'The server:'
const { MEASURE, VERDICT } = GROUP

/**
 * OPTIONS is the one table of the rendezvous options: flags, configuration files, validation and --help follow from it.
 *
 * @type {import('../../../plan/read-options.js').OptionTable}
 */
export const OPTIONS = {
  nClients: {
    common: true,
    short: 'c',
    group: LOAD,
    default: 4,
    ...wholeNumber(1, 100_000),
    ofCase: true,
    describe: 'libp2p clients that send operations in parallel'
  },
  ...roleOptions(LOAD),
  nNamespaces: {
    group: LOAD,
    default: 5,
    ...wholeNumber(1, 1_000_000),
    ofCase: true,
    describe: 'namespaces that registrations are spread over'
  },
  initialRegistrations: {
    common: true,
    group: LOAD,
    default: 100,
    ...wholeNumber(0, 10_000_000),
    ofCase: true,
    describe: 'registrations the server holds before the measurement, each by a peer of its own'
  },
  benchmarkRuns: {
    common: true,
    short: 'n',
    group: LOAD,
    ...wholeNumber(1, 100_000_000),
    notIn: { trial: HELD },
    ofCase: true,
    describe: 'operations in all, shared out among the clients; beside --duration whichever ends first'
  },
  duration: {
    common: true,
    short: 'd',
    group: LOAD,
    ...duration({ min: '100ms' }),
    planKey: 'durationMs',
    ofCase: true,
    describe: 'send for this long; 10 s where neither this nor --benchmarkRuns is given'
  },
  benchmarkType: {
    common: true,
    group: LOAD,
    default: 'REGISTER',
    ...choice(BENCHMARK_TYPES, { anyCase: true }),
    ofCase: true,
    describe: 'REGISTER, DISCOVER, UNREGISTER or MIXED'
  },
  mix: {
    group: LOAD,
    default: 'register=1,discover=8,unregister=1',
    ...shares(['register', 'discover', 'unregister'], 'register=1,discover=8,unregister=1', ['publish']),
    canBeOutOfForce: true,
    describe:
      'shares of the operations of MIXED. With publish, clients are full peers: they dial one another and publish by gossipsub, as in register=1,discover=8,publish=4'
  },
  ...peerOptions(LOAD),
  discoverLimit: {
    common: true,
    group: LOAD,
    default: 20,
    ...wholeNumber(1, 1_000_000),
    ofCase: true,
    describe: 'registrations asked for by a DISCOVER'
  },
  discoverInexistentNamespaces: {
    group: LOAD,
    default: false,
    ...yesOrNo(),
    ofCase: true,
    describe: 'DISCOVER namespaces that do not exist'
  },
  registerMode: {
    group: LOAD,
    default: 'refresh',
    ...choice(['new', 'refresh']),
    ofCase: true,
    describe:
      'refresh: a REGISTER renews a registration of its client; new: it adds one in a namespace that the client has not used before'
  },
  ttl: {
    group: LOAD,
    default: '2h',
    ...seconds({ min: '1s', max: '72h' }),
    planKey: 'ttlSeconds',
    describe: 'time to live of registrations'
  },
  recordDomain: {
    group: LOAD,
    default: 'libp2p-peer-record',
    ...choice(['libp2p-peer-record', 'libp2p-routing-state']),
    describe: 'domain the records are signed for; rust implementations want libp2p-routing-state'
  },
  seed: {
    group: LOAD,
    default: 1,
    ...wholeNumber(0, 4_294_967_295),
    describe: 'everything random follows from it, the identities of the peers too'
  },

  rate: {
    common: true,
    short: 'r',
    group: PACE,
    ...rate({ max: 1_000_000 }),
    planKey: 'ratePerSecond',
    canBeOutOfForce: true,
    notIn: { trial: 'the command sets the rate of each trial' },
    ofCase: true,
    describe:
      'open model: operations are due at this rate in all, whatever the replies do (default: closed model)'
  },
  arrivals: {
    group: PACE,
    default: 'constant',
    ...arrivalsKind(),
    only: openModel(),
    ofCase: true,
    describe:
      'with --rate, constant: evenly spaced; poisson: independent of each other; ramp:to=500/s or sine:amplitude=0.8,period=1m: a rate that changes over --duration. Without --rate, steps:100/s,200/s,400/s or replay:<path>. See docs/load-models.md'
  },
  thinkTime: {
    group: PACE,
    ...timeRange({ least: 0, most: 3_600_000 }),
    planKey: 'thinkTimeMs',
    only: closedModel(
      'has no use in the open model: operations are due on a schedule, whatever the replies do'
    ),
    ofCase: true,
    added: null,
    describe:
      'closed model: how long a client waits between a reply and its next operation, such as 100ms or 50ms-150ms'
  },
  maxInFlight: {
    group: PACE,
    default: 100_000,
    ...wholeNumber(1, 10_000_000),
    only: openModel(),
    describe: 'with --rate, operations under way at most; what is due beyond that is dropped and counted'
  },
  timeout: {
    group: PACE,
    default: '10s',
    ...duration({ min: '1ms', max: '1h' }),
    planKey: 'timeoutMs',
    describe: 'how long an operation waits for its reply'
  },
  connectionPerOperation: {
    group: PACE,
    default: false,
    ...yesOrNo(),
    ofCase: true,
    describe: 'connect, one operation, close'
  },
  streamPerOperation: {
    group: PACE,
    default: true,
    ...yesOrNo(),
    describe: 'a new stream for each operation; --no-streamPerOperation: one long-lived stream'
  },
  inFlight: {
    group: PACE,
    default: 1,
    ...wholeNumber(1, 10_000),
    only: closedModel(
      'has no use with --rate, which sends what is due; its limit is --maxInFlight',
      value => value > 1
    ),
    describe: 'operations under way at once per client; more than 1 uses one long-lived stream'
  },
  workers: {
    group: PACE,
    defaultText: 'cores − 1',
    ...wholeNumber(1, 1024),
    describe: 'processes the clients are spread over'
  },
  ...stackOption(PACE, 'clients'),
  ...stockOption(PACE, 'server and clients'),

  ...churnOptions('Who comes and goes:'),

  ...LINK_OPTIONS,

  server: {
    common: true,
    group: SERVER,
    default: 'auto',
    ...choice(SERVERS),
    only: ownServer('says where our own server runs'),
    added: 'process',
    describe:
      'where our server runs; auto: in Docker if an engine answers and an image with Node is there, else a process'
  },
  ...serverStackOption(SERVER),
  cpus: {
    group: SERVER,
    ...cores({ min: 0.01, max: 1024 }),
    only: ownServer('limits our own server'),
    added: null,
    describe: 'cores the server may use; needs Docker'
  },
  memory: {
    group: SERVER,
    ...size({ min: '6MiB', max: '64TiB' }),
    planKey: 'memoryBytes',
    only: ownServer('limits our own server'),
    added: null,
    describe: 'memory the server may use, such as 512MiB; needs Docker'
  },
  store: {
    group: SERVER,
    default: 'memory',
    ...storeKind(),
    only: ownServer('says where our own server keeps registrations'),
    ofCase: true,
    added: 'memory',
    describe:
      "where our server keeps registrations: memory, postgres, of the run's own and gone with it, or postgres://user@host/database, in which the run has a schema of its own. See docs/stores.md"
  },
  servers: {
    group: SERVER,
    default: 1,
    ...wholeNumber(1, 64),
    only: ownServer('says how many of our own servers run'),
    ofCase: true,
    added: 1,
    describe: 'our servers, which share a store'
  },
  failover: {
    group: SERVER,
    default: false,
    ...yesOrNo(),
    only: severalServers(),
    ofCase: true,
    added: false,
    describe:
      'clients of a server that is gone go to another one, and stay there; what was under way is counted as SERVER_GONE'
  },
  target: {
    common: true,
    group: SERVER,
    ...targetAddress(),
    describe:
      'load-test this server instead of starting one: a multiaddr with /tcp and /p2p. A server of ours on another machine needs --unlimitedFrom with the address of this one, or its limits are measured'
  },
  targets: {
    group: SERVER,
    ...targetAddresses(),
    added: null,
    describe:
      'load-test these servers instead of starting one: addresses as of --target with commas between them. They are taken to share what they hold'
  },
  targetPid: {
    group: SERVER,
    ...wholeNumber(1, 4_194_304),
    only: withTarget(),
    describe: 'with --target, the process whose CPU and memory are sampled'
  },
  targetContainer: {
    group: SERVER,
    ...containerName(),
    only: withTarget(),
    added: null,
    describe: 'with --target, the container whose CPU and memory are sampled'
  },
  iOwnTheTarget: {
    group: SERVER,
    default: false,
    ...yesOrNo(),
    only: withTargets(),
    describe: 'needed to load-test a public address and, with --targets, any beyond this host'
  },
  maxPeerRegistrations: {
    group: SERVER,
    default: 1000,
    ...wholeNumber(1, 100_000_000),
    only: ownServer('sets a cap of our own server'),
    describe: "our server's cap on the registrations of one peer"
  },

  minDuration: {
    group: MEASURE,
    default: '0',
    ...duration({ max: '24h' }),
    planKey: 'minDurationMs',
    notIn: { trial: HELD },
    describe: 'beside --benchmarkRuns: more operations follow until so much was measured'
  },
  warmup: {
    group: MEASURE,
    default: '2s',
    ...duration({ max: '1h' }),
    planKey: 'warmupMs',
    describe:
      'load that is not counted, before the measurement, and goes on until p50 of successive seconds moves by less than 5 %: five times as long at most'
  },
  skipLookUp: {
    group: MEASURE,
    default: false,
    ...yesOrNo(),
    added: false,
    describe: 'what the server has confirmed is not looked up at the end, for one that lets nobody discover'
  },
  fault: {
    group: MEASURE,
    defaultText: 'none',
    ...faults(),
    planKey: 'faults',
    notIn: { trial: 'a load is held, and nothing else happens to the server' },
    ofCase: true,
    added: [],
    describe:
      'what is done to our server under load: "at=10s pause=2s", "at=10s restart=1s" (killed, down for 1 s, started again), "at=10s kill" or, in Docker, "at=10s cpu=0.5 for=5s"; of several servers, "server=2 at=10s kill"; can be repeated. See docs/faults.md'
  },
  ...hostileOptions(MEASURE),
  samples: {
    group: MEASURE,
    default: false,
    ...yesOrNo(),
    describe:
      'also keep due, sent and replied time of every operation that is measured and, with publish in --mix, a trace of each client in the schema of go-libp2p-pubsub'
  },

  ...profileOption('server and worker processes'),

  threshold: {
    common: true,
    group: VERDICT,
    defaultText: 'none',
    ...thresholds(RENDEZVOUS_FIGURES),
    planKey: 'thresholds',
    notIn: { trial: FAILING },
    added: [],
    describe:
      'what a figure must be, such as "DISCOVER.p99 < 50ms", or the exit code is 3; can be repeated. With ", abortOnFail, grace=5s" behind it, the run ends once it has failed for that long'
  },
  ...STRICT,

  ...gateOptions(OPERATIONS_COMPARED, REPEATED),

  hdr: {
    group: GROUP.OUTPUT,
    part: 'output',
    planKey: 'hdrFile',
    ...path(),
    notIn: Object.fromEntries(['trial', 'ab', 'matrix'].map(place => [place, 'a log holds one run'])),
    describe: 'write response times to this file as an HdrHistogram log: a line per second and operation'
  },
  ...AGENT_OPTIONS,
  ...OUTPUT_OPTIONS
}
