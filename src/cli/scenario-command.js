import { PROGRAM } from '../kit/program.js'
import { onTerminal } from '../report/terminal-text.js'
import { PRESETS, presetScenario } from '../scenarios/presets.js'
import { EXIT } from './exit-codes.js'
import { planFromArguments } from './plan-from-arguments.js'
import { problemList } from './problem-list.js'
import { runPlan } from './run-plan.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/**
 * scenarioCommand gives the command that plans a run of a scenario, runs it and shows and keeps its result.
 *
 * @param {string} name - of the scenario, or of a preset
 * @param {string} help - the command that shows its help, after the program's name
 * @param {import('./plan-from-arguments.js').MakePlan} [make] - its plan; default: in this process
 * @returns {(args: Arguments, surroundings: Surroundings) => Promise<number>} gives the exit code
 */
export const scenarioCommand = (name, help, make) => async (args, surroundings) => {
  const { findScenario } = surroundings
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : null
  const found = /** @type {import('../scenarios/scenario.js').Scenario} */ (
    await findScenario(preset?.scenario ?? name)
  )
  const scenario = preset === null ? found : presetScenario(found, preset)
  const { problems, ...planned } = await planFromArguments(scenario, args, findScenario, make)
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
  stderr.write(onTerminal(problemList(problems, `${PROGRAM} ${help}`), stderr))
  return EXIT.USAGE
}
