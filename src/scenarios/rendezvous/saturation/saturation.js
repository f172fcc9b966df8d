import { numberList } from '../../../plan/number-list.js'
import { numberBetween, rate, wholeNumber } from '../../../plan/values.js'
import { GRID, MOST_PER_SECOND, SATURATION_OPTIONS, sloOption } from '../../saturation-options.js'
import { RENDEZVOUS_FACE } from './face.js'
import { loadPointOf } from './load-point.js'
import { OPERATIONS_OBJECTIVE } from './objective.js'
import { RENDEZVOUS_QA } from './qa.js'
import { NOT_IN_A_TRIAL, TRIAL_OPTIONS } from './trial-options.js'

/** @typedef {import('./load-point.js').LoadPoint} LoadPoint */

const NETWORK = 'Servers for a network:'

/** @type {Readonly<Record<string, import('../../../plan/option.js').Option>>} */
const COMMAND_OPTIONS = {
  rates: {
    group: GRID,
    ...numberList(
      rate({ max: MOST_PER_SECOND }),
      'must be rates per second above 0 with commas between them, such as 25,50,100,200'
    ),
    defaultText: '25,50,100,200',
    describe: 'operations per second of each connection; every rate is run with every number of connections'
  },
  connections: {
    group: GRID,
    ...numberList(
      wholeNumber(1, 100_000),
      'must be whole numbers from 1 to 100,000 with commas between them, such as 1,2,4'
    ),
    defaultText: '1,2,4; 4 for a search',
    describe: 'connections, each of a client of its own; with --search, one number'
  },
  peers: {
    common: true,
    group: NETWORK,
    ...wholeNumber(1, 1_000_000_000_000),
    describe:
      'search for what one server sustains with the registrations of so many peers, a connection for each request, and say how many servers they need: docs/capacity.md'
  },
  requestsPerDay: {
    group: NETWORK,
    ...numberBetween(0.001, 1_000_000),
    defaultText: '8',
    describe: 'with --peers, requests of each peer, of all kinds together'
  },
  peakFactor: {
    group: NETWORK,
    ...numberBetween(1, 24),
    defaultText: '2',
    describe: 'with --peers, how many times the mean rate the busiest hour of the day has'
  },
  ...SATURATION_OPTIONS,
  slo: sloOption(OPERATIONS_OBJECTIVE)
}

/** Registrations that are new grow with the rate, up to the cap of a peer. @param {import('../../../plan/plan.js').Plan} plan */
const growing = plan =>
  plan.target === null &&
  (plan.benchmarkType === 'UNREGISTER' ||
    (plan.benchmarkType !== 'DISCOVER' && plan.registerMode === 'new') ||
    (plan.mix?.unregister ?? 0) > 0)

/** @param {import('../../../plan/plan.js').Plan} plan @returns {import('../../../plan/read-options.js').Problem[]} */
const growthProblems = plan =>
  growing(plan)
    ? [
        {
          flag: '--search',
          value: '',
          allowed:
            'needs operations that leave the number of registrations as it is, because its rates are not known beforehand: --registerMode refresh without UNREGISTER, or --benchmarkType DISCOVER'
        }
      ]
    : []

/** Independent arrivals are as many as come: more or fewer than the rate says. @param {{ perSecond: number, plan: any }} trial @param {LoadPoint} point */
const expectedOf = ({ perSecond, plan }, { durationMs, due }) =>
  plan.arrivals === 'poisson' ? due : (perSecond * durationMs) / 1000

/** Divisions leave no digits behind. @param {{ perSecond: number, plan: import('../../../plan/plan.js').Plan }} trial */
const ratePerConnection = ({ perSecond, plan }) => Number((perSecond / plan.nClients).toPrecision(12))

/**
 * What is otherwise here than in a single run: the server holds the same registrations from the first to the last operation, so that
 * no load is measured on a store that grows with it.
 */
const DEFAULTS = { registerMode: 'refresh' }

const { nClients, duration, ...operationOptions } = TRIAL_OPTIONS

/** SATURATION is how the load of a rendezvous server is found out. @type {import('../../saturation.js').Saturation} */
export const SATURATION = {
  help: {
    examples: /** @type {[string, string][]} */ ([
      ['the grid of the source, 10 s each: about 4 minutes', 'saturate rendezvous'],
      [
        'as long as in the source, with rates of your own',
        'saturate rendezvous --rates 500,1000,2000 --connections 1,2,4 --duration 90s'
      ],
      ['search for the highest sustainable rate', 'saturate rendezvous --search'],
      ['of an objective of your own', 'saturate rendezvous --search --slo "p99 < 20ms; errorRate < 1%"'],
      [
        'of a container with a third of a core, DISCOVER',
        'saturate rendezvous --search --benchmarkType DISCOVER --server docker --cpus 0.3'
      ],
      ['how many servers do a million peers need?', 'saturate rendezvous --peers 1000000 --requestsPerDay 8'],
      ['go on where the latest one was broken off', 'saturate rendezvous --resume'],
      ['of a gossipsub network: options of its own', 'saturate gossip --help']
    ]),
    epilogue:
      'in the folder, on a server that stays up for all rates of a number of connections. REGISTER refreshes registrations here, unless --registerMode new is given.'
  },
  own: COMMAND_OPTIONS,
  options: {
    ...COMMAND_OPTIONS,
    ...operationOptions,
    registerMode: { ...operationOptions.registerMode, default: 'refresh' },
    ...COMMAND_OPTIONS
  },
  notHere: { ...NOT_IN_A_TRIAL, nClients: 'has no use here: use --connections' },
  ratesFlag: 'rates',
  // the grid of the source
  rates: [25, 50, 100, 200],
  sizes: [1, 2, 4],
  searchSize: 4,
  from: 100,
  loadOf: (ratePerSecond, size) => ratePerSecond * size,
  sizesGiven: ({ connections }) => connections,
  fixedSizes: () => null,
  searchProblems: growthProblems,
  sizeName: 'connections',
  sized: (options, nClients) => ({
    ...(options['register-mode'] === undefined && DEFAULTS),
    ...options,
    nClients
  }),
  qa: RENDEZVOUS_QA,
  again: () => null,
  sizeOf: ({ nClients }) => nClients,
  rateOf: ratePerConnection,
  pointOf: loadPointOf,
  objective: OPERATIONS_OBJECTIVE,
  cellOf(trial, /** @type {LoadPoint} */ point) {
    return {
      expected: expectedOf(trial, point),
      achieved: point.achieved,
      load: ratePerConnection(trial) * trial.plan.nClients,
      avgMs: point.rt.avg?.ms ?? null
    }
  },
  face: () => RENDEZVOUS_FACE
}
