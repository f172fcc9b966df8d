import { QUANTILES, SAMPLES_BEYOND } from '../measure/summary.js'
import { FIGURES, operationsOf } from './table.js'
import { failedTexts, thresholdVerdict } from './threshold-lines.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {import('../result/types.js').OperationType} OperationType
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 * @typedef {string | number | boolean | null | undefined} Cell - null and undefined: an empty cell
 * @typedef {{ type: OperationType, operation: OperationResult }} Row
 */

/** @param {Cell} cell */
function written(cell) {
  const text = String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * asCsv writes rows as RFC 4180 has it, with the line breaks of this system's tools.
 *
 * @param {Cell[][]} rows
 */
export const asCsv = rows => rows.map(row => `${row.map(written).join(',')}\n`).join('')

/** @param {string} path @param {(operation: OperationResult) => Summary | undefined} summary */
const times = (path, summary) =>
  FIGURES.map(
    ([key]) =>
      /** @type {[string, (row: Row) => Cell]} */ ([
        `${path}.${key}.ms`,
        ({ operation }) => summary(operation)?.[key]?.ms
      ])
  )

/** @param {'censored' | 'doubtful'} mark @returns {[string, (row: Row) => Cell]} */
const marked = mark => [
  `rt.all.${mark}`,
  ({ operation: { rt } }) =>
    FIGURES.filter(([key]) => rt.all[key]?.[mark])
      .map(([key]) => key)
      .join(' ')
]

/** Columns are named after the path in the result document. @type {readonly [string, (row: Row) => Cell][]} */
const OPERATION_COLUMNS = Object.freeze([
  ['type', ({ type }) => type],
  ['count', ({ operation }) => operation.count],
  ['errors', ({ operation }) => operation.errors],
  ['throughputPerSecond', ({ operation }) => operation.throughputPerSecond],
  ['throughputIsLowerBound', ({ operation }) => operation.throughputIsLowerBound],
  ...times('rt.all', ({ rt }) => rt.all),
  marked('censored'),
  marked('doubtful'),
  ...times('rt.ok', ({ rt }) => rt.ok),
  ...times('service', ({ service }) => service),
  ...times('lag', ({ lag }) => lag),
  ['bytesPerReply', ({ operation }) => operation.bytesPerReply],
  ['serverCpuMicrosPerOperation', ({ operation }) => operation.serverCpuMicrosPerOperation]
])

/** Thresholds are of the run: in every row the same, and no columns where none was set. @param {Result} result */
function thresholdColumns(result) {
  const verdict = thresholdVerdict(result)
  return verdict === null
    ? []
    : [
        ['thresholds', verdict],
        ['thresholds.failed', failedTexts(result)]
      ]
}

/**
 * operationsCsv has a row for each type of operation, with every figure as it stands in the result.
 *
 * @param {Result} result
 */
export function operationsCsv(result) {
  const ofRun = thresholdColumns(result)
  return asCsv([
    [...OPERATION_COLUMNS, ...ofRun].map(([name]) => name),
    ...operationsOf(result).map(([type, operation]) => [
      ...OPERATION_COLUMNS.map(([, cell]) => cell({ type, operation })),
      ...ofRun.map(([, cell]) => cell)
    ])
  ])
}

/** Percentiles of a second are in CSV what they are in tables: with enough samples beyond them. */
const SECOND_QUANTILES = Object.freeze(/** @type {const} */ (['p50', 'p90', 'p99']))

/** @param {[number, number][]} histogram ascending @param {number} share @param {number} count */
function quantile(histogram, share, count) {
  if (count * (1 - share) < SAMPLES_BEYOND) return null
  let below = 0
  return histogram.find(([, n]) => {
    below += n
    return below >= share * count
  })?.[0]
}

/** @param {number | null | undefined} micros */
const milliseconds = micros => (micros == null ? null : micros / 1000)

/** SECOND_TIMES are the headings of secondTimes. */
export const SECOND_TIMES = Object.freeze(['count', ...SECOND_QUANTILES.map(key => `${key}Ms`), 'maxMs'])

/**
 * secondTimes are the cells of the times of one second.
 *
 * @param {[number, number][]} histogram - value in µs and count, ascending
 * @returns {Cell[]}
 */
export function secondTimes(histogram) {
  const count = histogram.reduce((sum, [, n]) => sum + n, 0)
  return [
    count,
    ...SECOND_QUANTILES.map(key => milliseconds(quantile(histogram, QUANTILES[key], count))),
    milliseconds(histogram.at(-1)?.[0])
  ]
}

/** How many seconds a row is of has a column where that is more than one. @param {Result['outcome']} outcome @param {Cell} cell */
const wide = ({ secondsPerPoint }, cell) => (secondsPerPoint > 1 ? [cell] : [])

/**
 * perSecondCsv has a row for each second of the measure phase, type and outcome. Times are as exact as the histograms of
 * the seconds: 2 digits.
 *
 * @param {Result} result
 */
export const perSecondCsv = ({ outcome }) =>
  asCsv([
    ['second', ...wide(outcome, 'seconds'), 'type', 'outcome', ...SECOND_TIMES],
    ...outcome.perSecond.map(({ second, type, outcome: became, histogram }) => [
      second,
      ...wide(outcome, outcome.secondsPerPoint),
      type,
      became,
      ...secondTimes(histogram)
    ])
  ])

/**
 * faultsCsv has a row for each fault.
 *
 * @param {Result} result
 */
export const faultsCsv = ({ outcome }) =>
  asCsv([
    [
      ...['kind', 'atMs', 'fromMs', 'toMs', 'cpus', 'before.throughputPerSecond', 'before.p99Ms'],
      ...['recoveredThroughputMs', 'recoveredP99Ms', 'operationsLost', 'registrationsLost'],
      ...['reconnects.dials', 'reconnects.peakPerSecond']
    ],
    ...outcome.faults.map(({ before, operationsLost, reconnects, ...fault }) => [
      ...[fault.kind, fault.atMs, fault.fromMs, fault.toMs, fault.cpus],
      ...[before?.throughputPerSecond, before?.p99Ms, fault.recoveredThroughputMs, fault.recoveredP99Ms],
      Object.values(operationsLost).reduce((sum, count) => sum + count, 0),
      ...[fault.registrationsLost, reconnects.dials, reconnects.peakPerSecond]
    ])
  ])

/**
 * serverCsv has a row for each sample of the server's CPU and memory.
 *
 * @param {Result} result
 */
export const serverCsv = ({ outcome }) =>
  asCsv([
    ['atMs', 'cpuPercent', 'rssBytes'],
    ...(outcome.server?.series ?? []).map(({ atMs, cpuPercent, rssBytes }) => [atMs, cpuPercent, rssBytes])
  ])
