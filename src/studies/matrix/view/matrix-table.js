import { present } from '../../../kit/lists.js'
import { MISSING } from '../../../kit/numbers.js'
import { asMarkdown, tableFrom } from '../../../kit/table.js'
import { thresholdVerdict } from '../../../report/threshold-lines.js'

/**
 * @typedef {import('../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../report/scenario-matrix.js').Column} Column
 * @typedef {import('../../../report/scenario-matrix.js').Line} Line
 * @typedef {import('../../../kit/table.js').Table} Table
 * @typedef {import('../../../report/view.js').View} View
 */

/** What a row is marked with that is not complete. */
const STATES = {
  pending: ' not run',
  running: ' not finished',
  complete: '',
  failed: ' **failed**',
  interrupted: ' **interrupted**',
  blocked: ' cannot be run here'
}

/** Only where a row has thresholds; which of them failed stands under the table. @type {Column} */
const THRESHOLDS = {
  heading: 'Thresholds',
  align: 'l',
  cell: ({ result }) => (result === undefined ? MISSING : (thresholdVerdict(result) ?? MISSING))
}

/** @type {Column} */
const ROW = {
  heading: 'Row',
  align: 'l',
  cell: ({ row }) => `${row.name}${STATES[row.status]}`
}

/** @param {TableRecord} table @param {View} view @returns {Column[]} */
function columnsOf({ rows }, { matrix: { columns, namesFirst = false } }) {
  return present([
    namesFirst && ROW,
    ...columns(rows),
    rows.some(({ plan }) => plan.thresholds.length > 0) && THRESHOLDS,
    !namesFirst && ROW
  ])
}

/**
 * matrixTable is the table of a matrix file: each measured figure beside the published one of its case.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @param {View} view
 * @returns {{ cells: Table, text: string, measured: string, nameColumn: number }} `text`: the cells as markdown; `measured`: only
 *   what was measured, to look for signs in; `nameColumn`: where the names of rows stand
 */
export function matrixTable(table, results, view) {
  const lines = table.rows.flatMap(row => view.matrix.lines(row, results.get(row.id)))
  const columns = columnsOf(table, view)
  const cells = tableFrom(columns, lines)
  const measured = tableFrom(
    columns,
    lines.filter(({ result }) => result !== undefined)
  )
  return {
    cells,
    text: asMarkdown(cells),
    measured: asMarkdown(measured),
    nameColumn: columns.indexOf(ROW)
  }
}
