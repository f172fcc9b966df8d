// Entry of the rendezvous scenario: the object through which commands, studies and reports make its plans, run them and
// read its results.

import { lowerRateByShare, reduceCount, scaleArrivals, shortenTime } from '../../plan/matrix-case.js'
import { listAddedValues, listCaseKeys } from '../../plan/options.js'
import { makeCoreSample, makeGaugeSample } from '../../report/prometheus.js'
import { RENDEZVOUS_COMMAND } from './command.js'
import { OPERATIONS_COMPARED, RENDEZVOUS_FIGURES } from './figures.js'
import { RENDEZVOUS_OPTIONS } from './options.js'
import {
  canReuseServer,
  estimateFixedMs,
  estimateRendezvousMs,
  RENDEZVOUS_KIND
} from './plan/rendezvous-plan.js'

/** @typedef {Record<string, any>} Document_ - a result as it was read */

/** Properties added to plans since version 1, with the earlier behaviour as their value. */
const ADDED_TO_PLAN = listAddedValues(RENDEZVOUS_OPTIONS)

/**
 * fillRendezvousResult adds to a result what version 1 lacked. A part that is missing altogether stays missing: the schema reports it.
 *
 * @param {Document_} document
 * @returns {Document_}
 */
export const fillRendezvousResult = ({ plan, outcome, ...document }) => ({
  ...document,
  plan: plan && { ...ADDED_TO_PLAN, ...plan },
  outcome: outcome && {
    thresholds: [],
    faults: [],
    soak: null,
    lookUp: null,
    warmUp: null,
    secondsPerPoint: 1,
    ...outcome,
    target: outcome.target && { chosenBy: null, container: null, ...outcome.target },
    server: outcome.server && { memoryCountedAs: 'resident set', ...outcome.server }
  }
})

/** @typedef {import('./options.js').Plan} Plan */

/** NAMING of the cases of operations. @type {import('../../plan/matrix-case.js').CaseNaming} */
const NAMING = {
  short: new Set([
    'benchmarkType',
    'nClients',
    'initialRegistrations',
    'nNamespaces',
    'benchmarkRuns',
    'duration'
  ]),
  inShort: (/** @type {Plan} */ plan, own) => [
    ...(own.has('benchmarkType') ? [plan.benchmarkType.toLowerCase()] : []),
    `c${plan.nClients}`,
    `r${plan.initialRegistrations}`,
    `ns${plan.nNamespaces}`,
    ...(plan.benchmarkRuns === null ? [] : [`ops${plan.benchmarkRuns}`]),
    ...(plan.durationMs === null ? [] : [`${plan.durationMs}ms`])
  ]
}

/** PUBLISHED says which plans belong to a published case, and which figures it can have. @type {Readonly<import('../index.js').Published>} */
const PUBLISHED = {
  rowFigures: {
    columns: {
      benchmarkType: 'Type',
      nClients: 'Clients',
      initialRegistrations: 'Io Reg',
      nNamespaces: 'Namespaces',
      registerMode: 'Mode',
      rate: 'Due/s',
      servers: 'Servers',
      discoverLimit: 'Limit',
      seed: 'Seed',
      rtMs: ['Avg RT', 'Median RT', 'Max RT'],
      cpuPercent: ['Avg CPU', 'Median CPU', 'Max CPU'],
      memoryMb: ['Avg Mem', 'Median Mem', 'Max Mem']
    },
    drawn: ['Median RT', 'p99 RT', 'Avg CPU', 'Avg Mem'],
    over: ['Op/s']
  },
  case: listCaseKeys(RENDEZVOUS_OPTIONS),
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const figures = z.tuple([number, number, number], {
      error: 'must be three numbers: average, median and maximum'
    })
    return { rtMs: figures, cpuPercent: figures, memoryMb: figures }
  }
}

/**
 * scaled gives the parts of a plan that change with its size. The concurrency does not change: every client keeps an operation.
 *
 * @param {Plan} plan
 * @param {import('../../plan/matrix-case.js').AllScales} scales
 * @param {Set<string>} [fixedOptions] - options that stay as they are
 * @returns {Partial<Plan>}
 */
function scaled(plan, { scale, ...scales }, fixedOptions = new Set()) {
  const { benchmarkRuns, durationMs, minDurationMs, nClients, ratePerSecond, arrivals } = plan
  const time = scale * scales.scaleTime
  return {
    benchmarkRuns: reduceCount(benchmarkRuns, scale, nClients),
    durationMs: fixedOptions.has('duration') ? durationMs : shortenTime(durationMs, time),
    minDurationMs: fixedOptions.has('minDuration') ? minDurationMs : Math.ceil(minDurationMs * time),
    ratePerSecond: lowerRateByShare(ratePerSecond, scales.scaleRate),
    providerRatePerSecond: lowerRateByShare(plan.providerRatePerSecond ?? null, scales.scaleRate),
    discovererRatePerSecond: lowerRateByShare(plan.discovererRatePerSecond ?? null, scales.scaleRate),
    arrivals: scaleArrivals(arrivals, { rate: scales.scaleRate, time })
  }
}

/** @typedef {import('../../report/schema.js').Figures} Figures */

/** Gauges for Prometheus beside the figures. @type {readonly import('../../report/prometheus.js').GaugeSpec[]} */
const SERVER_GAUGES = [
  {
    name: 'loadtest_operations_total',
    help: 'Operations measured so far, by type and outcome',
    counts: true,
    labelNames: ['type', 'outcome'],
    read: ({ figures }) =>
      Object.entries(/** @type {Figures} */ (figures).operations).flatMap(([type, { outcomes }]) =>
        Object.entries(outcomes).flatMap(([outcome, count]) => makeGaugeSample(count, { type, outcome }))
      )
  },
  {
    name: 'loadtest_server_cpu_cores',
    help: 'CPU of the server at the last sample, in cores',
    read: ({ progress }) => makeCoreSample(progress.cpuPercent)
  },
  {
    name: 'loadtest_server_memory_bytes',
    help: 'Memory of the server at the last sample',
    read: ({ progress }) => makeGaugeSample(progress.rssBytes)
  }
]

/** RENDEZVOUS sends operations to a rendezvous server. @type {import('../index.js').ComparableScenario} */
export const RENDEZVOUS = {
  name: 'rendezvous',
  command: RENDEZVOUS_COMMAND,
  ...RENDEZVOUS_KIND,
  ...PUBLISHED,
  naming: NAMING,
  estimateMs: estimateRendezvousMs,
  fixedMs: estimateFixedMs,
  sameParts: canReuseServer,
  scaled,
  schemas: () => import('./schema.js'),
  filled: fillRendezvousResult,
  figures: RENDEZVOUS_FIGURES,
  compared: OPERATIONS_COMPARED,
  gauges: SERVER_GAUGES,
  merged: async () => (await import('./measure/merged-result.js')).mergeResults,
  differences: async () => (await import('../../run/profile-description.js')).PROFILE_DIFFERENCES,
  run: async () => (await import('./run/rendezvous-run.js')).runRendezvous,
  describe: () => import('./describe.js')
}

/**
 * @typedef {Extract<import('../index.js').AnyResult, { outcome: import('../../report/schema.js').OperationsOutcome }>}
 *   OperationsResult - of any operations at a rendezvous server: views of a Result hold for it too
 */
