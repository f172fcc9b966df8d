import { outputFile } from '../report/output-file.js'
import { terminalReport } from '../report/terminal.js'
import { makeRunFolder, resultFolder, runId } from '../result/folder.js'
import { SCRIPT } from './arguments.js'
import { deliver } from './deliver.js'
import { errorText } from './error-text.js'
import { EXIT } from './exit-codes.js'
import { interrupts } from './interrupts.js'
import { planFromArguments } from './plan-from-arguments.js'
import { problemList } from './problem-list.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../result/folder.js').RunFolder} RunFolder
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./deliver.js').Delivered} Delivered
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/**
 * rendezvousCommand plans a run, runs it and shows and keeps its result.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function rendezvousCommand(args, surroundings) {
  const { problems, ...planned } = await planFromArguments(args)
  if (!('plan' in planned)) return refuse(problems ?? [], surroundings)
  const runScenario = await surroundings.loadScenario()
  const folder = await folderFor(planned, surroundings)
  if ('problem' in folder) return refuse([folder.problem], surroundings)
  return run({ ...planned, folder, runScenario }, surroundings)
}

/**
 * @param {Problem[]} problems
 * @param {Surroundings} surroundings
 */
function refuse(problems, { stderr }) {
  stderr.write(problemList(problems, `${SCRIPT} --help`))
  return EXIT.USAGE
}

/**
 * @param {{ plan: Readonly<Plan>, output: Readonly<Output> }} planned
 * @param {Surroundings} surroundings
 * @returns {Promise<RunFolder | { problem: Problem }>}
 */
async function folderFor({ plan, output: { outputDir } }, { now }) {
  try {
    return await makeRunFolder(outputDir, runId(now(), plan))
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    return {
      problem: { flag: '--outputDir', value: outputDir, allowed: `cannot take the run's folder (${code})` }
    }
  }
}

/**
 * @param {{ plan: Readonly<Plan>, output: Readonly<Output>, folder: RunFolder,
 *   runScenario: import('./surroundings.js').RunScenario }} what
 * @param {Surroundings} surroundings
 */
async function run({ plan, output, folder, runScenario }, { stdout, stderr, version, cacheDir, process }) {
  const terminal = terminalReport({ stdout, stderr, output, version, folder: folder.path })
  const file = output.outputFile === null ? [] : [outputFile(output.outputFile)]
  const { signal, release } = interrupts(process, () =>
    terminal.notice('stopping; Ctrl-C again ends at once')
  )
  const records = runScenario(plan, { id: folder.id, signal, cacheDir })
  const delivered = await deliver(records, [resultFolder(folder), ...file, terminal])
  release()
  for (const error of delivered.errors) {
    if (error !== signal.reason) stderr.write(errorText(error))
  }
  return exitCode(delivered, signal.aborted)
}

/**
 * @param {Delivered} delivered
 * @param {boolean} interrupted
 */
function exitCode({ result, finished, errors }, interrupted) {
  const complete = finished && result?.status === 'complete'
  if (complete && errors.length === 0) return EXIT.DONE
  return interrupted && !complete ? EXIT.INTERRUPTED : EXIT.FAILED
}
