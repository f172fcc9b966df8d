import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeRunFolder, minute, writeWhole } from '../../result/folder.js'
import { readResult } from '../../result/read-result.js'

/**
 * @typedef {import('../../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../../result/types.js').Reason} Reason
 * @typedef {import('./plan/matrix.js').MatrixRow} MatrixRow
 * @typedef {import('./plan/matrix.js').MatrixTable} MatrixTable
 *
 * @typedef {object} RowState
 * @property {'pending' | 'running' | 'complete' | 'failed' | 'interrupted' | 'blocked'} status - `running` is left behind only by a
 *   process that was killed; `blocked`: it cannot be run here, and needs not be for the matrix to be complete
 * @property {Reason | null} reason - why it is not complete
 * @property {string | null} result - path of its result document in the matrix folder
 * @property {boolean} doubtful - a figure carries a mark
 * @property {number | null} tookMs
 *
 * @typedef {MatrixRow & RowState} RowRecord
 * @typedef {Omit<MatrixTable, 'rows'> & { markdown: string, rows: RowRecord[] }} TableRecord - `markdown`: path of the
 *   table in the matrix folder
 *
 * @typedef {object} MatrixRequest - what was asked for, so that --resume can ask for it again
 * @property {string[]} files - as they were given; none: those of the package
 * @property {Record<string, unknown>} flags - options of the plans
 * @property {Record<string, unknown[]>} vary
 * @property {string[]} only
 * @property {number} scale
 * @property {number} [scaleTime] - default: 1
 * @property {number} [scaleRate] - default: 1
 *
 * @typedef {object} MatrixDocument - `matrix.json`
 * @property {1} schemaVersion
 * @property {string} id - also the name of its folder
 * @property {'running' | 'complete' | 'partial'} status
 * @property {Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 * @property {MatrixRequest} request
 * @property {TableRecord[]} tables
 */

const DOCUMENT = 'matrix.json'

/** MATRIX_PAGE is the file to look at. */
export const MATRIX_PAGE = 'report.html'

/**
 * rowsOf lists the rows of all tables of a matrix.
 *
 * @param {MatrixDocument} document
 */
export const rowsOf = ({ tables }) => tables.flatMap(({ rows }) => rows)

/**
 * makeMatrixFolder makes a folder of its own for a matrix, and never takes one that exists.
 *
 * @param {string} outputDir
 * @param {Date} time
 * @param {string} name
 */
export const makeMatrixFolder = (outputDir, time, name) =>
  makeRunFolder(outputDir, `${minute(time)}-matrix-${name}`)

/**
 * latestMatrixFolder finds the matrix folder that was made last.
 *
 * @param {string} outputDir
 * @returns {Promise<string | null>} its path; null: there is none
 */
export async function latestMatrixFolder(outputDir) {
  const names = await readdir(outputDir).catch(() => /** @type {string[]} */ ([]))
  const latest = names
    .filter(name => /^\d{8}-\d{4}-matrix-/.test(name))
    .sort()
    .at(-1)
  return latest === undefined ? null : join(outputDir, latest)
}

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

/**
 * readMatrixDocument reads what is kept of a matrix.
 *
 * @param {string} folder
 * @returns {Promise<MatrixDocument | null>} null: the folder holds none that can be read
 */
export async function readMatrixDocument(folder) {
  try {
    const document = JSON.parse(await readFile(join(folder, DOCUMENT), 'utf8'))
    return document.schemaVersion === 1 ? current(document) : null
  } catch {
    return null
  }
}

/**
 * readRowResult reads the result that is kept of a row.
 *
 * @param {string} folder - of the matrix
 * @param {RowRecord | undefined} row
 * @param {import('../../scenarios/index.js').FindScenario} find
 * @returns {Promise<AnyResult | null>} of any scenario; null: there is none that can be read
 */
export const readRowResult = async (folder, row, find) =>
  row?.result == null ? null : readResult(join(folder, row.result), find).catch(() => null)

/**
 * writeMatrixDocument replaces what is kept of a matrix.
 *
 * @param {string} folder
 * @param {MatrixDocument} document
 */
export const writeMatrixDocument = (folder, document) =>
  writeWhole(join(folder, DOCUMENT), `${JSON.stringify(document, null, 2)}\n`)
