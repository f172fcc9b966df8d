import { join } from 'node:path'
import { RESULT_FILE, writeWhole } from '../result/folder.js'
import { operationsCsv, perSecondCsv, serverCsv } from './csv.js'
import { runReport } from './run-report.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').Record_} Record_
 *
 * @typedef {object} View - a file in the folder of a run that its result determines
 * @property {string} file
 * @property {(result: Result, where: { folder: string }) => string | Promise<string>} render
 */

/** The views that every run has. The first is the one to look at. @type {readonly View[]} */
const VIEWS = Object.freeze([{ file: 'report.md', render: runReport }])

/** @type {readonly View[]} */
const CSV = Object.freeze([
  { file: 'operations.csv', render: operationsCsv },
  { file: 'per-second.csv', render: perSecondCsv },
  { file: 'server.csv', render: serverCsv }
])

/** RUN_FILES are what a user is told to look at in the folder of a run. */
export const RUN_FILES = Object.freeze([VIEWS[0].file, RESULT_FILE])

/**
 * writeViews writes the views of a result into the folder of its run, in place of earlier ones.
 *
 * @param {Result} result
 * @param {string} folder
 * @param {{ csv: boolean }} which
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeViews(result, folder, { csv }) {
  const views = [...VIEWS, ...(csv ? CSV : [])]
  for (const { file, render } of views) await writeWhole(join(folder, file), await render(result, { folder }))
  return views.map(({ file }) => join(folder, file))
}

/**
 * viewsOfRun writes the views once a run has ended, whatever it came to.
 *
 * @param {string} folder
 * @param {{ csv: boolean }} which
 * @returns {{ add(record: Record_): void, close(): Promise<void> }}
 */
export function viewsOfRun(folder, which) {
  /** @type {Result | null} */
  let latest = null
  return {
    add(record) {
      if (record.type === 'partial' || record.type === 'result') latest = record.result
    },
    async close() {
      if (latest !== null) await writeViews(latest, folder, which)
    }
  }
}
