import { ENDED } from '../../report/ci/checks.js'
import { thresholdChecks } from '../../report/ci/threshold-checks.js'
import { rowsOf } from './matrix-folder.js'
import { countedResults } from './row-runs.js'

/**
 * @typedef {import('../../report/ci/checks.js').Check} Check
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 */

/** What a threshold broke off did what was asked for. @param {RowRecord} row @returns {Check['verdict']} */
function verdictOf({ status, reason }) {
  if (status === 'complete' || reason?.code === 'THRESHOLD_FAILED') return 'pass'
  return ['failed', 'interrupted'].includes(status) ? 'error' : 'not tested'
}

/** @param {RowRecord} row @returns {Check} */
const rowCheck = row => ({
  group: row.id,
  name: ENDED,
  verdict: verdictOf(row),
  found: row.reason?.message ?? row.blocked ?? (row.status === 'complete' ? '' : 'was not run'),
  ...(row.tookMs !== null && { ms: row.tookMs })
})

/**
 * matrixChecks are what the rows of a matrix were held to, each a group.
 *
 * @param {import('./matrix-folder.js').MatrixDocument} document
 * @param {ReadonlyMap<string, import('../../result/types.js').AnyResult> | null} results - by row id, those of attempts by their paths
 * @returns {Check[]}
 */
export const matrixChecks = (document, results) =>
  rowsOf(document).flatMap(row => [
    rowCheck(row),
    ...countedResults([row], results ?? new Map()).flatMap(([name, result]) => thresholdChecks(name, result))
  ])
