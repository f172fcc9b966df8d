import { matrixProgress } from '../report/matrix-progress.js'
import { grouped } from '../report/numbers.js'
import { capacityText } from '../report/saturation/capacity-text.js'
import { CAPACITY_FILES, writeCapacityViews } from '../report/saturation/capacity-views.js'
import { notWritten } from '../report/views.js'
import { makeTrialsFolder } from '../result/saturation/saturation-document.js'
import { interrupts } from './interrupts.js'
import { CAPACITY_COMMAND_OPTIONS, planCapacity } from './plan-capacity.js'
import { refuse } from './refuse.js'
import { runCapacity } from './run-capacity.js'
import { takeFolder } from './take-folder.js'
import { trialsExitCode } from './trials-exit-code.js'

/**
 * @typedef {import('../result/saturation/saturation-document.js').CapacityDocument} CapacityDocument
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').Command} Command
 * @typedef {import('./plan-capacity.js').PlannedCapacity} PlannedCapacity
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {Command} */
export const CAPACITY = Object.freeze({
  name: 'capacity',
  describe: 'Say how many rendezvous servers a described network needs, by its load at real rates',
  options: CAPACITY_COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['the network of the source, about 8 minutes', 'capacity --peers 1000000 --requestsPerDay 8'],
    ['a tenth of the requests in the busiest hour', 'capacity --peers 200000 --peakHourShare 0.1'],
    [
      'peers that register in 3 topics, and seldom look for others',
      'capacity --topics 3 --mix register=1,refresh=9,discover=2 --ttl 6h'
    ],
    ['go on where the latest one was broken off', 'capacity --resume']
  ]),
  epilogue:
    'Three rates are held: the mean, the peak hour, three times that; then the sustainable rate of one server is searched for. Formulas and assumptions: docs/capacity.md. Exit codes: 0 done, 1 a run failed, 2 bad usage, 4 with --strict: the answer is a bound, or --scale was given, 130 interrupted: what is complete is kept, and --resume goes on.'
})

/**
 * capacityCommand says how many servers a described network needs.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function capacityCommand(args, surroundings) {
  const { problems, ...made } = await planCapacity(args, surroundings.now())
  if (!('planned' in made)) return refuse('capacity', problems ?? [], surroundings)
  const { planned } = made
  const folder = await folderFor(planned, surroundings)
  return typeof folder === 'string'
    ? run(planned, folder, surroundings)
    : refuse('capacity', [folder.problem], surroundings)
}

/** @param {PlannedCapacity} planned @param {Surroundings} surroundings */
async function folderFor({ folder, document, seed, output: { outputDir } }, { now }) {
  if (folder !== null) return folder
  const made = await takeFolder(outputDir, () => makeTrialsFolder(outputDir, now(), `capacity-${seed}`))
  if ('problem' in made) return made
  document.id = made.id
  return made.path
}

/** @param {CapacityDocument} document */
const beginning = ({ load, scale }) =>
  `a server that holds ${grouped(load.heldRegistrations * scale)} registrations${scale === 1 ? '' : `, which is only ${scale} of those of the network: its figures are not those of the network`}; identities that are new are made once, several thousand a second`

/** @param {PlannedCapacity} planned @param {string} folder @param {Surroundings} surroundings */
async function run({ document, output }, folder, surroundings) {
  const { stdout, stderr, process, cacheDir, now } = surroundings
  const runScenario = await surroundings.loadScenario()
  const progress = matrixProgress({ stream: stderr, quiet: output.quiet })
  const { signal, release } = interrupts(process, () =>
    progress.notice('stopping; Ctrl-C again ends at once')
  )
  const complain = (/** @type {string} */ text) => void stderr.write(text)
  if (!output.quiet) stderr.write(`${beginning(document)}\n`)
  try {
    await runCapacity(document, { runScenario, signal, cacheDir, progress, complain, now, output, folder })
  } finally {
    release()
    progress.close()
  }
  if (document.reason !== null) stderr.write(`not complete: ${document.reason.message}\n`)
  await writeCapacityViews(folder, document).catch(error => complain(notWritten(error, folder)))
  stdout.write(output.json ? `${JSON.stringify(document, null, 2)}\n` : text(document, folder))
  return trialsExitCode(document, {
    interrupted: signal.aborted,
    strict: output.strict,
    doubtful: document.scale < 1 || document.search.found?.generatorBound === true
  })
}

/** @param {CapacityDocument} document @param {string} folder */
const text = (document, folder) =>
  `\n${capacityText(document)}\n\n${folder}/   ${CAPACITY_FILES.join(' · ')}\n`
