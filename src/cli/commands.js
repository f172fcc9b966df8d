import { SCENARIO_COMMANDS } from './scenario-commands.js'

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
 * @property {(argv: readonly string[]) => Promise<{ help: CommandHelp, run: Run }>} load - imports it: what each takes and what
 *   runs it are of no use to the others
 */

/** COMMANDS there are; the first is the default. @type {readonly Readonly<ListedCommand>[]} */
export const COMMANDS = [
  ...SCENARIO_COMMANDS,
  {
    name: 'matrix',
    describe: 'Run the rows of matrix files, and put their figures beside published ones',
    async load() {
      const { MATRIX, matrixCommand } = await import('./matrix.js')
      return { help: MATRIX, run: matrixCommand }
    }
  },
  {
    name: 'ab',
    describe: 'Run two plans in turn, several times each, and say what differs',
    async load() {
      const { loadAbCommand } = await import('./ab.js')
      return loadAbCommand()
    }
  },
  {
    name: 'saturate',
    describe:
      'Find how much load a rendezvous server or a gossipsub network carries: a grid, or a search for the rate',
    async load() {
      const { SATURATE, saturateCommand } = await import('./saturate.js')
      return { help: SATURATE, run: saturateCommand }
    }
  },
  {
    name: 'capacity',
    describe: 'Say how many rendezvous servers a described network needs, by its load at real rates',
    async load() {
      const { CAPACITY, capacityCommand } = await import('./capacity.js')
      return { help: CAPACITY, run: capacityCommand }
    }
  },
  {
    name: 'run',
    describe: 'Run a scenario of your own, from its file',
    async load(argv) {
      const { loadRunCommand } = await import('./run.js')
      return loadRunCommand(argv[0] === 'run' ? argv : [])
    }
  },
  {
    name: 'conform',
    describe: 'Hold a rendezvous server against the specification, check by check',
    async load() {
      const { CONFORM, conformCommand } = await import('./conform.js')
      return { help: CONFORM, run: conformCommand }
    }
  },
  {
    name: 'compare',
    describe: 'Hold results against each other: the first is the base',
    async load() {
      const { COMPARE, compareCommand } = await import('./compare.js')
      return { help: COMPARE, run: compareCommand }
    }
  },
  {
    name: 'rerun',
    describe: 'Run the plan of a result again, with the same seed',
    async load() {
      const { RERUN, rerunCommand } = await import('./rerun.js')
      return { help: RERUN, run: rerunCommand }
    }
  },
  {
    name: 'report',
    describe: 'Make the pages and tables of a result again, without running anything',
    async load() {
      const { REPORT, reportCommand } = await import('./report.js')
      return { help: REPORT, run: reportCommand }
    }
  },
  {
    name: 'list',
    describe: 'List the runs in a folder of results',
    async load() {
      const { LIST, listCommand } = await import('./list.js')
      return { help: LIST, run: listCommand }
    }
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
    describe: 'Print the JSON Schema of a result or of a plan',
    async load() {
      const { SCHEMA, schemaCommand } = await import('./schema.js')
      return { help: SCHEMA, run: schemaCommand }
    }
  },
  {
    name: 'server',
    describe: 'Run just a rendezvous server, until Ctrl-C',
    async load() {
      const { SERVER, serverCommand } = await import('./server.js')
      return { help: SERVER, run: serverCommand }
    }
  },
  {
    name: 'image',
    describe: "Build the server's Docker image, for --server docker",
    async load() {
      const { IMAGE, imageCommand } = await import('./image.js')
      return { help: IMAGE, run: imageCommand }
    }
  }
]
