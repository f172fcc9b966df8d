import { PROGRAM } from '../kit/program.js'
import { loadViews } from '../report/load-views.js'
import { writeTable } from '../report/terminal.js'
import { onTerminal } from '../report/terminal-text.js'
import { thresholdLine } from '../report/threshold-lines.js'
import { failedThresholds } from '../result/thresholds/judge.js'
import { rowsOf } from '../studies/matrix/matrix-folder.js'
import { MATRIX_STUDY } from '../studies/matrix/matrix-study.js'
import { matrixOptions } from '../studies/matrix/plan/matrix-options.js'
import { planMatrix } from '../studies/matrix/plan/plan-matrix.js'
import { rowList } from '../studies/matrix/row-list.js'
import { countedResults } from '../studies/matrix/row-runs.js'
import { EXIT } from './exit-codes.js'
import { servePrometheus } from './prometheus.js'
import { refuse } from './refuse.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../studies/matrix/matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('../studies/matrix/plan/plan-matrix.js').PlannedMatrix} PlannedMatrix
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {Omit<CommandHelp, 'options'>} */
const HELP = {
  examples: /** @type {[string, string][]} */ ([
    ['every table of the source document', 'matrix'],
    ['what would be run, and for how long', 'matrix --list'],
    ['under a minute', 'matrix smoke'],
    ['some rows, a tenth of their operations', "matrix --only '*-r100000-*' --scale 0.1"],
    ['each row with two worker processes', 'matrix smoke --workers 2'],
    ['a few gossip nodes, under a minute', 'matrix smoke-gossip'],
    [
      'a series of the 95-node study at a rate that two cores carry, a tenth as long',
      'matrix gossip-series-1 --scaleRate 0.04 --scaleTime 0.1'
    ],
    [
      'the same series in full, simulated, its rows side by side',
      'matrix gossip-series-1 --network simulated'
    ],
    [
      'a series with losses on the TCP of the kernel, slowly',
      'matrix gossip-series-3 --network namespaces --messages 200 --rate 0.4/s'
    ],
    ['go on where the latest matrix was broken off', 'matrix --resume']
  ]),
  epilogue: `Matrices are named after the command: files, or those that come with the program by their names; without one, those of the source document are run. Options of the plans hold for every row and go before those of the files; for files of the gossip and profile scenarios they are those of ${PROGRAM} gossip --help and profile --help.`
}

/** loadMatrixCommand gives the command, with help for the options of every plan. */
export const loadMatrixCommand = async () => ({
  help: { ...HELP, options: await matrixOptions() },
  run: matrixCommand
})

/**
 * Runs the rows of matrix files and keeps a table for each file.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
async function matrixCommand(args, surroundings) {
  const { findScenario, stdout, stderr } = surroundings
  const made = await planMatrix(args, surroundings)
  if (made.problems !== undefined) return refuse('matrix', made.problems, surroundings)
  const { document, loaded: results, output, own, parallel } = made.planned
  const viewOf = await loadViews(document.tables, findScenario)
  if (own.list) {
    const { table, summary } = rowList(document, viewOf)
    writeTable(table, surroundings)
    stdout.write(onTerminal(`\n${summary}\n`, stdout))
    return EXIT.DONE
  }
  const watched = await servePrometheus(
    output.dryRun ? null : output.prometheusPort,
    document.tables.map(viewOf)
  )
  if ('problem' in watched) return refuse('matrix', [watched.problem], surroundings)
  const { consumers: watchers, url } = watched
  try {
    const { keepGoing = false, compact = false } = own
    const exitCode = await runStudyCommand(
      MATRIX_STUDY,
      made,
      {
        command: 'matrix',
        ...(url !== null && { notice: `metrics at ${url}` }),
        more: { results, parallel, keepGoing, compact, watchers }
      },
      surroundings
    )
    for (const [row, result] of countedResults(rowsOf(document), results))
      for (const threshold of failedThresholds(result)) stderr.write(`${row} ${thresholdLine(threshold)}\n`)
    return exitCode
  } finally {
    for (const watcher of watchers) await watcher.close()
  }
}
