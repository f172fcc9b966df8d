import { loadViews } from '../report/load-views.js'
import { matrixProgress } from '../report/matrix-progress.js'
import { notWritten } from '../report/views.js'
import { makeTrialsFolder } from '../result/saturation/saturation-document.js'
import { interrupts } from './interrupts.js'
import { refuse } from './refuse.js'
import { takeFolder } from './take-folder.js'
import { trialsExitCode } from './trials-exit-code.js'

/**
 * @typedef {import('../result/saturation/saturation-document.js').Head} Head
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/**
 * @template {Head} D
 * @typedef {object} TrialsToRun
 * @property {string} command - whose help is pointed at
 * @property {(document: D) => string} [beginning] - what is said before anything is run
 * @property {(document: D, components: import('./run-trial.js').TrialComponents) => Promise<void>} run - the document grows
 * @property {(folder: string, document: D, find: import('../scenarios/index.js').FindScenario) => Promise<unknown>} writeViews
 * @property {(document: D) => string} scenarioOf - its runs
 * @property {(document: D) => string} text - what a person reads of it
 * @property {readonly string[]} files - that a user is told to look at
 * @property {(document: D) => boolean} isDoubtful - a figure is not what it seems to be
 */

/**
 * runTrialsCommand runs what was planned of a command that tries loads, and shows and keeps what it came to.
 *
 * @template {Head} D
 * @param {import('./plan-trials.js').PlannedTrials<D>} planned
 * @param {TrialsToRun<D>} how
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function runTrialsCommand(planned, how, surroundings) {
  const folder = await folderFor(planned, surroundings)
  return typeof folder === 'string'
    ? runIn(folder, planned, how, surroundings)
    : refuse(how.command, [folder.problem], surroundings)
}

/** @param {import('./plan-trials.js').PlannedTrials<Head>} planned @param {Surroundings} surroundings */
async function folderFor({ folder, document, name, output: { outputDir } }, { now }) {
  if (folder !== null) return folder
  const made = await takeFolder(outputDir, () => makeTrialsFolder(outputDir, now(), name))
  if ('problem' in made) return made
  document.id = made.id
  return made.path
}

/**
 * @template {Head} D
 * @param {string} folder
 * @param {import('./plan-trials.js').PlannedTrials<D>} planned
 * @param {TrialsToRun<D>} how
 * @param {Surroundings} surroundings
 */
async function runIn(folder, { document, output }, how, surroundings) {
  const { stdout, stderr, process, cacheDir, now, findScenario } = surroundings
  const runScenario = await surroundings.loadRun()
  const scenario = how.scenarioOf(document)
  const viewOf = await loadViews([{ scenario }], findScenario)
  const view = viewOf({ scenario })
  const progress = matrixProgress({ stream: stderr, quiet: output.quiet, viewOf })
  const { signal, release } = interrupts(process, () =>
    progress.notice('stopping; Ctrl-C again ends at once')
  )
  const complain = (/** @type {string} */ text) => void stderr.write(text)
  if (how.beginning !== undefined && !output.quiet) stderr.write(`${how.beginning(document)}\n`)
  try {
    await how.run(document, {
      runScenario,
      view,
      signal,
      cacheDir,
      progress,
      complain,
      now,
      output,
      folder
    })
  } finally {
    release()
    progress.close()
  }
  if (document.reason !== null) stderr.write(`not complete: ${document.reason.message}\n`)
  await how.writeViews(folder, document, findScenario).catch(error => complain(notWritten(error, folder)))
  const text = `\n${how.text(document)}\n\n${folder}/   ${how.files.join(' · ')}\n`
  stdout.write(output.json ? `${JSON.stringify(document, null, 2)}\n` : text)
  return trialsExitCode(document, {
    interrupted: signal.aborted,
    strict: output.strict,
    doubtful: how.isDoubtful(document)
  })
}
