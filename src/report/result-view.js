import { resultNotes } from './notes.js'
import { repeatCommandLine } from './repeat.js'
import { resultTable } from './result-table.js'
import { RUN_FILES } from './views.js'

/** @typedef {import('../result/types.js').AnyResult} AnyResult */

/** @param {string} folder @param {string} again */
const whereabouts = (folder, again) => `${folder}/   ${RUN_FILES.join(' · ')}        repeat: ${again}`

/**
 * resultView is what a person reads of a result: the table, the notes under it, where it is kept and how it is repeated.
 *
 * @param {AnyResult} result
 * @param {string | null} folder - path of the run's folder
 * @param {import('./view.js').View} view
 * @returns {string}
 */
export function resultView(result, folder, view) {
  const table = resultTable(result, view)
  const parts = [
    table,
    resultNotes(result, view).join('\n'),
    folder === null ? '' : whereabouts(folder, repeatCommandLine(folder, result.plan, view.scenario))
  ]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}
