import { isDoubtful } from './doubtful.js'
import { isFinished } from './is-finished.js'

/**
 * @typedef {import('./types.js').Result} Result
 * @typedef {import('./matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-folder.js').MatrixRequest} MatrixRequest
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../plan/matrix.js').MatrixRow} MatrixRow
 *
 * @typedef {Omit<import('../plan/matrix.js').MatrixTable, 'rows'> & { rows: PlannedRow[] }} PlannedTable
 * @typedef {MatrixRow & { caseOperations: number | null }} PlannedRow - its plan is the one to run
 *
 * @typedef {{ result: Result, record: RowRecord }} Kept - what an earlier run of the matrix left of a row
 */

/** @param {PlannedRow} row @param {Kept | undefined} kept @returns {RowRecord} */
function rowRecord(row, kept) {
  if (kept === undefined || !isFinished(row.plan, kept.result))
    return { ...row, status: 'pending', reason: null, result: null, doubtful: false, tookMs: null }
  const { result, tookMs } = kept.record
  return { ...row, status: 'complete', reason: null, result, doubtful: isDoubtful(kept.result), tookMs }
}

/**
 * matrixDocument begins the document of a matrix. Rows that an earlier run finished stay so; others are in it as far as they
 * were chosen.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.startedAt
 * @param {MatrixRequest} parts.request
 * @param {PlannedTable[]} parts.tables
 * @param {(row: MatrixRow) => boolean} parts.chosen
 * @param {ReadonlyMap<string, Kept>} [parts.kept] - by row id
 * @returns {MatrixDocument}
 */
export const matrixDocument = ({ id, startedAt, request, tables, chosen, kept = new Map() }) => ({
  schemaVersion: 1,
  id,
  status: 'running',
  reason: null,
  startedAt,
  finishedAt: null,
  request,
  tables: tables
    .map(table => ({
      ...table,
      markdown: `${table.id}.md`,
      rows: table.rows.flatMap(row => {
        const record = rowRecord(row, kept.get(row.id))
        return record.status === 'complete' || chosen(row) ? [record] : []
      })
    }))
    .filter(({ rows }) => rows.length > 0)
})
