import { join } from 'node:path'
import { markdownTable } from 'markdown-table'
import { counted, grouped, MISSING, spell } from '../../../kit/numbers.js'
import { REPORT_PAGE } from '../../study-document.js'
import { unknownPace } from '../../study-progress.js'
import { rowsOf } from '../matrix-folder.js'

/**
 * @typedef {import('../matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('../matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../report/view.js').ViewOf} ViewOf
 */

/** @param {RowRecord} row */
function stateOf({ status, blocked }) {
  if (status === 'blocked') return `cannot be run here: ${blocked}`
  return status === 'complete' ? 'done' : ''
}

/**
 * matrixList names the rows of a matrix with the time each takes, about.
 *
 * @param {MatrixDocument} document
 * @param {ViewOf} viewOf
 * @returns {string}
 */
export function matrixList(document, viewOf) {
  const rows = rowsOf(document)
  const estimate = (/** @type {RowRecord} */ { plan, runs = 1 }) =>
    runs * viewOf(plan).scenario.estimateMs(plan)
  const left = rows.filter(({ status }) => !['complete', 'blocked'].includes(status))
  const areScaled = rows.some(({ unscaled }) => Object.keys(unscaled).length > 0)
  const table = markdownTable(
    [
      ['Row', 'About', ...(areScaled ? ['What it is after scaling'] : []), ''],
      ...rows.map(row => [
        row.id,
        row.status === 'blocked' ? MISSING : spell(estimate(row)),
        ...(areScaled ? [viewOf(row.plan).words.work(row.plan)] : []),
        stateOf(row)
      ])
    ],
    { align: ['l', 'r', ...(areScaled ? ['l'] : []), 'l'] }
  )
  const total = left.reduce((sum, row) => sum + estimate(row), 0)
  return `${table}\n\n${counted(rows.length, 'row')}, ${grouped(left.length)} to run, ${unknownPace(total)} with identities from the cache.\n`
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
    ...count(({ status }) => status === 'pending', 'not run'),
    ...count(({ status }) => status === 'blocked', 'that cannot be run here')
  ]
  const failed = rows.filter(({ status }) => status === 'failed')
  return [
    '',
    `${counted(rows.length, 'row')}: ${counts.join(', ')}`,
    ...failed.map(({ id, reason }) => `✖ ${id}: ${reason?.message ?? 'no result'}`),
    ...rows.flatMap(({ id, status, blocked }) => (status === 'blocked' ? [`– ${id}: ${blocked}`] : [])),
    '',
    ...[...document.tables.map(({ markdown }) => markdown), REPORT_PAGE].map(file => join(folder, file)),
    ''
  ].join('\n')
}
