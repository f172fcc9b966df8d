import { notWritten } from '../report/views.js'
import { makeTrialsFolder } from '../studies/saturation/result/saturation-document.js'
import { refuse } from './refuse.js'
import { conductStudy } from './run-study-command.js'
import { takeFolder } from './take-folder.js'
import { trialsExitCode } from './trials-exit-code.js'

/**
 * @typedef {import('../studies/saturation/result/saturation-document.js').Head} Head
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/**
 * @template {Head} D
 * @typedef {object} TrialsToRun
 * @property {string} command - whose help is pointed at
 * @property {(document: D) => string} [beginning] - what is said before anything is run
 * @property {(document: D, folder: string, components: import('./run-study-command.js').Components) => Promise<void>} run - the document grows
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
  const { stdout, stderr, findScenario } = surroundings
  if (how.beginning !== undefined && !output.quiet) stderr.write(`${how.beginning(document)}\n`)
  const { interrupted, complain } = await conductStudy(
    {
      document,
      shown: [{ scenario: how.scenarioOf(document) }],
      output,
      run: components => how.run(document, folder, components)
    },
    surroundings
  )
  await how.writeViews(folder, document, findScenario).catch(error => complain(notWritten(error, folder)))
  const text = `\n${how.text(document)}\n\n${folder}/   ${how.files.join(' · ')}\n`
  stdout.write(output.json ? `${JSON.stringify(document, null, 2)}\n` : text)
  return trialsExitCode(document, {
    interrupted,
    strict: output.strict,
    doubtful: how.isDoubtful(document)
  })
}
