import { MISSING } from '../../../kit/numbers.js'
import { sendersOf } from '../../../load/roles.js'
import { rateInWords } from '../../../report/arrival-words.js'
import { lastHeader, rowLine } from '../../../report/output-rows.js'
import { SOURCE_FIGURES } from '../../../report/source-figures.js'
import { figure, operationsOf, throughput } from '../../../report/table.js'
import { failedTexts, thresholdVerdict } from '../../../report/threshold-lines.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 */

/** A cell of the file: its column's heading and how it is filled. Numbers are not grouped, so that programs read them. */
/** @typedef {[string, (row: { result: Result, type: OperationType, operation: OperationResult }) => string]} Column */

const ungrouped = String

/** @param {Result['plan']} plan of an open model @param {OperationType} type */
function paceOf(plan, type) {
  const { ratePerSecond } = sendersOf(plan, type)
  return typeof plan.arrivals === 'string'
    ? `${ratePerSecond}/s`
    : rateInWords(plan.arrivals, ratePerSecond ?? 0)
}

/** @type {readonly Column[]} exactly those of the program this one follows */
const SOURCE_COLUMNS = [
  ['Type', ({ type }) => type],
  ['Clients', ({ result, type }) => String(sendersOf(result.plan, type).clients)],
  ['Io Reg', ({ result }) => String(result.plan.initialRegistrations)],
  ['Namespaces', ({ result }) => String(result.plan.nNamespaces)],
  ['Ops', ({ operation }) => String(operation.count)],
  ...SOURCE_FIGURES.map(
    ({ heading, measured }) => /** @type {Column} */ ([heading, row => measured(row, ungrouped)])
  )
]

/** @type {readonly Column[]} */
const OUR_COLUMNS = [
  ['Errors', ({ operation }) => String(operation.errors)],
  ['Op/s', ({ operation }) => throughput(operation, ungrouped)],
  ['p90 RT', ({ operation }) => figure(operation.rt.all.p90, ungrouped)],
  ['p95 RT', ({ operation }) => figure(operation.rt.all.p95, ungrouped)],
  ['p99 RT', ({ operation }) => figure(operation.rt.all.p99, ungrouped)],
  ['p99.9 RT', ({ operation }) => figure(operation.rt.all.p999, ungrouped)],
  [
    'Model',
    ({ result: { plan }, type }) => (plan.ratePerSecond === null ? 'closed' : `open ${paceOf(plan, type)}`)
  ],
  ['Limit', ({ result }) => String(result.plan.discoverLimit)],
  ['Seed', ({ result }) => String(result.plan.seed)],
  ['Mode', ({ result, type }) => (type === 'REGISTER' ? result.plan.registerMode : MISSING)],
  ['Status', ({ result }) => result.status],
  ['Run', ({ result }) => result.id]
]

const COLUMNS = [...SOURCE_COLUMNS, ...OUR_COLUMNS]

/** In a table that began with a run that had thresholds. @type {Column} */
const THRESHOLDS = ['Thresholds', ({ result }) => thresholdCell(result)]

const COLUMNS_WITH_THRESHOLDS = [...COLUMNS, THRESHOLDS]

/** @param {Result} result */
function thresholdCell(result) {
  const failed = failedTexts(result)
  return failed === '' ? (thresholdVerdict(result) ?? MISSING) : `FAIL: ${failed}`
}

/** @param {readonly Column[]} columns */
const headerOf = columns => rowLine(columns.map(([heading]) => heading))

/**
 * The columns of the table that a file ends in, as far as a result fits into it; else those of a table of its own.
 *
 * @param {string} content
 * @param {boolean} judged - it has thresholds
 * @returns {readonly Column[]}
 */
const columnsFor = (content, judged) =>
  judged || lastHeader(content) === headerOf(COLUMNS_WITH_THRESHOLDS) ? COLUMNS_WITH_THRESHOLDS : COLUMNS

/**
 * operationFileHeadings are those of the table that rows of a plan belong into.
 *
 * @param {Result['plan']} plan
 * @param {string} content - of the file so far
 */
export const operationFileHeadings = ({ thresholds }, content) =>
  columnsFor(content, thresholds.length > 0).map(([heading]) => heading)

/**
 * operationRows are the rows of operations in a file that tables are collected in.
 *
 * @param {Result} result
 * @param {string} content - of the file so far
 * @returns {{ headings: string[], rows: string[][] }}
 */
export function operationRows(result, content) {
  const columns = columnsFor(content, thresholdVerdict(result) !== null)
  return {
    headings: columns.map(([heading]) => heading),
    rows: operationsOf(result).map(([type, operation]) =>
      columns.map(([, cell]) => cell({ result, type, operation }))
    )
  }
}
