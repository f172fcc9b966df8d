// The `saturate` command, which finds the highest load that a server or network carries, and the `qa` command, which
// makes a quality report.

import { listQaOptions, planQa } from '../../studies/qa/plan.js'
import { QA_STUDY } from '../../studies/qa/study.js'
import { planSaturate } from '../../studies/saturate/plan.js'
import { SATURATE_STUDY } from '../../studies/saturate/study.js'
import { SATURATION_SCENARIOS } from '../../studies/saturate/trials.js'
import { runStudyCommand } from '../study-command.js'

/**
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 */

const SATURATE_EXIT_CODES =
  'Exit codes: 0 done, 1 a run failed, 2 bad usage, 3 no load meets the objective, 4 generator-limited with --strict, 130 interrupted (continue with --resume).'

/** @param {import('../../studies/saturate/trials.js').SaturationScenario} saturated @returns {CommandHelp} */
const saturateHelp = ({ options, help: { examples, epilogue } }) => ({
  options,
  examples,
  epilogue: `${epilogue} Method: docs/studies.md.\n${SATURATE_EXIT_CODES}`
})

const [usualSaturated, ...otherSaturated] = Object.values(SATURATION_SCENARIOS)
const saturateForms = Object.fromEntries(
  otherSaturated.map(saturated => [saturated.scenario.name, saturateHelp(saturated)])
)

/** @type {CommandHelp} */
export const SATURATE = { ...saturateHelp(usualSaturated), forms: saturateForms }

/**
 * saturateCommand tries loads on a server, or a network, and says how much it carries.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function saturateCommand(args, io) {
  const command = Object.hasOwn(saturateForms, args.words[0]) ? `saturate ${args.words[0]}` : 'saturate'
  return runStudyCommand(SATURATE_STUDY, await planSaturate(args, io), { command }, io)
}

const QA_EPILOGUE =
  'Parts: machine, grid, runs of the chosen cell, half of its load, churn, baseline. Method: docs/studies.md.\nExit codes: 0 done, 1 a run failed, 2 bad usage, 3 worse or undecided, 4 generator-limited with --strict, 130 interrupted (continue with --resume).'

/** @param {string} name @returns {CommandHelp} */
function qaHelp(name) {
  return {
    options: listQaOptions(name).all,
    examples: [
      ['the whole report, about an hour', `qa ${name}`],
      ['all parts, in about two minutes', `qa ${name} --quick`],
      ['compared with the previous release', `qa ${name} --baseline results/20261120-0712-qa-${name}-1`],
      ['continue the latest one', `qa ${name} --resume`]
    ],
    epilogue: QA_EPILOGUE
  }
}

const [usualExamined, ...otherExamined] = Object.keys(SATURATION_SCENARIOS)
const qaForms = Object.fromEntries(otherExamined.map(name => [name, qaHelp(name)]))

/** @type {CommandHelp} */
export const QA = { ...qaHelp(usualExamined), forms: qaForms }

/**
 * qaCommand makes a quality report.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function qaCommand(args, io) {
  const command = Object.hasOwn(qaForms, args.words[0]) ? `qa ${args.words[0]}` : 'qa'
  return runStudyCommand(QA_STUDY, await planQa(args, io), { command }, io)
}
