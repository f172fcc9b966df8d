import yargs from 'yargs'
import { asTyped, PARSER } from '../plan/option-text.js'
import { SCRIPT } from './script.js'

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
 * @property {boolean} [flag]
 * @property {unknown} [default]
 * @property {string} [defaultText]
 *
 * @typedef {object} CommandHelp
 * @property {string} [describe] - where it says more of what is asked for than the list of commands does
 * @property {Readonly<Record<string, HelpOption>>} options
 * @property {readonly Readonly<[string, string]>[]} examples - what for, and the command after the program's name
 * @property {string} epilogue
 * @property {Readonly<Record<string, CommandHelp>>} [forms] - with options, examples and epilogue of their own, by the word after
 *   the command's name, `saturate gossip`, or by a flag, `capacity --run`
 *
 * @typedef {CommandHelp & { name: string, describe: string }} Command
 */

/**
 * A quoted string of options, such as `'--inFlight 4 --rate 100/s'`, is one word of a command line and no option.
 *
 * @param {string} word
 */
const asWord = word => (/^--[\w-]+(\s|=\S*\s+--)/.test(word) ? ` ${word}` : word)

/** @param {HelpOption} option */
function helpOption({ group, describe, flag, defaultText, ...option }) {
  const shown = defaultText ?? (option.default === undefined ? undefined : String(option.default))
  return {
    group,
    describe,
    ...(flag ? { boolean: true } : {}),
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
    ...examples.flatMap(([purpose, rest]) => [`  # ${purpose}`, `  ${SCRIPT} ${rest}`.trimEnd()])
  ].join('\n')

/**
 * @param {Command} command
 * @param {string[]} argv
 * @returns {CommandHelp} the form that is asked for, or the command itself
 */
function formOf(command, [name, word, ...more]) {
  const { forms = {} } = command
  const asked = [word, ...more.filter(other => other.startsWith('--'))]
  const form = asked.find(each => Object.hasOwn(forms, each))
  return name === command.name && form !== undefined ? forms[form] : command
}

/**
 * @param {import('yargs').Argv} cli
 * @param {CommandHelp} command
 */
function describeCommand(cli, command) {
  for (const [name, option] of Object.entries(command.options)) cli.option(name, helpOption(option))
  return cli.group(['help', 'version'], 'Also:').epilogue(`${exampleText(command)}\n\n${command.epilogue}`)
}

/**
 * readArguments reads a command line. Values stay as they were typed.
 *
 * @param {string[]} argv - without node and script
 * @param {readonly Command[]} commands - the first is the default
 * @param {Look} look
 * @returns {Promise<Arguments | { text: string }>} `text`: help or version, asked for and to be printed
 */
export async function readArguments(argv, commands, { columns, version }) {
  /** @type {Arguments | undefined} */
  let found
  const cli = yargs()
    .locale('en')
    .scriptName(SCRIPT)
    .parserConfiguration(PARSER)
    .wrap(Math.min(columns, 120))
    .exitProcess(false)
    .fail(false)
    .help()
    .version(`libp2p-loadtest ${version}`)
  commands.forEach((command, place) => {
    cli.command(
      place === 0 ? [command.name, '$0'] : command.name,
      command.describe,
      builder => describeCommand(builder, formOf(command, argv)),
      parsed => {
        const words = parsed._.map(String)
        const named = words[0] === command.name
        found = {
          command: command.name,
          options: asTyped(parsed, argv),
          words: named ? words.slice(1) : words
        }
      }
    )
  })
  let text = ''
  await cli.parseAsync(argv.map(asWord), {}, (_error, _parsed, output) => {
    text = output
  })
  return found ?? { text: `${text}\n` }
}
