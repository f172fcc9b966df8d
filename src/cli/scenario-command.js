import { EXIT } from './exit-codes.js'
import { planFromArguments } from './plan-from-arguments.js'
import { problemList } from './problem-list.js'
import { runPlan } from './run-plan.js'
import { SCRIPT } from './script.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 * @typedef {import('../scenarios/scenario.js').Scenario} Scenario
 */

/**
 * commandOf describes the command of a scenario.
 *
 * @param {Scenario} scenario
 * @param {string} name - of the command
 * @param {import('../plan/read-options.js').OptionTable} [more] - options of the command that are none of the scenario's
 * @returns {import('./arguments.js').Command}
 */
export const commandOf = ({ command: { words, ...text }, options }, name, more = {}) =>
  Object.freeze({ ...text, name, options: Object.freeze({ ...options, ...more }) })

/**
 * scenarioCommand gives the command that plans a run of a scenario, runs it and shows and keeps its result.
 *
 * @param {string} name - of the scenario
 * @param {string} help - the command that shows its help, after the program's name
 * @returns {(args: Arguments, surroundings: Surroundings) => Promise<number>} gives the exit code
 */
export const scenarioCommand = (name, help) => async (args, surroundings) => {
  const scenario = /** @type {import('../scenarios/scenario.js').Scenario} */ (
    await surroundings.findScenario(name)
  )
  const { problems, ...planned } = await planFromArguments(scenario, args, surroundings.findScenario)
  if (!('plan' in planned)) return refuse(problems ?? [], help, surroundings)
  const ended = await runPlan(planned, surroundings)
  return typeof ended === 'number' ? ended : refuse([ended.problem], help, surroundings)
}

/**
 * @param {Problem[]} problems
 * @param {string} help
 * @param {Surroundings} surroundings
 */
function refuse(problems, help, { stderr }) {
  stderr.write(problemList(problems, `${SCRIPT} ${help}`))
  return EXIT.USAGE
}
