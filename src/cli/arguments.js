import yargs from 'yargs'
import { PROGRAM } from '../kit/program.js'
import { asTyped, PARSER } from '../plan/option-text.js'

/**
 * @typedef {object} Arguments - what the command line asks for
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
 * yargs takes a lone `-` for no value of the flag before it.
 *
 * @param {readonly string[]} argv
 */
const withDashes = argv =>
  argv.flatMap((word, i) => {
    if (word === '-' && isLongFlag(argv[i - 1])) return []
    return isLongFlag(word) && argv[i + 1] === '-' ? `${word}=-` : word
  })

/** The library takes `--help=all` for no wish for help. @param {readonly string[]} argv */
const withHelpApart = argv =>
  argv.flatMap(word => (word.startsWith('--help=') ? ['--help', word.slice('--help='.length)] : word))

/** A command with more options shows the common ones first. */
const MOST_SHOWN = 20

/**
 * What of the options is shown: the common ones where there are many, all of them to those who ask for `--help all`.
 *
 * @param {CommandHelp} command
 * @param {string[]} argv
 */
function shownOf({ options }, argv) {
  const entries = Object.entries(options)
  const isAll = argv.includes('all')
  const common = entries.filter(([, option]) => option.common)
  const isShort = !isAll && isHelpAsked(argv) && entries.length > MOST_SHOWN && common.length > 0
  return { shown: isShort ? common : entries, left: isShort ? entries.length - common.length : 0 }
}

/** @param {string[]} argv */
const isHelpAsked = argv => argv.some(word => word === '-h' || word === '--help')

/** A shell asks for what could follow. @param {string[]} argv */
const isCompleting = argv => argv.includes('--get-yargs-completions')

/**
 * helpOption is an option as yargs takes it. Whether values that there are not are wrong is said elsewhere, and better. Behind each command
 * yargs makes the text of its help, asked for or not: options that nobody is told of, and lines that are not wrapped, cost nothing there.
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
 * Examples are too long for the two columns yargs would put them in.
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

/** What yargs has under a second name. @param {CommandHelp} command */
const shortsOf = ({ options }) => Object.values(options).flatMap(({ short }) => short ?? [])

/** @param {Record<string, unknown>} parsed @param {string[]} names */
const without = (parsed, names) =>
  Object.fromEntries(Object.entries(parsed).filter(([name]) => !names.includes(name)))

/**
 * readArguments reads a command line. Values stay as they were typed.
 *
 * @param {string[]} typed - without node and script
 * @param {readonly Command[]} commands - the first is the default
 * @param {Look} look
 * @returns {Promise<Arguments | { text: string }>} `text`: help or version, asked for and to be printed
 */
export async function readArguments(typed, commands, { columns, version }) {
  const argv = withHelpApart(typed)
  /** @type {Arguments | undefined} */
  let found
  const cli = yargs()
    .locale('en')
    .scriptName(PROGRAM)
    .usage(`$0 [command] [options]\n\n${commands[0].describe}`)
    .parserConfiguration(PARSER)
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
          options: asTyped(without(parsed, ['h', 'v', ...shortsOf(formOf(command, argv))]), argv),
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
