import { join } from 'node:path'
import pLimit from 'p-limit'
import { withoutSeconds } from '../../result/compact.js'
import { isDoubtful } from '../../result/doubtful.js'
import { RESULT_FILE, writeWhole } from '../../result/folder.js'
import { runStudy } from '../study.js'
import { MATRIX_DOCUMENT, rowsOf } from './matrix-folder.js'
import { matrixPage } from './view/matrix-page.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('./matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 *
 * @typedef {object} MatrixRun - how a matrix is run
 * @property {Map<string, AnyResult>} results - by row id; grows
 * @property {boolean} [keepGoing] - a row that fails does not end it
 * @property {number} [parallel] - so many rows run side by side
 */

/**
 * runMatrix runs the pending rows of a matrix, one after the other or some side by side. Its tables are kept up to date, too.
 *
 * @param {MatrixDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1] & MatrixRun} components
 */
export async function runMatrix(
  document,
  folder,
  { results, keepGoing = false, parallel = 1, ...components }
) {
  const { viewOf } = components
  const rows = rowsOf(document)
  const todo = document.tables.flatMap(table =>
    table.rows.filter(({ status }) => status === 'pending').map(row => ({ table, row }))
  )
  // files of the whole matrix are written one after the other
  const writing = pLimit(1)
  const writeTable = (/** @type {TableRecord} */ table) =>
    writing(() =>
      writeWhole(join(folder, table.markdown), matrixPage(table, results, document.request, viewOf(table)))
    )
  await runStudy(
    {
      document,
      file: MATRIX_DOCUMENT,
      folder,
      open: () => openRows(rows),
      before: rows,
      parallel,
      async conduct(run) {
        for (const table of document.tables) await writeTable(table)
        await sideBySide(todo, parallel, async ({ table, row }, index) => {
          const { status } = await run({
            label: row.id,
            plan: row.plan,
            index: index + 1,
            total: todo.length,
            left: rows.flatMap(({ status, plan }) => (status === 'pending' ? [plan] : [])),
            part: table.id,
            name: row.name,
            begin(inside) {
              Object.assign(row, { status: 'running', result: `${inside}/${RESULT_FILE}` })
            },
            async keep({ status, reason, tookMs, result }) {
              if (result === null) row.result = null
              else results.set(row.id, withoutSeconds(result))
              const doubtful = result !== null && isDoubtful(result)
              Object.assign(row, { status, reason, tookMs, doubtful })
              await writeTable(table)
            }
          })
          return status !== 'failed' || keepGoing
        })
      }
    },
    components
  )
}

/** @param {RowRecord[]} rows @returns {import('../../result/types.js').Reason | null} */
function openRows(rows) {
  const open = rows.filter(({ status }) => !['complete', 'blocked'].includes(status))
  return open.length === 0 ? null : { code: 'ROWS_FAILED', message: `${open.length} rows are not complete` }
}

/**
 * Nothing more is begun once something does not go on; what goes on beside it comes to its end.
 *
 * @template T
 * @param {readonly T[]} todo
 * @param {number} parallel
 * @param {(what: T, index: number) => Promise<boolean>} each - says whether the others go on
 * @throws the first error of any
 */
async function sideBySide(todo, parallel, each) {
  const side = pLimit(parallel)
  let stopped = false
  const attempt = async (/** @type {T} */ what, /** @type {number} */ index) => {
    if (stopped) return
    try {
      if (!(await each(what, index))) stopped = true
    } catch (error) {
      stopped = true
      throw error
    }
  }
  const ended = await Promise.allSettled(todo.map((what, index) => side(attempt, what, index)))
  for (const row of ended) if (row.status === 'rejected') throw row.reason
}
