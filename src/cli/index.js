import { GOSSIP } from '../scenarios/gossip/scenario.js'
import { PROFILE } from '../scenarios/profile/scenario.js'
import { RENDEZVOUS } from '../scenarios/rendezvous/scenario.js'
import { AB, abCommand } from './ab.js'
import { readArguments } from './arguments.js'
import { CAPACITY, capacityCommand } from './capacity.js'
import { COMPARE, compareCommand } from './compare.js'
import { errorText } from './error-text.js'
import { EXIT } from './exit-codes.js'
import { IMAGE, imageCommand } from './image.js'
import { LIST, listCommand } from './list.js'
import { MATRIX, matrixCommand } from './matrix.js'
import { REPORT, reportCommand } from './report.js'
import { RERUN, rerunCommand } from './rerun.js'
import { ROTATE, rotateCommand, rotateFor } from './rotate.js'
import { SATURATE, saturateCommand } from './saturate.js'
import { commandOf, scenarioCommand } from './scenario-command.js'
import { SCHEMA, schemaCommand } from './schema.js'
import { SERVER, serverCommand } from './server.js'
import { realSurroundings } from './surroundings.js'
import { asksForValidation, validateGossip } from './validate-gossip.js'
import { VALIDATION_OPTIONS } from './validation-options.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

const COMMANDS = Object.freeze([
  commandOf(RENDEZVOUS, 'rendezvous'),
  commandOf(GOSSIP, 'gossip', VALIDATION_OPTIONS),
  commandOf(PROFILE, 'profile'),
  ROTATE,
  MATRIX,
  AB,
  SATURATE,
  CAPACITY,
  COMPARE,
  RERUN,
  REPORT,
  LIST,
  SCHEMA,
  SERVER,
  IMAGE
])

const runGossip = scenarioCommand('gossip', 'gossip --help')

/** @type {Record<string, (args: Arguments, surroundings: Surroundings) => Promise<number>>} */
const RUN = {
  rendezvous: scenarioCommand('rendezvous', '--help'),
  gossip: (args, surroundings) =>
    asksForValidation(args) ? validateGossip(args, surroundings) : runGossip(args, surroundings),
  profile: scenarioCommand('profile', 'profile --help'),
  rotate: rotateCommand,
  matrix: matrixCommand,
  ab: abCommand,
  saturate: saturateCommand,
  capacity: capacityCommand,
  compare: compareCommand,
  rerun: rerunCommand,
  report: reportCommand,
  list: listCommand,
  schema: schemaCommand,
  server: serverCommand,
  image: imageCommand
}

/**
 * main runs a command line.
 *
 * @param {string[]} argv - without node and script
 * @param {Surroundings} [surroundings]
 * @returns {Promise<number>} exit code
 */
export async function main(argv, surroundings = realSurroundings()) {
  const { stdout, stderr, version } = surroundings
  outliveReader(stdout)
  outliveReader(stderr)
  try {
    const { columns = 100 } = /** @type {{ columns?: number }} */ (stdout)
    const commands = COMMANDS.map(command => (command === ROTATE ? rotateFor(argv) : command))
    const args = await readArguments(argv, commands, { columns, version })
    if (!('text' in args)) return await RUN[args.command](args, surroundings)
    stdout.write(args.text)
    return EXIT.DONE
  } catch (error) {
    stderr.write(errorText(error))
    return EXIT.FAILED
  }
}

/**
 * A reader that goes away, as `head` does, is no error: what is left of the output has nobody to read it, and the run
 * is kept in its folder all the same.
 *
 * @param {NodeJS.WritableStream} stream
 */
function outliveReader(stream) {
  stream.on('error', error => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error
  })
}
