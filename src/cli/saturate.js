import { matrixProgress } from '../report/matrix-progress.js'
import { saturationText } from '../report/saturation/saturation-text.js'
import {
  SATURATION_FILES,
  saturationJson,
  writeSaturationViews
} from '../report/saturation/saturation-views.js'
import { notWritten } from '../report/views.js'
import { makeTrialsFolder } from '../result/saturation/saturation-document.js'
import { interrupts } from './interrupts.js'
import { planSaturate, SATURATE_OPTIONS } from './plan-saturate.js'
import { refuse } from './refuse.js'
import { runSaturate } from './run-saturate.js'
import { takeFolder } from './take-folder.js'
import { trialsExitCode } from './trials-exit-code.js'

/**
 * @typedef {import('../result/saturation/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').Command} Command
 * @typedef {import('./plan-saturate.js').PlannedSaturation} PlannedSaturation
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {Command} */
export const SATURATE = Object.freeze({
  name: 'saturate',
  describe: 'Find how much load a rendezvous server carries: a grid of rates and connections, or a search',
  options: SATURATE_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['the grid of the source, 10 s each: about 4 minutes', 'saturate rendezvous'],
    [
      'as long as in the source, with rates of your own',
      'saturate rendezvous --rates 500,1000,2000 --connections 1,2,4 --duration 90s'
    ],
    ['search for the highest sustainable rate', 'saturate rendezvous --search'],
    [
      'of a container with a third of a core, DISCOVER',
      'saturate rendezvous --search --benchmarkType DISCOVER --server docker --cpus 0.3'
    ],
    ['go on where the latest one was broken off', 'saturate rendezvous --resume']
  ]),
  epilogue:
    'Every cell and every trial is a run of its own on a fresh server, kept in the folder. REGISTER refreshes registrations here, unless --registerMode new is given. How it is decided: docs/saturation.md. Exit codes: 0 done, 1 a run failed, 2 bad usage, 4 with --strict: the figure is a lower bound or a cell is doubtful, 130 interrupted: what is complete is kept, and --resume goes on.'
})

/**
 * saturateCommand tries loads on a server and says how much it carries.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function saturateCommand(args, surroundings) {
  const { problems, ...made } = await planSaturate(args, surroundings.now())
  if (!('planned' in made)) return refuse('saturate', problems ?? [], surroundings)
  const { planned } = made
  const folder = await folderFor(planned, surroundings)
  return typeof folder === 'string'
    ? run(planned, folder, surroundings)
    : refuse('saturate', [folder.problem], surroundings)
}

/** @param {PlannedSaturation} planned @param {Surroundings} surroundings */
async function folderFor({ folder, document, seed, output: { outputDir } }, { now }) {
  if (folder !== null) return folder
  const made = await takeFolder(outputDir, () =>
    makeTrialsFolder(outputDir, now(), `saturate-${document.scenario}-${seed}`)
  )
  if ('problem' in made) return made
  document.id = made.id
  return made.path
}

/** @param {PlannedSaturation} planned @param {string} folder @param {Surroundings} surroundings */
async function run({ document, output }, folder, surroundings) {
  const { stdout, stderr, process, cacheDir, now } = surroundings
  const runScenario = await surroundings.loadScenario()
  const progress = matrixProgress({ stream: stderr, quiet: output.quiet })
  const { signal, release } = interrupts(process, () =>
    progress.notice('stopping; Ctrl-C again ends at once')
  )
  const complain = (/** @type {string} */ text) => void stderr.write(text)
  try {
    await runSaturate(document, { runScenario, signal, cacheDir, progress, complain, now, output, folder })
  } finally {
    release()
    progress.close()
  }
  if (document.reason !== null) stderr.write(`not complete: ${document.reason.message}\n`)
  await writeSaturationViews(folder, document).catch(error => complain(notWritten(error, folder)))
  stdout.write(output.json ? saturationJson(document) : text(document, folder))
  return trialsExitCode(document, {
    interrupted: signal.aborted,
    strict: output.strict,
    doubtful: isDoubtful(document)
  })
}

/** @param {SaturationDocument} document @param {string} folder */
const text = (document, folder) =>
  `\n${saturationText(document)}\n\n${folder}/   ${SATURATION_FILES.join(' · ')}\n`

/** @param {SaturationDocument} document */
const isDoubtful = ({ grid, search }) =>
  search?.found?.generatorBound === true ||
  search?.found?.closed === false ||
  (grid?.cells ?? []).some(({ point }) => point?.doubtful === true)
