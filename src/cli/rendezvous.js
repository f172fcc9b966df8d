import { OPTIONS } from '../plan/options.js'
import { outputFile } from '../report/output-file.js'
import { terminalReport } from '../report/terminal.js'
import { makeRunFolder, resultFolder, runId } from '../result/folder.js'
import { deliver } from './deliver.js'
import { errorText } from './error-text.js'
import { EXIT } from './exit-codes.js'
import { interrupts } from './interrupts.js'
import { planFromArguments } from './plan-from-arguments.js'
import { problemList } from './problem-list.js'
import { SCRIPT } from './script.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../result/folder.js').RunFolder} RunFolder
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').Command} Command
 * @typedef {import('./deliver.js').Delivered} Delivered
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {Command} */
export const RENDEZVOUS = Object.freeze({
  name: 'rendezvous',
  describe:
    'Load-test a rendezvous server: start one, send it operations, print response times (the default)',
  options: OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['500 REGISTER by 4 clients', ''],
    ['a larger run', '--nClients 100 --initialRegistrations 10000 --nNamespaces 10 --benchmarkRuns 1000'],
    [
      'open model: a DISCOVER is due 500 times a second',
      '--benchmarkType DISCOVER --rate 500/s --duration 30s'
    ],
    ['several operations', '--benchmarkType MIXED --mix register=1,discover=8,unregister=1'],
    ['connect, one operation, close', '--connectionPerOperation --timeout 5s'],
    ['a server of your own', '--target /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'],
    ['options from a file, a row for a table', '--config load.yaml --outputFile results.md']
  ]),
  epilogue: 'Option names can be written nClients or n-clients.'
})

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
  const records = runScenario(plan, { id: folder.id, folder: folder.path, signal, cacheDir })
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
