import { loadViews } from '../report/load-views.js'
import { thresholdLine } from '../report/threshold-lines.js'
import { notWritten } from '../report/views.js'
import { failedThresholds } from '../result/thresholds/judge.js'
import { makeMatrixFolder } from '../studies/matrix/matrix-folder.js'
import { runMatrix } from '../studies/matrix/run-matrix.js'
import { matrixList, matrixSummary } from '../studies/matrix/view/matrix-summary.js'
import { writeMatrixPage } from '../studies/matrix/view/matrix-views.js'
import { EXIT } from './exit-codes.js'
import { matrixExitCode } from './matrix-exit-code.js'
import { MATRIX_OPTIONS } from './matrix-options.js'
import { planMatrix } from './plan-matrix.js'
import { problemList } from './problem-list.js'
import { servePrometheus } from './prometheus.js'
import { conductStudy } from './run-study-command.js'
import { SCRIPT } from './script.js'
import { takeFolder } from './take-folder.js'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../studies/matrix/matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./plan-matrix.js').PlannedMatrix} PlannedMatrix
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {CommandHelp} */
export const MATRIX = Object.freeze({
  options: MATRIX_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['every table of the source document', 'matrix'],
    ['what would be run, and for how long', 'matrix --list'],
    ['under a minute', 'matrix benchmarks/smoke.yaml'],
    ['some rows, a tenth of their operations', "matrix --only '*-r100000-*' --scale 0.1"],
    ['each row with one and with two worker processes', 'matrix benchmarks/smoke.yaml --vary workers=1,2'],
    ['a few gossip nodes, under a minute', 'matrix benchmarks/smoke-gossip.yaml'],
    [
      'a series of the 95-node study at a rate that two cores carry, a tenth as long',
      'matrix benchmarks/gossip-series-1.yaml --scaleRate 0.04 --scaleTime 0.1'
    ],
    [
      'the same series in full, simulated, its rows side by side',
      'matrix benchmarks/gossip-series-1.yaml --network simulated'
    ],
    ['go on where the latest matrix was broken off', 'matrix --resume']
  ]),
  epilogue:
    'Matrix files are named after the command; without one, those of the source document are run. Options of the plans hold for every row and go before those of the files; for files of the gossip and profile scenarios they are those of node index.js gossip --help and profile --help.'
})

/**
 * matrixCommand runs the rows of matrix files and keeps a table for each file.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function matrixCommand(args, surroundings) {
  const { problems, ...found } = await planMatrix(args, surroundings)
  if (!('planned' in found)) return refuse(problems ?? [], surroundings)
  const { planned } = found
  const viewOf = await loadViews(planned.document.tables, surroundings.findScenario)
  if (planned.own.list) {
    surroundings.stdout.write(matrixList(planned.document, viewOf))
    return EXIT.DONE
  }
  const watched = await servePrometheus(planned.output.prometheusPort, planned.document.tables.map(viewOf))
  if ('problem' in watched) return refuse([watched.problem], surroundings)
  try {
    const folder = await folderFor(planned, surroundings)
    if (typeof folder !== 'string') return refuse([folder.problem], surroundings)
    return await run({ ...planned, folder, watched }, surroundings)
  } finally {
    for (const consumer of watched.consumers) await consumer.close()
  }
}

/**
 * @param {Problem[]} problems
 * @param {Surroundings} surroundings
 */
function refuse(problems, { stderr }) {
  stderr.write(problemList(problems, `${SCRIPT} matrix --help`))
  return EXIT.USAGE
}

/** Named after the only table, or after what its tables share. @param {MatrixDocument} document */
const nameOf = ({ tables }) => (tables.length === 1 ? tables[0].id : tables[0].id.split('-')[0])

/**
 * @param {PlannedMatrix} planned
 * @param {Surroundings} surroundings
 * @returns {Promise<string | { problem: Problem }>} path of the matrix folder
 */
async function folderFor({ folder, document, own, output: { outputDir } }, { now }) {
  if (folder !== null) return folder
  const made = await takeFolder(
    outputDir,
    () => makeMatrixFolder(outputDir, now(), own.name ?? nameOf(document)),
    "the matrix's folder"
  )
  if ('problem' in made) return made
  document.id = made.id
  return made.path
}

/**
 * @param {PlannedMatrix & { folder: string, watched: import('./prometheus.js').Watched }} planned
 * @param {Surroundings} surroundings
 */
async function run({ document, results, folder, parallel, own, output, watched }, surroundings) {
  const { stdout, stderr } = surroundings
  const { keepGoing = false, compact = false } = own
  const { interrupted, viewOf, complain } = await conductStudy(
    {
      document,
      shown: document.tables,
      output,
      run: components => runMatrix({ document, results, folder, parallel, keepGoing }, components),
      incomplete: null,
      more: { compact, watchers: watched.consumers },
      ...(watched.url === null ? {} : { notice: `metrics at ${watched.url}` })
    },
    surroundings
  )
  await writeMatrixPage(folder, document, results, viewOf).catch(error => complain(notWritten(error, folder)))
  stdout.write(output.json ? `${JSON.stringify(document, null, 2)}\n` : matrixSummary(document, folder))
  for (const [row, result] of results)
    for (const threshold of failedThresholds(result)) stderr.write(`${row} ${thresholdLine(threshold)}\n`)
  return matrixExitCode(document, results, { interrupted, strict: output.strict })
}
