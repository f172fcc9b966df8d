// The part that all scenarios share of a description, the tables, plots and warnings made from a result: plan, machine,
// load generator, warnings.
import { omitMissing } from '../kit/collections.js'
import {
  capitalize,
  formatCount,
  formatDuration,
  formatSignificant,
  formatWhole,
  MISSING_TEXT
} from '../kit/numbers.js'
import { DEFAULT_STACK, findServerStack } from '../libp2p/stacks.js'
import { formatThresholdFigure } from './checks.js'
import { keepPlotWithSeries, makeFactsTable, makeTable, makeTimeSeries, toPercent } from './description.js'
import { describeWarning, listErrorWarnings, listStrictWarnings } from './warnings.js'

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./schema.js').Warning} Warning
 * @typedef {import('./schema.js').Description} Description
 * @typedef {import('./schema.js').DescribedTable} DescribedTable
 * @typedef {import('./schema.js').DescribedWarning} DescribedWarning
 */

/**
 * formatWarning says a warning in words. A result of a later version may carry a code that this one has no text for.
 *
 * @param {Warning} warning
 * @param {import('./warnings.js').AdvisedRun} [about] - the result that carries it
 */
export function formatWarning(warning, about) {
  try {
    return describeWarning(warning, about)
  } catch {
    return `${warning.code} ${JSON.stringify(warning.values)}`
  }
}

/** Warnings of what stays after the run, for its user to clear. */
const LEFT = ['LEFT_BEHIND', 'LEFT_UNTIL_TTL', 'STORE_NOT_RESTORED']

/** Warnings that something that was asked for was not done. */
const FAILURES = [
  'OPERATIONS_FAILED',
  'NOT_PUBLISHED',
  'NOTHING_PUBLISHED',
  'DELIVERIES_MISSING',
  'PUBLISH_FAILED',
  'SERVER_RESTARTED'
]

/** By harm: what makes a run an error, what it left behind, what failed in it, what --strict fails for, the rest. @param {AnyResult} result @returns {DescribedWarning[]} */
function warningsOf(result) {
  const [errors, strict] = [listErrorWarnings(result), listStrictWarnings(result)]
  const harm = (/** @type {Warning} */ warning) => {
    const { code } = warning
    return [
      errors.includes(warning),
      LEFT.includes(code),
      FAILURES.includes(code),
      strict.includes(warning),
      true
    ].indexOf(true)
  }
  return result.run.warnings
    .toSorted((a, b) => harm(a) - harm(b))
    .map(warning => ({ code: warning.code, text: formatWarning(warning, result) }))
}

/** @param {AnyResult} result of a version without them too */
const thresholdTable = ({ outcome: { thresholds = [] } }) => ({
  ...makeTable('thresholds', 'Thresholds', thresholds, [
    ['Thresholds', ({ passed, text }) => `${passed ? '✔' : '✖'} ${text}`, 'text'],
    ['Measured', threshold => formatThresholdFigure(threshold), 'text'],
    ['Result', ({ passed }) => (passed ? 'passed' : 'failed'), 'text']
  ]),
  terminal: true
})

/** @param {AnyResult} result */
const agentTable = ({ run: { agents = [] } }) => ({
  ...makeTable('agents', 'Agents', agents, [
    ['Agent', ({ id, host }) => `${id} (${host})`, 'text'],
    ['Cores', ({ cores }) => cores, 'count'],
    ['Workers', ({ workers }) => workers.join(', '), 'text'],
    ['Ops', ({ operations }) => operations, 'count'],
    ['Busiest worker %', ({ busiest }) => busiest && 100 * busiest, 'percent'],
    ['Client overhead max ms', ({ overheadMs }) => overheadMs, 'ms', 'wide'],
    ['Began late ms', ({ lateMs }) => lateMs, 'ms', 'wide'],
    ['Clock ± ms', ({ clock }) => clock?.errorMs, 'ms'],
    ['Drift ppm', ({ clock }) => clock?.driftPpm, 'number', 'wide'],
    ['Lost', ({ lost }) => (lost === null ? 'no' : `after ${formatSignificant(lost.atMs / 1000)} s`), 'text']
  ]),
  terminal: true
})

/**
 * describeRun describes a result: what its scenario says, and what every run has: warnings by harm, thresholds, agents.
 *
 * @param {AnyResult} result - of a partial run too
 * @param {Pick<import('./schema.js').Describe, 'describeResult'>} describe - of its scenario
 * @returns {Description}
 */
export function describeRun(result, { describeResult }) {
  const { tables, warnings, ...described } = describeResult(result)
  const { status, reason } = result
  const partial = `Partial result: ${reason?.message ?? 'the run did not end'}`
  const known = warningsOf(result)
  const codes = new Set(known.map(({ code }) => code))
  return {
    ...described,
    tables: [...tables, thresholdTable(result), agentTable(result)],
    warnings: [
      ...(status === 'partial' ? [{ code: 'PARTIAL', text: partial }] : []),
      ...known,
      ...warnings.filter(({ code }) => !codes.has(code))
    ]
  }
}

/** Longer JSON, such as the edges of a topology, would fill pages. */
const MAX_LETTERS = 400

/** @param {unknown} value - of a plan @returns {string} */
function planValueText(value) {
  if (value == null) return MISSING_TEXT
  if (Array.isArray(value)) return value.map(item => item?.text ?? planValueText(item)).join('; ')
  if (typeof value !== 'object') return String(value)
  const text = JSON.stringify(value)
  return text.length <= MAX_LETTERS ? text : `${text.slice(0, MAX_LETTERS)}… (whole in result.json)`
}

/** makePlanTable has every parameter of a plan. @param {object} plan */
export const makePlanTable = plan =>
  makeFactsTable(
    'plan',
    'Plan',
    Object.entries(plan).map(([name, value]) => [name, planValueText(value), 'text'])
  )

/** makeEnvironmentTable says on what a run was made. @param {Pick<AnyResult['run'], 'machine' | 'versions'>} run */
export const makeEnvironmentTable = ({ machine, versions }) =>
  makeFactsTable('environment', 'Environment', [
    ['Machine', `${machine.cores} × ${machine.cpu}, ${machine.platform} ${machine.arch}`, 'text'],
    ['Memory', machine.memoryBytes / 1e6, 'MB'],
    ['Load average at the start', machine.loadAverage.map(load => load.toFixed(2)).join(', '), 'text'],
    ...Object.entries(versions).map(
      ([name, version]) => /** @type {[string, string, 'text']} */ ([name, String(version), 'text'])
    )
  ])

/**
 * makeRunTables says when, with what and on what a run was made: tables at the end of a report.
 *
 * @param {AnyResult} result
 * @returns {DescribedTable[]}
 */
export const makeRunTables = ({ plan, run }) => [
  makeTable('phases', 'Phases', run.phases, [
    ['Phase', ({ name }) => name, 'text'],
    ['State', ({ state }) => state, 'text'],
    ['Began after, s', ({ startMs }) => startMs / 1000, 's'],
    ['Took, s', ({ durationMs }) => durationMs && durationMs / 1000, 's'],
    ['Detail', ({ detail }) => detail, 'text']
  ]),
  makePlanTable(plan),
  makeEnvironmentTable(run)
]

/**
 * formatRunTime says when a run or a study was made, and how long it took.
 *
 * @param {{ startedAt: string, finishedAt: string | null }} times - ISO 8601
 * @param {{ machine?: { cores: number, cpu: string } }} [on]
 */
export function formatRunTime({ startedAt, finishedAt }, { machine } = {}) {
  const took = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
  return [
    `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`,
    took === null ? 'its end was not written' : `took ${formatDuration(Math.max(0, took))}`,
    ...(machine === undefined ? [] : [`${formatCount(machine.cores, 'core')}, ${machine.cpu}`])
  ].join(' · ')
}

/**
 * What a run says of the load generator and of the machine: how busy each process was, and who could be late.
 *
 * @typedef {import('../scenarios/index.js').AnyResult['run']} Run
 * @typedef {import('./schema.js').Summary} Summary
 * @typedef {import('./schema.js').Plot} Plot
 */

/**
 * makeGeneratorTables have a row for each process that was watched, and the figures of the machine.
 *
 * @param {Pick<Run, 'health' | 'lateness'>} run
 * @returns {DescribedTable[]}
 */
export function makeGeneratorTables({ health, lateness }) {
  const watched = new Map(lateness?.processes.map(process => [process.name, process]))
  const workers = new Map(health.map(worker => [`worker ${worker.worker}`, worker]))
  const rows = [...new Set([...watched.keys(), ...workers.keys()])].map(name => ({
    name,
    busy: workers.get(name),
    late: watched.get(name)
  }))
  return [
    {
      ...makeTable('processes', 'Processes', rows, [
        ['Process', ({ name }) => capitalize(name), 'text'],
        ['Event loop busy %', ({ busy }) => toPercent(busy?.utilization), 'percent'],
        ['CPU % of a core', ({ busy }) => busy?.cpuPercent, 'percent'],
        ['Main thread working %', ({ late }) => late?.ownPercent, 'percent'],
        ['Waiting for a core %', ({ late }) => late?.waitedPercent, 'percent']
      ]),
      note: 'Shares of the measured time. Workers run the clients or nodes.'
    },
    makeFactsTable('machine-load', 'Load of the machine', [
      ['Time in which a process waited for a core', lateness?.pressurePercent, 'percent'],
      ['CPU taken by other guests of the host', lateness?.stealPercent, 'percent'],
      ['Held back by the CPU quota, ms', lateness?.throttledMs]
    ])
  ]
}

/**
 * listGeneratorTimes are rows of the table of times.
 *
 * @param {Pick<Run, 'health' | 'lateness'>} run
 * @returns {[name: string, summary: Summary | undefined][]}
 */
export const listGeneratorTimes = ({ health, lateness }) => [
  ...health.flatMap(
    ({ worker, turns, overhead }) =>
      /** @type {[string, Summary][]} */ ([
        [`Worker ${worker}: client overhead of an operation`, overhead],
        [`Worker ${worker}: turn of the event loop`, turns]
      ])
  ),
  ['Machine: a short sleep took too long by', lateness?.hiccups]
]

/**
 * listOverheadTimes is a row of the client overhead at each percentile of a distribution.
 *
 * @param {Summary} summary
 * @returns {Partial<Summary> & { count: number } | null} null: it was not measured
 */
export function listOverheadTimes({ count, ...times }) {
  const known = Object.entries(times).flatMap(([key, time]) => {
    const ms = /** @type {import('./schema.js').Percentile | null} */ (time)?.overheadMs
    return ms === undefined ? [] : [[key, { ms, censored: false }]]
  })
  return known.length === 0 ? null : { count, ...Object.fromEntries(known) }
}

/**
 * makeLatenessPlots draw over time who waited for a core, and by how much sleeps were too long.
 *
 * @param {Pick<Run, 'lateness'>} run
 * @param {{ x: string, at: (row: { atMs: number }) => number, spans?: Plot['spans'] }} time - title of the axis; seconds of a point
 * @returns {Plot[]} none where that was not watched
 */
export function makeLatenessPlots({ lateness }, { at, ...axis }) {
  if (lateness === undefined || lateness.series.length < 2) return []
  const { series, processes } = lateness
  /** @type {Record<string, (row: typeof series[number]) => number | null | undefined>} */
  const waits = Object.fromEntries(
    processes.map(({ name }, i) => [capitalize(name), row => row.processes[i]?.waitedPercent])
  )
  const waited = makeTimeSeries(series, { ...waits, 'Any process': row => row.pressurePercent }, at).filter(
    ({ values }) => values.some(([, y]) => y !== null)
  )
  const lines = { kind: /** @type {const} */ ('lines'), ...axis }
  return [
    ...keepPlotWithSeries({
      id: 'core-waits',
      title: 'Waiting for a core',
      ...lines,
      y: '% of the time',
      series: waited
    }),
    {
      id: 'hiccups',
      title: 'Hiccups of the machine',
      note: 'By how much the worst short sleep in each second was too long.',
      ...lines,
      y: 'Longest hiccup, ms',
      series: makeTimeSeries(series, { 'Longest hiccup': ({ hiccupMs }) => hiccupMs }, at)
    }
  ]
}

/**
 * @typedef {import('../measure/resources.js').Host} Host
 */

/** Above these a run measures the want of cores. */
const MAX_PRESSURE_PERCENT = 10
const MAX_STEAL_PERCENT = 1
/** Late timers distort times below so many times their lateness by more than a tenth. */
const TIMES = 10

const NOT_KNOWN = 'not known'

/** @param {number | null} value */
const percentText = value => (value === null ? NOT_KNOWN : `${formatSignificant(value)} %`)

/**
 * describeHost describe a machine. The last line says which figures measured on it can be trusted.
 *
 * @param {Host} host
 * @param {Summary} hiccups - of its timers
 * @returns {[string, string][]} what, and how it is
 */
export function describeHost(host, hiccups) {
  const { cores, quotaCores, pressurePercent, stealPercent, clockSource, congestionControl } = host
  const { openFiles, namespaces, docker, nft, postgres, nats } = host
  const quota = quotaCores === null ? '' : `, of which ${formatSignificant(quotaCores)} may be used`
  const { p50, p99, max } = hiccups
  const late = Object.entries({ p50, p99, max }).flatMap(([name, time]) =>
    time === null ? [] : [`${name} ${formatSignificant(time.ms)} ms`]
  )
  const programs = Object.entries({ docker, nft, postgres, nats }).map(
    ([name, there]) => `${name} ${there ? 'found' : 'not found'}`
  )
  return [
    ['cores', `${formatWhole(cores)}${quota}`],
    ['waiting for a core', `a process did for ${percentText(pressurePercent)} of the last 10 s`],
    ['taken by other guests', `${percentText(stealPercent)} of all cores since the start`],
    ['late timers', `short sleeps were too long by ${late.join(', ')}`],
    ['clock', clockSource ?? NOT_KNOWN],
    ['open files', openFiles === null ? NOT_KNOWN : `up to ${formatWhole(openFiles)}`],
    ['namespaces', namespaces === null ? NOT_KNOWN : `up to ${formatWhole(namespaces)} of users`],
    ['TCP', congestionControl ?? NOT_KNOWN],
    ['programs', programs.join(', ')],
    ['valid for', trustText(host, hiccups)]
  ]
}

/** @param {Host} host @param {Summary} hiccups */
function trustText({ cores, quotaCores, pressurePercent, stealPercent }, { p99, max }) {
  const lateMs = (p99 ?? max)?.ms ?? Number.NaN
  const why = omitMissing([
    Number(pressurePercent) > MAX_PRESSURE_PERCENT &&
      `processes wait for a core for more than ${MAX_PRESSURE_PERCENT} % of the time`,
    Number(stealPercent) > MAX_STEAL_PERCENT &&
      `other guests take more than ${MAX_STEAL_PERCENT} % of its cores`,
    Math.min(cores, quotaCores ?? cores) < 2 && 'server and load generator share a core'
  ])
  const from = Number.isFinite(lateMs)
    ? `p99 from about ${formatSignificant(TIMES * lateMs)} ms on`
    : 'not known'
  return why.length === 0
    ? `${from}: late timers change shorter ones by more than 10 %`
    : `no percentiles now, because ${why.join(' and ')}; counts and success rates are valid`
}

/**
 * @typedef {import('../plan/arrivals.js').Arrivals} Arrivals
 * @typedef {import('../plan/arrivals.js').Shape} Shape
 */

/** @param {number} rate */
const perSecond = rate => `${formatSignificant(rate)}/s`

/** More steps than this are not listed. */
const MAX_STEPS = 8

/** @param {Shape} shape @param {number} ratePerSecond */
function shapeInWords(shape, ratePerSecond) {
  switch (shape.shape) {
    case 'ramp':
      return `${perSecond(ratePerSecond)} ${shape.toPerSecond < ratePerSecond ? 'falling' : 'rising'} to ${perSecond(shape.toPerSecond)}`
    case 'steps': {
      const rates = shape.ratesPerSecond.map(perSecond)
      return rates.length > MAX_STEPS
        ? `${rates.length} steps from ${rates[0]} to ${rates.at(-1)}`
        : `steps of ${rates.join(', ')}`
    }
    case 'sine':
      return `${perSecond(ratePerSecond)} ± ${formatSignificant(shape.amplitude * 100)} % in waves of ${shape.periodMs === null ? 'the whole duration' : formatDuration(shape.periodMs)}`
    case 'replay':
      return `the times in ${shape.path} (${formatCount(shape.count, 'arrival')}${shape.speed === 1 ? '' : `, ${shape.speed} times as fast`})`
  }
}

/**
 * describeRate says how much is due, after "due at".
 *
 * @param {Arrivals} arrivals
 * @param {number} ratePerSecond
 * @returns {string}
 */
export const describeRate = (arrivals, ratePerSecond) =>
  typeof arrivals === 'string' ? perSecond(ratePerSecond) : shapeInWords(arrivals, ratePerSecond)

/**
 * describeArrivals says when operations or messages are due, after "due at".
 *
 * @param {Arrivals} arrivals
 * @param {number} ratePerSecond
 * @returns {string}
 */
export function describeArrivals(arrivals, ratePerSecond) {
  if (typeof arrivals === 'string') return `${perSecond(ratePerSecond)} (${arrivals} arrivals)`
  const spacing = 'spacing' in arrivals && arrivals.spacing === 'poisson' ? ' (poisson arrivals)' : ''
  return `${shapeInWords(arrivals, ratePerSecond)}${spacing}`
}

/** describeTuning says whether nodes of ours are libp2p as published. Plans of earlier versions name none. @param {{ stock?: boolean }} plan */
export const describeTuning = ({ stock = false }) => (stock ? 'stock' : 'tuned')

/** @param {readonly string[]} names */
const inTurn = names => `on ${names.join(' and ')}${names.length > 1 ? ' in turn' : ''}`

/**
 * describeStacks say which generations of libp2p a run is of, where that is not the usual one.
 *
 * @param {{ stack?: readonly string[], serverStack?: string | null, target?: string | null }} plan
 * @returns {string[]}
 */
export function describeStacks({ stack = [DEFAULT_STACK], serverStack = null, target = null }) {
  const server = findServerStack({ stack, serverStack })
  const isOnly = (/** @type {string} */ name) => stack.length === 1 && stack[0] === name
  const hasOwn = target === null && serverStack !== null && !isOnly(server)
  return omitMissing([!isOnly(DEFAULT_STACK) && inTurn(stack), hasOwn && `server ${inTurn([server])}`])
}
