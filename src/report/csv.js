import { sumOf } from '../kit/lists.js'
import { rolesOf, sendersOf } from '../load/roles.js'
import { isSure, QUANTILES } from '../measure/summary.js'
import { FIGURES, operationsOf } from './table.js'
import { failedTexts, thresholdVerdict } from './threshold-lines.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {string | number | boolean | null | undefined} Cell - null and undefined: an empty cell
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

/** at is what stands under a path of a document. @param {any} document @param {string} path @returns {any} */
export const at = (document, path) =>
  Object.hasOwn(document, path)
    ? document[path]
    : path.split('.').reduce((part, key) => part?.[key], document)

/**
 * csvOf has a row for each document.
 *
 * @param {readonly string[]} paths - of its columns, in the documents
 * @param {readonly object[]} documents
 */
export const csvOf = (paths, documents) =>
  asCsv([[...paths], ...documents.map(document => paths.map(path => at(document, path)))])

/**
 * under are the paths of what is in a part of a document.
 *
 * @param {object} document
 * @param {string} path - of the part
 * @param {(value: unknown) => boolean} [chosen]
 */
export const under = (document, path, chosen = () => true) =>
  Object.entries(at(document, path) ?? {}).flatMap(([key, value]) => (chosen(value) ? `${path}.${key}` : []))

/**
 * timesUnder are the paths of the times of a distribution.
 *
 * @param {string} path
 * @param {readonly string[]} [keys]
 */
export const timesUnder = (path, keys = FIGURES.map(([key]) => key)) => keys.map(key => `${path}.${key}.ms`)

/** MARKS are the paths of what withMarks adds. */
export const MARKS = /** @type {const} */ (['censored', 'doubtful'])

/**
 * withMarks says of a distribution which of its times are marked.
 *
 * @param {Summary} summary
 */
export const withMarks = summary => ({
  ...summary,
  ...Object.fromEntries(
    MARKS.map(mark => [mark, FIGURES.flatMap(([key]) => (summary[key]?.[mark] ? key : [])).join(' ')])
  )
})

/**
 * thresholdCells are of the run: in every row the same, and none where no threshold was set.
 *
 * @param {Pick<import('../result/types.js').AnyResult, 'outcome'>} result
 * @returns {Record<string, string>}
 */
export function thresholdCells(result) {
  const verdict = thresholdVerdict(result)
  return verdict === null ? {} : { thresholds: verdict, 'thresholds.failed': failedTexts(result) }
}

/** Columns are named after the path in the result document. */
const OPERATION_COLUMNS = [
  ...['type', 'count', 'errors', 'throughputPerSecond', 'throughputIsLowerBound'],
  ...timesUnder('rt.all'),
  ...MARKS.map(mark => `rt.all.${mark}`),
  ...['rt.ok', 'service', 'lag'].flatMap(path => timesUnder(path)),
  ...['bytesPerReply', 'serverCpuMicrosPerOperation']
]

/**
 * Who sends operations of a type, where that is a role.
 *
 * @param {Result['plan']} plan
 * @param {string} type
 * @returns {Record<string, Cell>}
 */
function roleCells(plan, type) {
  if (rolesOf(plan).length === 0) return {}
  const { role, clients, ratePerSecond } = sendersOf(plan, type)
  return { role, clients, ratePerSecond }
}

/**
 * operationsCsv has a row for each type of operation, with every figure as it stands in the result.
 *
 * @param {Result} result
 */
export function operationsCsv(result) {
  const ofRun = thresholdCells(result)
  return csvOf(
    [...OPERATION_COLUMNS, ...Object.keys(roleCells(result.plan, '')), ...Object.keys(ofRun)],
    operationsOf(result).map(([type, operation]) => ({
      type,
      ...operation,
      rt: { ...operation.rt, all: withMarks(operation.rt.all) },
      ...roleCells(result.plan, type),
      ...ofRun
    }))
  )
}

/** Percentiles of a second are in CSV what they are in tables: with enough samples beyond them. */
const SECOND_QUANTILES = /** @type {const} */ (['p50', 'p90', 'p99'])

/** @param {[number, number][]} histogram ascending @param {number} share @param {number} count */
function quantile(histogram, share, count) {
  if (!isSure(share, count)) return null
  let below = 0
  return histogram.find(([, n]) => {
    below += n
    return below >= share * count
  })?.[0]
}

/** @param {number | null | undefined} micros */
const milliseconds = micros => (micros == null ? null : micros / 1000)

/** SECOND_TIMES are the headings of secondTimes. */
export const SECOND_TIMES = ['count', ...SECOND_QUANTILES.map(key => `${key}Ms`), 'maxMs']

/**
 * secondTimes are the cells of the times of one second.
 *
 * @param {[number, number][]} histogram - value in µs and count, ascending
 * @returns {Cell[]}
 */
export function secondTimes(histogram) {
  const count = sumOf(histogram, ([, n]) => n)
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
  csvOf(
    [
      ...['kind', 'atMs', 'fromMs', 'toMs', 'cpus', 'before.throughputPerSecond', 'before.p99Ms'],
      ...['recoveredThroughputMs', 'recoveredP99Ms', 'operationsLost', 'registrationsLost'],
      ...['reconnects.dials', 'reconnects.peakPerSecond']
    ],
    outcome.faults.map(fault => ({
      ...fault,
      operationsLost: sumOf(Object.values(fault.operationsLost))
    }))
  )

/**
 * serverCsv has a row for each sample of the server's CPU and memory.
 *
 * @param {Result} result
 */
export const serverCsv = ({ outcome }) =>
  csvOf(['atMs', 'cpuPercent', 'rssBytes'], outcome.server?.series ?? [])
