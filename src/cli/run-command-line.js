import '../node-shim.js'
import { withWidth } from '../kit/terminal-width.js'
import { tooFewFiles } from '../open-files.js'
import { readArguments } from './arguments.js'
import { COMMANDS } from './commands.js'
import { EXIT } from './exit-codes.js'

/**
 * runCommandLine reads a command line and runs the command that it asks for, or shows its help.
 *
 * @param {string[]} argv - without node and script
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function runCommandLine(argv, surroundings) {
  const { stdout, stderr, version } = surroundings
  for (const stream of [stdout, stderr]) withWidth(stream)
  /** @type {Awaited<ReturnType<typeof loaded>>[]} */
  let commands = []
  try {
    const { columns = 100 } = /** @type {{ columns?: number }} */ (stdout)
    commands = await Promise.all(COMMANDS.map(command => loaded(command, argv)))
    const args = await readArguments(argv, commands, { columns, version })
    if ('text' in args) {
      stdout.write(args.text)
      return EXIT.DONE
    }
    return (
      (await refuseFirstWord(argv, args, surroundings)) ?? (await runOf(args, commands)(args, surroundings))
    )
  } catch (error) {
    // where too few files may be open, nothing more can be imported
    stderr.write(tooFewFiles(error) ?? (await sayingWhy(error, stderr)))
    return EXIT.FAILED
  } finally {
    for (const { end } of commands) await end?.()
  }
}

/** @param {unknown} error @param {import('./surroundings.js').Surroundings['stderr']} stderr */
async function sayingWhy(error, stderr) {
  const { errorText } = await import('./error-text.js')
  const { onTerminal } = await import('../report/terminal-text.js')
  return onTerminal(errorText(error), stderr)
}

/**
 * A first word that no command has may be one of an earlier release, or misspelled.
 *
 * @param {readonly string[]} argv
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number | null>} exit code; null: it is none
 */
async function refuseFirstWord([first], args, surroundings) {
  const {
    command,
    words: [word]
  } = args
  if (word === undefined || word !== first || command !== COMMANDS[0].name) return null
  return (await import('./near-command.js')).refuseNearCommand(args, surroundings)
}

/**
 * @template {{ name: string, run: import('./commands.js').Run }} C
 * @param {import('./arguments.js').Arguments} args
 * @param {C[]} commands
 */
const runOf = ({ command }, commands) => /** @type {C} */ (commands.find(({ name }) => name === command)).run

/** What is never asked for takes no options and runs nothing. */
const NOT_ASKED_FOR = {
  options: {},
  examples: [],
  epilogue: '',
  end: undefined,
  run: () => Promise.reject(new Error('was not asked for'))
}

/**
 * The first word is a command's name, or it may come later, behind options: then whatever is named is loaded, and the default, to which
 * all these words may belong.
 *
 * @param {import('./commands.js').ListedCommand} command
 * @param {string[]} argv
 */
async function loaded({ name, describe, words, load }, argv) {
  const first = COMMANDS.some(command => command.name === argv[0])
  const asked = first ? name === argv[0] : argv.includes(name) || name === COMMANDS[0].name
  if (!asked) return { name, describe, words, ...NOT_ASKED_FOR }
  const { help, run, end } = await load(argv)
  return { name, describe, words, ...help, run, end }
}
