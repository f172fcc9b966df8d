import { takenOf } from '../plan/option.js'
import { BadScenarioError, loadModule } from '../scenarios/custom/module.js'
import { customOptions } from '../scenarios/custom/plan/custom-options.js'
import { customScenario } from '../scenarios/custom/scenario.js'
import { runScenario } from '../scenarios/run-scenario.js'
import { refuse } from './refuse.js'
import { scenarioCommand } from './scenario-command.js'

/**
 * @typedef {import('../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./commands.js').Run} Run
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {CommandHelp} */
const HELP = {
  options: takenOf(customOptions({}, [])),
  examples: /** @type {[string, string][]} */ ([
    ['a scenario of your own: docs/extending.md shows one', 'run ./my-scenario.js'],
    ['its options', 'run ./my-scenario.js --help'],
    [
      'for a minute, exit code 3 if it is too slow',
      'run ./my-scenario.js --duration 1m --threshold "IDENTIFY.p99 < 50ms"'
    ]
  ]),
  epilogue:
    'The file is the first word behind run. What it must export: docs/extending.md.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 doubtful with --strict, 130 interrupted.'
}

/** @param {string} file @param {string} allowed @returns {Run} */
const refusing = (file, allowed) => (_, surroundings) =>
  Promise.resolve(refuse('run', [{ flag: file, value: '', allowed }], surroundings))

/** A scenario that is known as others are. @param {Surroundings} surroundings @param {Scenario} scenario @returns {Surroundings} */
function withScenario(surroundings, scenario) {
  /** @type {Surroundings['findScenario']} */
  const findScenario = async name => (name === scenario.name ? scenario : surroundings.findScenario(name))
  return { ...surroundings, findScenario, loadRun: async () => runScenario(findScenario) }
}

/**
 * loadRunCommand gives the command that runs a scenario of a user's own, with its options.
 *
 * @param {readonly string[]} argv
 * @returns {Promise<{ help: CommandHelp, run: Run }>}
 */
export async function loadRunCommand([, path]) {
  if (path === undefined || path.startsWith('-'))
    return {
      help: HELP,
      run: refusing('file', 'must name the file of a scenario, as in run ./my-scenario.js')
    }
  try {
    const scenario = customScenario(await loadModule(path), path)
    const { words, describe } = scenario.command
    const run = scenarioCommand(scenario.name, `${words} --help`)
    return {
      help: { ...HELP, describe, options: takenOf(scenario.options) },
      run: (args, surroundings) =>
        run({ ...args, words: args.words.slice(1) }, withScenario(surroundings, scenario))
    }
  } catch (error) {
    if (!(error instanceof BadScenarioError)) throw error
    return { help: HELP, run: refusing(path, error.message) }
  }
}
