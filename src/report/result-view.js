import { agentLines } from './agent-lines.js'
import { resultNotes } from './notes.js'
import { repeatCommandLine } from './repeat.js'
import { resultTable } from './result-table.js'
import { runFiles } from './views.js'

/** @typedef {import('../result/types.js').AnyResult} AnyResult */

/** @param {string} folder @param {string} again @param {readonly string[]} files */
const whereabouts = (folder, again, files) => `${folder}/   ${files.join(' · ')}        repeat: ${again}`

/**
 * resultView is what a person reads of a result: the table, the notes under it, where it is kept and how it is repeated.
 *
 * @param {AnyResult} result
 * @param {string | null} folder - path of the run's folder
 * @param {import('./view.js').View} view
 * @param {{ page?: boolean }} [drawn] - `page`: the folder has one
 * @returns {string}
 */
export function resultView(result, folder, view, { page = true } = {}) {
  const table = resultTable(result, view)
  const parts = [
    table,
    agentLines(result.run.agents),
    resultNotes(result, view).join('\n'),
    folder === null
      ? ''
      : whereabouts(folder, repeatCommandLine(folder, result.plan, view.scenario), runFiles({ page }))
  ]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}
