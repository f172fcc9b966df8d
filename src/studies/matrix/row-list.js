import { counted, grouped } from '../../kit/numbers.js'
import { table } from '../../report/description/tables.js'
import { unknownPace } from '../study-progress.js'
import { rowsOf } from './matrix-folder.js'

/**
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 */

/** @param {RowRecord} row */
function stateOf({ status, blocked }) {
  if (status === 'blocked') return `cannot run here: ${blocked}`
  return status === 'complete' ? 'done' : null
}

/**
 * rowList lists the rows of a matrix, with about how long each takes.
 *
 * @param {import('./matrix-folder.js').MatrixDocument} document
 * @param {import('../../report/view.js').ViewOf} viewOf
 */
export function rowList(document, viewOf) {
  const rows = rowsOf(document)
  const estimate = (/** @type {RowRecord} */ { plan, runs = 1 }) =>
    runs * viewOf(plan).scenario.estimateMs(plan)
  const left = rows.filter(({ status }) => !['complete', 'blocked'].includes(status))
  const total = left.reduce((sum, row) => sum + estimate(row), 0)
  const isScaled = rows.some(({ unscaled }) => Object.keys(unscaled).length > 0)
  return {
    table: table('rows', 'Rows', rows, [
      ['Row', ({ id }) => id, 'text'],
      ['About s', row => (row.status === 'blocked' ? null : estimate(row) / 1000), 's'],
      ['After scaling', ({ plan }) => (isScaled ? viewOf(plan).describePlan(plan).what : null), 'text'],
      ['State', stateOf, 'text']
    ]),
    summary: `${counted(rows.length, 'row')}, ${grouped(left.length)} to run, ${unknownPace(total)} with identities from the cache.`
  }
}
