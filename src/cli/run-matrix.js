import { join } from 'node:path'
import pLimit from 'p-limit'
import { estimateMs, remainingMs } from '../plan/estimate.js'
import { matrixPage } from '../report/matrix-page.js'
import { writeMatrixPage } from '../report/matrix-views.js'
import { outputFile } from '../report/output-file.js'
import { notWritten, viewsOfRun } from '../report/views.js'
import { compactRecord, withoutSeconds } from '../result/compact.js'
import { isDoubtful } from '../result/doubtful.js'
import { makeRunFolder, resultFolder, writeWhole } from '../result/folder.js'
import { rowsOf, writeMatrixDocument } from '../result/matrix-folder.js'
import { deliver } from './deliver.js'
import { errorText } from './error-text.js'

/**
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('../result/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../result/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../report/matrix-progress.js').MatrixProgress} MatrixProgress
 * @typedef {import('./deliver.js').Delivered} Delivered
 *
 * @typedef {object} MatrixRun - what a run of a matrix works on
 * @property {MatrixDocument} document - kept up to date while it goes on
 * @property {Map<string, AnyResult>} results - by row id; grows
 * @property {string} folder
 * @property {boolean} keepGoing
 * @property {number} parallel - so many rows run side by side
 * @property {boolean} compact
 * @property {boolean} csv - rows keep their figures as CSV too
 * @property {string | null} outputFile
 *
 * @typedef {object} MatrixComponents
 * @property {import('./surroundings.js').RunScenario} runScenario
 * @property {AbortSignal} signal
 * @property {string} cacheDir
 * @property {MatrixProgress} progress
 * @property {import('./deliver.js').Consumer[]} watchers - take the records of every row
 * @property {(text: string) => void} complain - about an error
 * @property {() => Date} now
 */

/**
 * runMatrix runs the pending rows of a matrix, one after the other or some side by side. Its document and its tables are kept up to
 * date, so that what was measured is there whatever happens.
 *
 * @param {MatrixRun} matrix
 * @param {MatrixComponents} components
 */
export async function runMatrix(matrix, components) {
  const { document, keepGoing, parallel } = matrix
  const { signal, progress } = components
  for (const table of document.tables) await writeTable(matrix, table)
  const todo = document.tables.flatMap(table =>
    table.rows.filter(({ status }) => status === 'pending').map(row => ({ table, row }))
  )
  const writing = pLimit(1)
  let stopped = false
  const run = async (/** @type {typeof todo[number]} */ { table, row }, /** @type {number} */ index) => {
    if (signal.aborted || stopped) return
    const about = { row, index: index + 1, total: todo.length, etaMs: etaMs(document) / parallel }
    progress.begin(about)
    try {
      await runRow(matrix, { table, row, about, writing }, components)
    } catch (error) {
      stopped = true
      throw error
    }
    progress.end(about, matrix.results.get(row.id) ?? null)
    if (row.status === 'failed' && !keepGoing) stopped = true
  }
  const side = pLimit(parallel)
  const ended = await Promise.allSettled(todo.map((each, index) => side(run, each, index)))
  // a row whose files cannot be written ends the matrix, when those beside it have ended
  for (const row of ended) if (row.status === 'rejected') throw row.reason
  await finish(matrix, components)
}

/** @param {MatrixDocument} document */
function etaMs(document) {
  const rows = rowsOf(document)
  const done = rows.flatMap(({ plan, tookMs }) =>
    tookMs === null ? [] : [{ estimateMs: estimateMs(plan), tookMs }]
  )
  const left = rows.filter(({ status }) => status === 'pending').map(({ plan }) => estimateMs(plan))
  return remainingMs(done, left)
}

/**
 * @param {MatrixRun} matrix
 * @param {{ table: TableRecord, row: RowRecord, about: import('../report/matrix-progress.js').Place,
 *   writing: import('p-limit').LimitFunction }} what - `writing`: files of the whole matrix are written one after the other
 * @param {MatrixComponents} components
 */
async function runRow(matrix, { table, row, about, writing }, components) {
  const { runScenario, signal, cacheDir, complain } = components
  const { document, folder, results } = matrix
  const rowFolder = await makeRunFolder(join(folder, table.id), row.name)
  row.status = 'running'
  row.result = `${table.id}/${rowFolder.id}/result.json`
  await writing(writeMatrixDocument, folder, document)
  const began = performance.now()
  const records = runScenario(row.plan, { id: rowFolder.id, folder: rowFolder.path, signal, cacheDir })
  const delivered = await deliver(records, consumers(matrix, { rowFolder, about }, components))
  row.tookMs = Math.round(performance.now() - began)
  for (const error of delivered.errors) if (error !== signal.reason) complain(errorText(error))
  const { result } = delivered
  if (result === null) row.result = null
  else results.set(row.id, withoutSeconds(result))
  Object.assign(row, ending(delivered, signal))
  await writing(writeTable, matrix, table)
  await writing(writeMatrixDocument, folder, document)
}

/**
 * @param {MatrixRun} matrix
 * @param {{ rowFolder: import('../result/folder.js').RunFolder, about: import('../report/matrix-progress.js').Place }} row
 * @param {MatrixComponents} components
 * @returns {import('./deliver.js').Consumer[]}
 */
function consumers(
  { compact, csv, outputFile: path },
  { rowFolder, about },
  { progress, watchers, complain }
) {
  const kept = [resultFolder(rowFolder), viewsOfRun(rowFolder.path, { csv }, complain)]
  return [
    ...kept.map(({ add, close }) => ({
      add: (/** @type {Record_} */ record) => add(compact ? compactRecord(record) : record),
      close
    })),
    ...(path === null ? [] : [outputFile(path)]),
    // these go on with the next row
    { add: record => progress.add(record, about), close() {} },
    ...watchers.map(({ add }) => ({ add, close() {} }))
  ]
}

/**
 * @param {Delivered} delivered
 * @param {AbortSignal} signal
 * @returns {Pick<RowRecord, 'status' | 'reason' | 'doubtful'>}
 */
function ending({ result, finished, errors }, signal) {
  const doubtful = result !== null && isDoubtful(result)
  if (finished && result?.status === 'complete' && errors.length === 0)
    return { status: 'complete', reason: null, doubtful }
  if (signal.aborted)
    return {
      status: 'interrupted',
      reason: { code: 'INTERRUPTED', message: signal.reason.message },
      doubtful
    }
  const [error] = errors
  const message = error instanceof Error ? error.message : 'it ended without a result'
  return { status: 'failed', reason: result?.reason ?? { code: 'NO_RESULT', message }, doubtful }
}

/**
 * @param {MatrixRun} matrix
 * @param {TableRecord} table
 */
const writeTable = ({ document, folder, results }, table) =>
  writeWhole(join(folder, table.markdown), matrixPage(table, results, document.request))

/**
 * @param {MatrixRun} matrix
 * @param {MatrixComponents} components
 */
async function finish({ document, folder, results }, { signal, now, complain }) {
  const open = rowsOf(document).filter(({ status }) => !['complete', 'blocked'].includes(status))
  document.finishedAt = now().toISOString()
  document.status = open.length === 0 ? 'complete' : 'partial'
  document.reason =
    open.length === 0
      ? null
      : signal.aborted
        ? { code: 'INTERRUPTED', message: signal.reason.message }
        : { code: 'ROWS_FAILED', message: `${open.length} rows are not complete` }
  await writeMatrixDocument(folder, document)
  await writeMatrixPage(folder, document, results).catch(error => complain(notWritten(error, folder)))
}
