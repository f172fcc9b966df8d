import { planSaturate } from '../studies/saturation/plan/plan-saturate.js'
import { SATURATE_STUDY } from '../studies/saturation/saturate-study.js'
import { SATURATED } from '../studies/saturation/saturated.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

const EXIT_CODES =
  'Exit codes: 0 done, 1 a run failed, 2 bad usage, 3 no load that was tried meets the objective, 4 with --strict: the load generator limited the figure or a cell, 130 interrupted: what is complete is kept, and --resume goes on.'

/** @param {import('../studies/saturation/saturated.js').Saturated} saturated @returns {CommandHelp} */
const helpOf = ({ options, help: { examples, epilogue } }) => ({
  options,
  examples,
  epilogue: `Every cell and every trial is a run of its own ${epilogue} How it is decided: docs/saturation.md. ${EXIT_CODES}`
})

const [usual, ...others] = Object.values(SATURATED)
const forms = Object.fromEntries(others.map(saturated => [saturated.scenario.name, helpOf(saturated)]))

/** @type {CommandHelp} */
export const SATURATE = { ...helpOf(usual), forms }

/**
 * saturateCommand tries loads on a server, or a network, and says how much it carries.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function saturateCommand(args, surroundings) {
  const command = Object.hasOwn(forms, args.words[0]) ? `saturate ${args.words[0]}` : 'saturate'
  return runStudyCommand(SATURATE_STUDY, await planSaturate(args, surroundings), { command }, surroundings)
}
