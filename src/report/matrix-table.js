import { grouped, MISSING, spell } from './numbers.js'
import { SOURCE_FIGURES } from './source-figures.js'
import { asMarkdown, figure, operationName, operationsOf, throughput } from './table.js'
import { thresholdVerdict } from './threshold-lines.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').OperationType} OperationType
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 * @typedef {import('../result/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../result/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('./table.js').Table} Table
 *
 * @typedef {object} Line - of the table
 * @property {RowRecord} row
 * @property {string} type - of operation
 * @property {Result} [result]
 * @property {OperationResult} [operation] - undefined: nothing was measured
 *
 * @typedef {{ heading: string, cell: (line: Line) => string }} Column
 */

/** What a row is marked with that is not complete. */
const STATES = Object.freeze({
  pending: ' not run',
  running: ' not finished',
  complete: '',
  failed: ' **failed**',
  interrupted: ' **interrupted**'
})

/** @param {RowRecord} row */
function operations({ plan: { benchmarkRuns, durationMs }, caseOperations }) {
  if (benchmarkRuns === null) return spell(durationMs ?? 0)
  const scaled = caseOperations !== null && caseOperations !== benchmarkRuns
  return `${grouped(benchmarkRuns)}${scaled ? ` of ${grouped(caseOperations)}` : ''}`
}

/**
 * @param {Line} line
 * @param {(measured: { result: Result, operation: OperationResult }) => string} cell
 */
const ifMeasured = ({ result, operation }, cell) =>
  result === undefined || operation === undefined ? MISSING : cell({ result, operation })

/** @type {Column[]} */
const CASE = [
  { heading: 'Type', cell: ({ type }) => operationName(type) },
  { heading: 'Clients', cell: ({ row }) => grouped(row.plan.nClients) },
  { heading: 'Io Reg', cell: ({ row }) => grouped(row.plan.initialRegistrations) },
  { heading: 'Namespaces', cell: ({ row }) => grouped(row.plan.nNamespaces) },
  { heading: 'Ops', cell: ({ row }) => operations(row) }
]

/** Units, which the headings of the source leave out. @type {Record<string, string>} */
const UNITS = { RT: 'ms', CPU: '%', Mem: 'MB' }

/** @type {Column[]} */
const BESIDE = SOURCE_FIGURES.map(({ heading, measured, published }) => ({
  heading: `${heading} ${UNITS[heading.split(' ')[1]]}`,
  cell: line => {
    const { reference, plan } = line.row
    const figure = reference === null || line.type !== plan.benchmarkType ? undefined : published(reference)
    return `${ifMeasured(line, measured)}${figure === undefined ? '' : ` / ${grouped(figure)}`}`
  }
}))

/** @type {Column[]} */
const OURS = [
  ...['p90', 'p99'].map(key => ({
    heading: `${key} RT ms`,
    cell: (/** @type {Line} */ line) =>
      ifMeasured(line, ({ operation }) => figure(operation.rt.all[/** @type {'p90' | 'p99'} */ (key)]))
  })),
  { heading: 'Op/s', cell: line => ifMeasured(line, ({ operation }) => throughput(operation)) },
  {
    heading: 'Errors',
    cell: line =>
      ifMeasured(line, ({ operation }) => `${grouped(operation.errors)} of ${grouped(operation.count)}`)
  },
  {
    heading: 'Rounds',
    cell: line => ifMeasured(line, ({ result }) => grouped(result.outcome.rounds.length))
  }
]

/** Only where a row has thresholds; which of them failed stands under the table. @type {Column} */
const THRESHOLDS = {
  heading: 'Thresholds',
  cell: line => ifMeasured(line, ({ result }) => thresholdVerdict(result) ?? MISSING)
}

/** @type {Column} */
const ROW = {
  heading: 'Row',
  cell: ({ row }) => `${row.name}${STATES[row.status]}`
}

/** @param {RowRecord[]} rows @returns {Column[]} */
const columnsOf = rows => [
  ...CASE,
  ...BESIDE,
  ...OURS,
  ...(rows.some(({ plan }) => plan.thresholds.length > 0) ? [THRESHOLDS] : []),
  ROW
]

/** @param {RowRecord} row @param {Result | undefined} result @returns {Line[]} one for each type of operation */
function linesOf(row, result) {
  const measured = result === undefined ? [] : operationsOf(result)
  if (measured.length === 0) return [{ row, type: row.plan.benchmarkType }]
  return measured.map(([type, operation]) => ({ row, type, result, operation }))
}

/** @param {Column[]} columns @param {Line[]} lines @returns {Table} */
const cellsOf = (columns, lines) => ({
  headings: columns.map(({ heading }) => heading),
  align: columns.map(({ heading }) => (['Type', 'Thresholds', 'Row'].includes(heading) ? 'l' : 'r')),
  rows: lines.map(line => columns.map(({ cell }) => cell(line)))
})

/**
 * matrixTable is the table of a matrix file: each measured figure beside the published one of its case.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, Result>} results - by row id
 * @returns {{ cells: Table, text: string, measured: string }} `text`: the cells as markdown; `measured`: only what was
 *   measured, to look for signs in
 */
export function matrixTable({ rows }, results) {
  const lines = rows.flatMap(row => linesOf(row, results.get(row.id)))
  const columns = columnsOf(rows)
  const cells = cellsOf(columns, lines)
  const measured = cellsOf(
    columns,
    lines.filter(({ operation }) => operation !== undefined)
  )
  return { cells, text: asMarkdown(cells), measured: asMarkdown(measured) }
}
