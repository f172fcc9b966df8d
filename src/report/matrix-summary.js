import { join } from 'node:path'
import { markdownTable } from 'markdown-table'
import { estimateMs } from '../plan/estimate.js'
import { MATRIX_PAGE } from './matrix-views.js'
import { grouped, spell } from './numbers.js'

/**
 * @typedef {import('../result/matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('../result/matrix-folder.js').RowRecord} RowRecord
 */

/** @param {MatrixDocument} document */
export const rowsOf = ({ tables }) => tables.flatMap(({ rows }) => rows)

/** @param {RowRecord} row */
const estimate = ({ plan }) => estimateMs(plan)

/**
 * matrixList names the rows of a matrix with the time each takes, about.
 *
 * @param {MatrixDocument} document
 * @returns {string}
 */
export function matrixList(document) {
  const rows = rowsOf(document)
  const left = rows.filter(({ status }) => status !== 'complete')
  const table = markdownTable(
    [
      ['Row', 'About', ''],
      ...rows.map(row => [row.id, spell(estimate(row)), row.status === 'complete' ? 'done' : ''])
    ],
    { align: ['l', 'r', 'l'] }
  )
  const total = left.reduce((sum, row) => sum + estimate(row), 0)
  return `${table}\n\n${grouped(rows.length)} rows, ${grouped(left.length)} to run, about ${spell(total)} with identities from the cache.\n`
}

/**
 * matrixSummary is what is said at the end of a matrix: what became of its rows, and where the tables are.
 *
 * @param {MatrixDocument} document
 * @param {string} folder - its path
 * @returns {string}
 */
export function matrixSummary(document, folder) {
  const rows = rowsOf(document)
  /** @param {(row: RowRecord) => boolean} is @param {string} what */
  const count = (is, what) => {
    const n = rows.filter(is).length
    return n === 0 ? [] : [`${grouped(n)} ${what}`]
  }
  const counts = [
    ...count(({ status }) => status === 'complete', 'done'),
    ...count(({ status, doubtful }) => status === 'complete' && doubtful, 'of them with doubtful figures'),
    ...count(({ status }) => status === 'failed', 'failed'),
    ...count(({ status }) => status === 'interrupted', 'interrupted'),
    ...count(({ status }) => status === 'pending', 'not run')
  ]
  const failed = rows.filter(({ status }) => status === 'failed')
  return [
    '',
    `${grouped(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}: ${counts.join(', ')}`,
    ...failed.map(({ id, reason }) => `✖ ${id}: ${reason?.message ?? 'no result'}`),
    '',
    ...[...document.tables.map(({ markdown }) => markdown), MATRIX_PAGE].map(file => join(folder, file)),
    ''
  ].join('\n')
}
