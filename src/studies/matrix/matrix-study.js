import { dirname } from 'node:path'
import { present } from '../../kit/lists.js'
import { describeRun } from '../../report/description/describe-run.js'
import { thresholdVerdict } from '../../report/threshold-lines.js'
import { failedThresholds } from '../../result/thresholds/judge.js'
import { runErrors } from '../run-errors.js'
import { aboutRuns } from '../study-door.js'
import { describeMatrix } from './describe.js'
import { matrixChecks } from './matrix-checks.js'
import { matrixCommandLine } from './matrix-command-line.js'
import { MATRIX_DOCUMENT, readRowResults, rowsOf } from './matrix-folder.js'
import { countedResults, runsLeft } from './row-runs.js'
import { runMatrix } from './run-matrix.js'

/**
 * @typedef {import('./matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {ReadonlyMap<string, import('../../result/types.js').AnyResult>} Results - by row id
 */

/** @param {MatrixDocument} document @param {Results | null} loaded */
function verdict(document, loaded) {
  const rows = rowsOf(document)
  const results = countedResults(rows, loaded ?? new Map())
  const ended = rows.flatMap(({ status, reason }) => (status === 'failed' ? [reason?.code] : []))
  return {
    // the rest was not run because a threshold broke off the row before
    brokenOff: ended.length > 0 && ended.every(code => code === 'THRESHOLD_FAILED'),
    ...runErrors(results),
    notMet: results.some(([, result]) => failedThresholds(result).length > 0),
    generatorLimited: rows.some(({ generatorLimited }) => generatorLimited)
  }
}

/** MATRIX_STUDY runs the rows of matrix files. @type {import('../study-door.js').StudyDoor<MatrixDocument, Results>} */
export const MATRIX_STUDY = {
  document: MATRIX_DOCUMENT,
  run: runMatrix,
  shown: ({ tables }) => tables,
  plans: document =>
    rowsOf(document).flatMap(row => (row.status === 'pending' ? Array(runsLeft(row)).fill(row.plan) : [])),
  runs: document =>
    rowsOf(document).flatMap(({ result, attempts = [] }) => {
      const paths = [...present([result]), ...attempts.map(attempt => attempt.result)]
      return [...new Set(paths.map(path => dirname(path)))]
    }),
  load: async (folder, document, find) =>
    new Map((await Promise.all(rowsOf(document).map(row => readRowResults(folder, row, find)))).flat()),
  describe: (document, results, viewOf) =>
    describeMatrix(document, {
      runs: new Map([...results].map(([row, result]) => [row, describeRun(result, viewOf(result))])),
      scenarioOf: name => viewOf({ scenario: name }).scenario,
      verdicts: new Map(
        [...results].flatMap(([row, result]) => {
          const verdict = thresholdVerdict(result)
          return verdict === null ? [] : [[row, verdict]]
        })
      )
    }),
  about: (_, results) => aboutRuns([...results.values()][0]),
  command: matrixCommandLine,
  verdict,
  checks: matrixChecks,
  inLine: document => {
    const rows = rowsOf(document)
    const done = rows.filter(({ status }) => status === 'complete').length
    return [
      `matrix: ${document.tables.map(({ title }) => title).join('; ')}`,
      `${done} of ${rows.length} rows`
    ]
  }
}
