import { join } from 'node:path'
import { readResult } from '../../result/read-result.js'
import { studyFile } from '../study-document.js'
import { hasRuns, rowResult } from './row-runs.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../result/types.js').Reason} Reason
 * @typedef {import('./plan/matrix.js').MatrixRow} MatrixRow
 * @typedef {import('./plan/matrix.js').MatrixTable} MatrixTable
 *
 * @typedef {object} RowState
 * @property {'pending' | 'running' | 'complete' | 'failed' | 'interrupted' | 'blocked'} status - `running` is left behind only by a
 *   process that was killed; `blocked`: it cannot be run here, and needs not be for the matrix to be complete
 * @property {Reason | null} reason - why it is not complete
 * @property {string | null} result - path of its result document in the matrix folder; of several runs that of one of them
 * @property {boolean} generatorLimited - --strict fails for it
 * @property {number | null} tookMs
 * @property {import('./row-runs.js').Attempt[]} [attempts] - of a row of several runs, in the order they were made
 *
 * @typedef {MatrixRow & RowState} RowRecord
 * @typedef {Omit<MatrixTable, 'rows'> & { rows: RowRecord[] }} TableRecord
 *
 * @typedef {object} MatrixRequest - what was asked for, so that --resume can ask for it again
 * @property {string[]} files - as they were given; none: those of the package
 * @property {Record<string, unknown>} flags - options of the plans
 * @property {string[]} only
 * @property {number} scale
 * @property {number} [runs] - of each row; default: as the files say
 * @property {number} [scaleTime] - default: 1
 * @property {number} [scaleRate] - default: 1
 *
 * @typedef {object} MatrixParts
 * @property {MatrixRequest} request
 * @property {TableRecord[]} tables
 *
 * @typedef {import('../study-document.js').Head & MatrixParts} MatrixDocument - `matrix.json`
 */

/**
 * rowsOf lists the rows of all tables of a matrix.
 *
 * @param {MatrixDocument} document
 */
export const rowsOf = ({ tables }) => tables.flatMap(({ rows }) => rows)

/** What rows had before there were other scenarios. @param {any} row */
function currentRow({ caseOperations, ...row }) {
  const operations = row.plan?.benchmarkRuns
  const unscaled =
    caseOperations == null || caseOperations === operations ? {} : { benchmarkRuns: caseOperations }
  return { unscaled, atAnotherRate: null, blocked: null, ...row }
}

/** @param {any} document - of this version, as it was first or later @returns {MatrixDocument} */
const current = document => ({
  ...document,
  tables: (document.tables ?? []).map((/** @type {any} */ table) => ({
    scenario: 'rendezvous',
    ...table,
    rows: table.rows.map(currentRow)
  }))
})

/** MATRIX_DOCUMENT is the document of a matrix. @type {import('../study-document.js').StudyFile<MatrixDocument>} */
export const MATRIX_DOCUMENT = studyFile({ file: 'matrix.json', current })

/**
 * readRowResults reads the results that are kept of a row.
 *
 * @param {string} folder - of the matrix
 * @param {Pick<RowRecord, 'id' | 'result' | 'runs' | 'attempts' | 'plan'>} row
 * @param {import('../../scenarios/index.js').FindScenario} find
 * @returns {Promise<[key: string, result: AnyResult][]>} its own by its id, those of attempts by their paths
 * @throws {import('../../result/read-result.js').ResultFileError}
 */
export async function readRowResults(folder, row, find) {
  const { id, result, attempts = [], plan } = row
  const kept = [...(result === null ? [] : [[id, result]]), ...attempts.map(({ result }) => [result, result])]
  const read = await Promise.all(
    kept.map(async ([key, path]) => /** @type {const} */ ([key, await readResult(join(folder, path), find)]))
  )
  const results = new Map(read.map(([key, result]) => [key, /** @type {AnyResult} */ (result)]))
  const scenario = hasRuns(row) ? await find(plan.scenario) : undefined
  const counted = scenario === undefined ? null : await rowResult(row, results, scenario)
  return counted === null ? [...results] : [...results.set(id, counted.result)]
}
