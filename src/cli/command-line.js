// Parses the command line, shows help, and runs the command that was asked for.
import '../kit/runtime.js'
import yargs from 'yargs'
import { groupBy } from '../kit/collections.js'
import { describeOpenFilesError, PROGRAM } from '../kit/runtime.js'
import { ensureWidth, wrapText } from '../kit/text-layout.js'
import { firstSentence, foldFamilies, keepTypedNames, PARSER_OPTIONS } from '../plan/options.js'
import { COMMANDS, MAIN_EXAMPLES } from './commands.js'
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
    const { columns = 80 } = /** @type {{ columns?: number }} */ (stdout)
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
async function loaded({ name, group, describe, words, load }, argv) {
  const first = isCommand(argv[0])
  const isRequested = first ? name === argv[0] : argv.includes(name) || name === COMMANDS[0].name
  if (!isRequested) return { name, group, describe, words, ...NOT_LOADED }
  const { help, run, end } = await load(argv)
  return { name, group, describe, words, ...help, run, end }
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
 * @property {string} [family]
 * @property {string} [member]
 * @property {boolean} [unlisted]
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
 * @typedef {CommandHelp & { name: string, group?: string, describe: string, words?: string }} Command - `words`: that follow its name, as in its usage
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

/** A command with more options shows the common ones, and only the first sentence of each. */
const MAX_OPTIONS = 12

/** Longer lines are hard to read. */
const MAX_COLUMNS = 100

/** So that help of two screens has room for options. */
const MAX_EXAMPLES = 5

/**
 * What help shows: the common options and the first examples if there are many, all with `--help all`.
 *
 * @param {CommandHelp} command
 * @param {string[]} argv
 */
function shownOf({ options, examples }, argv) {
  const entries = Object.entries(foldFamilies(options))
  const common = entries.filter(([, option]) => option.common)
  const isShort =
    !argv.includes('all') && isHelpRequested(argv) && entries.length > MAX_OPTIONS && common.length > 0
  if (!isShort) return { shown: entries, examples, isShort, left: 0 }
  const shown = (isCommand(argv[0]) ? common : []).map(
    ([key, option]) =>
      /** @type {const} */ ([
        key,
        { ...option, group: 'Options:', describe: firstSentence(option.describe), note: undefined }
      ])
  )
  return { shown, examples: examples.slice(0, MAX_EXAMPLES), isShort, left: entries.length - shown.length }
}

/** @param {string} word */
const isCommand = word => COMMANDS.some(({ name }) => name === word)

/** @param {string[]} argv */
const isHelpRequested = argv => argv.some(word => word === '-h' || word === '--help')

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
    hidden: !completing && !isHelpRequested(argv),
    group,
    describe,
    ...(short ? { alias: short } : {}),
    ...(flag ? { boolean: true } : {}),
    ...(completing && choices !== undefined ? { choices } : {}),
    ...(shown ? { defaultDescription: shown } : {})
  }
}

/** Breaks a command line before options, as a shell takes it. @param {string} line @param {number} columns */
function breakCommand(line, columns) {
  /** @type {string[]} */
  const lines = []
  for (const part of line.split(/ (?=--|'|results\/)/)) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} ${part}`
    if (lines.length === 0) lines.push(part)
    else if (longer.length <= columns - 2) lines[lines.length - 1] = longer
    else lines.push(`    ${part}`)
  }
  return lines.join(' \\\n')
}

/**
 * @param {CommandHelp['examples']} examples
 * @param {number} columns
 */
const exampleText = (examples, columns) =>
  [
    'Examples:',
    ...examples.flatMap(([purpose, rest]) => {
      const line = `  ${PROGRAM} ${rest}`.trimEnd()
      const long = `${line}   # ${purpose}`
      return long.length <= columns ? long : [`  # ${purpose}`, breakCommand(line, columns)]
    })
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

/** @param {readonly Pick<Command, 'name' | 'group' | 'describe'>[]} commands @returns {string} in their groups */
const listCommands = commands =>
  [...groupBy(commands, ({ group }) => group)]
    .flatMap(([group, members]) => [
      `${group}:`,
      ...members.map(({ name, describe }) => `  ${name.padEnd(12)}${describe}`)
    ])
    .join('\n')

/** Where yargs would wrap lines of commands, and take away the spaces before them. */
const HEAD = '{head}'

/**
 * @param {import('yargs').Argv} cli
 * @param {Command} command
 * @param {string[]} argv
 */
function describeCommand(cli, command, argv) {
  const form = formOf(command, argv)
  const { shown, isShort, left } = shownOf(form, argv)
  for (const [name, option] of shown) cli.option(name, helpOption(option, argv))
  // what help does not list by its own name can be given by it all the same
  for (const [name, { family, unlisted, flag }] of Object.entries(form.options))
    if ((family !== undefined || unlisted) && flag) cli.option(name, { boolean: true, hidden: true })
  const notes = [...new Set(shown.flatMap(([, { note }]) => note ?? []))].map(note => `${note}\n\n`).join('')
  const more = left === 0 ? notes : `${moreHelp(shown.length, left)}\n\n`
  if (isShort) cli.hide('help').hide('version')
  return cli.usage(HEAD).group(['help', 'version'], 'Also:').epilogue(`${more}${form.epilogue}`)
}

/** @param {number} shown @param {number} left - options */
const moreHelp = (shown, left) =>
  shown === 0
    ? `${PROGRAM} <command> --help shows the options of a command.`
    : `--help all shows ${left} more options, and more of these.`

/**
 * The usage, what the command does, and examples.
 *
 * @param {readonly Command[]} commands
 * @param {string[]} argv
 * @param {number} columns
 */
function headOf(commands, argv, columns) {
  const named = commands.find(({ name }) => name === argv[0])
  const command = named ?? commands[0]
  const form = formOf(command, argv)
  const words = form === command ? (command.words ?? []) : argv[1]
  const usage = named === undefined ? '[command]' : [command.name, words].flat().join(' ')
  const isMain = named === undefined && !argv.includes('all')
  const { examples } = isMain ? { examples: MAIN_EXAMPLES } : shownOf(form, argv)
  const subject =
    named === undefined ? listCommands(commands) : wrapText(form.describe ?? command.describe, columns)
  return `${PROGRAM} ${usage} [options]\n\n${subject}\n\n${exampleText(examples, columns)}`
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
export async function readArguments(typed, commands, { columns: width, version }) {
  const argv = withHelpApart(typed)
  const columns = Math.min(width, MAX_COLUMNS)
  /** @type {Arguments | undefined} */
  let parsedArguments
  const cli = yargs()
    .locale('en')
    .scriptName(PROGRAM)
    .parserConfiguration(PARSER_OPTIONS)
    .wrap(isHelpRequested(argv) ? columns : null)
    .exitProcess(false)
    .fail(false)
    .help()
    .version(`libp2p-loadtest ${version}`)
    .alias({ help: 'h', version: 'v' })
  commands.forEach((command, place) => {
    cli.command(
      place === 0 ? [command.name, '$0'] : command.name,
      false,
      builder => describeCommand(builder, command, argv),
      parsed => {
        const words = parsed._.map(String)
        const named = words[0] === command.name
        parsedArguments = {
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
  if (parsedArguments !== undefined) return parsedArguments
  const [before, after] = text.split(HEAD)
  return { text: after === undefined ? `${before}\n` : `${headOf(commands, argv, columns)}${after}\n` }
}
