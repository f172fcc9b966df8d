// Defines how `saturate` and `qa` load a gossip network: which loads they try, which figures judge a trial.
import { computeSum } from '../../kit/collections.js'
import { formatDuration, formatRate, formatSignificant } from '../../kit/numbers.js'
import { decodeHistogram } from '../../measure/distribution.js'
import { describeRefusedOptions, listUsableOptions, makeCommandOptions } from '../../plan/options.js'
import { makePlan } from '../../plan/plan.js'
import { findThresholdLack } from '../../plan/threshold.js'
import { duration, numberList, rate, wholeNumber } from '../../plan/values.js'
import { makeTimeCell, toPercent } from '../../report/description.js'
import { failsStrict } from '../../report/warnings.js'
import { GRID_GROUP, MAX_PER_SECOND, makeSloOption, SATURATION_OPTIONS } from '../saturation.js'
import { GOSSIP_FIGURES } from './figures.js'
import {
  BANDWIDTH_LINES,
  computeLineUses,
  computeProcessingUse,
  countDue,
  countWithinMs,
  DEFAULT_IN_TIME_MS,
  findNetworkLimit
} from './measure/resource-usage.js'
import { GOSSIP_OPTIONS } from './options.js'

/**
 * @typedef {import('./outcome.js').GossipResult} GossipResult
 * @typedef {import('../rendezvous/saturation.js').Times} Times
 *
 * @typedef {import('./measure/resource-usage.js').Line | 'processing'} Part - of the model of a simulated network
 * @typedef {import('./measure/resource-usage.js').LineUse} LineUse
 *
 * @typedef {object} GossipPoint - the figures of a gossip network at one load
 * @property {boolean} simulated
 * @property {number} durationMs - that messages were due for
 * @property {number} inTimeMs - within which a message is to reach everyone
 * @property {number} due - messages that somebody was to receive
 * @property {{ planned: number, inTime: number }} published - messages that were to be published, and those that were in time
 * @property {number} achieved - messages that reached everyone in time
 * @property {number} dueDeliveries - of all messages due
 * @property {number} deliveries - that came in time
 * @property {number} missing - deliveries that never came
 * @property {Times} rt - dissemination: publish call to the last delivery of a message
 * @property {number | null} tailMs - p99 of dissemination; of fewer than 100 messages the slowest; null: no message reached everyone
 * @property {number | null} utilization - of the event loop of the busiest process, 0 to 1; null: simulated
 * @property {number | null} cpuPercent - of all processes, 100 is one core; null: simulated
 * @property {import('../../report/schema.js').LimitedBy} [limitedBy] - absent: nothing was published, or the trial is of an earlier release
 * @property {Partial<Record<Part, LineUse>> | null} model - how much of a simulated network was used: of the lines that have a limit, and of
 *   the nodes' time for processing; null: real
 * @property {boolean} generatorLimited - --strict fails for the run
 */

/**
 * readGossipPoint reads the figures of a load from the result of a run with a duration.
 *
 * @param {GossipResult} result
 * @param {{ inTimeMs: number }} how
 * @returns {GossipPoint}
 */
export function readGossipPoint(result, { inTimeMs }) {
  const { plan, outcome, run } = result
  const simulated = plan.network === 'simulated'
  const durationMs = plan.durationMs ?? outcome.measuredMs
  const amounts = countDue(outcome, plan.nodes)
  const { health } = run
  const { avg, p50, p90, p95, p99, max } = outcome.dissemination.all
  const dissemination = decodeHistogram(outcome.dissemination.histogram)
  return {
    ...{ simulated, durationMs, inTimeMs },
    ...amounts,
    achieved: countWithinMs(outcome.dissemination.histogram, inTimeMs),
    deliveries: countWithinMs(outcome.latency.histogram, inTimeMs),
    tailMs: dissemination.count === 0 ? null : dissemination.quantile(0.99) / 1000,
    missing: outcome.missing.pairs,
    rt: { avg, p50, p90, p95, p99, max },
    utilization: simulated ? null : Math.max(0, ...health.map(({ utilization }) => utilization)),
    cpuPercent: simulated ? null : computeSum(health, ({ cpuPercent }) => cpuPercent),
    // the result has this for deliveries within a second
    limitedBy: findNetworkLimit(result, { inTimeMs }),
    model: simulated ? { ...computeLineUses(result), processing: computeProcessingUse(result) } : null,
    generatorLimited: failsStrict(result)
  }
}

/** @typedef {import('../../measure/figure.js').Figure} Figure */

/** A share of what was due in a load. @param {string} name @param {string} title @param {(point: GossipPoint) => [count: number, due: number]} of @returns {Figure} */
const share = (name, title, of) => ({
  ...{ name, title, quantity: 'share', better: 'higher', live: 0 },
  read(outcome) {
    const [count, due] = of(/** @type {any} */ (outcome).point)
    return { value: due === 0 ? null : (100 * count) / due, samples: due }
  }
})

/** TRIAL_FIGURES are those that an objective can be set on. @type {readonly Figure[]} */
const TRIAL_FIGURES = [
  share('achieved', 'Messages that reached everyone within --inTime', ({ achieved, due }) => [achieved, due]),
  share('publishedInTime', 'Messages published in time', ({ published: { inTime, planned } }) => [
    inTime,
    planned
  ]),
  .../** @type {readonly Figure[]} */ (/** @type {unknown} */ (GOSSIP_FIGURES))
]

/** MESSAGES_OBJECTIVE is the default objective of a load of messages. @type {import('../saturation.js').TrialObjective} */
const MESSAGES_OBJECTIVE = {
  figures: TRIAL_FIGURES,
  usual: ['deliveryRatio > 99.9%', 'publishedInTime >= 99%', 'achieved >= 99%'],
  lack: (objective, plan) => findThresholdLack(objective, TRIAL_FIGURES, plan),
  samplesPerSecond({ name }, { ratePerSecond, nodes }) {
    if (name.startsWith('dissemination.')) return ratePerSecond
    return name.startsWith('latency.') ? ratePerSecond * (nodes - 1) : null
  }
}

/**
 * @typedef {import('../saturation.js').TrialDescription} TrialDescription
 */

/** @param {GossipPoint['model']} model @returns {number | null} */
function findHighestShare(model) {
  const shares = BANDWIDTH_LINES.flatMap(line => model?.[line]?.average ?? [])
  return shares.length === 0 ? null : Math.max(...shares)
}

/** DESCRIBED_MESSAGES describes trials of messages in tables and plots. @type {TrialDescription} */
const DESCRIBED_MESSAGES = {
  loads: 'deliveries',
  rateHeading: 'Rate of the network /s',
  columns: [
    ['Missing deliveries', ({ missing }) => missing, 'count'],
    ['Deliveries/s', ({ deliveries, durationMs }) => (deliveries * 1000) / durationMs, 'perSecond', 'wide'],
    [
      'Deliveries in time %',
      ({ deliveries, dueDeliveries }) => (dueDeliveries === 0 ? null : (100 * deliveries) / dueDeliveries),
      'percent',
      'wide'
    ],
    ['Avg ms', ({ rt }) => makeTimeCell(rt.avg), 'ms', 'wide'],
    ['p50 ms', ({ rt }) => makeTimeCell(rt.p50), 'ms'],
    ['p99 ms', ({ rt }) => makeTimeCell(rt.p99), 'ms'],
    ['Max ms', ({ rt }) => makeTimeCell(rt.max), 'ms', 'wide'],
    ['Busiest process %', ({ utilization }) => toPercent(utilization), 'percent', 'wide'],
    ['CPU of all %', ({ cpuPercent }) => cpuPercent, 'percent', 'wide'],
    ['Lines used %', ({ model }) => toPercent(findHighestShare(model)), 'percent', 'wide'],
    ['Processing %', ({ model }) => toPercent(model?.processing?.average), 'percent', 'wide']
  ],
  failed: {
    title: 'Missing deliveries, %',
    of: ({ missing, dueDeliveries }) => (dueDeliveries === 0 ? null : (100 * missing) / dueDeliveries)
  },
  expected: (inTimeMs = DEFAULT_IN_TIME_MS) =>
    `Expected: rate × duration. Achieved: messages that reached every subscriber within ${formatDuration(inTimeMs)}. Times: dissemination, from the publish call to the last delivery.`
}

/** GOSSIP_WORDING has the words for trials of messages on real TCP. @type {import('../saturation.js').TrialView} */
const GOSSIP_WORDING = {
  ...DESCRIBED_MESSAGES,
  who: 'The network',
  what: 'messages',
  rateName: 'Sustainable rate',
  sizeSign: 'n',
  one: 'node',
  many: 'nodes',
  ratesFlag: '--rate',
  loadWords: load => `${formatSignificant(load)} deliveries/s`,
  rateWords: perSecond => `${formatRate(perSecond)} messages/s`,
  loadHeading: 'Deliveries due /s',
  timeName: 'dissemination time',
  throughputName: 'deliveries per second',
  throughputOf: ({ deliveries, durationMs }) => (deliveries * 1000) / durationMs,
  tailOf: ({ tailMs }) => tailMs,
  tailWords: 'of fewer than 100 messages the slowest',
  notes: () => [
    'Generator and nodes share the processes: this is what this machine carries, not what the network would.'
  ],
  boundStatement: 'Generator-bound: the figure is a lower bound, set by this machine and not by the network.'
}

/** SIMULATED_WORDING has the words for trials in a simulated network. @type {import('../saturation.js').TrialView} */
const SIMULATED_WORDING = {
  ...GOSSIP_WORDING,
  who: 'The simulated network',
  rateName: 'Sustainable rate of the simulated network',
  notes: () => [
    'Simulated: the limits are bandwidth and processing of the model, not the speed of this machine.'
  ],
  unsteady: 'results differ from seed to seed. Try a longer --duration',
  boundStatement: 'The figure is a lower bound.'
}

/**
 * GOSSIP_QA is what `qa` runs on a gossip network.
 *
 * @type {import('../saturation.js').QaRuns}
 */
export const GOSSIP_QA = {
  full: { rates: [5, 10, 20, 40], sizes: [20, 50], seconds: 90, factor: 2, rows: 6 },
  quick: { rates: [5, 20, 80], sizes: [10, 20], seconds: 3, factor: 4, rows: 2 },
  // above the sustainable rate, missing deliveries are not waited for
  quickOptions: { cooldown: '5s' },
  figures: [
    {
      name: 'p50',
      title: 'Dissemination p50, ms',
      part: 'times',
      of: ({ rt }) => rt.p50?.ms ?? null,
      isBound: ({ rt }) => rt.p50?.censored ?? false
    },
    {
      name: 'p99',
      title: 'Dissemination p99, ms',
      part: 'times',
      of: ({ tailMs }) => tailMs,
      // messages that did not reach everyone are not part of it
      isBound: ({ missing }) => missing > 0
    },
    {
      name: 'missing',
      title: 'Deliveries missing, %',
      part: 'times',
      isShare: true,
      of: ({ missing, dueDeliveries }) => (dueDeliveries === 0 ? null : (100 * missing) / dueDeliveries)
    },
    { name: 'cpu', title: 'CPU of all processes, %', part: 'resources', of: ({ cpuPercent }) => cpuPercent }
  ],
  churnPerSecond: 2,
  churnOptions: { nodes: '30', topology: 'random-degree:k=6', churn: '10,every=15s,away=5s' },
  quickChurnOptions: {
    ...{ nodes: '15', topology: 'random-degree:k=6', cooldown: '5s' },
    churn: '5,every=2s,away=1s,settle=1s,dials=4'
  }
}

const { search, from, most, repeats, blocks, duration: trialDuration, resume } = SATURATION_OPTIONS

/**
 * GOSSIP_SATURATION_OPTIONS are those of `saturate gossip` that are not of its runs.
 *
 * @type {Readonly<Record<string, import('../../plan/options.js').Option>>}
 */
const GOSSIP_SATURATION_OPTIONS = {
  rate: {
    group: GRID_GROUP,
    ...numberList(
      rate({ max: MAX_PER_SECOND }),
      'must be rates per second above 0 with commas between them, such as 5/s,10/s,20/s'
    ),
    defaultText: '5/s,10/s,20/s,40/s',
    describe: 'messages per second of the whole network; combined with each number of nodes'
  },
  nodes: {
    group: GRID_GROUP,
    ...numberList(
      wholeNumber(2, 60_000),
      'must be whole numbers from 2 to 60,000 with commas between them, such as 20,50'
    ),
    defaultText: '20,50; 50 for a search',
    describe: `${GOSSIP_OPTIONS.nodes.describe}; with --search, one number`
  },
  search,
  from: { ...from, defaultText: '5/s', describe: 'first rate of --search' },
  most,
  repeats,
  blocks,
  duration: {
    ...trialDuration,
    default: '30s',
    describe: 'duration of each load, in whole seconds; the source took 90s'
  },
  inTime: {
    group: trialDuration.group,
    default: '1s',
    ...duration({ min: '1ms', max: '1h' }),
    describe: 'maximum time in which an achieved message reaches everyone; from its publish call'
  },
  slo: makeSloOption(MESSAGES_OBJECTIVE),
  resume
}

/**
 * @typedef {import('./options.js').GossipPlan} GossipPlan
 */

const gossipOptions = makeCommandOptions('trial', GOSSIP_OPTIONS)

/** The number of nodes of a topology file. @param {Record<string, unknown>} options @param {import('../index.js').Scenario} scenario */
function nodesOfFile(options, scenario) {
  if (!String(options.topology ?? '').startsWith('file:')) return null
  const { plan } = makePlan(scenario, options)
  return plan === undefined ? null : [/** @type {GossipPlan} */ (plan).nodes]
}

/**
 * sameTopology keeps a random topology where another seed is used.
 *
 * @param {import('./options.js').GossipPlan} plan
 * @param {Record<string, unknown>} options - as typed
 */
function sameTopology({ topology }, options) {
  const { topology: typed = topology.kind } = options
  if (!('seed' in topology) || String(typed).includes('seed=')) return {}
  return { topology: `${typed}${String(typed).includes(':') ? ',' : ':'}seed=${topology.seed}` }
}

/** SATURATION describes the search for the sustainable load of a gossip network. @type {import('../saturation.js').Saturation} */
export const SATURATION = {
  help: {
    examples: /** @type {[string, string][]} */ ([
      ['4 rates, 2 sizes, about 7 minutes', 'saturate gossip'],
      ['your own grid, 90 s per load', 'saturate gossip --rate 5/s,10/s,20/s --nodes 20,50 --duration 90s'],
      ['highest rate for 50 nodes here', 'saturate gossip --search --nodes 50 --topology random-degree:k=10'],
      [
        'a simulated network, 200 kB/s per node',
        'saturate gossip --network simulated --upBandwidth 200KB/s --linkLatency 50ms --duration 10s --search --nodes 20'
      ],
      ['continue the latest one', 'saturate gossip --resume']
    ]),
    epilogue:
      'Each run has a fresh network. On real TCP the answer is what this machine carries, not what the network would.'
  },
  own: GOSSIP_SATURATION_OPTIONS,
  options: {
    ...GOSSIP_SATURATION_OPTIONS,
    ...listUsableOptions(gossipOptions),
    ...GOSSIP_SATURATION_OPTIONS
  },
  notHere: describeRefusedOptions(gossipOptions),
  ratesFlag: 'rate',
  rates: [5, 10, 20, 40],
  sizes: [20, 50],
  searchSize: 50,
  from: 5,
  loadOf: ratePerSecond => ratePerSecond,
  explicitSizes: ({ nodes }) => nodes,
  fixedSizes: nodesOfFile,
  searchProblems: () => [],
  sizeName: 'nodes',
  sized: (options, nodes) => ({ ...options, ...(nodes !== undefined && { nodes }) }),
  // with the same seed a simulated network gives the same result: repeats have other seeds
  again: (plan, options, repeat) =>
    plan.network === 'simulated'
      ? { ...options, seed: plan.seed + repeat, ...sameTopology(plan, options) }
      : null,
  qa: GOSSIP_QA,
  sizeOf: ({ nodes }) => nodes,
  rateOf: ({ perSecond }) => perSecond,
  pointOf: (result, { inTimeMs = DEFAULT_IN_TIME_MS }) => readGossipPoint(result, { inTimeMs }),
  objective: MESSAGES_OBJECTIVE,
  cellOf: (_trial, /** @type {GossipPoint} */ { due, achieved, dueDeliveries, ...point }) => ({
    expected: due,
    achieved,
    load: (dueDeliveries * 1000) / point.durationMs,
    avgMs: point.rt.avg?.ms ?? null
  }),
  view: ({ network }) => (network === 'simulated' ? SIMULATED_WORDING : GOSSIP_WORDING)
}
