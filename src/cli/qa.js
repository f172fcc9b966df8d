import { planQa } from '../studies/qa/plan/plan-qa.js'
import { qaOptions } from '../studies/qa/plan/qa-options.js'
import { QA_STUDY } from '../studies/qa/qa-study.js'
import { SATURATED } from '../studies/saturation/saturated.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

const EPILOGUE =
  'In one document: the machine; the grid of rates, raised until some are not carried; its chosen cell in several runs; half of that load for long; a run with churn; and each part against the baseline. How it is decided: docs/qa.md. Exit codes: 0 done, 1 a run failed, 2 bad usage, 3 a part failed against the baseline, or is left undecided, 4 with --strict: the load generator limited the examined runs, 130 interrupted: what is complete is kept, and --resume goes on.'

/** @param {string} name @returns {CommandHelp} */
function helpOf(name) {
  return {
    options: qaOptions(name).all,
    examples: [
      ['the whole report, about an hour', `qa ${name}`],
      ['all of its parts in about two minutes', `qa ${name} --quick`],
      ['against that of the release before', `qa ${name} --baseline results/20261120-0712-qa-${name}-1`],
      ['go on where the latest one was broken off', `qa ${name} --resume`]
    ],
    epilogue: EPILOGUE
  }
}

const [usual, ...others] = Object.keys(SATURATED)
const forms = Object.fromEntries(others.map(name => [name, helpOf(name)]))

/** @type {CommandHelp} */
export const QA = { ...helpOf(usual), forms }

/**
 * qaCommand makes a quality report.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function qaCommand(args, surroundings) {
  const command = Object.hasOwn(forms, args.words[0]) ? `qa ${args.words[0]}` : 'qa'
  return runStudyCommand(QA_STUDY, await planQa(args, surroundings), { command }, surroundings)
}
