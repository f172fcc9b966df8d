// The `matrix` command: runs or lists the rows of matrix files, which are tables of runs in YAML.

import { formatCount, formatWhole } from '../../kit/numbers.js'
import { formatThreshold, listFailedThresholds } from '../../report/checks.js'
import { makeTable } from '../../report/description.js'
import { loadViews } from '../../report/run-report.js'
import { wrapForTerminal } from '../../report/text.js'
import { chooseResults, listRows } from '../../studies/matrix/matrix-document.js'
import { listMatrixOptions, planMatrix } from '../../studies/matrix/plan.js'
import { MATRIX_STUDY } from '../../studies/matrix/study.js'
import { EXIT, refuse } from '../exit.js'
import { servePrometheus } from '../outputs.js'
import { formatUnknownPace } from '../progress.js'
import { runStudyCommand } from '../study-command.js'
import { writeTable } from '../terminal.js'

/**
 * @typedef {import('../../studies/matrix/matrix-document.js').MatrixDocument} MatrixDocument
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 */

/** @type {Omit<CommandHelp, 'options'>} */
const HELP = {
  examples: /** @type {[string, string][]} */ ([
    ['every table of the source document', 'matrix'],
    ['what would run, and for how long', 'matrix --list'],
    ['under one minute', 'matrix smoke'],
    ['some rows, a tenth of their operations', "matrix --only '*-r100000-*' --scale 0.1"],
    ['two worker processes per row', 'matrix smoke --workers 2'],
    ['a few gossip nodes, under a minute', 'matrix smoke-gossip'],
    ['a study series, scaled for two cores', 'matrix gossip-series-1 --scale rate=0.04,time=0.1'],
    ['the same series in full, simulated', 'matrix gossip-series-1 --network simulated'],
    [
      'a series with loss, on kernel TCP',
      'matrix gossip-series-3 --network namespaces --messages 200 --rate 0.4/s'
    ],
    ['continue the latest matrix', 'matrix --resume']
  ]),
  epilogue:
    'Give files or names of built-in matrices; default: those of the source document. Plan options override files in all rows; see also gossip --help, profile --help.'
}

/** loadMatrixCommand gives the command, with help for the options of every plan. */
export const loadMatrixCommand = async () => ({
  help: { ...HELP, options: await listMatrixOptions() },
  run: matrixCommand
})

/**
 * Runs the rows of matrix files and keeps a table for each file.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
async function matrixCommand(args, io) {
  const { findScenario, stdout, stderr } = io
  const made = await planMatrix(args, io)
  if (made.problems !== undefined) return refuse('matrix', made.problems, io)
  const { document, loaded: results, output, own, parallel } = made.planned
  const viewOf = await loadViews(document.tables, findScenario)
  if (own.list) {
    const { table, summary } = listMatrixRows(document, viewOf)
    writeTable(table, io)
    stdout.write(wrapForTerminal(`\n${summary}\n`, stdout))
    return EXIT.DONE
  }
  const watched = await servePrometheus(
    output.dryRun ? null : output.prometheusPort,
    document.tables.map(viewOf)
  )
  if ('problem' in watched) return refuse('matrix', [watched.problem], io)
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
      io
    )
    for (const [row, result] of chooseResults(listRows(document), results))
      for (const threshold of listFailedThresholds(result))
        stderr.write(`${row} ${formatThreshold(threshold)}\n`)
    return exitCode
  } finally {
    for (const watcher of watchers) await watcher.close()
  }
}

/**
 * @typedef {import('../../studies/matrix/matrix-document.js').RowRecord} RowRecord
 */

/** @param {RowRecord} row */
function stateOf({ status, blocked }) {
  if (status === 'blocked') return `cannot run here: ${blocked}`
  return status === 'complete' ? 'done' : null
}

/**
 * listMatrixRows lists the rows of a matrix, with about how long each takes.
 *
 * @param {import('../../studies/matrix/matrix-document.js').MatrixDocument} document
 * @param {import('../../report/run-report.js').ViewOf} viewOf
 */
export function listMatrixRows(document, viewOf) {
  const rows = listRows(document)
  const estimate = (/** @type {RowRecord} */ { plan, runs = 1 }) =>
    runs * viewOf(plan).scenario.estimateMs(plan)
  const left = rows.filter(({ status }) => !['complete', 'blocked'].includes(status))
  const total = left.reduce((sum, row) => sum + estimate(row), 0)
  const isScaled = rows.some(({ unscaled }) => Object.keys(unscaled).length > 0)
  return {
    table: makeTable('rows', 'Rows', rows, [
      ['Row', ({ id }) => id, 'text'],
      ['About s', row => (row.status === 'blocked' ? null : estimate(row) / 1000), 's'],
      ['After scaling', ({ plan }) => (isScaled ? viewOf(plan).describePlan(plan).what : null), 'text'],
      ['State', stateOf, 'text']
    ]),
    summary: `${formatCount(rows.length, 'row')}, ${formatWhole(left.length)} to run, ${formatUnknownPace(total)} with identities from the cache.`
  }
}
