import { isDoubtful } from '../../result/doubtful.js'
import { isFinished } from '../../result/is-finished.js'
import { newHead } from '../study-document.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('./matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-folder.js').MatrixRequest} MatrixRequest
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('./plan/matrix.js').MatrixRow} MatrixRow
 * @typedef {import('./plan/matrix.js').MatrixTable} MatrixTable
 *
 * @typedef {{ result: AnyResult, record: RowRecord }} Kept - what an earlier run of the matrix left of a row
 */

/** @param {MatrixRow} row @returns {RowRecord} */
const pending = row => ({
  ...row,
  status: row.blocked === null ? 'pending' : 'blocked',
  reason: row.blocked === null ? null : { code: 'BLOCKED', message: row.blocked },
  result: null,
  doubtful: false,
  tookMs: null
})

/** @param {MatrixRow} row @param {Kept} kept @returns {RowRecord} */
const complete = (row, { result, record }) => ({
  ...row,
  status: 'complete',
  reason: null,
  result: record.result,
  doubtful: isDoubtful(result),
  tookMs: record.tookMs
})

/** @param {MatrixRow} row @param {Kept | undefined} kept @param {boolean} chosen @returns {RowRecord[]} */
function rowRecords(row, kept, chosen) {
  if (kept !== undefined && isFinished(row.plan, kept.result)) return [complete(row, kept)]
  if (chosen) return [pending(row)]
  return kept?.record.status === 'complete' ? [kept.record] : []
}

/**
 * matrixDocument begins the document of a matrix. Rows that an earlier run finished with the same plan stay so, and so do
 * those with another plan that are not chosen; all others that are chosen are to be run.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.startedAt
 * @param {MatrixRequest} parts.request
 * @param {MatrixTable[]} parts.tables
 * @param {(row: MatrixRow) => boolean} parts.chosen
 * @param {ReadonlyMap<string, Kept>} [parts.kept] - by row id
 * @returns {MatrixDocument}
 */
export const matrixDocument = ({ id, startedAt, request, tables, chosen, kept = new Map() }) => ({
  ...newHead(id, new Date(startedAt)),
  request,
  tables: tables
    .map(table => ({
      ...table,
      markdown: `${table.id}.md`,
      rows: table.rows.flatMap(row => rowRecords(row, kept.get(row.id), chosen(row)))
    }))
    .filter(({ rows }) => rows.length > 0)
})
