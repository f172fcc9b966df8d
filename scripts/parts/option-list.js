import { COMMANDS } from '../../src/cli/commands.js'
import { firstSentence, foldFamilies } from '../../src/plan/options.js'

const BEGIN = '<!-- The list of options is made by npm run docs -->\n'
const END = '<!-- End of the list of options -->\n'

/** Commands whose options are those of a scenario. */
const SCENARIOS = ['rendezvous', 'gossip', 'transfer', 'run']

/** @typedef {Record<string, import('../../src/cli/command-line.js').HelpOption>} OptionTable */

/** @typedef {{ name: string, options: OptionTable }} Listed */

/** @returns {Promise<Listed[]>} */
const loadCommands = () =>
  Promise.all(COMMANDS.map(async ({ name, load }) => ({ name, options: (await load([])).help.options })))

/** @param {OptionTable} options @param {string} family */
const listMembers = (options, family) =>
  Object.entries(options).flatMap(([key, option]) => (option.family === family ? [option.member ?? key] : []))

/**
 * @param {Listed} command
 * @param {Map<string, Set<string>>} known - members of options by their names, to which those of the command are added
 * @returns {string[]} options that no command before has, or has with other members
 */
const linesOf = ({ options }, known) =>
  Object.entries(foldFamilies(options)).flatMap(
    ([name, { describe, default: usual, defaultText = usual }]) => {
      const before = known.get(name)
      const members = listMembers(options, name).filter(member => !before?.has(member))
      known.set(name, new Set([...(before ?? []), ...members]))
      if (before !== undefined && members.length === 0) return []
      const byDefault = defaultText === undefined || defaultText === '' ? '' : ` (default: ${defaultText})`
      const text = before === undefined ? ` ${firstSentence(describe)}${byDefault}` : ''
      return [`- \`--${name}\`${text}${members.length === 0 ? '' : ` [${members.join(', ')}]`}`]
    }
  )

/**
 * withOptionList fills the list of all options in a document: each under the first command that has it.
 *
 * @param {string} text
 */
export async function withOptionList(text) {
  const commands = await loadCommands()
  const ordered = [
    ...commands.filter(({ name }) => SCENARIOS.includes(name)),
    ...commands.filter(({ name }) => !SCENARIOS.includes(name))
  ]
  /** @type {Map<string, Set<string>>} */
  const known = new Map()
  const sections = ordered.flatMap(command => {
    const lines = linesOf(command, known)
    return lines.length === 0 ? [] : [`## ${command.name}\n\n${lines.join('\n')}\n`]
  })
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]]
  return `${before}${BEGIN}\n${sections.join('\n')}\n${END}${after}`
}
