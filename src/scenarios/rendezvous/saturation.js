// Defines how `saturate` and `qa` load a rendezvous server: which loads they try, which figures judge a trial.

import { computeSum, findLargest } from '../../kit/collections.js'
import { formatRate } from '../../kit/numbers.js'
import { readTime } from '../../measure/figure.js'
import { summarize } from '../../measure/histogram.js'
import { countWaitingOverTime } from '../../measure/steady-state.js'
import { describeRefusedOptions, listUsableOptions, makeCommandOptions } from '../../plan/options.js'
import { findThresholdWithoutSample } from '../../plan/threshold.js'
import { numberBetween, numberList, rate, wholeNumber } from '../../plan/values.js'
import { makeTimeCell } from '../../report/description.js'
import { poolTimes } from '../../report/result-folder.js'
import { failsStrict } from '../../report/warnings.js'
import { CLOSED_MODEL_NAME } from '../conditions.js'
import { GRID_GROUP, MAX_PER_SECOND, makeSloOption, SATURATION_OPTIONS } from '../saturation.js'
import { RENDEZVOUS_FIGURES } from './figures.js'
import { RENDEZVOUS_OPTIONS } from './options.js'
import { findRunLimit } from './outcome.js'

/**
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {import('../../measure/figure.js').FigureReading} FigureReading
 */

const WORDS = { nothing: 'no operation was measured', atLeast: 'operations without a reply reach into it' }

/** A figure of all operations of a load. @param {string} name @param {Partial<Figure>} more @param {(point: LoadPoint) => FigureReading} read @returns {Figure} */
const ofPoint = (name, more, read) => ({
  ...{ name, title: name, quantity: 'share', better: 'lower', live: 0 },
  ...more,
  read: outcome => read(/** @type {any} */ (outcome).point)
})

/** @param {number} count @param {number} due @returns {FigureReading} */
const share = (count, due) => ({ value: due === 0 ? null : (100 * count) / due, samples: due })

/** Figures of all operations except CONNECT, which is part of the operation after it. @type {readonly Figure[]} */
const TOGETHER = [
  .../** @type {const} */ (['avg', 'p50', 'p90', 'p95', 'p99', 'max']).map(key =>
    ofPoint(key, { quantity: 'time' }, ({ rt, due }) =>
      readTime(/** @type {any} */ ({ ...rt, count: due }), key, WORDS)
    )
  ),
  ofPoint('errorRate', {}, ({ failed, due }) => share(failed, due)),
  ofPoint('achieved', { better: 'higher' }, ({ achieved, underWay = 0, due }) =>
    share(achieved + underWay, due)
  )
]

/** TRIAL_FIGURES are the figures that an objective can name: those of all operations together, then those of thresholds. @type {readonly Figure[]} */
export const TRIAL_FIGURES = [
  ...TOGETHER,
  ...RENDEZVOUS_FIGURES.filter(({ name }) => !TOGETHER.some(together => together.name === name))
]

/** @param {any} plan @param {string | undefined} type - of operations */
function shareOf({ benchmarkType, mix }, type) {
  if (type === undefined || type === 'CONNECT' || benchmarkType !== 'MIXED') return 1
  return mix?.[type.toLowerCase()] ?? 1
}

/** The objective of a load of operations. @type {import('../saturation.js').TrialObjective} */
const OPERATIONS_OBJECTIVE = {
  figures: TRIAL_FIGURES,
  usual: ['p99 < 50ms', 'errorRate < 0.1%', 'achieved >= 99%'],
  lack: (objective, { target, targets, targetPid, targetContainer, mix, ...plan }) =>
    findThresholdWithoutSample(objective, TRIAL_FIGURES, {
      ...plan,
      mix: mix ?? { register: 0.5, discover: 0.5 },
      target: target ?? undefined,
      targets: targets ?? undefined,
      targetPid: targetPid ?? undefined,
      targetContainer: targetContainer ?? undefined
    }),
  samplesPerSecond: (figure, plan) =>
    figure.quantity === 'time' && (TOGETHER.includes(figure) || figure.type !== undefined)
      ? plan.ratePerSecond * shareOf(plan, figure.type)
      : null
}

/**
 * @typedef {import('../../report/schema.js').Result} Result
 * @typedef {import('../../report/schema.js').Summary} Summary
 * @typedef {import('../../report/schema.js').OperationResult} OperationResult
 *
 * @typedef {Pick<Summary, 'avg' | 'p50' | 'p90' | 'p95' | 'p99' | 'max'>} Times
 *
 * @typedef {object} LoadPoint - the figures of one load, of all types of operations together, without CONNECT, which is part of the operation
 *   after it
 * @property {number} durationMs - duration of the schedule
 * @property {number} due - operations
 * @property {number} achieved - operations that succeeded within the duration
 * @property {number} [underWay] - operations that succeeded later, but were under way at the end for no longer than usual; absent: of an
 *   earlier release
 * @property {number} failed - operations that did not succeed at all
 * @property {number[]} waiting - operations that were due and had not ended, at the end of each second
 * @property {Times} rt - response time
 * @property {number | null} serverCpuPercent - average; 100 is one core; of several servers all together
 * @property {import('../../report/schema.js').LimitedBy} [limitedBy] - absent: nothing was measured, or the trial is of an earlier release
 * @property {number | null} serverMemoryBytes - maximum of the samples
 * @property {number | null} utilization - of the busiest worker's event loop, 0 to 1
 * @property {boolean} generatorLimited - --strict fails for the run
 */

/**
 * readLoadPoint makes a load point from the result of a run in the open model.
 *
 * @param {Result} result - with a duration
 * @returns {LoadPoint}
 */
export function readLoadPoint({ plan, outcome, run, ...result }) {
  const operations = Object.entries(outcome.operations).filter(([type]) => type !== 'CONNECT')
  const figures = operations.map(([, figures]) => figures)
  const durationMs = plan.durationMs ?? outcome.measuredMs
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  const ended = outcome.perSecond
    .filter(({ type }) => type !== 'CONNECT')
    .flatMap(entry => inSeconds(entry, outcome.secondsPerPoint))
  const due = computeSum(figures, ({ count }) => count)
  const succeeded = ended.filter(({ second, outcome }) => outcome === 'OK' && second < seconds)
  const inTime = computeSum(succeeded, ({ count }) => count)
  const successes = computeSum(figures, ({ outcomes }) => outcomes.OK ?? 0)
  const rt = timesOf(figures)
  return {
    durationMs,
    due,
    achieved: inTime,
    underWay: underWayAtEnd({ due, durationMs, rt, later: successes - inTime }),
    failed: computeSum(figures, ({ errors }) => errors),
    waiting: countWaitingOverTime(ended, due, seconds),
    rt,
    serverCpuPercent: outcome.server?.cpu.averagePercent ?? null,
    serverMemoryBytes: outcome.server?.memory.maxBytes ?? outcome.server?.memory.averageBytes ?? null,
    utilization: run.health.length === 0 ? null : findLargest(run.health, ({ utilization }) => utilization),
    limitedBy: outcome.limitedBy ?? findRunLimit({ plan, outcome, run }),
    generatorLimited: failsStrict({ run, ...result })
  }
}

/** Share of due operations under way at the end, at most: more are a backlog. */
const MAX_UNDER_WAY = 0.1

/**
 * Operations under way at the end of the duration for no longer than usual (Little's law): they do not count against the load.
 *
 * @param {{ due: number, durationMs: number, rt: Times, later: number }} load - `later`: succeeded after the duration
 */
function underWayAtEnd({ due, durationMs, rt, later }) {
  const usual = (due / durationMs) * ((rt.p50 ?? rt.avg)?.ms ?? 0)
  return Math.min(later, Math.ceil(Math.min(usual, MAX_UNDER_WAY * due)))
}

/**
 * A point of a long run covers several seconds: its operations count as ended evenly over them.
 *
 * @param {Result['outcome']['perSecond'][number]} entry
 * @param {number} width - s
 */
function inSeconds({ second, outcome, histogram }, width) {
  const total = computeSum(histogram, ([, count]) => count)
  const upTo = (/** @type {number} */ seconds) => Math.round((total * seconds) / width)
  return Array.from({ length: width }, (_, i) => ({
    second: second + i,
    outcome,
    count: upTo(i + 1) - upTo(i)
  }))
}

/** @param {Summary} summary @returns {Times} */
const times = ({ avg, p50, p90, p95, p99, max }) => ({ avg, p50, p90, p95, p99, max })

/** @type {Times} */
const NO_TIMES = { avg: null, p50: null, p90: null, p95: null, p99: null, max: null }

/** Response times of all operations together. @param {OperationResult[]} figures @returns {Times} */
function timesOf(figures) {
  if (figures.length === 0) return NO_TIMES
  if (figures.length === 1) return times(figures[0].rt.all)
  const { all, answered } = poolTimes(figures.map(({ histograms }) => histograms))
  return times(summarize(all, { answered }))
}

/** A trial has a constant load, in the open model. */
const TRIAL_OPTIONS = makeCommandOptions('trial', RENDEZVOUS_OPTIONS, { never: [CLOSED_MODEL_NAME] })

/** The description of trials of operations. @type {import('../saturation.js').TrialDescription} */
const DESCRIBED_OPERATIONS = {
  loads: 'operations',
  rateHeading: 'Rate of a connection /s',
  columns: [
    ['Failed', ({ failed }) => failed, 'count'],
    ['Avg ms', ({ rt }) => makeTimeCell(rt.avg), 'ms', 'wide'],
    ['p50 ms', ({ rt }) => makeTimeCell(rt.p50), 'ms'],
    ['p99 ms', ({ rt }) => makeTimeCell(rt.p99), 'ms'],
    ['Max ms', ({ rt }) => makeTimeCell(rt.max), 'ms', 'wide'],
    ['Server CPU %', ({ serverCpuPercent }) => serverCpuPercent, 'percent', 'wide'],
    [
      'Server memory MB',
      ({ serverMemoryBytes }) => serverMemoryBytes && serverMemoryBytes / 1e6,
      'MB',
      'wide'
    ],
    ['Generator busy %', ({ utilization }) => utilization && 100 * utilization, 'percent', 'wide']
  ],
  failed: {
    title: 'Failed operations, %',
    of: ({ failed, due }) => (due === 0 ? null : (100 * failed) / due)
  },
  expected: () => 'Expected: rate × connections × duration. Achieved: succeeded within the duration.'
}

/**
 * The tail of response times: p99 or, with too few operations, the highest percentile that is known.
 *
 * @param {LoadPoint} point
 */
const tailFigure = ({ rt }) => rt.p99 ?? rt.p95 ?? rt.p90

/** Texts about trials of operations. @type {import('../saturation.js').TrialView} */
const TRIAL_TEXTS = {
  ...DESCRIBED_OPERATIONS,
  who: 'The server',
  what: 'operations',
  rateName: 'Sustainable rate',
  sizeSign: 'c',
  one: 'connection',
  many: 'connections',
  ratesFlag: '--rates',
  loadWords: load => `${formatRate(load)}/s`,
  rateWords: perSecond => `${formatRate(perSecond)}/s`,
  loadHeading: 'Load /s',
  timeName: 'response time',
  throughputName: 'operations per second',
  throughputOf: ({ achieved, durationMs }) => (achieved * 1000) / durationMs,
  tailOf: point => tailFigure(point)?.ms ?? null,
  tailWords: 'where it had too few operations for p99, its highest percentile',
  notes: generatorBound =>
    generatorBound
      ? ['This is not the limit of the server: with the load generator on another machine it may carry more.']
      : [],
  boundStatement: 'Generator-bound: the figure is a lower bound, not the limit of the server.'
}

/** Options of runs with churn: clients discover one another. */
const CHURNED = { benchmarkType: 'DISCOVER', nNamespaces: '1', discoverLimit: '1000' }

/**
 * The runs of `qa` at a rendezvous server.
 *
 * @type {import('../saturation.js').QaRuns}
 */
const RENDEZVOUS_QA = {
  // the grid of the source, then higher rates until one is not sustained
  full: { rates: [25, 50, 100, 200], sizes: [1, 2, 4], seconds: 90, factor: 2, rows: 10 },
  quick: { rates: [50, 200, 800], sizes: [1, 4], seconds: 2, factor: 2, rows: 4 },
  quickOptions: {},
  figures: [
    {
      name: 'p50',
      title: 'p50, ms',
      part: 'times',
      of: ({ rt }) => rt.p50?.ms ?? null,
      isBound: ({ rt }) => rt.p50?.censored ?? false
    },
    {
      name: 'p99',
      title: 'p99, ms',
      part: 'times',
      of: TRIAL_TEXTS.tailOf,
      isBound: point => tailFigure(point)?.censored ?? false
    },
    {
      name: 'failed',
      title: 'Without success, %',
      part: 'times',
      isShare: true,
      of: ({ failed, due }) => (due === 0 ? null : (100 * failed) / due)
    },
    {
      name: 'cpu',
      title: 'CPU of the server, %',
      part: 'resources',
      of: ({ serverCpuPercent }) => serverCpuPercent
    },
    {
      name: 'memory',
      title: 'Memory of the server, MB',
      part: 'resources',
      of: ({ serverMemoryBytes }) => (serverMemoryBytes === null ? null : serverMemoryBytes / 1e6)
    }
  ],
  churnPerSecond: 30,
  churnOptions: { ...CHURNED, nClients: '30', churn: '10,every=5s,away=2s', ttl: '1m' },
  quickChurnOptions: {
    ...{ ...CHURNED, nClients: '15', churn: '5,every=1s,away=500ms', ttl: '4s' },
    warmup: '500ms'
  }
}

const NETWORK = 'Servers for a network:'

/** @type {Readonly<Record<string, import('../../plan/options.js').Option>>} */
const COMMAND_OPTIONS = {
  rates: {
    group: GRID_GROUP,
    ...numberList(
      rate({ max: MAX_PER_SECOND }),
      'must be rates per second above 0 with commas between them, such as 25,50,100,200'
    ),
    defaultText: '25,50,100,200',
    describe: 'operations per second of each connection; combined with each number of connections'
  },
  connections: {
    group: GRID_GROUP,
    ...numberList(
      wholeNumber(1, 100_000),
      'must be whole numbers from 1 to 100,000 with commas between them, such as 1,2,4'
    ),
    defaultText: '1,2,4; 4 for a search',
    describe: 'connections, one client each; with --search, one number'
  },
  peers: {
    common: true,
    group: NETWORK,
    ...wholeNumber(1, 1_000_000_000_000),
    describe:
      'find how many servers this many peers need; search for what one sustains with their registrations and a connection per request. See docs/studies.md'
  },
  requestsPerDay: {
    group: NETWORK,
    ...numberBetween(0.001, 1_000_000),
    defaultText: '8',
    describe: 'requests per peer and day, of all kinds; needs --peers'
  },
  peakFactor: {
    group: NETWORK,
    ...numberBetween(1, 24),
    defaultText: '2',
    describe: 'rate of the busiest hour of the day ÷ mean rate; needs --peers'
  },
  ...SATURATION_OPTIONS,
  slo: makeSloOption(OPERATIONS_OBJECTIVE)
}

/** Whether the number of registrations grows with the rate. @param {import('./options.js').Plan} plan */
const addsRegistrations = plan =>
  plan.target === null &&
  (plan.benchmarkType === 'UNREGISTER' ||
    (plan.benchmarkType !== 'DISCOVER' && plan.registerMode === 'new') ||
    (plan.mix?.unregister ?? 0) > 0)

/** @param {import('./options.js').Plan} plan @returns {import('../../plan/plan.js').Problem[]} */
const growthProblems = plan =>
  addsRegistrations(plan)
    ? [
        {
          flag: '--search',
          value: '',
          allowed:
            'needs operations that leave the number of registrations as it is, because its rates are not known beforehand: --registerMode refresh without UNREGISTER, or --benchmarkType DISCOVER'
        }
      ]
    : []

/** Expected operations: with Poisson arrivals their number is random, so those due count. @param {{ perSecond: number, plan: any }} trial @param {LoadPoint} point */
const expectedOf = ({ perSecond, plan }, { durationMs, due }) =>
  plan.arrivals === 'poisson' ? due : (perSecond * durationMs) / 1000

/** Rounded, so that no digits of the division remain. @param {{ perSecond: number, plan: import('./options.js').Plan }} trial */
const ratePerConnection = ({ perSecond, plan }) => Number((perSecond / plan.nClients).toPrecision(12))

/** Other defaults than those of a single run: the store must not grow with the load. */
const DEFAULTS = { registerMode: 'refresh' }

const { nClients, duration, ...operationOptions } = listUsableOptions(TRIAL_OPTIONS)

/** OPERATIONS_SATURATION defines the saturation study of a rendezvous server. @type {import('../saturation.js').Saturation} */
export const OPERATIONS_SATURATION = {
  help: {
    examples: /** @type {[string, string][]} */ ([
      ['grid of the source, about 4 minutes', 'saturate rendezvous'],
      [
        'your own grid, 90 s per load',
        'saturate rendezvous --rates 500,1000,2000 --connections 1,2,4 --duration 90s'
      ],
      ['search for the highest sustainable rate', 'saturate rendezvous --search'],
      ['with your own objective', 'saturate rendezvous --search --slo "p99 < 20ms; errorRate < 1%"'],
      [
        'DISCOVER at a container with 0.3 cores',
        'saturate rendezvous --search --benchmarkType DISCOVER --server docker --cpus 0.3'
      ],
      ['how many servers do a million peers need?', 'saturate rendezvous --peers 1000000 --requestsPerDay 8'],
      ['continue the latest one', 'saturate rendezvous --resume'],
      ['options for a gossipsub network', 'saturate gossip --help']
    ]),
    epilogue: 'Runs with equal connections share a server. REGISTER refreshes, unless --registerMode new.'
  },
  own: COMMAND_OPTIONS,
  options: {
    ...COMMAND_OPTIONS,
    ...operationOptions,
    registerMode: { ...operationOptions.registerMode, default: 'refresh' },
    ...COMMAND_OPTIONS
  },
  notHere: { ...describeRefusedOptions(TRIAL_OPTIONS), nClients: 'does not apply here: use --connections' },
  ratesFlag: 'rates',
  // the grid of the source
  rates: [25, 50, 100, 200],
  sizes: [1, 2, 4],
  searchSize: 4,
  from: 100,
  loadOf: (ratePerSecond, size) => ratePerSecond * size,
  explicitSizes: ({ connections }) => connections,
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
  pointOf: readLoadPoint,
  objective: OPERATIONS_OBJECTIVE,
  cellOf(trial, /** @type {LoadPoint} */ point) {
    return {
      expected: expectedOf(trial, point),
      achieved: point.achieved,
      load: ratePerConnection(trial) * trial.plan.nClients,
      avgMs: point.rt.avg?.ms ?? null
    }
  },
  view: () => TRIAL_TEXTS
}
