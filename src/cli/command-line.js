// The command line: its parser, and the help of commands.
import '../kit/runtime.js'
import yargs from 'yargs'
import { describeOpenFilesError, PROGRAM } from '../kit/runtime.js'
import { ensureWidth } from '../kit/text-layout.js'
import { keepTypedNames, PARSER_OPTIONS } from '../plan/options.js'
import { COMMANDS } from './commands.js'
import { EXIT } from './exit.js'

/**
 * runCommandLine reads a command line and runs the command that it asks for, or shows its help.
 *
 * @param {string[]} argv - without node and script
 * @param {import('./index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function runCommandLine(argv, io) {
  const { stdout, stderr, version } = io
  for (const stream of [stdout, stderr]) ensureWidth(stream)
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
    const command = /** @type {typeof commands[number]} */ (
      commands.find(({ name }) => name === args.command)
    )
    return (await refuseFirstWord(argv, args, io)) ?? (await command.run(args, io))
  } catch (error) {
    // if the limit of open files is too low, nothing more can be imported
    stderr.write(describeOpenFilesError(error) ?? (await errorMessage(error, stderr)))
    return EXIT.FAILED
  } finally {
    for (const { end } of commands) await end?.()
  }
}

/** @param {unknown} error @param {import('./index.js').ProcessIo['stderr']} stderr */
async function errorMessage(error, stderr) {
  const [{ formatError }, { wrapForTerminal }] = await Promise.all([
    import('./exit.js'),
    import('../report/text.js')
  ])
  return wrapForTerminal(formatError(error), stderr)
}

/**
 * Refuses a first word that is a removed or misspelled command.
 *
 * @param {readonly string[]} argv
 * @param {Arguments} args
 * @param {import('./index.js').ProcessIo} io
 * @returns {Promise<number | null>} exit code; null: it is neither
 */
async function refuseFirstWord([first], args, io) {
  const {
    command,
    words: [word]
  } = args
  if (word === undefined || word !== first || command !== COMMANDS[0].name) return null
  return (await import('./command-hints.js')).refuseUnknownCommand(args, io)
}

/** Help and function of commands that are not loaded. */
const NOT_LOADED = {
  options: {},
  examples: [],
  epilogue: '',
  end: undefined,
  run: () => Promise.reject(new Error('was not asked for'))
}

/**
 * Loads a command if the command line names it. If the first word is an option, all commands named later are loaded, and the default command,
 * to which these words may belong.
 *
 * @param {import('./commands.js').ListedCommand} command
 * @param {string[]} argv
 */
async function loaded({ name, describe, words, load }, argv) {
  const first = COMMANDS.some(command => command.name === argv[0])
  const asked = first ? name === argv[0] : argv.includes(name) || name === COMMANDS[0].name
  if (!asked) return { name, describe, words, ...NOT_LOADED }
  const { help, run, end } = await load(argv)
  return { name, describe, words, ...help, run, end }
}

/**
 * @typedef {object} Arguments - a parsed command line
 * @property {string} command
 * @property {Record<string, unknown>} options - by name as typed, without leading dashes
 * @property {string[]} words - that belong to no option
 *
 * @typedef {{ columns: number, version: string }} Look
 *
 * @typedef {object} HelpOption
 * @property {string} group
 * @property {string} describe
 * @property {string} [note] - said once under all options
 * @property {boolean} [flag]
 * @property {readonly string[]} [choices] - all values there are
 * @property {string} [short]
 * @property {boolean} [common]
 * @property {unknown} [default]
 * @property {string} [defaultText]
 *
 * @typedef {object} CommandHelp
 * @property {string} [describe] - where it says more of what is asked for than the list of commands does
 * @property {Readonly<Record<string, HelpOption>>} options
 * @property {readonly Readonly<[string, string]>[]} examples - what for, and the command after the program's name
 * @property {string} epilogue
 * @property {Readonly<Record<string, CommandHelp>>} [forms] - with options, examples and epilogue of their own, by the word after
 *   the command's name, `saturate gossip`
 *
 * @typedef {CommandHelp & { name: string, describe: string, words?: string }} Command - `words`: that follow its name, as in its usage
 */

/**
 * A quoted string of options, such as `'--inFlight 4 --rate 100/s'`, is one word of a command line and no option.
 *
 * @param {string} word
 */
const asWord = word => (/^--[\w-]+(\s|=\S*\s+--)/.test(word) ? ` ${word}` : word)

/** @param {string | undefined} word */
const isLongFlag = word => word?.startsWith('--') === true && !word.includes('=')

/**
 * Joins a single `-` to the flag before it: yargs does not take it as a value.
 *
 * @param {readonly string[]} argv
 */
const withDashes = argv =>
  argv.flatMap((word, i) => {
    if (word === '-' && isLongFlag(argv[i - 1])) return []
    return isLongFlag(word) && argv[i + 1] === '-' ? `${word}=-` : word
  })

/** yargs does not take `--help=all` as a request for help. @param {readonly string[]} argv */
const withHelpApart = argv =>
  argv.flatMap(word => (word.startsWith('--help=') ? ['--help', word.slice('--help='.length)] : word))

/** A command with more options shows the common ones first. */
const MAX_SHOWN = 20

/**
 * The options that help shows: the common ones if there are many, all with `--help all`.
 *
 * @param {CommandHelp} command
 * @param {string[]} argv
 */
function shownOf({ options }, argv) {
  const entries = Object.entries(options)
  const isAll = argv.includes('all')
  const common = entries.filter(([, option]) => option.common)
  const isShort = !isAll && isHelpAsked(argv) && entries.length > MAX_SHOWN && common.length > 0
  return { shown: isShort ? common : entries, left: isShort ? entries.length - common.length : 0 }
}

/** @param {string[]} argv */
const isHelpAsked = argv => argv.some(word => word === '-h' || word === '--help')

/** Whether a shell asks for completions. @param {string[]} argv */
const isCompleting = argv => argv.includes('--get-yargs-completions')

/**
 * Makes the option of yargs. Values are not checked by yargs, but later, with better messages. yargs formats the help of a command even when it
 * is not shown: hidden options and unwrapped lines save that time.
 *
 * @param {HelpOption} option
 * @param {string[]} argv
 */
function helpOption({ group, describe, flag, short, defaultText, choices, ...option }, argv) {
  const shown = defaultText ?? (option.default === undefined ? undefined : String(option.default))
  const completing = isCompleting(argv)
  return {
    hidden: !completing && !isHelpAsked(argv),
    group,
    describe,
    ...(short ? { alias: short } : {}),
    ...(flag ? { boolean: true } : {}),
    ...(completing && choices !== undefined ? { choices } : {}),
    ...(shown ? { defaultDescription: shown } : {})
  }
}

/**
 * The examples of a command, each on its own lines: yargs would put them in two narrow columns.
 *
 * @param {CommandHelp} command
 */
const exampleText = ({ examples }) =>
  [
    'Examples:',
    ...examples.flatMap(([purpose, rest]) => [`  # ${purpose}`, `  ${PROGRAM} ${rest}`.trimEnd()])
  ].join('\n')

/**
 * @param {Command} command
 * @param {string[]} argv
 * @returns {CommandHelp} the form that is asked for, or the command itself
 */
function formOf(command, [name, word]) {
  const { forms = {} } = command
  return name === command.name && Object.hasOwn(forms, word) ? forms[word] : command
}

/**
 * @param {import('yargs').Argv} cli
 * @param {Command} command
 * @param {string[]} argv
 */
function describeCommand(cli, command, argv) {
  const form = formOf(command, argv)
  const { shown, left } = shownOf(form, argv)
  for (const [name, option] of shown) cli.option(name, helpOption(option, argv))
  const words = form === command ? (command.words ?? []) : argv[1]
  if (argv[0] === command.name)
    cli.usage(
      `${[`$0 ${command.name}`, words, '[options]'].flat().join(' ')}\n\n${form.describe ?? command.describe}`
    )
  const notes = [...new Set(shown.flatMap(([, { note }]) => note ?? []))].map(note => `${note}\n\n`).join('')
  const more = left === 0 ? notes : `--help all shows ${left} more options.\n\n${notes}`
  return cli.group(['help', 'version'], 'Also:').epilogue(`${more}${exampleText(form)}\n\n${form.epilogue}`)
}

/** The short names of options. @param {CommandHelp} command */
const shortsOf = ({ options }) => Object.values(options).flatMap(({ short }) => short ?? [])

/** @param {Record<string, unknown>} parsed @param {string[]} names */
const without = (parsed, names) =>
  Object.fromEntries(Object.entries(parsed).filter(([name]) => !names.includes(name)))

/**
 * readArguments parses a command line. Values stay as typed.
 *
 * @param {string[]} typed - without node and script
 * @param {readonly Command[]} commands - the first is the default
 * @param {Look} look
 * @returns {Promise<Arguments | { text: string }>} `text`: help or version, to be printed
 */
export async function readArguments(typed, commands, { columns, version }) {
  const argv = withHelpApart(typed)
  /** @type {Arguments | undefined} */
  let found
  const cli = yargs()
    .locale('en')
    .scriptName(PROGRAM)
    .usage(`$0 [command] [options]\n\n${commands[0].describe}`)
    .parserConfiguration(PARSER_OPTIONS)
    .wrap(isHelpAsked(argv) ? Math.min(columns, 120) : null)
    .exitProcess(false)
    .fail(false)
    .help()
    .version(`libp2p-loadtest ${version}`)
    .alias({ help: 'h', version: 'v' })
  commands.forEach((command, place) => {
    cli.command(
      place === 0 ? [command.name, '$0'] : command.name,
      command.describe,
      builder => describeCommand(builder, command, argv),
      parsed => {
        const words = parsed._.map(String)
        const named = words[0] === command.name
        found = {
          command: command.name,
          options: keepTypedNames(without(parsed, ['h', 'v', ...shortsOf(formOf(command, argv))]), argv),
          words: named ? words.slice(1) : words
        }
      }
    )
  })
  let text = ''
  await cli.parseAsync(withDashes(argv).map(asWord), {}, (_error, _parsed, output) => {
    text = output
  })
  return found ?? { text: `${text}\n` }
}
