// The `run` command: runs a scenario that the user wrote as a JavaScript module.
import { listUsableOptions } from '../../plan/options.js'
import { runScenario } from '../../run/run.js'
import { BAD_SCENARIO_CODE, makeCustomOptions } from '../../scenarios/custom/module.js'
import { makeCustomScenario } from '../../scenarios/custom/scenario.js'
import { ScenarioProcess } from '../../scenarios/custom/scenario-process.js'
import { refuse } from '../exit.js'

/**
 * @typedef {import('../../scenarios/index.js').Scenario} Scenario
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../commands.js').Run} Run
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 */

/** @type {CommandHelp} */
const HELP = {
  options: listUsableOptions(makeCustomOptions({}, [])),
  examples: /** @type {[string, string][]} */ ([
    ['your own scenario, as in docs/extending.md', 'run ./my-scenario.js'],
    ['its options', 'run ./my-scenario.js --help'],
    [
      'one minute, exit code 3 if too slow',
      'run ./my-scenario.js --duration 1m --threshold "IDENTIFY.p99 < 50ms"'
    ]
  ]),
  epilogue:
    'The file comes first; docs/extending.md says what it exports.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.'
}

/** @param {string} file @param {string} allowed @returns {Run} */
const refusing = (file, allowed) => (_, io) =>
  Promise.resolve(refuse('run', [{ flag: file, value: '', allowed }], io))

/** A scenario that is known as others are. @param {ProcessIo} io @param {Scenario} scenario @returns {ProcessIo} */
function withScenario(io, scenario) {
  /** @type {ProcessIo['findScenario']} */
  const findScenario = async name => (name === scenario.name ? scenario : io.findScenario(name))
  return { ...io, findScenario, loadRun: async () => runScenario(findScenario) }
}

/**
 * loadRunCommand gives the command that runs a scenario of a user's own, with its options. Its file is read in a process of its own, which
 * makes the plan too.
 *
 * @param {readonly string[]} argv
 * @returns {Promise<{ help: CommandHelp, run: Run, end?: () => Promise<void> }>}
 */
export async function loadRunCommand([, path]) {
  if (path === undefined || path.startsWith('-'))
    return {
      help: HELP,
      run: refusing('file', 'must name the file of a scenario, as in run ./my-scenario.js')
    }
  const reader = new ScenarioProcess(path)
  const end = () => reader.end()
  try {
    const module = await reader.load()
    const scenario = makeCustomScenario(module, path)
    const { words, describe } = scenario.command
    const { makeScenarioCommand } = await import('../scenario-command.js')
    const run = makeScenarioCommand(scenario.name, words, async (_, options, more) => {
      const made = await reader.plan(options, more)
      await end()
      return made
    })
    return {
      help: { ...HELP, describe, options: module.helpOptions },
      run: (args, io) => run({ ...args, words: args.words.slice(1) }, withScenario(io, scenario)),
      end
    }
  } catch (error) {
    await end()
    const { code, message } = /** @type {Error & { code?: string }} */ (error)
    if (code !== BAD_SCENARIO_CODE) throw error
    return { help: HELP, run: refusing(path, message) }
  }
}
