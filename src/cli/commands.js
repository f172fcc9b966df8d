// All commands.
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
    describe: 'Run the rows of matrix files, and put their figures beside published ones',
    load: async () => (await import('./commands/matrix.js')).loadMatrixCommand()
  },
  {
    name: 'ab',
    words: '<A> <B>',
    describe: 'Run two plans in turn, several times each, and say what differs',
    load: async () => (await import('./commands/ab.js')).loadAbCommand()
  },
  {
    name: 'saturate',
    words: '<rendezvous|gossip>',
    describe:
      'Find how much load a rendezvous server or a gossipsub network carries: a grid, or a search for the rate',
    async load() {
      const { SATURATE, saturateCommand } = await import('./commands/saturate.js')
      return { help: SATURATE, run: saturateCommand }
    }
  },
  {
    name: 'qa',
    words: '<rendezvous|gossip>',
    describe:
      'Make a quality report: what is carried, how it goes at that, for long, and while some come and go',
    async load() {
      const { QA, qaCommand } = await import('./commands/saturate.js')
      return { help: QA, run: qaCommand }
    }
  },
  {
    name: 'run',
    words: '<file>',
    describe: 'Run a scenario of your own, from its file',
    load: async argv => (await import('./commands/run.js')).loadRunCommand(argv[0] === 'run' ? argv : [])
  },
  {
    name: 'conform',
    words: '<address>',
    describe: 'Hold a rendezvous server against the specification, check by check',
    load: () => import('./commands/conform.js')
  },
  {
    name: 'compare',
    words: '<base> <folder..>',
    describe: 'Hold results against each other: the first is the base',
    load: () => import('./commands/compare.js')
  },
  {
    name: 'rerun',
    words: '<folder>',
    describe: 'Run the plan of a result again, with the same seed',
    load: () => import('./commands/rerun.js')
  },
  {
    name: 'report',
    words: '<folder>',
    describe: 'Make the pages and tables of a result again, without running anything',
    async load() {
      const { REPORT, reportCommand } = await import('./commands/results.js')
      return { help: REPORT, run: reportCommand }
    }
  },
  {
    name: 'list',
    words: '[folder]',
    describe: 'List the runs in a folder of results',
    async load() {
      const { LIST, listCommand } = await import('./commands/results.js')
      return { help: LIST, run: listCommand }
    }
  },
  {
    name: 'doctor',
    describe: 'Say what this machine can be believed for',
    async load() {
      const { DOCTOR, doctorCommand } = await import('./commands/doctor.js')
      return { help: DOCTOR, run: doctorCommand }
    }
  },
  {
    name: 'schema',
    words: '[name]',
    describe: 'Print the JSON Schema of a result, a plan, a network file, or a line of --jsonLines',
    async load() {
      const { SCHEMA, schemaCommand } = await import('./commands/schema.js')
      return { help: SCHEMA, run: schemaCommand }
    }
  },
  {
    name: 'server',
    describe: 'Run just a rendezvous server, until Ctrl-C',
    async load() {
      const { SERVER, serverCommand } = await import('./commands/server.js')
      return { help: SERVER, run: serverCommand }
    }
  },
  {
    name: 'agent',
    describe: 'Send load from this machine for runs that are made elsewhere, until Ctrl-C',
    async load() {
      const { AGENT, agentCommand } = await import('./commands/agents.js')
      return { help: AGENT, run: agentCommand }
    }
  },
  {
    name: 'agents',
    describe: 'List the machines with agents on a bus',
    async load() {
      const { AGENTS, agentsCommand } = await import('./commands/agents.js')
      return { help: AGENTS, run: agentsCommand }
    }
  },
  {
    name: 'image',
    describe: 'Build the Docker image of the server, for --server docker, or of this tool',
    async load() {
      const { IMAGE, imageCommand } = await import('./commands/server.js')
      return { help: IMAGE, run: imageCommand }
    }
  },
  {
    name: 'completion',
    describe: 'Print a script with which bash and zsh complete commands and options',
    async load() {
      const { COMPLETION, completionCommand } = await import('./commands/schema.js')
      return { help: COMPLETION, run: completionCommand }
    }
  }
]
