// How options become the plan of a rendezvous run: rules, defaults that follow from others, estimates.

import { isDeepStrictEqual } from 'node:util'
import { usableCores } from '../../../kit/linux.js'
import { grouped } from '../../../kit/numbers.js'
import { openFilesAllowed } from '../../../kit/runtime.js'
import { dueIn } from '../../../load/arrivals.js'
import { changesState, maxOperations } from '../../../load/clients.js'
import { againMs } from '../../../measure/steady-state.js'
import { IMPAIRING, impairments } from '../../../network/link-properties.js'
import { PUBLIC_TARGET, TARGET_ELSEWHERE, TARGETS_ELSEWHERE } from '../../../plan/addresses.js'
import { agentRules, agentsIn, areElsewhere, noUseWithAgents } from '../../../plan/agents.js'
import { arrivalRules, meanRate, replayedMs, saysItsRates } from '../../../plan/arrivals.js'
import { conditionRules } from '../../../plan/options.js'
import { withoutSample } from '../../../plan/threshold.js'
import { LIMITS } from '../../../server/limits.js'
import { isOpen, isOurs, usualDurationMs } from '../../conditions.js'
import { networkPlan } from '../../namespace-run.js'
import { inNamespaces, isJoined, linkRules } from '../../network-options.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { inOrder, needsMoreThanMemory, OPTIONS, STORE_RULES, writeFault } from '../options.js'
import {
  CHURN_RULES,
  HOSTILE_RULES,
  hasRoles,
  PEER_RULES,
  publishes,
  ROLE_RIVALS,
  ROLE_RULES,
  refreshMsOf,
  UNSAID_OF_ROLES,
  withMix,
  withRoles
} from '../peer-options.js'

/**
 * @typedef {import('../options.js').Fault} Fault
 * @typedef {import('../../../plan/options.js').Rule} Rule
 */

/** @param {Fault} fault @returns {number} ms; Infinity: it is not undone, and nothing can come after it */
const endOf = ({ kind, atMs, forMs, server }) =>
  forMs !== null ? atMs + forMs : kind === 'kill' && server !== undefined ? atMs : Infinity

/** @param {readonly Fault[]} faults @param {number} durationMs */
function beyondTheEnd(faults, durationMs) {
  const late = faults.find(fault => fault.atMs + (fault.forMs ?? 0) >= durationMs)
  return late === undefined
    ? null
    : `has "${writeFault(late)}", which is not over before the end of --duration (${durationMs}ms): give it more time, or let the fault come earlier`
}

/** @param {readonly Fault[]} faults */
function twoAtOnce(faults) {
  const [first, second] =
    inOrder(faults)
      .map((fault, i, all) => [fault, all[i + 1]])
      .find(([fault, next]) => next !== undefined && next.atMs < endOf(fault)) ?? []
  return first === undefined
    ? null
    : `has "${writeFault(second)}" before "${writeFault(first)}" is over: one at a time`
}

/** @param {readonly Fault[]} faults @param {number} servers */
function notOfThese(faults, servers) {
  const which = servers > 1 ? `--servers ${servers}` : 'one server'
  const wrong = faults.find(({ server = 1 }) => server > servers)
  if (wrong !== undefined) return `has "${writeFault(wrong)}", and there is ${which}`
  if (servers > 1 && faults.some(({ server }) => server === undefined))
    return `must say which of ${servers} servers it is done to, such as "server=2 at=20s kill"`
  return servers > 1 ? killedBefore(faults, servers) : null
}

/** @param {readonly Fault[]} faults @param {number} servers */
function killedBefore(faults, servers) {
  /** @type {Set<number | undefined>} */
  const killed = new Set()
  for (const fault of inOrder(faults)) {
    if (killed.has(fault.server)) return `has "${writeFault(fault)}" for a server that was killed before`
    if (fault.kind === 'kill') killed.add(fault.server)
  }
  return killed.size === servers ? `kills all of ${servers} servers: one must be left` : null
}

/** @param {string[]} needs @param {(faults: readonly Fault[], values: Record<string, any>) => ReturnType<Rule['refuse']>} refuse @returns {Rule} */
const rule = (needs, refuse) => ({
  flag: 'fault',
  needs,
  refuse: ({ fault, ...values }) => (fault === undefined ? null : refuse(fault, values))
})

/** FAULT_RULES are the combinations with --fault that cannot be run. @type {readonly Rule[]} */
const FAULT_RULES = [
  rule(
    ['target', 'targets'],
    (_, values) =>
      !isOurs(values) && 'is done to our own server and cannot be given with --target or --targets'
  ),
  rule(
    ['server', 'store', 'servers'],
    (faults, { server, ...values }) =>
      faults.some(({ kind }) => kind === 'cpu') &&
      (server === 'process' || needsMoreThanMemory(/** @type {any} */ (values))) &&
      'has a cpu, which needs --server docker: nothing limits a process'
  ),
  rule(['duration', 'arrivals'], (faults, { duration, arrivals }) => {
    const durationMs = duration ?? replayedMs(arrivals)
    return durationMs === undefined
      ? 'needs --duration: a fault comes at a time of the measurement'
      : beyondTheEnd(faults, durationMs)
  }),
  rule([], twoAtOnce),
  rule(['servers'], (faults, { servers }) => notOfThese(faults, servers))
]

/** LIMIT_RULES are of what only a container can be limited by. @type {readonly import('../../../plan/options.js').Rule[]} */
const LIMIT_RULES = ['cpus', 'memory'].map(flag => ({
  flag,
  needs: ['server'],
  refuse: ({ server, ...values }) =>
    values[flag] !== undefined && server === 'process' && 'needs --server docker: nothing limits a process'
}))

/** PID_OR_CONTAINER: a target is read in one way. @type {Readonly<import('../../../plan/options.js').Rule>} */
const PID_OR_CONTAINER = Object.freeze({
  flag: 'targetContainer',
  needs: ['targetPid'],
  refuse: (_, given) =>
    given.has('targetContainer') &&
    given.has('targetPid') &&
    'cannot be given together with --targetPid: choose one'
})

/** @typedef {Record<string, any>} Values - of options, by flag */

/** Where the server runs that is in a namespace. @type {readonly [flag: string, asks: (value: any) => boolean, why: string][]} */
const OF_THE_SERVER = [
  [
    'target',
    target => target !== undefined,
    'cannot be given with --network namespaces: it is outside of them'
  ],
  [
    'targets',
    targets => targets !== undefined,
    'cannot be given with --network namespaces: they are outside of them'
  ],
  [
    'server',
    server => server === 'docker',
    'must be process with --network namespaces: a container has a network of its own'
  ],
  ['cpus', cpus => cpus !== undefined, 'needs a container, which --network namespaces does not join'],
  ['memory', memory => memory !== undefined, 'needs a container, which --network namespaces does not join'],
  ['servers', servers => servers > 1, 'must be 1 with --network namespaces'],
  [
    'store',
    store => store !== 'memory',
    'must be memory with --network namespaces: a database is outside of them'
  ],
  [
    'fault',
    (faults = []) => faults.some((/** @type {{ kind: string }} */ { kind }) => kind === 'cpu'),
    'cannot have cpu with --network namespaces: nothing limits a process'
  ]
]

/** clientsApart says whether each client is alone in its process. @param {Values} values */
const clientsApart = values => isJoined(values) && impairments(values).length > 0

/**
 * usualWorkers is how many processes hold the clients where that is not said.
 *
 * @param {Values} values
 * @param {number} cores
 */
function usualWorkers({ nClients, agents, ...values }, cores) {
  if (agents != null) return agentsIn(agents)
  return clientsApart({ nClients, ...values }) ? nClients : Math.max(1, Math.min(cores - 1, nClients))
}

/** @param {{ workers: number }} plan @returns {number} server, clients */
const namespacesIn = ({ workers }) => 1 + workers

/** CLIENTS_ALONE refuses clients that share a namespace where anything is asked of its links. */
const CLIENTS_ALONE = inNamespaces({
  flag: 'workers',
  needs: ['nClients', ...IMPAIRING],
  refuse: values => {
    const [asked] = impairments(values)
    return (
      values.workers < values.nClients &&
      asked !== undefined &&
      `must be ${values.nClients}, one for each client, with --${asked}: clients that share a namespace share its links`
    )
  }
})

/** NAMESPACE_RULES refuse what namespaces cannot do, or cannot do here. @type {readonly import('../../../plan/options.js').Rule[]} */
const NAMESPACE_RULES = [
  ...linkRules(['nClients', 'workers', 'agents', ...IMPAIRING], values =>
    namespacesIn({ workers: values.workers ?? usualWorkers(values, usableCores()) })
  ),
  CLIENTS_ALONE,
  ...OF_THE_SERVER.map(([flag, asks, why]) =>
    inNamespaces({ flag, refuse: values => asks(values[flag]) && why })
  )
]

/**
 * linksOf is the network of namespaces of a plan.
 *
 * @param {import('../options.js').Plan} plan
 * @returns {import('../../namespace-run.js').NetworkPlan | null} null: it asks for none
 */
export function linksOf(plan) {
  const { seed, linkLatency, linkLossShare, upBandwidthBytesPerSecond } = plan
  const asked = { seed, linkLatency, linkLossShare, upBandwidthBytesPerSecond }
  return isJoined(plan) ? networkPlan(asked, namespacesIn(plan)) : null
}

/** A process that may have fewer open loads nothing, and says so: nothing is asked about them. */
const FEW = 128
/** A process has some files open by itself. */
const OWN_FILES = 100
/** A full peer listens, has a connection to its server, dials 6 others, and is dialled by as many. */
const FILES_OF_PEER = 14

/**
 * tooManyConnections says why there cannot be so many clients: each connection is an open file, at either end.
 *
 * @param {Record<string, any>} values - of options
 * @param {number} openFiles - that a process may have
 * @returns {string | null} the end of a sentence that begins with the number of clients; null: there can
 */
export function tooManyConnections({ nClients, workers, server, servers = 1, ...values }, openFiles) {
  // of an agent's machine, and of a container, nothing is known
  const workersHere =
    values.agents == null ? (workers ?? usualWorkers({ nClients, ...values }, usableCores())) : null
  const each = values.benchmarkType === 'MIXED' && publishes(values) ? FILES_OF_PEER : 1
  const serversHere = isOurs(values) && server !== 'docker' ? servers : null
  const shares = /** @type {[string, number][]} */ ([
    // a channel to each
    ['the program itself', workersHere ?? 0],
    ['a process of the server', serversHere === null ? 0 : Math.ceil(nClients / serversHere)],
    ['a process of the load generator', workersHere === null ? 0 : each * Math.ceil(nClients / workersHere)]
  ])
  const [who, share] = shares.reduce((most, one) => (one[1] >= most[1] ? one : most))
  const most = share + OWN_FILES
  if (most <= FEW || most <= openFiles) return null
  return `needs ${grouped(most)} open files in ${who}, and it may have ${grouped(openFiles)} here: raise that with ulimit -n ${most}, or use fewer clients`
}

/** connectionsRefused says the same of this machine. @param {Record<string, any>} values - of options */
const connectionsRefused = values =>
  Math.max(values.nClients, values.workers ?? 0) > FEW - OWN_FILES &&
  tooManyConnections(values, openFilesAllowed())

/** @param {'nClients' | 'providers'} flag - that says how many clients there are @returns {import('../../../plan/options.js').Rule} */
const connects = flag => ({
  flag,
  needs: [
    'nClients',
    'workers',
    'server',
    'servers',
    'target',
    'targets',
    'agents',
    'network',
    'discoverers',
    'benchmarkType',
    'mix'
  ],
  refuse: values => hasRoles(values) === (flag === 'providers') && connectionsRefused(values)
})

/** OPEN_FILES_RULES refuse clients that could not all be connected. */
const OPEN_FILES_RULES = [connects('nClients'), connects('providers')]

/**
 * @typedef {import('../../../plan/plan.js').Given} Given
 */

/**
 * @param {Map<string, Given>} given
 * @param {string} a
 * @param {string} b
 */
const bothGiven = (given, a, b) => given.has(a) && given.has(b)

/**
 * @param {Record<string, any>} values
 * @returns {number} operations; 0 where their number is open
 */
function operationsIn({ benchmarkRuns, duration, rate, arrivals, ...values }) {
  if (duration === undefined && arrivals.shape !== 'replay' && benchmarkRuns !== undefined)
    return benchmarkRuns
  if (!isOpen({ rate, arrivals })) return benchmarkRuns ?? 0
  const due = dueIn({ arrivals, ratePerSecond: rate, durationMs: duration ?? usualDurationMs(values) })
  return Math.min(due, benchmarkRuns ?? Infinity)
}

/**
 * registrationsPerClient is how many registrations one client has at most: those it adds, or those made before for UNREGISTER to
 * remove. The closed model with a duration ends below the cap.
 *
 * @param {Record<string, any>} values
 * @returns {number} 0 where nothing new is registered or the number is open
 */
function registrationsPerClient({ benchmarkType, registerMode, mix, nClients, ...values }) {
  if (benchmarkType === 'DISCOVER') return 0
  if (benchmarkType !== 'UNREGISTER' && registerMode === 'refresh') return 0
  return Math.ceil((operationsIn(values) * (benchmarkType === 'MIXED' ? mix.register : 1)) / nClients)
}

/** @param {Record<string, any>} values */
function tooManyRegistrations(values) {
  const { maxPeerRegistrations: cap, benchmarkType, nClients } = values
  const each = registrationsPerClient(values)
  if (!isOurs(values) || each <= cap) return false
  const refresh = benchmarkType === 'UNREGISTER' ? '' : '--registerMode refresh, '
  const clients = Math.ceil((each * nClients) / cap)
  return `makes ${grouped(each)} registrations by each client, above the server's cap of ${grouped(cap)} for one peer: use --nClients ${clients}, ${refresh}or --maxPeerRegistrations ${each}`
}

/** What registrations depend on, whatever says how many operations there are. */
const OF_REGISTRATIONS = [
  ...[
    'maxPeerRegistrations',
    'target',
    'targets',
    'benchmarkType',
    'registerMode',
    'mix',
    'nClients',
    'duration',
    'hostile',
    'hostileEvery'
  ]
]

/** @type {Rule[]} */
const load = [
  {
    flag: 'minDuration',
    needs: ['benchmarkRuns', 'duration', 'registerMode', 'benchmarkType'],
    refuse: ({ minDuration, benchmarkRuns, duration, ...values }) => {
      if (minDuration === 0) return
      if (benchmarkRuns === undefined) return 'goes with --benchmarkRuns: without it use --duration'
      if (duration !== undefined) return 'goes with --benchmarkRuns alone: choose it or --duration'
      return (
        changesState(/** @type {any} */ (values)) &&
        'has no use where operations change how many registrations there are: use --registerMode refresh without UNREGISTER, or --benchmarkType DISCOVER'
      )
    }
  },
  {
    flag: 'mix',
    needs: ['benchmarkType'],
    refuse: ({ benchmarkType }, given) =>
      given.has('mix') && benchmarkType !== 'MIXED' && `needs --benchmarkType MIXED, not ${benchmarkType}`
  },
  {
    flag: 'mix',
    needs: ['benchmarkType'],
    refuse: ({ benchmarkType, mix }) =>
      benchmarkType === 'MIXED' &&
      mix.unregister > mix.register &&
      'must not have more unregister than register: only what was registered can be removed'
  },
  {
    flag: 'discoverInexistentNamespaces',
    needs: ['benchmarkType'],
    refuse: ({ discoverInexistentNamespaces, benchmarkType }) =>
      discoverInexistentNamespaces &&
      ['REGISTER', 'UNREGISTER'].includes(benchmarkType) &&
      `needs --benchmarkType DISCOVER or MIXED: ${benchmarkType} discovers nothing`
  },
  {
    flag: 'discoverLimit',
    needs: ['target', 'targets'],
    refuse: ({ discoverLimit, ...values }) =>
      isOurs(values) &&
      discoverLimit > LIMITS.maxDiscoverLimit &&
      `is above the server's cap of ${grouped(LIMITS.maxDiscoverLimit)}: lower it, or give a server with another cap as --target`
  },
  {
    flag: 'benchmarkRuns',
    needs: [...OF_REGISTRATIONS, 'rate', 'arrivals'],
    refuse: values =>
      values.benchmarkRuns !== undefined && !saysItsRates(values.arrivals) && tooManyRegistrations(values)
  },
  {
    flag: 'rate',
    needs: [...OF_REGISTRATIONS, 'arrivals'],
    refuse: values =>
      values.benchmarkRuns === undefined && values.rate !== undefined && tooManyRegistrations(values)
  },
  {
    flag: 'arrivals',
    needs: OF_REGISTRATIONS,
    refuse: values => saysItsRates(values.arrivals) && isOfItsLength(values) && tooManyRegistrations(values)
  }
]

/** What other rules refuse has no number of operations. @param {Record<string, any>} values */
const isOfItsLength = ({ arrivals, duration }) => arrivals.shape === 'replay' || duration !== undefined

/** @type {Rule[]} */
const pace = [
  ...arrivalRules('benchmarkRuns'),
  {
    flag: 'inFlight',
    needs: ['streamPerOperation', 'connectionPerOperation'],
    refuse: ({ inFlight, streamPerOperation, connectionPerOperation }, given) => {
      if (inFlight === 1) return
      if (connectionPerOperation) return 'needs one long-lived stream: leave out --connectionPerOperation'
      if (streamPerOperation && given.has('streamPerOperation'))
        return 'needs one long-lived stream: leave out --streamPerOperation, or use --no-streamPerOperation'
    }
  },
  {
    flag: 'streamPerOperation',
    needs: ['connectionPerOperation'],
    refuse: ({ streamPerOperation, connectionPerOperation }) =>
      !streamPerOperation &&
      connectionPerOperation &&
      'cannot be false with --connectionPerOperation: choose one'
  },
  {
    flag: 'workers',
    needs: ['nClients', 'providers', 'discoverers'],
    refuse: ({ workers, nClients, ...values }, given) =>
      given.has('workers') &&
      workers > nClients &&
      `must be at most ${hasRoles(values) ? '--providers and --discoverers,' : '--nClients'} ${nClients}: each worker needs a client`
  }
]

/** @type {Rule[]} */
const server = [
  {
    flag: 'server',
    needs: ['bus', 'agents', 'address', 'target', 'targets'],
    refuse: values =>
      values.server === 'docker' &&
      isOurs(values) &&
      areElsewhere(values) &&
      'is in a container that is reached from this machine alone: use --server process'
  },
  ...LIMIT_RULES,
  PID_OR_CONTAINER,
  {
    flag: 'targets',
    needs: ['target'],
    refuse: (_, given) =>
      bothGiven(given, 'targets', 'target') && 'cannot be given together with --target: choose one'
  },
  PUBLIC_TARGET,
  TARGETS_ELSEWHERE
]

/** @type {Rule[]} */
const verdict = [
  {
    flag: 'threshold',
    needs: [
      ...['benchmarkType', 'mix', 'connectionPerOperation', 'nClients', 'providers', 'discoverers', 'churn'],
      ...['servers', 'target', 'targets', 'targetPid', 'targetContainer']
    ],
    refuse: ({ threshold = [], ...values }) => withoutSample(threshold, RENDEZVOUS_FIGURES, values)
  }
]

/**
 * COMBINATIONS are the combinations of options that cannot be run.
 *
 * @type {readonly Rule[]}
 */
const COMBINATIONS = [
  ...load,
  ...ROLE_RULES,
  ...PEER_RULES,
  ...CHURN_RULES,
  ...conditionRules(OPTIONS),
  ...pace,
  ...server,
  ...FAULT_RULES,
  TARGET_ELSEWHERE,
  ...HOSTILE_RULES,
  ...STORE_RULES,
  ...NAMESPACE_RULES,
  ...OPEN_FILES_RULES,
  ...agentRules('nClients'),
  noUseWithAgents('samples'),
  noUseWithAgents('profile'),
  {
    flag: 'profile',
    needs: ['churn'],
    refuse: ({ profile, churn }) =>
      profile !== undefined && churn !== undefined && 'is of clients that stay: leave out --churn'
  },
  noUseWithAgents('network', 'loopback'),
  ...verdict
]

/** @typedef {import('../options.js').Plan} Plan */

/**
 * mostOf is how many operations a plan has at most. In the closed model with a duration their number is not known: it ends where our
 * server's cap on the registrations of one peer would be reached.
 *
 * @param {Record<string, any>} values
 */
function mostOf({
  benchmarkRuns,
  registerMode,
  benchmarkType,
  mix,
  nClients,
  maxPeerRegistrations,
  ...values
}) {
  if (benchmarkRuns !== undefined) return benchmarkRuns
  const isBounded = changesState({ benchmarkType, registerMode }) && !isOpen(/** @type {any} */ (values))
  if (!isBounded) return null
  const share = benchmarkType === 'MIXED' ? mix.register : 1
  return share === 0 ? null : Math.floor(maxOperations({ nClients, maxPeerRegistrations }) / share)
}

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {Plan}
 */
function toPlan(picked, values, { cores }) {
  const { benchmarkType, inFlight, streamPerOperation, arrivals } = values
  const usualMs = values.benchmarkRuns === undefined ? usualDurationMs(values) : null
  const durationMs = values.duration ?? replayedMs(arrivals) ?? usualMs
  return /** @type {Plan} */ ({
    scenario: 'rendezvous',
    ...picked,
    target: values.target ?? values.targets?.[0] ?? null,
    durationMs,
    ratePerSecond: saysItsRates(arrivals) ? meanRate(arrivals) : (values.rate ?? null),
    benchmarkRuns: mostOf(values),
    minDurationMs: values.minDuration,
    mix: benchmarkType === 'MIXED' && !hasRoles(values) ? Object.freeze(values.mix) : null,
    faults: inOrder(values.fault ?? []),
    thresholds: Object.freeze(values.threshold ?? []),
    streamPerOperation: streamPerOperation && inFlight === 1,
    workers: values.workers ?? usualWorkers(values, cores),
    ...(values.churn !== undefined && { refreshEveryMs: refreshMsOf(values) })
  })
}

/** RENDEZVOUS_KIND makes the plans of the rendezvous scenario. @type {Readonly<import('../../index.js').Kind>} */
export const RENDEZVOUS_KIND = {
  options: OPTIONS,
  combinations: COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'minDuration'],
    ['target', 'server'],
    ['targets', 'server'],
    ...ROLE_RIVALS
  ]),
  implied: (values, given) => withRoles(withMix(values, given)),
  toPlan,
  flat: plan => plan,
  unsaid: (/** @type {Plan} */ plan) => [
    ...(plan.benchmarkRuns === null &&
    plan.durationMs === usualDurationMs({ ...plan, hostileEvery: plan.hostileEveryMs })
      ? ['durationMs']
      : []),
    ...(saysItsRates(plan.arrivals) ? ['ratePerSecond'] : []),
    ...(plan.targets === null ? [] : ['target']),
    ...(plan.refreshEveryMs === plan.ttlSeconds * 500 ? ['refreshEveryMs'] : []),
    ...(plan.providers == null ? [] : UNSAID_OF_ROLES)
  ]
}

/** What a server and its clients need not know before they are started. */
const LATER = { ratePerSecond: null, durationMs: null, faults: null }

/**
 * sameParts says whether a run of the one plan can go on with the server and the clients that a run of the other has started: they
 * differ in nothing but rate, duration and what is to happen to the server. A fault leaves another server behind than it found, churn other clients.
 *
 * @param {import('../options.js').Plan} one
 * @param {import('../options.js').Plan} other
 */
export const sameParts = (one, other) =>
  one.faults.length === 0 &&
  one.churn == null &&
  isDeepStrictEqual({ ...one, ...LATER }, { ...other, ...LATER })

/** Rough figures of a small machine, in ms: an estimate is there to choose, not to measure. */
const START_MS = 2000
/** What a run takes that starts nothing: its page, mostly. */
const GO_ON_MS = 400
const MS_PER_CLIENT = 15
/** Full peers find and dial one another, and wait for a mesh. */
const JOINING_MS = 5000
const MS_PER_PEER = 100
const MS_PER_REGISTRATION = 0.03
const WARM_UP_FACTOR = 1.5
/** Operations a second of a small machine in the closed model. */
const OPERATIONS_PER_SECOND = 1000

/** What measuring the floor takes, see floor.js. */
const FLOOR_RUN_MS = 4700
/** A shorter measurement than 5 s, less a gap between operations, has none: it would be held up for long beside what it takes. */
const HAS_FLOOR_MS = 4900

/**
 * hasFloor says whether a run measures the floor of this generator, too.
 *
 * @param {Pick<Plan, 'network'>} plan
 * @param {number} measuredMs
 */
export const hasFloor = ({ network }, measuredMs) => network !== 'namespaces' && measuredMs >= HAS_FLOOR_MS

/** @param {Plan} plan */
function measured({ durationMs, minDurationMs, benchmarkRuns, ratePerSecond }) {
  const sendingMs = (1000 * (benchmarkRuns ?? Infinity)) / (ratePerSecond ?? OPERATIONS_PER_SECOND)
  return Math.min(durationMs ?? Infinity, Math.max(sendingMs, minDurationMs))
}

/**
 * fixedMs is what a run takes on any machine.
 *
 * @param {Plan} plan
 * @param {boolean} [goesOn] - with what the run before has left up
 */
export const fixedMs = (plan, goesOn = false) => measured(plan) + (goesOn ? againMs(plan) : plan.warmupMs)

/**
 * estimateMs says about how long a run takes in all, with identities from the cache.
 *
 * @param {Plan} plan
 * @param {boolean} [goesOn] - with what the run before has left up
 * @returns {number} ms
 */
export function estimateMs(plan, goesOn = false) {
  const { nClients, initialRegistrations, warmupMs } = plan
  if (goesOn) return fixedMs(plan, goesOn) + GO_ON_MS
  const joining = publishes(plan) ? JOINING_MS + nClients * MS_PER_PEER : 0
  const start = START_MS + nClients * MS_PER_CLIENT + initialRegistrations * MS_PER_REGISTRATION + joining
  const floor = hasFloor(plan, measured(plan)) ? FLOOR_RUN_MS : 0
  return fixedMs(plan) + start + floor + warmupMs * (WARM_UP_FACTOR - 1)
}
