// Makes tables and plots of operations, such as response times, outcomes, resources and faults, for rendezvous and
// custom results.

import { computeSum, findLargest, groupNeighbours, omitMissing } from '../../kit/collections.js'
import { formatRate, formatSignificant } from '../../kit/numbers.js'
import { makeRateShape } from '../../load/arrivals.js'
import { isCensored } from '../../load/registrations.js'
import { decodeHistogram } from '../../measure/distribution.js'
import { Histogram, hasEnoughSamples } from '../../measure/histogram.js'
import { formatLimitedBy } from '../../measure/limited-by.js'
import { makeLatenessPlots } from '../../report/describe-run.js'
import {
  computeMeasuredSeconds,
  findMeasurementStart,
  formatSetting,
  makeFactsTable,
  makeHeatPlot,
  makeHistogramPlot,
  makePercentileCurve,
  makeTable,
  makeTimeCell,
  makeTimeColumns,
  readSetting,
  roundToFourDigits,
  toMegabytes
} from '../../report/description.js'
import { poolTimes } from '../../report/result-folder.js'

/**
 * @typedef {import('../../report/schema.js').Result} Result
 * @typedef {import('../../report/schema.js').OperationType} OperationType
 * @typedef {import('../../report/schema.js').OperationResult} OperationResult
 */

/** @type {readonly string[]} */
const ORDER = ['CONNECT', 'REGISTER', 'DISCOVER', 'UNREGISTER', 'PUBLISH']

/**
 * sortOperations lists the operations of a result in the order of all views; types of a custom scenario come last.
 *
 * @param {Result} result
 * @returns {[OperationType, OperationResult][]}
 */
export function sortOperations({ outcome: { operations } }) {
  const entries = /** @type {[OperationType, OperationResult][]} */ (Object.entries(operations))
  const place = (/** @type {string} */ type) => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length)
  return entries.sort(([a], [b]) => place(a) - place(b))
}

/**
 * hasThroughput says whether there are enough operations for a rate: as many as for their median. The measurement ends with the last reply,
 * so a rate of fewer would measure only how long their replies took.
 *
 * @param {Pick<OperationResult, 'count'>} operation
 */
export const hasThroughput = ({ count }) => hasEnoughSamples(0.5, count)

/** readThroughput is the throughput of an operation; null: too few operations. @param {OperationResult} operation */
export const readThroughput = operation => (hasThroughput(operation) ? operation.throughputPerSecond : null)

/** describeTimes writes p50 and p99, if known. @param {Pick<import('../../report/schema.js').Summary, 'p50' | 'p99'>} times */
export const describeTimes = ({ p50, p99 }) =>
  Object.entries({ p50, p99 })
    .flatMap(([key, time]) =>
      time == null ? [] : `${key} ${time.censored ? '> ' : ''}${formatSignificant(time.ms)} ms`
    )
    .join(', ')

/**
 * describeFloor writes the response times of a null server on this machine: `p50 0.24 ms, p99 0.9 ms at 1,000/s`.
 *
 * @param {NonNullable<Result['outcome']['floor']>} floor
 */
export function describeFloor({ ratePerSecond, rt }) {
  const load = ratePerSecond === null ? 'at full load' : `at ${formatRate(ratePerSecond)}/s`
  return `${describeTimes(rt) || 'too few operations'} ${load}`
}

/**
 * makeOutcomeTable counts operations by outcome, for the types of which some failed.
 *
 * @param {readonly { type: string, operation: Pick<OperationResult, 'outcomes' | 'count' | 'errors'> }[]} rows
 * @param {(outcome: string) => string | null | undefined} meaningOf
 */
export const makeOutcomeTable = (rows, meaningOf) =>
  makeTable(
    'outcomes',
    'Outcomes',
    rows.flatMap(({ type, operation: { outcomes, count, errors } }) =>
      errors === 0
        ? []
        : Object.entries(outcomes)
            .sort(([, a], [, b]) => b - a)
            .map(([outcome, n]) => ({ type, outcome, n, share: (100 * n) / count }))
    ),
    [
      ['Operation', ({ type }) => type, 'text'],
      ['Outcome', ({ outcome }) => outcome, 'text'],
      ['Count', ({ n }) => n, 'count'],
      ['Share %', ({ share }) => share, 'percent'],
      ['Meaning', ({ outcome }) => meaningOf(outcome), 'text']
    ]
  )

/**
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('../../report/schema.js').Series} Series
 */

/** TIME_AXIS is the title of the time axis of all plots over the measurement. */
export const TIME_AXIS = 'Time since the measurement began, s'

/** More samples than these are merged into this many points. */
const MAX_POINTS = 250

/** A reader can tell this many lines of failures apart; further outcomes are counted together. */
const MAX_OUTCOMES = 6

/**
 * makeOperationPlots draws response times, throughput, and the resources that the server used.
 *
 * @param {Result} result
 * @param {(type: string) => string} [idOf] - part of an id that stands for a type of operations
 * @returns {Plot[]}
 */
export function makeOperationPlots(result, idOf = type => type.toLowerCase()) {
  const began = findMeasurementStart(result)
  const end = computeMeasuredSeconds(result)
  const spans = result.outcome.faults.map(fault => ({
    from: Math.min(end, fault.fromMs / 1000),
    to: Math.min(end, fault.toMs === null ? end : fault.toMs / 1000),
    label: faultName(fault)
  }))
  const time = { x: TIME_AXIS, ...(spans.length > 0 && { spans }) }
  return [
    ...percentilePlot(result),
    ...sortOperations(result).flatMap(([type]) => timesOverTime(result, type, idOf(type), time)),
    ...ratePlots(result, time),
    ...serverPlots(result, time),
    ...sortOperations(result).flatMap(([type, { histograms }]) =>
      makeHistogramPlot(poolTimes([histograms]).all, {
        id: `distribution-${idOf(type)}`,
        title: `Distribution of response times of ${type}`,
        x: 'Response time, ms',
        y: 'Operations',
        compared: true
      })
    ),
    ...makeHistogramPlot(result.outcome.staleness?.histogram, {
      id: 'staleness',
      title: 'From REGISTER at one server to its sight at another',
      x: 'Time since the reply, ms',
      y: 'Registrations'
    }),
    ...makeLatenessPlots(result.run, {
      ...time,
      at: ({ atMs }) => Math.min(end, Math.max(0, (atMs - began) / 1000))
    })
  ]
}

/** @param {Result} result @returns {Plot[]} */
function percentilePlot(result) {
  const operations = sortOperations(result)
  const series = operations.flatMap(([type, { histograms, count, errors }]) => [
    ...makePercentileCurve(type, poolTimes([histograms]).all),
    ...(errors > 0 && errors < count && histograms.OK !== undefined
      ? makePercentileCurve(`${type}, successes`, decodeHistogram(histograms.OK))
      : [])
  ])
  if (series.length === 0) return []
  const marks = operations.flatMap(([type, operation]) => {
    const lost = countLost(operation)
    return lost === 0
      ? []
      : [
          {
            x: roundToFourDigits(Math.log10(operation.count / lost)),
            label: `${type}: lost operations begin`
          }
        ]
  })
  return [
    {
      id: 'percentiles',
      title: 'Response time by percentile',
      kind: 'lines',
      x: 'Operations that took no longer, %',
      y: 'Response time, ms',
      nines: true,
      logY: true,
      main: true,
      compared: true,
      series,
      ...(marks.length > 0 && { marks, note: 'Lost operations count at the time they waited.' })
    }
  ]
}

/** countLost counts operations without a reply. @param {Pick<OperationResult, 'outcomes'>} operation */
export const countLost = ({ outcomes }) =>
  computeSum(Object.entries(outcomes), ([outcome, count]) => (isCensored(outcome) ? count : 0))

/**
 * @param {Result} result
 * @param {string} type
 * @param {string} name - in ids
 * @param {Pick<Plot, 'x' | 'spans'>} time
 * @returns {Plot[]}
 */
function timesOverTime(result, type, name, time) {
  const { perSecond, secondsPerPoint } = result.outcome
  const own = perSecond.filter(entry => entry.type === type)
  const succeeded = own.filter(({ outcome }) => outcome === 'OK')
  const y = 'Response time, ms'
  return [
    ...makeHeatPlot(
      { id: `times-${name}`, title: `Response time of ${type} over time`, ...time, y },
      own.map(entry => ({ ...entry, failed: entry.outcome !== 'OK' })),
      computeMeasuredSeconds(result),
      secondsPerPoint
    ),
    ...(succeeded.length === 0
      ? []
      : [
          /** @type {Plot} */ ({
            id: `percentiles-over-time-${name}`,
            title: `Percentiles of ${type} over time`,
            kind: 'lines',
            note: 'Of operations that succeeded.',
            ...time,
            y,
            logY: true,
            compared: true,
            series: percentileSeries(result, succeeded)
          })
        ])
  ]
}

/** @param {Result} result @param {Result['outcome']['perSecond']} entries @returns {Series[]} */
function percentileSeries(result, entries) {
  const columns = makeTimeColumns(result)
  const histograms = Array.from({ length: columns.count }, () => new Histogram())
  for (const { second, histogram } of entries) histograms[columns.of(second)].addPairs(histogram)
  return Object.entries({ p50: 0.5, p90: 0.9, p99: 0.99, max: 1 })
    .map(([label, share]) => ({
      label,
      ...(label === 'max' && { style: /** @type {const} */ ('dotted') }),
      values: histograms.map((times, i) => {
        const isKnown = label === 'max' ? times.count > 0 : hasEnoughSamples(share, times.count)
        return [columns.stretch(i).from, isKnown ? roundToFourDigits(times.quantile(share) / 1000) : null]
      })
    }))
    .filter(({ values }) => values.some(([, y]) => y !== null))
}

/** @param {Result} result @param {Pick<Plot, 'x' | 'spans'>} time @returns {Plot[]} */
function ratePlots(result, time) {
  const { perSecond } = result.outcome
  if (perSecond.length === 0) return []
  const failed = perSecond.filter(({ outcome }) => outcome !== 'OK')
  const outcomes = [...new Set(failed.map(({ outcome }) => outcome))]
  const named = outcomes.length <= MAX_OUTCOMES ? outcomes : outcomes.slice(0, MAX_OUTCOMES - 1)
  const y = 'Operations per second'
  return [
    {
      id: 'throughput',
      title: 'Throughput over time',
      kind: 'lines',
      note: 'Operations by when they ended.',
      ...time,
      y,
      compared: true,
      series: [
        ...rateSeries(result, perSecond, ({ type, outcome }) => (outcome === 'OK' ? type : 'failed')),
        ...dueSeries(result)
      ]
    },
    ...(failed.length === 0
      ? []
      : [
          /** @type {Plot} */ ({
            id: 'failures',
            title: 'Failed operations over time, by outcome',
            kind: 'lines',
            note: 'By when they ended.',
            ...time,
            y,
            series: rateSeries(result, failed, ({ outcome }) =>
              named.includes(outcome) ? outcome : 'others'
            )
          })
        ])
  ]
}

/**
 * Rates as steps: a line that is level within each stretch of time.
 *
 * @param {Result} result
 * @param {Result['outcome']['perSecond']} entries
 * @param {(entry: Result['outcome']['perSecond'][number]) => string} labelOf
 * @returns {Series[]}
 */
function rateSeries(result, entries, labelOf) {
  const columns = makeTimeColumns(result)
  /** @type {Map<string, number[]>} */
  const counts = new Map()
  for (const entry of entries) {
    const label = labelOf(entry)
    const own = counts.get(label) ?? Array(columns.count).fill(0)
    own[columns.of(entry.second)] += computeSum(entry.histogram, ([, count]) => count)
    counts.set(label, own)
  }
  return [...counts].map(([label, own]) => {
    const values = own.map((count, i) => {
      const { from, to } = columns.stretch(i)
      return [from, roundToFourDigits(count / (to - from))]
    })
    const last = values[values.length - 1]
    return { label, style: 'steps', values: [...values, [columns.stretch(columns.count - 1).to, last[1]]] }
  })
}

const DUE_POINTS = 100

/** The offered load of all types together. @param {Result} result @returns {Series[]} */
function dueSeries(result) {
  const { arrivals, ratePerSecond, durationMs } = result.plan
  if (ratePerSecond === null) return []
  const end = computeMeasuredSeconds(result)
  /** @param {number[][]} values @returns {Series[]} */
  const series = values => [{ label: 'due, of all types', style: 'dotted', values }]
  if (typeof arrivals === 'string') return series([0, end].map(at => [at, ratePerSecond]))
  const shape = makeRateShape({ arrivals, ratePerSecond, durationMs })
  if (shape === null) return []
  const until = Math.min(end, (durationMs ?? 0) / 1000)
  return series(
    Array.from({ length: DUE_POINTS + 1 }, (_, i) => {
      // the last point lies just before the end: the rate is that of the last step there
      const at = (Math.min(i, DUE_POINTS - 0.001) * until) / DUE_POINTS
      return [Number(at.toFixed(3)), roundToFourDigits(shape.rateAt(at))]
    })
  )
}

/** @param {Result} result @param {Pick<Plot, 'x' | 'spans'>} time @returns {Plot[]} */
function serverPlots(result, time) {
  const { server } = result.outcome
  if (server === null || server.series.length < 2) return []
  const { cpu, memory, memoryCountedAs, series } = server
  const groups = groupNeighbours(series, MAX_POINTS)
  const began = findMeasurementStart(result)
  const end = computeMeasuredSeconds(result)
  /**
   * @param {string} name
   * @param {{ note: string, y: string }} text
   * @param {(row: typeof series[number]) => number | null} of
   * @param {number | null} average
   * @returns {Plot}
   */
  const plot = (name, { note, y }, of, average) => {
    const values = groups.flatMap(group => {
      const known = group.flatMap(row => of(row) ?? [])
      if (known.length === 0) return []
      const at = (group[group.length - 1].atMs - began) / 1000
      const bounds =
        known.length === 1
          ? []
          : [roundToFourDigits(Math.min(...known)), roundToFourDigits(Math.max(...known))]
      const mean = roundToFourDigits(computeSum(known) / known.length)
      return [[Number(Math.min(end, Math.max(0, at)).toFixed(2)), mean, ...bounds]]
    })
    return {
      ...{ id: `server-${name.toLowerCase()}`, title: `${name} of the server`, kind: 'lines', note },
      ...{ ...time, y, compared: true, series: [{ label: name, values }] },
      ...(average !== null && { marks: [{ y: roundToFourDigits(average), label: 'average' }] })
    }
  }
  const cpuText = { note: '100 % is one core.', y: 'CPU, % of one core' }
  const memoryText = { note: `Counted as ${memoryCountedAs ?? 'resident set'}.`, y: 'Memory, MB' }
  return [
    plot('CPU', cpuText, ({ cpuPercent }) => cpuPercent, cpu.averagePercent),
    plot('Memory', memoryText, ({ rssBytes }) => rssBytes / 1e6, toMegabytes(memory.averageBytes))
  ]
}

/**
 * @typedef {import('../../report/schema.js').FaultResult} FaultResult
 * @typedef {import('../../report/schema.js').Trend} Trend
 * @typedef {NonNullable<Result['outcome']['members']>[number]} Member
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').Cell} Cell
 */

/**
 * makeResourceTable says how much CPU and memory the server used, how busy the generator was, and what was used up.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export function makeResourceTable({ outcome: { server, limitedBy }, run: { health } }) {
  /** @type {Cell[][]} */
  const rows = []
  if (server !== null) {
    const { cpu, memory } = server
    const bytes = [memory.averageBytes, memory.medianBytes, memory.maxBytes]
    rows.push(['Server CPU, % of a core', cpu.averagePercent, cpu.medianPercent, cpu.maxPercent])
    rows.push(['Server memory, MB', ...bytes.map(toMegabytes)])
  }
  if (health.length > 0) {
    // workers report averages over the whole measurement: there is no median and no maximum
    const cpu = computeSum(health, ({ cpuPercent }) => cpuPercent)
    const busiest = findLargest(health, ({ utilization }) => 100 * utilization)
    rows.push(['CPU of the clients, % of a core', cpu, null, null])
    rows.push(['Event loop of the busiest worker, %', busiest, null, null])
  }
  return {
    id: 'resources',
    title: 'Resources',
    columns: [
      ['Resources', 'text'],
      ['Avg', 'number'],
      ['Median', 'number'],
      ['Max', 'number']
    ],
    rows,
    terminal: true,
    ...(limitedBy !== undefined && { note: `Limited by ${formatLimitedBy(limitedBy)}.` })
  }
}

/**
 * makeRegistrationTable says how many registrations there were.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export const makeRegistrationTable = ({ outcome: { registrations } }) =>
  makeTable(
    'registrations',
    'Registrations',
    registrations.before === null && registrations.after === null ? [] : [registrations],
    [
      ['Registrations before', ({ before }) => before, 'count'],
      ['Registrations after', ({ after }) => after, 'count'],
      ['Namespaces', ({ namespaces }) => namespaces, 'count']
    ]
  )

/**
 * makeUtilisationTable says how far each resource of a run was used, in percent of its capacity.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export function makeUtilisationTable({ outcome: { server, members = [] }, run }) {
  const { cores } = run.machine
  const servers = members.filter(({ name }) => name !== 'database')
  const database = members.find(({ name }) => name === 'database')
  const pools = servers.flatMap(({ pool }) => pool?.usedPercent ?? [])
  const cpu = members.length > 0 ? computeSum(members, cpuOf) : (server?.cpu.averagePercent ?? null)
  const generated = computeSum(run.health, ({ cpuPercent }) => cpuPercent)
  const busiestLoop = findLargest(run.health, ({ utilization }) => utilization)
  const perServer = servers.length > 1 ? 'Server: a core, of the busiest one' : 'Server: a core'
  const onThisMachine = cpu === null || run.agents !== undefined ? null : (cpu + generated) / cores
  /** @type {[name: string, used: number | null][]} */
  const rows = [
    ['Load generator: busiest event loop', run.health.length === 0 ? null : 100 * busiestLoop],
    [perServer, servers.length > 0 ? findLargest(servers, cpuOf) : cpu],
    ['Database connections of the busiest pool', pools.length === 0 ? null : findLargest(pools)],
    [`Database: all ${cores} cores`, database === undefined ? null : cpuOf(database) / cores],
    [`Machine: all ${cores} cores, by the processes of the run`, onThisMachine]
  ]
  return makeTable(
    'utilisation',
    'Utilisation',
    rows.filter(([, used]) => used !== null),
    [
      ['What', ([name]) => name, 'text'],
      ['Used %', ([, used]) => used, 'percent']
    ],
    { note: 'Averages of the measurement.' }
  )
}

/** @param {Member} member */
const cpuOf = ({ cpu }) => cpu.averagePercent ?? 0

/**
 * makeMemberTable has the figures of each server, where there are several, and of their database.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export function makeMemberTable({ outcome: { members = [], measuredMs } }) {
  const rows = members.flatMap(member => {
    /** @type {[string | null, import('../../report/schema.js').Summary | null][]} */
    const served = Object.entries(member.durations ?? {}).sort(([a], [b]) => a.localeCompare(b))
    // a database serves no operations
    if (served.length === 0) served.push([null, null])
    return served.map(([type, own]) => ({ member, type, own }))
  })
  /** @param {number} amount @param {Member} member */
  const perSecond = (amount, { written }) =>
    written === undefined ? null : (amount * 1000) / Math.max(1, written.ms)
  return {
    ...makeTable('each-server', 'Each server', rows, [
      ['Server', ({ member }) => member.name, 'text'],
      ['Operation', ({ type }) => type, 'text'],
      ['Served/s', ({ own }) => own && (own.count * 1000) / measuredMs, 'perSecond'],
      ['Own p50 ms', ({ own }) => makeTimeCell(own?.p50), 'ms'],
      ['Own p90 ms', ({ own }) => makeTimeCell(own?.p90), 'ms'],
      ['Own p99 ms', ({ own }) => makeTimeCell(own?.p99), 'ms'],
      ['Own max ms', ({ own }) => makeTimeCell(own?.max), 'ms'],
      ['CPU avg %', ({ member }) => member.cpu.averagePercent, 'percent'],
      ['CPU max %', ({ member }) => member.cpu.maxPercent, 'percent'],
      ['Memory avg MB', ({ member }) => toMegabytes(member.memory.averageBytes), 'MB'],
      ['Memory max MB', ({ member }) => toMegabytes(member.memory.maxBytes), 'MB'],
      ['Database connections', ({ member }) => member.pool?.connections, 'count'],
      ['In use %', ({ member }) => member.pool?.usedPercent, 'percent'],
      ['Statements', ({ member }) => member.pool?.statements, 'count'],
      ['Wait for a connection ms', ({ member }) => member.pool?.waitedMs, 'ms'],
      ['Written MB/s', ({ member }) => perSecond((member.written?.writtenBytes ?? 0) / 1e6, member), 'MB'],
      ['Log MB/s', ({ member }) => perSecond((member.written?.walBytes ?? 0) / 1e6, member), 'MB'],
      ['fsync/s', ({ member }) => perSecond(member.written?.fsyncs ?? 0, member), 'perSecond'],
      ['Checkpoint files', ({ member }) => member.written?.checkpointFsyncs, 'count']
    ]),
    note: 'Own: from the decoded request to the reply handed over, as the server measures it.'
  }
}

/** faultName names a fault with its server: `kill, server 2`. @param {FaultResult} fault */
const faultName = ({ kind, server, cpus }) =>
  omitMissing([kind, server !== undefined && `server ${server}`, cpus != null && `${cpus} cores left`]).join(
    ', '
  )

/** @param {number | null} ms */
const seconds = ms => (ms === null ? null : ms / 1000)

/**
 * makeFaultTable has a row for each fault of a run, with its effect on the load.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export const makeFaultTable = ({ outcome: { faults } }) => ({
  ...makeTable('faults', 'Faults', faults, [
    ['Fault', faultName, 'text'],
    ['From s', ({ fromMs }) => seconds(fromMs), 's'],
    ['To s', ({ toMs }) => seconds(toMs), 's'],
    ['Planned at s', ({ atMs }) => seconds(atMs), 's', 'wide'],
    ['Before: op/s', ({ before }) => before?.throughputPerSecond, 'perSecond', 'wide'],
    ['Before: p99 ms', ({ before }) => before?.p99Ms, 'ms', 'wide'],
    ['Op/s back s', fault => seconds(fault.recoveredThroughputMs), 's'],
    ['p99 back s', fault => seconds(fault.recoveredP99Ms), 's'],
    ['Ops lost', ({ operationsLost }) => computeSum(Object.values(operationsLost)), 'count'],
    ['By outcome', ({ operationsLost }) => describeOutcomes(operationsLost), 'text', 'wide'],
    ['Reg lost', ({ registrationsLost }) => registrationsLost, 'count'],
    ['Dials again', ({ reconnects }) => reconnects.dials, 'count', 'wide'],
    ['Dials/s max', ({ reconnects }) => reconnects.peakPerSecond, 'perSecond', 'wide']
  ]),
  note: 'Back: for 2 s, throughput was at least 90 %, or p99 below 200 %, of its value before. –: not within the run.',
  terminal: true
})

/** describeOutcomes lists the outcomes that were counted: `TIMEOUT 3, LOST 1`. @param {Record<string, number>} counts */
export const describeOutcomes = counts =>
  Object.entries(counts)
    .flatMap(([outcome, count]) => (count > 0 ? `${outcome} ${count}` : []))
    .join(', ') || null

/**
 * makeSoakTables has the trends of a long run, with the failures in each third of it.
 *
 * @param {Result} result
 * @returns {DescribedTable[]}
 */
export function makeSoakTables({ outcome: { soak } }) {
  if (soak == null) return []
  /** @type {{ name: string, trend: Trend | null, per: number }[]} */
  const trends = [
    { name: 'Server memory, MB', trend: soak.serverBytes, per: 1e6 },
    ...soak.p50Ms.map(({ type, trend }) => ({ name: `${type} p50, ms`, trend, per: 1 })),
    ...soak.ownBytes.flatMap(({ process, trend, inUse }) => [
      { name: `Memory of our ${process}, MB`, trend, per: 1e6 },
      { name: `Memory in use of our ${process}, MB`, trend: inUse, per: 1e6 }
    ])
  ]
  return [
    {
      ...makeTable('trends', 'Trends over the run', trends, [
        ['What', ({ name }) => name, 'text'],
        ['Median', ({ trend, per }) => trend && trend.median / per, 'number'],
        ['Change per hour', ({ trend, per }) => trend && trend.perHour / per, 'number'],
        ['95 % from', ({ trend, per }) => trend && trend.low / per, 'number'],
        ['95 % to', ({ trend, per }) => trend && trend.high / per, 'number'],
        ['Stretches', ({ trend }) => trend?.points, 'count'],
        ['Verdict', ({ trend }) => verdictText(trend), 'text']
      ]),
      note: `Theil–Sen slopes over medians of ${soak.stretchMs / 1000} s; memory without the first third of the run. Growing: the whole interval is above 0, and by 2 % or more (memory in use: 10 %).`
    },
    makeTable(
      'failures-by-third',
      'Failures in the thirds of the run',
      soak.errors.map((third, i) => ({ ...third, name: ['First', 'Second', 'Last'][i] ?? String(i + 1) })),
      [
        ['Third', ({ name }) => name, 'text'],
        ['Operations', ({ operations }) => operations, 'count'],
        ['Errors', ({ errors }) => errors, 'count']
      ]
    )
  ]
}

/** A rise whose whole interval is above 0 is named, however small it is. @param {Trend | null} trend */
function verdictText(trend) {
  if (trend === null) return 'too few readings'
  return trend.verdict === 'not shown to grow' && trend.low > 0 ? 'growing slightly' : trend.verdict
}

/**
 * makeServerFacts says where the server ran, with its store.
 *
 * @param {{ kind: string, chosenBy?: string | null, multiaddr: string | null, container?: Result['outcome']['target']['container'] | null,
 *   settings: Record<string, unknown> }} target
 * @param {Result['outcome']['server']} [server]
 * @returns {DescribedTable}
 */
export function makeServerFacts({ kind, chosenBy, multiaddr, container, settings }, server) {
  const { store, durability } = /** @type {Record<string, any>} */ (settings.server ?? {})
  return makeFactsTable('server', 'Server', [
    ['Runs as', kind, 'text'],
    ['Chosen because', chosenBy, 'text'],
    ['Address', multiaddr, 'text'],
    ['Container image', container?.image, 'text'],
    ['Container cores', container?.cpus],
    ['Container memory, MB', toMegabytes(container?.memoryBytes)],
    ['Memory is counted as', server?.memoryCountedAs, 'text'],
    ['Store', durability === undefined ? null : String(store), 'text'],
    ['Durability', durability === undefined ? null : String(durability), 'text']
  ])
}

/**
 * makeServerSettingsTable lists what differs from the defaults of the libraries and of the specification.
 *
 * @param {Record<string, unknown>} settings - by whose settings they are
 * @returns {DescribedTable}
 */
export const makeServerSettingsTable = settings =>
  makeTable(
    'settings',
    'Settings that differ from defaults',
    Object.entries(settings).flatMap(([whose, changes]) =>
      Object.entries(/** @type {object} */ (changes)).map(([name, setting]) => ({
        whose,
        name,
        ...readSetting(setting)
      }))
    ),
    [
      ['Of', ({ whose }) => whose, 'text'],
      ['Setting', ({ name }) => name, 'text'],
      ['Value', ({ value }) => formatSetting(value), 'text'],
      ['Reason', ({ why }) => why, 'text']
    ]
  )
