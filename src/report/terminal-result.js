import { wrapped } from '../kit/fitted.js'
import { agentLines } from './agent-lines.js'
import { doubtNotes, terminalNotes } from './notes.js'
import { repeatCommandLine } from './repeat.js'
import { fittedTable, terminalBlocks } from './terminal-blocks.js'
import { runFiles } from './views.js'

/**
 * terminalResult is what a person at a terminal reads of a result: figures as they fit its width, what became of thresholds, the notes that
 * are worth most, where the rest is, and how it is repeated.
 *
 * @param {import('../result/types.js').AnyResult} result
 * @param {string | null} folder - path of the run's folder
 * @param {import('./view.js').View} view
 * @param {{ columns: number, page?: boolean }} how - `page`: the folder has one
 * @returns {string}
 */
export function terminalResult(result, folder, view, { columns, page = true }) {
  const { verdicts, notes, more } = terminalNotes(result, view)
  const rest = more === 0 || folder === null ? [] : [`${more} more in ${folder}/report.md`]
  const where =
    folder === null
      ? []
      : [
          ...runFiles({ page }).map(file => `${folder}/${file}`),
          `repeat: ${repeatCommandLine(folder, result.plan, view.scenario)}`
        ]
  const figures = terminalBlocks(result, view, columns)
  const parts = [
    figures,
    agentLines(result.run.agents, table => fittedTable(table, columns)),
    [...doubtNotes(figures, view), ...verdicts, ...notes, ...rest]
      .map(line => wrapped(line, columns))
      .join('\n'),
    // broken lines could not be copied
    where.join('\n')
  ]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}
