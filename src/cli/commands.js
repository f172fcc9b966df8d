import { SCENARIOS } from '../scenarios/index.js'
import { PRESETS, presetOptions } from '../scenarios/presets.js'
import { scenarioCommand } from './scenario-command.js'

/** @typedef {Pick<import('../scenarios/index.js').Entry, 'command' | 'options'>} Entry */

/** Presets are commands beside those of scenarios. @returns {[name: string, entry: Entry][]} */
const presetEntries = () =>
  Object.entries(PRESETS).map(([name, preset]) => [
    name,
    {
      command: preset.command,
      options: async () => presetOptions(await SCENARIOS[preset.scenario].options(), preset)
    }
  ])

/** SCENARIO_COMMANDS run scenarios. @type {readonly ListedCommand[]} */
const SCENARIO_COMMANDS = [...Object.entries(SCENARIOS), ...presetEntries()].map(([name, entry]) => ({
  name,
  describe: entry.command.describe,
  async load() {
    const { words, ...text } = entry.command
    return {
      help: { ...text, options: await entry.options() },
      run: scenarioCommand(name, `${words} --help`.trimStart())
    }
  }
}))

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 *
 * @typedef {(args: Arguments, surroundings: Surroundings) => Promise<number>} Run - gives the exit code
 *
 * @typedef {object} ListedCommand
 * @property {string} name
 * @property {string} describe
 * @property {string} [words] - that follow its name, as in its usage: `<A> <B>`
 * @property {(argv: readonly string[]) => Promise<{ help: CommandHelp, run: Run, end?: () => Promise<void> }>} load - imports it: what each
 *   takes and what runs it are of no use to the others; `end`: of what it holds until the command has ended
 */

/** COMMANDS there are; the first is the default. @type {readonly Readonly<ListedCommand>[]} */
export const COMMANDS = [
  ...SCENARIO_COMMANDS,
  {
    name: 'matrix',
    words: '[matrix..]',
    describe: 'Run the rows of matrix files, and put their figures beside published ones',
    load: async () => (await import('./matrix.js')).loadMatrixCommand()
  },
  {
    name: 'ab',
    words: '<A> <B>',
    describe: 'Run two plans in turn, several times each, and say what differs',
    load: async () => (await import('./ab.js')).loadAbCommand()
  },
  {
    name: 'saturate',
    words: '<rendezvous|gossip>',
    describe:
      'Find how much load a rendezvous server or a gossipsub network carries: a grid, or a search for the rate',
    load: () => import('./saturate.js')
  },
  {
    name: 'qa',
    words: '<rendezvous|gossip>',
    describe:
      'Make a quality report: what is carried, how it goes at that, for long, and while some come and go',
    load: () => import('./qa.js')
  },
  {
    name: 'run',
    words: '<file>',
    describe: 'Run a scenario of your own, from its file',
    load: async argv => (await import('./run.js')).loadRunCommand(argv[0] === 'run' ? argv : [])
  },
  {
    name: 'conform',
    words: '<address>',
    describe: 'Hold a rendezvous server against the specification, check by check',
    load: () => import('./conform.js')
  },
  {
    name: 'compare',
    words: '<base> <folder..>',
    describe: 'Hold results against each other: the first is the base',
    load: () => import('./compare.js')
  },
  {
    name: 'rerun',
    words: '<folder>',
    describe: 'Run the plan of a result again, with the same seed',
    load: () => import('./rerun.js')
  },
  {
    name: 'report',
    words: '<folder>',
    describe: 'Make the pages and tables of a result again, without running anything',
    load: () => import('./report.js')
  },
  {
    name: 'list',
    words: '[folder]',
    describe: 'List the runs in a folder of results',
    load: () => import('./list.js')
  },
  {
    name: 'doctor',
    describe: 'Say what this machine can be believed for',
    async load() {
      const { DOCTOR, doctorCommand } = await import('./doctor.js')
      return { help: DOCTOR, run: doctorCommand }
    }
  },
  {
    name: 'schema',
    words: '[name]',
    describe: 'Print the JSON Schema of a result, a plan, a network file, or a line of --jsonLines',
    load: () => import('./schema.js')
  },
  {
    name: 'server',
    describe: 'Run just a rendezvous server, until Ctrl-C',
    load: () => import('./server.js')
  },
  {
    name: 'agent',
    describe: 'Send load from this machine for runs that are made elsewhere, until Ctrl-C',
    load: () => import('./agent.js')
  },
  {
    name: 'agents',
    describe: 'List the machines with agents on a bus',
    load: () => import('./agents.js')
  },
  {
    name: 'image',
    describe: 'Build the Docker image of the server, for --server docker, or of this tool',
    load: () => import('./image.js')
  },
  {
    name: 'completion',
    describe: 'Print a script with which bash and zsh complete commands and options',
    load: () => import('./completion.js')
  }
]
