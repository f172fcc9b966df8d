// The list of all commands, each loaded only when it is run.
import { SCENARIOS } from '../scenarios/index.js'
import { makePresetOptions, PRESETS } from '../scenarios/presets.js'

/** @typedef {Pick<import('../scenarios/index.js').ScenarioEntry, 'command' | 'options'>} Entry */

/** Presets are commands beside those of scenarios. @returns {[name: string, entry: Entry][]} */
const presetEntries = () =>
  Object.entries(PRESETS).map(([name, preset]) => [
    name,
    {
      command: preset.command,
      options: async () => makePresetOptions(await SCENARIOS[preset.scenario].options(), preset)
    }
  ])

/** Commands that run scenarios. @type {readonly ListedCommand[]} */
const SCENARIO_COMMANDS = [...Object.entries(SCENARIOS), ...presetEntries()].map(([name, entry]) => ({
  name,
  group: 'Loads',
  describe: entry.command.describe,
  async load() {
    const { words, ...text } = entry.command
    return {
      help: { ...text, options: await entry.options() },
      async run(args, io) {
        // loaded only to run: help does not need it
        const { makeScenarioCommand } = await import('./scenario-command.js')
        return makeScenarioCommand(name, words)(args, io)
      }
    }
  }
}))

/**
 * @typedef {import('./command-line.js').Arguments} Arguments
 * @typedef {import('./command-line.js').CommandHelp} CommandHelp
 * @typedef {import('./index.js').ProcessIo} ProcessIo
 *
 * @typedef {(args: Arguments, io: ProcessIo) => Promise<number>} Run - gives the exit code
 *
 * @typedef {object} ListedCommand
 * @property {string} name
 * @property {'Loads' | 'Studies' | 'Results' | 'Servers and machines'} group - in the list of commands
 * @property {string} describe
 * @property {string} [words] - that follow its name, as in its usage: `<A> <B>`
 * @property {(argv: readonly string[]) => Promise<{ help: CommandHelp, run: Run, end?: () => Promise<void> }>} load - imports its code, so
 *   that a command loads only what it needs; `end`: releases resources after the command
 */

/** COMMANDS there are; the first is the default. @type {readonly Readonly<ListedCommand>[]} */
export const COMMANDS = [
  ...SCENARIO_COMMANDS,
  {
    name: 'matrix',
    words: '[matrix..]',
    group: 'Studies',
    describe: 'Run the rows of matrix files, next to published figures',
    load: async () => (await import('./commands/matrix.js')).loadMatrixCommand()
  },
  {
    name: 'ab',
    words: '<A> <B>',
    group: 'Studies',
    describe: 'Run two plans in turn, and say what differs',
    load: async () => (await import('./commands/ab.js')).loadAbCommand()
  },
  {
    name: 'saturate',
    words: '<rendezvous|gossip>',
    group: 'Studies',
    describe: 'Find how much load a server or a network carries',
    async load() {
      const { SATURATE, saturateCommand } = await import('./commands/saturate.js')
      return { help: SATURATE, run: saturateCommand }
    }
  },
  {
    name: 'qa',
    words: '<rendezvous|gossip>',
    group: 'Studies',
    describe: 'Make a quality report: capacity, steady load, churn',
    async load() {
      const { QA, qaCommand } = await import('./commands/saturate.js')
      return { help: QA, run: qaCommand }
    }
  },
  {
    name: 'run',
    words: '<file>',
    group: 'Loads',
    describe: 'Run a scenario of your own from its file',
    load: async argv => (await import('./commands/run.js')).loadRunCommand(argv[0] === 'run' ? argv : [])
  },
  {
    name: 'conform',
    words: '<address>',
    group: 'Loads',
    describe: 'Check a rendezvous server against the specification',
    load: () => import('./commands/conform.js')
  },
  {
    name: 'compare',
    words: '<base> <folder..>',
    group: 'Results',
    describe: 'Compare results that are there; the first is the base',
    load: () => import('./commands/compare.js')
  },
  {
    name: 'rerun',
    words: '<folder>',
    group: 'Results',
    describe: 'Run the plan of a result again, with the same seed',
    load: () => import('./commands/rerun.js')
  },
  {
    name: 'report',
    words: '<folder>',
    group: 'Results',
    describe: 'Write pages and tables of a result again',
    async load() {
      const { REPORT, reportCommand } = await import('./commands/results.js')
      return { help: REPORT, run: reportCommand }
    }
  },
  {
    name: 'list',
    words: '[folder]',
    group: 'Results',
    describe: 'List the runs in a folder of results',
    async load() {
      const { LIST, listCommand } = await import('./commands/results.js')
      return { help: LIST, run: listCommand }
    }
  },
  {
    name: 'doctor',
    group: 'Servers and machines',
    describe: 'Check whether this machine is fit to measure on',
    async load() {
      const { DOCTOR, doctorCommand } = await import('./commands/doctor.js')
      return { help: DOCTOR, run: doctorCommand }
    }
  },
  {
    name: 'schema',
    words: '[name]',
    group: 'Results',
    describe: 'Print the JSON Schema of a result, plan or input file',
    async load() {
      const { SCHEMA, schemaCommand } = await import('./commands/schema.js')
      return { help: SCHEMA, run: schemaCommand }
    }
  },
  {
    name: 'server',
    group: 'Servers and machines',
    describe: 'Run a rendezvous server until Ctrl-C',
    async load() {
      const { SERVER, serverCommand } = await import('./commands/server.js')
      return { help: SERVER, run: serverCommand }
    }
  },
  {
    name: 'agent',
    group: 'Servers and machines',
    describe: 'Lend this machine to runs of other machines until Ctrl-C',
    async load() {
      const { AGENT, agentCommand } = await import('./commands/agents.js')
      return { help: AGENT, run: agentCommand }
    }
  },
  {
    name: 'agents',
    group: 'Servers and machines',
    describe: 'List the agents on a bus',
    async load() {
      const { AGENTS, agentsCommand } = await import('./commands/agents.js')
      return { help: AGENTS, run: agentsCommand }
    }
  },
  {
    name: 'image',
    group: 'Servers and machines',
    describe: 'Build the Docker image of the server, or of this tool',
    async load() {
      const { IMAGE, imageCommand } = await import('./commands/server.js')
      return { help: IMAGE, run: imageCommand }
    }
  },
  {
    name: 'completion',
    group: 'Servers and machines',
    describe: 'Print a completion script for bash and zsh',
    async load() {
      const { COMPLETION, completionCommand } = await import('./commands/schema.js')
      return { help: COMPLETION, run: completionCommand }
    }
  }
]

/** MAIN_EXAMPLES are shown by --help of the program itself. @type {import('./command-line.js').CommandHelp['examples']} */
export const MAIN_EXAMPLES = [
  ['10 s of REGISTER by 4 clients', ''],
  ['open model', '--benchmarkType DISCOVER --rate 500/s'],
  [
    'your own server; exit code 3 if it is too slow',
    '--target <multiaddr> --threshold "REGISTER.p99 < 50ms"'
  ],
  ['1,000 simulated nodes', 'gossip --network simulated --nodes 1000'],
  ['the highest rate that is sustained', 'saturate rendezvous --search'],
  ['does a setting make a difference?', "ab '--inFlight 1' '--inFlight 4'"]
]
