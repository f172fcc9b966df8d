import { dirname, join } from 'node:path'
import { runLinks } from '../../../report/run-links.js'
import { writeViews } from '../../../report/views.js'
import { writeWhole } from '../../../result/folder.js'
import { MATRIX_PAGE } from '../matrix-folder.js'
import { matrixPage } from './matrix-page.js'

/**
 * @typedef {import('../../../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('../../../report/view.js').ViewOf} ViewOf
 */

/**
 * writeMatrixViews writes what a matrix and the results of its rows determine, in place of earlier views.
 *
 * @param {string} folder - of the matrix
 * @param {MatrixDocument} document
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @param {{ csv: boolean, runs: boolean }} which - `runs`: the views of each row too, with `csv` also as CSV
 * @param {ViewOf} viewOf
 * @returns {Promise<string[]>} paths of those of the matrix itself
 */
export async function writeMatrixViews(folder, document, results, which, viewOf) {
  for (const row of document.tables.flatMap(({ rows }) => rows)) {
    const result = results.get(row.id)
    if (which.runs && result !== undefined && row.result !== null)
      await writeViews(result, join(folder, dirname(row.result)), which, viewOf(result))
  }
  const files = document.tables.map(table => ({
    file: join(folder, table.markdown),
    text: matrixPage(table, results, document.request, viewOf(table))
  }))
  for (const { file, text } of files) await writeWhole(file, text)
  return [...files.map(({ file }) => file), await writeMatrixPage(folder, document, results, viewOf)]
}

/**
 * writeMatrixPage writes the page of a matrix in place of an earlier one.
 *
 * @param {string} folder - of the matrix
 * @param {MatrixDocument} document
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @param {ViewOf} viewOf
 * @returns {Promise<string>} its path
 */
export async function writeMatrixPage(folder, document, results, viewOf) {
  // with it comes what draws its plots
  const { matrixPage } = await import('./page/matrix-page.js')
  const file = join(folder, MATRIX_PAGE)
  const rows = document.tables.flatMap(({ rows }) => rows)
  const runs = rows.flatMap(({ result }) => (result === null ? [] : [dirname(result)]))
  await writeWhole(file, await matrixPage(document, results, { viewOf, links: await runLinks(folder, runs) }))
  return file
}
