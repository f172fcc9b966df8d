// Makes and checks the plan of a rendezvous run from its options. Also estimates its duration, and tells when a server
// can be reused.

import { isDeepStrictEqual } from 'node:util'
import { countUsableCores } from '../../../kit/linux.js'
import { formatWhole } from '../../../kit/numbers.js'
import { readOpenFilesLimit } from '../../../kit/runtime.js'
import { countDueOperations } from '../../../load/arrivals.js'
import { countMaxOperations, doesChangeState } from '../../../load/clients.js'
import { computeRewarmMs } from '../../../measure/steady-state.js'
import { IMPAIRMENT_OPTIONS, listImpairments } from '../../../network/link-properties.js'
import { PUBLIC_TARGET, REMOTE_HOSTILE_TARGET, REMOTE_TARGETS } from '../../../plan/addresses.js'
import {
  areAgentsRemote,
  countWantedAgents,
  makeAgentConflictRule,
  makeAgentRules
} from '../../../plan/agents.js'
import { computeMeanRate, getReplayMs, hasOwnRates, makeArrivalRules } from '../../../plan/arrivals.js'
import { makeConditionRules } from '../../../plan/options.js'
import { findThresholdWithoutSample } from '../../../plan/threshold.js'
import { LIMITS } from '../../../server/limits.js'
import { computeDefaultDuration, isOpenModel, isOwnServer } from '../../conditions.js'
import { makeNetworkPlan } from '../../namespace-run.js'
import { isOfNamespaces, limitToNamespaces, makeLinkRules } from '../../network-options.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { formatFault, needsMoreThanMemory, RENDEZVOUS_OPTIONS, STORE_RULES, sortFaults } from '../options.js'
import {
  applyMix,
  applyRoles,
  CHURN_RULES,
  HOSTILE_RULES,
  hasRoles,
  PEER_RULES,
  publishesMessages,
  ROLE_CONFLICTS,
  ROLE_DERIVED_KEYS,
  ROLE_RULES,
  readRefreshMs
} from '../peer-options.js'

/**
 * @typedef {import('../options.js').Fault} Fault
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../plan/options.js').Rule} Rule
 * @typedef {Record<string, any>} Values - of options, by flag
 */

/** @param {readonly Fault[]} faults */
function overlapProblem(faults) {
  const ordered = sortFaults(faults)
  for (const [i, fault] of ordered.entries()) {
    const { kind, atMs, forMs, server } = fault
    // a killed server among several is over at once; any other fault without an end excludes further ones
    const endMs = forMs !== null ? atMs + forMs : kind === 'kill' && server !== undefined ? atMs : Infinity
    const next = ordered[i + 1]
    if (next !== undefined && next.atMs < endMs)
      return `has "${formatFault(next)}" before "${formatFault(fault)}" is over: one at a time`
  }
}

/** @param {readonly Fault[]} faults @param {number} servers */
function serverProblem(faults, servers) {
  const wrong = faults.find(({ server = 1 }) => server > servers)
  if (wrong !== undefined)
    return `has "${formatFault(wrong)}", and there is ${servers > 1 ? `--servers ${servers}` : 'one server'}`
  if (servers === 1) return null
  if (faults.some(({ server }) => server === undefined))
    return `must say which of ${servers} servers it is done to, such as "server=2 at=20s kill"`
  /** @type {Set<number | undefined>} */
  const killed = new Set()
  for (const fault of sortFaults(faults)) {
    if (killed.has(fault.server)) return `has "${formatFault(fault)}" for a server that was killed before`
    if (fault.kind === 'kill') killed.add(fault.server)
  }
  return killed.size === servers ? `kills all of ${servers} servers: one must be left` : null
}

/** @param {string[]} needs @param {(faults: readonly Fault[], values: Values) => ReturnType<Rule['refuse']>} refuse @returns {Rule} */
const faultRule = (needs, refuse) => ({
  flag: 'fault',
  needs,
  refuse: ({ fault, ...values }) => (fault === undefined ? null : refuse(fault, values))
})

/** Refused combinations with --fault. @type {readonly Rule[]} */
const FAULT_RULES = [
  faultRule(
    ['target', 'targets'],
    (_, values) =>
      !isOwnServer(values) && 'is done to our own server and cannot be given with --target or --targets'
  ),
  faultRule(
    ['server', 'store', 'servers'],
    (faults, { server, ...values }) =>
      faults.some(({ kind }) => kind === 'cpu') &&
      (server === 'process' || needsMoreThanMemory(/** @type {any} */ (values))) &&
      'has a cpu, which needs --server docker: nothing limits a process'
  ),
  faultRule(['duration', 'arrivals'], (faults, { duration, arrivals }) => {
    const durationMs = duration ?? getReplayMs(arrivals)
    if (durationMs === undefined) return 'needs --duration: a fault comes at a time of the measurement'
    const late = faults.find(fault => fault.atMs + (fault.forMs ?? 0) >= durationMs)
    return (
      late !== undefined &&
      `has "${formatFault(late)}", which is not over before the end of --duration (${durationMs}ms): give it more time, or let the fault come earlier`
    )
  }),
  faultRule([], overlapProblem),
  faultRule(['servers'], (faults, { servers }) => serverProblem(faults, servers))
]

/** Limits that only a container has. @type {readonly Rule[]} */
const LIMIT_RULES = ['cpus', 'memory'].map(flag => ({
  flag,
  needs: ['server'],
  refuse: ({ server, ...values }) =>
    values[flag] !== undefined && server === 'process' && 'needs --server docker: nothing limits a process'
}))

/** @param {string} flag @param {string} other @returns {Rule} */
const notWith = (flag, other) => ({
  flag,
  needs: [other],
  refuse: (_, explicit) =>
    explicit.has(flag) && explicit.has(other) && `cannot be given together with --${other}: choose one`
})

/** What a server in a network namespace cannot have, and why. @type {readonly [flag: string, asks: (value: any) => boolean, why: string][]} */
const SERVER_LIMITS_IN_NAMESPACE = [
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

/**
 * defaultWorkers is the default of --workers.
 *
 * @param {Values} values
 * @param {number} cores
 */
function defaultWorkers(values, cores) {
  const { nClients, agents } = values
  if (agents != null) return countWantedAgents(agents)
  // each client needs a namespace of its own where links are impaired
  const isApart = isOfNamespaces(values) && listImpairments(values).length > 0
  return isApart ? nClients : Math.max(1, Math.min(cores - 1, nClients))
}

/** @param {{ workers: number }} plan @returns {number} one for the server, one for each worker */
const namespacesIn = ({ workers }) => 1 + workers

/** Refuses clients that share a namespace with impaired links. */
const CLIENTS_ALONE = limitToNamespaces({
  flag: 'workers',
  needs: ['nClients', ...IMPAIRMENT_OPTIONS],
  refuse: values => {
    const [impairment] = listImpairments(values)
    return (
      values.workers < values.nClients &&
      impairment !== undefined &&
      `must be ${values.nClients}, one for each client, with --${impairment}: clients that share a namespace share its links`
    )
  }
})

/** Refused combinations with --network namespaces. @type {readonly Rule[]} */
const NAMESPACE_RULES = [
  ...makeLinkRules(['nClients', 'workers', 'agents', ...IMPAIRMENT_OPTIONS], values =>
    namespacesIn({ workers: values.workers ?? defaultWorkers(values, countUsableCores()) })
  ),
  CLIENTS_ALONE,
  ...SERVER_LIMITS_IN_NAMESPACE.map(([flag, asks, why]) =>
    limitToNamespaces({ flag, refuse: values => asks(values[flag]) && why })
  )
]

/**
 * makeLinkPlan gives the network of namespaces of a plan.
 *
 * @param {Plan} plan
 * @returns {import('../../namespace-run.js').NetworkPlan | null} null: it asks for none
 */
export function makeLinkPlan(plan) {
  const { seed, linkLatency, linkLossShare, upBandwidthBytesPerSecond } = plan
  const settings = { seed, linkLatency, linkLossShare, upBandwidthBytesPerSecond }
  return isOfNamespaces(plan) ? makeNetworkPlan(settings, namespacesIn(plan)) : null
}

/** A smaller need for open files is not checked: with fewer, no process of ours would start at all. */
const UNCHECKED_FILES = 128
/** Open files of a process without any connection. */
const OWN_FILES = 100
/** Open files of a full peer: it listens, is connected to its server, dials 6 others, and is dialled by as many. */
const FILES_OF_PEER = 14

/**
 * checkOpenFiles checks the number of clients: each connection is an open file, at both ends.
 *
 * @param {Values} values
 * @param {number} openFiles - that a process may have
 * @returns {string | null} what is wrong with the number of clients; null: nothing
 */
export function checkOpenFiles({ nClients, workers, server, servers = 1, ...values }, openFiles) {
  // the limits of an agent's machine, and of a container, are not known
  const workersHere =
    values.agents == null ? (workers ?? defaultWorkers({ nClients, ...values }, countUsableCores())) : null
  const each = values.benchmarkType === 'MIXED' && publishesMessages(values) ? FILES_OF_PEER : 1
  const serversHere = isOwnServer(values) && server !== 'docker' ? servers : null
  const shares = /** @type {[string, number][]} */ ([
    // a channel to each worker
    ['the program itself', workersHere ?? 0],
    ['a process of the server', serversHere === null ? 0 : Math.ceil(nClients / serversHere)],
    ['a process of the load generator', workersHere === null ? 0 : each * Math.ceil(nClients / workersHere)]
  ])
  const [who, share] = shares.reduce((largest, one) => (one[1] >= largest[1] ? one : largest))
  const maxFiles = share + OWN_FILES
  if (maxFiles <= UNCHECKED_FILES || maxFiles <= openFiles) return null
  return `needs ${formatWhole(maxFiles)} open files in ${who}, and it may have ${formatWhole(openFiles)} here: raise that with ulimit -n ${maxFiles}, or use fewer clients`
}

/** Refuses more clients than this machine can connect, at the flag that says their number. @type {readonly Rule[]} */
const OPEN_FILES_RULES = ['nClients', 'providers'].map(flag => ({
  flag,
  needs: [
    ...['nClients', 'workers', 'server', 'servers', 'target', 'targets', 'agents', 'network'],
    ...['discoverers', 'benchmarkType', 'mix']
  ],
  refuse: values =>
    hasRoles(values) === (flag === 'providers') &&
    Math.max(values.nClients, values.workers ?? 0) > UNCHECKED_FILES - OWN_FILES &&
    checkOpenFiles(values, readOpenFilesLimit())
}))

/**
 * @param {Values} values
 * @returns {number} operations; 0: their number is not known
 */
function operationsIn({ benchmarkRuns, duration, rate, arrivals, ...values }) {
  if (duration === undefined && arrivals.shape !== 'replay' && benchmarkRuns !== undefined)
    return benchmarkRuns
  if (!isOpenModel({ rate, arrivals })) return benchmarkRuns ?? 0
  const due = countDueOperations({
    arrivals,
    ratePerSecond: rate,
    durationMs: duration ?? computeDefaultDuration(values)
  })
  return Math.min(due, benchmarkRuns ?? Infinity)
}

/**
 * Checks the number of registrations that one client has at most: those it adds, or those made before for UNREGISTER to remove. The closed
 * model with a duration ends below the cap.
 *
 * @param {Values} values
 */
function tooManyRegistrations({ benchmarkType, registerMode, mix, nClients, ...values }) {
  const { maxPeerRegistrations: cap } = values
  if (!isOwnServer(values) || benchmarkType === 'DISCOVER') return false
  if (benchmarkType !== 'UNREGISTER' && registerMode === 'refresh') return false
  const share = benchmarkType === 'MIXED' ? mix.register : 1
  const each = Math.ceil((operationsIn(values) * share) / nClients)
  if (each <= cap) return false
  const refresh = benchmarkType === 'UNREGISTER' ? '' : '--registerMode refresh, '
  const clients = Math.ceil((each * nClients) / cap)
  return `makes ${formatWhole(each)} registrations by each client, above the server's cap of ${formatWhole(cap)} for one peer: use --nClients ${clients}, ${refresh}or --limits maxPeerRegistrations=${each}`
}

/** Options that the number of registrations depends on, beside the one that bounds the operations. */
const OF_REGISTRATIONS = [
  ...['maxPeerRegistrations', 'target', 'targets', 'benchmarkType', 'registerMode', 'mix', 'nClients'],
  ...['duration', 'hostile', 'hostileEvery']
]

/** @type {Rule[]} */
const LOAD_RULES = [
  {
    flag: 'minDuration',
    needs: ['benchmarkRuns', 'duration', 'registerMode', 'benchmarkType'],
    refuse: ({ minDuration, benchmarkRuns, duration, ...values }) => {
      if (minDuration === 0) return
      if (benchmarkRuns === undefined) return 'goes with --benchmarkRuns: without it use --duration'
      if (duration !== undefined) return 'goes with --benchmarkRuns alone: choose it or --duration'
      return (
        doesChangeState(/** @type {any} */ (values)) &&
        'does not apply where operations change the number of registrations: use --registerMode refresh without UNREGISTER, or --benchmarkType DISCOVER'
      )
    }
  },
  {
    flag: 'mix',
    needs: ['benchmarkType'],
    refuse: ({ benchmarkType, mix }, explicit) => {
      if (benchmarkType !== 'MIXED')
        return explicit.has('mix') && `needs --benchmarkType MIXED, not ${benchmarkType}`
      return (
        mix.unregister > mix.register &&
        'must not have more unregister than register: only what was registered can be removed'
      )
    }
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
      isOwnServer(values) &&
      discoverLimit > LIMITS.maxDiscoverLimit &&
      `is above the server's cap of ${formatWhole(LIMITS.maxDiscoverLimit)}: lower it, or give a server with another cap as --target`
  },
  {
    flag: 'benchmarkRuns',
    needs: [...OF_REGISTRATIONS, 'rate', 'arrivals'],
    refuse: values =>
      values.benchmarkRuns !== undefined && !hasOwnRates(values.arrivals) && tooManyRegistrations(values)
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
    // without a duration another rule refuses them
    refuse: values =>
      hasOwnRates(values.arrivals) &&
      (values.arrivals.shape === 'replay' || values.duration !== undefined) &&
      tooManyRegistrations(values)
  }
]

/** @type {Rule[]} */
const PACE_RULES = [
  ...makeArrivalRules('benchmarkRuns'),
  {
    flag: 'inFlight',
    needs: ['streamPerOperation', 'connectionPerOperation'],
    refuse: ({ inFlight, streamPerOperation, connectionPerOperation }, explicit) => {
      if (inFlight === 1) return
      if (connectionPerOperation) return 'needs one long-lived stream: leave out --connectionPerOperation'
      if (streamPerOperation && explicit.has('streamPerOperation'))
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
    refuse: ({ workers, nClients, ...values }, explicit) =>
      explicit.has('workers') &&
      workers > nClients &&
      `must be at most ${hasRoles(values) ? '--providers and --discoverers,' : '--nClients'} ${nClients}: each worker needs a client`
  }
]

/** @type {Rule[]} */
const SERVER_RULES = [
  {
    flag: 'server',
    needs: ['bus', 'agents', 'address', 'target', 'targets'],
    refuse: values =>
      values.server === 'docker' &&
      isOwnServer(values) &&
      areAgentsRemote(values) &&
      'is in a container that is reached from this machine alone: use --server process'
  },
  ...LIMIT_RULES,
  notWith('targetContainer', 'targetPid'),
  notWith('targets', 'target'),
  PUBLIC_TARGET,
  REMOTE_TARGETS
]

/** Combinations of options that are refused. @type {readonly Rule[]} */
const COMBINATIONS = [
  ...LOAD_RULES,
  ...ROLE_RULES,
  ...PEER_RULES,
  ...CHURN_RULES,
  ...makeConditionRules(RENDEZVOUS_OPTIONS),
  ...PACE_RULES,
  ...SERVER_RULES,
  ...FAULT_RULES,
  REMOTE_HOSTILE_TARGET,
  ...HOSTILE_RULES,
  ...STORE_RULES,
  ...NAMESPACE_RULES,
  ...OPEN_FILES_RULES,
  ...makeAgentRules('nClients'),
  makeAgentConflictRule('samples'),
  makeAgentConflictRule('profile'),
  {
    flag: 'profile',
    needs: ['churn'],
    refuse: ({ profile, churn }) =>
      profile !== undefined && churn !== undefined && 'is of clients that stay: leave out --churn'
  },
  makeAgentConflictRule('network', 'loopback'),
  {
    flag: 'threshold',
    needs: [
      ...['benchmarkType', 'mix', 'connectionPerOperation', 'nClients', 'providers', 'discoverers', 'churn'],
      ...['servers', 'target', 'targets', 'targetPid', 'targetContainer']
    ],
    refuse: ({ threshold = [], ...values }) =>
      findThresholdWithoutSample(threshold, RENDEZVOUS_FIGURES, values)
  }
]

/**
 * The operations of a plan, at most. The closed model with a duration ends where the cap of our server on the registrations of one peer
 * would be reached.
 *
 * @param {any} values
 */
function maxOperationsOf(values) {
  const { benchmarkRuns, benchmarkType, mix } = values
  if (benchmarkRuns !== undefined) return benchmarkRuns
  if (!doesChangeState(values) || isOpenModel(values)) return null
  const share = benchmarkType === 'MIXED' ? mix.register : 1
  return share === 0 ? null : Math.floor(countMaxOperations(values) / share)
}

/**
 * @param {Values} picked
 * @param {Values} values
 * @param {{ cores: number }} machine
 * @returns {Plan}
 */
function toPlan(picked, values, { cores }) {
  const { benchmarkType, inFlight, streamPerOperation, arrivals } = values
  const usualMs = values.benchmarkRuns === undefined ? computeDefaultDuration(values) : null
  const durationMs = values.duration ?? getReplayMs(arrivals) ?? usualMs
  return /** @type {Plan} */ ({
    scenario: 'rendezvous',
    ...picked,
    target: values.target ?? values.targets?.[0] ?? null,
    durationMs,
    ratePerSecond: hasOwnRates(arrivals) ? computeMeanRate(arrivals) : (values.rate ?? null),
    benchmarkRuns: maxOperationsOf(values),
    minDurationMs: values.minDuration,
    mix: benchmarkType === 'MIXED' && !hasRoles(values) ? Object.freeze(values.mix) : null,
    faults: sortFaults(values.fault ?? []),
    thresholds: Object.freeze(values.threshold ?? []),
    streamPerOperation: streamPerOperation && inFlight === 1,
    workers: values.workers ?? defaultWorkers(values, cores),
    ...(values.churn !== undefined && { refreshEveryMs: readRefreshMs(values) })
  })
}

/** RENDEZVOUS_KIND makes the plans of the rendezvous scenario. @type {Readonly<import('../../index.js').PlanKind>} */
export const RENDEZVOUS_KIND = {
  options: RENDEZVOUS_OPTIONS,
  combinations: COMBINATIONS,
  rivals: /** @type {[string, string][]} */ ([
    ['duration', 'minDuration'],
    ['target', 'server'],
    ['targets', 'server'],
    ...ROLE_CONFLICTS
  ]),
  implied: (values, explicit) => applyRoles(applyMix(values, explicit)),
  toPlan,
  flat: plan => plan,
  unsaid: (/** @type {Plan} */ plan) => [
    ...(plan.benchmarkRuns === null &&
    plan.durationMs === computeDefaultDuration({ ...plan, hostileEvery: plan.hostileEveryMs })
      ? ['durationMs']
      : []),
    ...(hasOwnRates(plan.arrivals) ? ['ratePerSecond'] : []),
    ...(plan.targets === null ? [] : ['target']),
    ...(plan.refreshEveryMs === plan.ttlSeconds * 500 ? ['refreshEveryMs'] : []),
    ...(plan.providers == null ? [] : ROLE_DERIVED_KEYS)
  ]
}

/** Parts of a plan that a server and its clients do not depend on when they start. */
const LATER = { ratePerSecond: null, durationMs: null, faults: null }

/**
 * canReuseServer says whether a run of one plan can reuse the server and the clients that a run of the other has started: the plans differ
 * only in rate, duration and faults. A run with faults or churn leaves a changed server or changed clients, which are not reused.
 *
 * @param {Plan} one
 * @param {Plan} other
 */
export const canReuseServer = (one, other) =>
  one.faults.length === 0 &&
  one.churn == null &&
  isDeepStrictEqual({ ...one, ...LATER }, { ...other, ...LATER })

/** Rough times of a small machine, ms. */
const START_MS = 2000
/** Time of a run that reuses server and clients: mostly for writing its page. */
const GO_ON_MS = 400
const MS_PER_CLIENT = 15
/** Full peers find and dial one another, and wait for a mesh. */
const JOINING_MS = 5000
const MS_PER_PEER = 100
const MS_PER_REGISTRATION = 0.03
const WARM_UP_FACTOR = 1.5
/** Operations a second of a small machine in the closed model. */
const OPERATIONS_PER_SECOND = 1000

/** Time to measure the floor, see measureFloor. */
const FLOOR_RUN_MS = 4700
/** A measurement shorter than 5 s, less a gap between operations, has no floor: measuring it would take about as long. */
const HAS_FLOOR_MS = 4900

/**
 * measuresFloor says whether a run also measures the floor of this generator.
 *
 * @param {Pick<Plan, 'network'>} plan
 * @param {number} measuredMs
 */
export const measuresFloor = ({ network }, measuredMs) =>
  network !== 'namespaces' && measuredMs >= HAS_FLOOR_MS

/** @param {Plan} plan */
function estimateMeasuredMs({ durationMs, minDurationMs, benchmarkRuns, ratePerSecond }) {
  const sendingMs = (1000 * (benchmarkRuns ?? Infinity)) / (ratePerSecond ?? OPERATIONS_PER_SECOND)
  return Math.min(durationMs ?? Infinity, Math.max(sendingMs, minDurationMs))
}

/**
 * estimateFixedMs gives the time that a run takes on any machine: warm-up and measurement.
 *
 * @param {Plan} plan
 * @param {boolean} [goesOn] - with server and clients of the run before
 */
export const estimateFixedMs = (plan, goesOn = false) =>
  estimateMeasuredMs(plan) + (goesOn ? computeRewarmMs(plan) : plan.warmupMs)

/**
 * estimateRendezvousMs estimates how long a run takes in all, with identities from the cache.
 *
 * @param {Plan} plan
 * @param {boolean} [goesOn] - with server and clients of the run before
 * @returns {number} ms
 */
export function estimateRendezvousMs(plan, goesOn = false) {
  const { nClients, initialRegistrations, warmupMs } = plan
  if (goesOn) return estimateFixedMs(plan, goesOn) + GO_ON_MS
  const joining = publishesMessages(plan) ? JOINING_MS + nClients * MS_PER_PEER : 0
  const start = START_MS + nClients * MS_PER_CLIENT + initialRegistrations * MS_PER_REGISTRATION + joining
  const floor = measuresFloor(plan, estimateMeasuredMs(plan)) ? FLOOR_RUN_MS : 0
  return estimateFixedMs(plan) + start + floor + warmupMs * (WARM_UP_FACTOR - 1)
}
