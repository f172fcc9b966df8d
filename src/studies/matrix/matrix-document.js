import { isFinished } from '../../result/is-finished.js'
import { failsStrict } from '../../result/strict.js'
import { newHead } from '../study-document.js'
import { allOver, hasRuns, pressureIn } from './row-runs.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('./row-runs.js').Attempt} Attempt
 * @typedef {import('./matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-folder.js').MatrixRequest} MatrixRequest
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('./plan/matrix.js').MatrixRow} MatrixRow
 * @typedef {import('./plan/matrix.js').MatrixTable} MatrixTable
 *
 * @typedef {object} Kept - what an earlier run of the matrix left of a row
 * @property {AnyResult} result - the one that stands for it
 * @property {ReadonlyMap<string, AnyResult>} results - all: its own by its id, those of attempts by their paths
 * @property {RowRecord} record
 */

/** @param {MatrixRow} row @returns {RowRecord} */
const pending = row => ({
  ...row,
  status: row.blocked === null ? 'pending' : 'blocked',
  reason: row.blocked === null ? null : { code: 'BLOCKED', message: row.blocked },
  result: null,
  generatorLimited: false,
  tookMs: null
})

/** A run that was made when a row was to be run once is the first of several. @param {Kept} kept @returns {Attempt[]} */
const attemptsOf = ({ result, record: { attempts, result: path, tookMs } }) =>
  attempts ?? [
    { run: 1, status: 'complete', result: String(path), tookMs: Number(tookMs), ...pressureIn(result) }
  ]

/** @param {MatrixRow} row @param {Kept} kept @returns {RowRecord} */
function goneOn(row, kept) {
  const { result, record } = kept
  const state = {
    reason: null,
    result: record.result,
    generatorLimited: failsStrict(result),
    tookMs: record.tookMs
  }
  if (!hasRuns(row)) return { ...row, status: 'complete', ...state }
  const several = { ...row, attempts: attemptsOf(kept) }
  return { ...several, status: allOver(several) ? 'complete' : 'pending', ...state }
}

/** @param {MatrixRow} row @param {Kept | undefined} kept @param {boolean} chosen @returns {RowRecord[]} */
function rowRecords(row, kept, chosen) {
  if (kept !== undefined && isFinished(row.plan, kept.result)) return [goneOn(row, kept)]
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
      rows: table.rows.flatMap(row => rowRecords(row, kept.get(row.id), chosen(row)))
    }))
    .filter(({ rows }) => rows.length > 0)
})
