import { grouped } from '../../../kit/numbers.js'
import { changesState } from '../../../load/load-length.js'
import { dueIn } from '../../../load/offered-load.js'
import { agentRules, areElsewhere, noUseWithAgents } from '../../../plan/agents-option.js'
import { arrivalRules } from '../../../plan/arrival-rules.js'
import { saysItsRates } from '../../../plan/arrivals-option.js'
import { conditionRules } from '../../../plan/option.js'
import { PUBLIC_TARGET, TARGET_ELSEWHERE, TARGETS_ELSEWHERE } from '../../../plan/public-target.js'
import { withoutSample } from '../../../plan/threshold-samples.js'
import { LIMITS } from '../../../server/limits.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { CHURN_RULES } from './churn.js'
import { isOpen, isOurs, usualDurationMs } from './conditions.js'
import { FAULT_RULES } from './fault-rules.js'
import { PEER_RULES } from './full-peers.js'
import { HOSTILE_RULES } from './hostile-options.js'
import { NAMESPACE_RULES } from './namespaces.js'
import { OPEN_FILES_RULES } from './open-files-rule.js'
import { OPTIONS } from './options.js'
import { hasRoles, ROLE_RULES } from './role-options.js'
import { LIMIT_RULES, PID_OR_CONTAINER } from './server-rules.js'
import { STORE_RULES } from './store-option.js'

/**
 * @typedef {import('../../../plan/read-options.js').Given} Given
 * @typedef {import('../../../plan/option.js').Rule} Rule
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
export const COMBINATIONS = [
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
