import { grouped } from '../../../kit/numbers.js'
import { dueIn } from '../../../load/offered-load.js'
import { arrivalRules } from '../../../plan/arrival-rules.js'
import { saysItsRates } from '../../../plan/arrivals-option.js'
import { withoutSample } from '../../../plan/threshold-samples.js'
import { SERVER_STACK_RULES } from '../../stack-options.js'
import { OPERATION_FIGURES } from '../figures.js'
import { FAULT_RULES } from './fault-rules.js'
import { isPublicAddress } from './public-address.js'

/**
 * @typedef {import('../../../plan/read-options.js').Given} Given
 *
 * @typedef {object} Rule - a combination of options that cannot be run
 * @property {string} flag - the option it is said of
 * @property {string[]} [needs] - further options it looks at; it is skipped when the value of one is not allowed
 * @property {'simulated'} [lacks] - what has to exist for the combination to be run: makePlanOf can make its plan all the same
 * @property {(values: Record<string, any>, given: Map<string, Given>) => string | false | null | undefined} refuse - says
 *   what to change, or nothing when the combination can be run
 */

/**
 * @param {Map<string, Given>} given
 * @param {string} a
 * @param {string} b
 */
const bothGiven = (given, a, b) => given.has(a) && given.has(b)

/** @param {Record<string, any>} values */
const isOpen = ({ rate, arrivals }) => rate !== undefined || saysItsRates(arrivals)

/**
 * @param {Record<string, any>} values
 * @returns {number} operations of a round; 0 where their number is open
 */
function operationsIn({ benchmarkRuns, duration, rate, arrivals }) {
  if (duration === undefined && arrivals.shape !== 'replay') return benchmarkRuns
  if (!isOpen({ rate, arrivals })) return 0
  return dueIn({ arrivals, ratePerSecond: rate, durationMs: duration ?? Number.POSITIVE_INFINITY })
}

/**
 * registrationsPerClient is how many registrations one client has at most in a round: those it adds, and those made before
 * for UNREGISTER to remove. The closed model with a duration has no such number: its rounds end below the cap.
 *
 * @param {Record<string, any>} values
 * @returns {number} 0 where nothing new is registered or the number is open
 */
export function registrationsPerClient({ benchmarkType, registerMode, mix, nClients, ...values }) {
  if (benchmarkType === 'DISCOVER') return 0
  if (benchmarkType !== 'UNREGISTER' && registerMode === 'refresh') return 0
  return Math.ceil(
    (operationsIn(values) * (benchmarkType === 'MIXED' ? mix.register + mix.unregister : 1)) / nClients
  )
}

/** @param {Record<string, any>} values */
function tooManyRegistrations(values) {
  const { target, maxPeerRegistrations: cap, benchmarkType, nClients } = values
  const each = registrationsPerClient(values)
  if (target !== undefined || each <= cap) return false
  const refresh = benchmarkType === 'UNREGISTER' ? '' : '--registerMode refresh, '
  const clients = Math.ceil((each * nClients) / cap)
  return `makes ${grouped(each)} registrations by each client, above the server's cap of ${grouped(cap)} for one peer: use --nClients ${clients}, ${refresh}or --maxPeerRegistrations ${each}`
}

/** @type {Rule[]} */
const load = [
  {
    flag: 'duration',
    refuse: (_, given) =>
      bothGiven(given, 'duration', 'benchmarkRuns') &&
      'cannot be given together with --benchmarkRuns: choose one'
  },
  {
    flag: 'minDuration',
    refuse: (_, given) =>
      bothGiven(given, 'duration', 'minDuration') && 'repeats --benchmarkRuns and has no use with --duration'
  },
  {
    flag: 'mix',
    needs: ['benchmarkType'],
    refuse: ({ benchmarkType }, given) =>
      given.has('mix') && benchmarkType !== 'MIXED' && `needs --benchmarkType MIXED, not ${benchmarkType}`
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
    needs: ['maxDiscoverLimit', 'target'],
    refuse: ({ discoverLimit, maxDiscoverLimit, target }) =>
      target === undefined &&
      discoverLimit > maxDiscoverLimit &&
      `is above the server's cap of ${grouped(maxDiscoverLimit)}: lower it, or use --maxDiscoverLimit ${discoverLimit}`
  },
  {
    flag: 'benchmarkRuns',
    needs: [
      'maxPeerRegistrations',
      'target',
      'benchmarkType',
      'registerMode',
      'mix',
      'nClients',
      'duration',
      'rate',
      'arrivals'
    ],
    refuse: values =>
      values.duration === undefined && !saysItsRates(values.arrivals) && tooManyRegistrations(values)
  },
  {
    flag: 'rate',
    needs: [
      'maxPeerRegistrations',
      'target',
      'benchmarkType',
      'registerMode',
      'mix',
      'nClients',
      'duration',
      'arrivals'
    ],
    refuse: values =>
      values.duration !== undefined && values.rate !== undefined && tooManyRegistrations(values)
  },
  {
    flag: 'arrivals',
    needs: ['maxPeerRegistrations', 'target', 'benchmarkType', 'registerMode', 'mix', 'nClients', 'duration'],
    refuse: values => saysItsRates(values.arrivals) && isOfItsLength(values) && tooManyRegistrations(values)
  }
]

/** What other rules refuse has no number of operations. @param {Record<string, any>} values */
const isOfItsLength = ({ arrivals, duration }) => arrivals.shape === 'replay' || duration !== undefined

/** @type {Rule[]} */
const pace = [
  ...['arrivals', 'maxInFlight'].map(flag => ({
    flag,
    needs: ['rate', 'arrivals'],
    refuse: (/** @type {any} */ values, /** @type {Map<string, Given>} */ given) =>
      given.has(flag) &&
      !isOpen(values) &&
      'needs --rate: without it the next operation follows the last reply'
  })),
  ...arrivalRules('benchmarkRuns'),
  {
    flag: 'thinkTime',
    needs: ['rate', 'arrivals'],
    refuse: values =>
      values.thinkTime !== undefined &&
      isOpen(values) &&
      'has no use in the open model: operations are due on a schedule, whatever the replies do'
  },
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
    flag: 'inFlight',
    needs: ['rate', 'arrivals'],
    refuse: ({ inFlight, ...values }) =>
      inFlight > 1 &&
      isOpen(values) &&
      'has no use with --rate, which sends what is due; its limit is --maxInFlight'
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
    needs: ['nClients'],
    refuse: ({ workers, nClients }, given) =>
      given.has('workers') &&
      workers > nClients &&
      `must be at most --nClients ${nClients}: each worker needs a client`
  }
]

/** @type {Rule[]} */
const server = [
  ...SERVER_STACK_RULES,
  ...['targetPid', 'targetContainer', 'iOwnTheTarget'].map(flag => ({
    flag,
    needs: ['target'],
    refuse: (/** @type {any} */ values, /** @type {Map<string, Given>} */ given) =>
      given.has(flag) && values[flag] !== false && values.target === undefined && 'needs --target'
  })),
  ...['maxPeerRegistrations', 'maxDiscoverLimit'].map(flag => ({
    flag,
    needs: ['target'],
    refuse: (/** @type {any} */ { target }, /** @type {Map<string, Given>} */ given) =>
      given.has(flag) &&
      target !== undefined &&
      'sets a cap of our own server and cannot be given with --target'
  })),
  {
    flag: 'server',
    needs: ['target'],
    refuse: ({ target }, given) =>
      given.has('server') &&
      target !== undefined &&
      'says where our own server runs and cannot be given with --target'
  },
  ...['cpus', 'memory'].flatMap(flag => [
    {
      flag,
      needs: ['target'],
      refuse: (/** @type {any} */ { target, ...values }) =>
        values[flag] !== undefined &&
        target !== undefined &&
        'limits our own server and cannot be given with --target'
    },
    {
      flag,
      needs: ['server'],
      refuse: (/** @type {any} */ { server, ...values }) =>
        values[flag] !== undefined &&
        server === 'process' &&
        'needs --server docker: nothing limits a process'
    }
  ]),
  {
    flag: 'targetContainer',
    needs: ['targetPid'],
    refuse: (_, given) =>
      bothGiven(given, 'targetContainer', 'targetPid') &&
      'cannot be given together with --targetPid: choose one'
  },
  {
    flag: 'target',
    needs: ['iOwnTheTarget'],
    refuse: ({ target, iOwnTheTarget }) =>
      target !== undefined &&
      !iOwnTheTarget &&
      isPublicAddress(target) &&
      'is a public address: load-test it only if it is yours, and say so with --iOwnTheTarget'
  }
]

/** @type {Rule[]} */
const verdict = [
  {
    flag: 'failOn',
    needs: ['baseline'],
    refuse: ({ baseline }, given) =>
      given.has('failOn') && baseline === undefined && 'needs --baseline: one run alone has not changed'
  },
  {
    flag: 'threshold',
    needs: ['benchmarkType', 'mix', 'connectionPerOperation', 'target', 'targetPid', 'targetContainer'],
    refuse: ({ threshold = [], ...values }) => withoutSample(threshold, OPERATION_FIGURES, values)
  }
]

/**
 * COMBINATIONS are the combinations of options that cannot be run.
 *
 * @type {readonly Rule[]}
 */
export const COMBINATIONS = Object.freeze([...load, ...pace, ...server, ...FAULT_RULES, ...verdict])
