import { withoutAgents } from '../../../plan/agents-option.js'
import { readCommandOptions, splitOptions, withoutMisplaced } from '../../../plan/command-options.js'
import { once } from '../../../plan/once.js'
import { makePlan } from '../../../plan/plan.js'
import { defaultOf } from '../../../plan/schema-of.js'
import { outputProblems } from '../../../report/output-file.js'
import { findResumed } from '../../resumed.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {import('../../../plan/read-options.js').OptionTable} OptionTable
 * @typedef {import('../result/saturation-document.js').Head} Head
 */

/**
 * @template {Head} D
 * @typedef {object} TrialsToPlan
 * @property {import('../../../scenarios/index.js').FindScenario} findScenario
 * @property {string} scenario
 * @property {Readonly<Record<string, string>>} notHere - options of a run that have no use, and what to do instead
 * @property {OptionTable} own - options of the command
 * @property {Problem[]} misread - problems with its words
 * @property {string} name - of its folders, after the time and before the seed
 * @property {import('../../study-document.js').StudyFile<D>} file
 * @property {(document: D) => boolean} [fits] - whether a document is one of what is asked for
 * @property {(own: Record<string, any>, options: Record<string, unknown>) => { document: D, seed: number, problems: Problem[] }} newDocument
 *   - from the options of the command, and those of the plans as typed
 * @property {(own: Record<string, any>) => void} [onResumed] - takes the options of the command where one is gone on with
 */

/**
 * planTrials makes the document of a command that tries loads, or finds the one that is to be gone on with, or names all that is wrong.
 *
 * @template {Head} D
 * @param {Record<string, unknown>} options - as typed
 * @param {TrialsToPlan<D>} how
 * @returns {Promise<import('../../study-door.js').MadeStudy<D>>}
 */
export async function planTrials(
  options,
  { findScenario, scenario: of, notHere, own: table, misread, name, file, fits, newDocument, onResumed }
) {
  const { kept, problems: misplaced } = withoutMisplaced(notHere, options)
  const { mine, others } = splitOptions(table, kept)
  const { own, problems: refused } = readTrialOptions(table, mine)
  const scenario = /** @type {import('../../../scenarios/scenario.js').Scenario} */ (await findScenario(of))
  const { output, problems: unreadable } = makePlan(scenario, others)
  const early = [...misread, ...misplaced, ...refused, ...(await outputProblems(output))]
  if (own.resume !== undefined) {
    const resumed = await findResumed(own.resume, {
      outputDir: output.outputDir,
      name,
      file,
      fits,
      fixed: { options: kept, table: { ...scenario.options, ...table }, problems: unreadable }
    })
    onResumed?.(own)
    const problems = [...early, ...resumed.problems]
    if (problems.length > 0 || !('folder' in resumed)) return { problems }
    const { document, folder } = resumed
    return { planned: { document, folder, name, output } }
  }
  const { document, seed, problems: unfit } = newDocument(own, others)
  const problems = once([...early, ...unfit])
  document.options = withoutAgents(document.options, output)
  return problems.length > 0
    ? { problems }
    : { planned: { document, folder: null, name: `${name}-${seed}`, output } }
}

/**
 * readTrialOptions reads the options of a command that tries loads. Defaults are written as they would be typed, and read like that.
 *
 * @param {import('../../../plan/read-options.js').OptionTable} table
 * @param {Record<string, unknown>} options - as typed
 * @returns {ReturnType<typeof readCommandOptions>}
 */
function readTrialOptions(table, options) {
  const { own, problems } = readCommandOptions(table, options)
  const values = Object.entries(own).map(([key, value]) => {
    const option = table[key]
    return [key, option.default !== undefined && value === option.default ? defaultOf(option) : value]
  })
  return { own: Object.fromEntries(values), problems }
}
