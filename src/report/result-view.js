import { resultNotes } from './notes.js'
import { rerunCommandLine } from './repeat.js'
import { resultTable } from './result-table.js'
import { RUN_FILES } from './views.js'

/** @typedef {import('../result/gossip-types.js').AnyResult} AnyResult */

/** @param {string} folder */
const whereabouts = folder =>
  `${folder}/   ${RUN_FILES.join(' · ')}        repeat: ${rerunCommandLine(folder)}`

/**
 * resultView is what a person reads of a result: the table, the notes under it, where it is kept and how it is repeated.
 *
 * @param {AnyResult} result
 * @param {string | null} folder - path of the run's folder
 * @returns {string}
 */
export function resultView(result, folder) {
  const table = resultTable(result)
  const parts = [table, resultNotes(result).join('\n'), folder === null ? '' : whereabouts(folder)]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}
