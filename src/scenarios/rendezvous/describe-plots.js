import { grouping, sumOf } from '../../kit/lists.js'
import { isCensored } from '../../load/outcomes.js'
import { rateShapeOf } from '../../load/rate-shape.js'
import { decodedHistogram } from '../../measure/encoded-histogram.js'
import { Histogram } from '../../measure/histogram.js'
import { isSure } from '../../measure/summary.js'
import { latenessPlots } from '../../report/description/load-generator.js'
import { measuredSeconds, measurementBegan, timeColumns } from '../../report/description/measured-time.js'
import { heatPlot, histogramPlot, percentiles } from '../../report/description/series.js'
import { four, megabytes } from '../../report/description/values.js'
import { pooledTimes } from '../../result/pooled-times.js'
import { faultName } from './describe-server.js'
import { operationsOf } from './operations.js'

/**
 * Plots of operations at a rendezvous server.
 *
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Series} Series
 */

/** TIME is the title of the axis of all plots over the time of the measurement. */
export const TIME = 'Time since the measurement began, s'

const FAILED = 'failed'

/** More samples than a plot has room for are joined. */
const MAX_POINTS = 250

/** More kinds of failures than can be told apart are counted together. */
const MAX_OUTCOMES = 6

/** The times in which something was done to the server. @param {Result} result @returns {Plot['spans']} */
function faultSpans(result) {
  const end = measuredSeconds(result)
  const spans = result.outcome.faults.map(fault => ({
    from: Math.min(end, fault.fromMs / 1000),
    to: Math.min(end, fault.toMs === null ? end : fault.toMs / 1000),
    label: faultName(fault)
  }))
  return spans.length === 0 ? undefined : spans
}

/**
 * operationPlots draw how long operations took, how many there were, and what the server used.
 *
 * @param {Result} result
 * @param {(type: string) => string} [idOf] - of a type of operations, as a part of ids
 * @returns {Plot[]}
 */
export function operationPlots(result, idOf = type => type.toLowerCase()) {
  const spans = faultSpans(result)
  const time = { x: TIME, ...(spans !== undefined && { spans }) }
  const began = measurementBegan(result)
  const end = measuredSeconds(result)
  return [
    ...percentilePlot(result),
    ...operationsOf(result).flatMap(([type]) => timesOverTime(result, type, idOf(type), time)),
    ...ratePlots(result, time),
    ...serverPlots(result, time),
    ...operationsOf(result).flatMap(([type, { histograms }]) =>
      histogramPlot(pooledTimes([histograms]).all, {
        id: `distribution-${idOf(type)}`,
        title: `Distribution of response times of ${type}`,
        x: 'Response time, ms',
        y: 'Operations',
        compared: true
      })
    ),
    ...histogramPlot(result.outcome.staleness?.histogram, {
      id: 'staleness',
      title: 'From REGISTER at one server to its sight at another',
      x: 'Time since the reply, ms',
      y: 'Registrations'
    }),
    ...latenessPlots(result.run, {
      ...time,
      at: ({ atMs }) => Math.min(end, Math.max(0, (atMs - began) / 1000))
    })
  ]
}

/** @param {Result} result @returns {Plot[]} */
function percentilePlot(result) {
  const operations = operationsOf(result)
  const series = operations.flatMap(([type, { histograms, count, errors }]) => [
    ...percentiles(type, pooledTimes([histograms]).all),
    ...(errors > 0 && errors < count && histograms.OK !== undefined
      ? percentiles(`${type}, successes`, decodedHistogram(histograms.OK))
      : [])
  ])
  if (series.length === 0) return []
  const marks = operations.flatMap(([type, operation]) => {
    const lost = lostOf(operation)
    return lost === 0
      ? []
      : [{ x: four(Math.log10(operation.count / lost)), label: `${type}: lost operations begin` }]
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

/** lostOf counts operations that got no reply. @param {Pick<OperationResult, 'outcomes'>} operation */
export const lostOf = ({ outcomes }) =>
  sumOf(Object.entries(outcomes), ([outcome, count]) => (isCensored(outcome) ? count : 0))

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
    ...heatPlot(
      { id: `times-${name}`, title: `Response time of ${type} over time`, ...time, y },
      own.map(entry => ({ ...entry, failed: entry.outcome !== 'OK' })),
      measuredSeconds(result),
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

/** @type {readonly [label: string, share: number][]} */
const SHARES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99]
]

/** @param {Result} result @param {Result['outcome']['perSecond']} entries @returns {Series[]} */
function percentileSeries(result, entries) {
  const columns = timeColumns(result)
  const histograms = Array.from({ length: columns.count }, () => new Histogram())
  for (const { second, histogram } of entries) histograms[columns.of(second)].addPairs(histogram)
  return [
    ...SHARES.map(([label, share]) => ({
      label,
      values: histograms.map((times, i) => [
        columns.stretch(i).from,
        isSure(share, times.count) ? four(times.quantile(share) / 1000) : null
      ])
    })),
    {
      label: 'max',
      style: /** @type {const} */ ('dotted'),
      values: histograms.map((times, i) => [
        columns.stretch(i).from,
        times.count === 0 ? null : four(times.quantile(1) / 1000)
      ])
    }
  ].filter(({ values }) => values.some(([, y]) => y !== null))
}

/** @param {Result} result @param {Pick<Plot, 'x' | 'spans'>} time @returns {Plot[]} */
function ratePlots(result, time) {
  const { perSecond } = result.outcome
  if (perSecond.length === 0) return []
  const failed = perSecond.filter(({ outcome }) => outcome !== 'OK')
  const outcomes = [...new Set(failed.map(({ outcome }) => outcome))]
  const told = outcomes.length <= MAX_OUTCOMES ? outcomes : outcomes.slice(0, MAX_OUTCOMES - 1)
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
        ...rateSeries(result, perSecond, ({ type, outcome }) => (outcome === 'OK' ? type : FAILED)),
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
            series: rateSeries(result, failed, ({ outcome }) => (told.includes(outcome) ? outcome : 'others'))
          })
        ])
  ]
}

/**
 * A line that stays level from the beginning to the end of each stretch.
 *
 * @param {Result} result
 * @param {Result['outcome']['perSecond']} entries
 * @param {(entry: Result['outcome']['perSecond'][number]) => string} labelOf
 * @returns {Series[]}
 */
function rateSeries(result, entries, labelOf) {
  const columns = timeColumns(result)
  /** @type {Map<string, number[]>} */
  const counts = new Map()
  for (const entry of entries) {
    const label = labelOf(entry)
    const own = counts.get(label) ?? Array(columns.count).fill(0)
    own[columns.of(entry.second)] += sumOf(entry.histogram, ([, count]) => count)
    counts.set(label, own)
  }
  return [...counts].map(([label, own]) => {
    const values = own.map((count, i) => {
      const { from, to } = columns.stretch(i)
      return [from, four(count / (to - from))]
    })
    const last = values[values.length - 1]
    return { label, style: 'steps', values: [...values, [columns.stretch(columns.count - 1).to, last[1]]] }
  })
}

const DUE_POINTS = 100

/** What was due of all types; level where the rate is constant. @param {Result} result @returns {Series[]} */
function dueSeries(result) {
  const { arrivals, ratePerSecond, durationMs } = result.plan
  if (ratePerSecond === null) return []
  const end = measuredSeconds(result)
  const due = { label: 'due, of all types', style: /** @type {const} */ ('dotted') }
  if (typeof arrivals === 'string')
    return [
      {
        ...due,
        values: [
          [0, ratePerSecond],
          [end, ratePerSecond]
        ]
      }
    ]
  const shape = rateShapeOf({ arrivals, ratePerSecond, durationMs })
  if (shape === null) return []
  const until = Math.min(end, (durationMs ?? 0) / 1000)
  const values = Array.from({ length: DUE_POINTS + 1 }, (_, i) => {
    // just before the end, where the last step still goes on
    const at = (Math.min(i, DUE_POINTS - 0.001) * until) / DUE_POINTS
    return [Number(at.toFixed(3)), four(shape.rateAt(at))]
  })
  return [{ ...due, values }]
}

/** @param {Result} result @param {Pick<Plot, 'x' | 'spans'>} time @returns {Plot[]} none of a server that was not measured */
function serverPlots(result, time) {
  const { server } = result.outcome
  if (server === null || server.series.length < 2) return []
  const { cpu, memory, series } = server
  const began = measurementBegan(result)
  const end = measuredSeconds(result)
  /** @param {(row: typeof series[number]) => number | null} of */
  const values = of =>
    grouping(series, MAX_POINTS).flatMap(group => {
      const known = group.flatMap(row => of(row) ?? [])
      if (known.length === 0) return []
      const at = (group[group.length - 1].atMs - began) / 1000
      const average = four(sumOf(known) / known.length)
      const bounds = known.length === 1 ? [] : [four(Math.min(...known)), four(Math.max(...known))]
      return [[Number(Math.min(end, Math.max(0, at)).toFixed(2)), average, ...bounds]]
    })
  /** @param {number | null} y */
  const average = y => (y === null ? {} : { marks: [{ y: four(y), label: 'average' }] })
  return [
    {
      id: 'server-cpu',
      title: 'CPU of the server',
      kind: 'lines',
      note: '100 % is one core.',
      ...time,
      y: 'CPU, % of one core',
      compared: true,
      series: [{ label: 'CPU', values: values(({ cpuPercent }) => cpuPercent) }],
      ...average(cpu.averagePercent)
    },
    {
      id: 'server-memory',
      title: 'Memory of the server',
      kind: 'lines',
      note: `Counted as ${server.memoryCountedAs ?? 'resident set'}.`,
      ...time,
      y: 'Memory, MB',
      compared: true,
      series: [{ label: 'Memory', values: values(({ rssBytes }) => rssBytes / 1e6) }],
      ...average(megabytes(memory.averageBytes))
    }
  ]
}
