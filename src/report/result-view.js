import { resultNotes } from './notes.js'
import { rerunCommandLine } from './repeat.js'
import { resultTable } from './result-table.js'
import { RUN_FILES } from './views.js'

/** @typedef {import('../scenarios/gossip/gossip-types.js').AnyResult} AnyResult */

/** @param {string} folder */
const whereabouts = folder =>
  `${folder}/   ${RUN_FILES.join(' · ')}        repeat: ${rerunCommandLine(folder)}`

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
  const parts = [table, resultNotes(result, view).join('\n'), folder === null ? '' : whereabouts(folder)]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}
