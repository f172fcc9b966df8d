import { COMMANDS } from '../../src/cli/commands.js'
import { firstSentence, foldFamilies } from '../../src/plan/options.js'

const BEGIN = '<!-- The list of options is made by npm run docs -->\n'
const END = '<!-- End of the list of options -->\n'

/** Commands whose options are those of a scenario. */
const SCENARIOS = ['rendezvous', 'gossip', 'transfer', 'run']

/** @typedef {{ name: string, options: Record<string, import('../../src/cli/command-line.js').HelpOption> }} Listed */

/** @returns {Promise<Listed[]>} */
const loadCommands = () =>
  Promise.all(
    COMMANDS.map(async ({ name, load }) => ({ name, options: foldFamilies((await load([])).help.options) }))
  )

/** @param {Listed} command @param {ReadonlySet<string>} known @returns {string[]} options that no command before has */
const linesOf = ({ options }, known) =>
  Object.entries(options)
    .filter(([name]) => !known.has(name))
    .map(([name, { describe, default: usual, defaultText = usual }]) => {
      const byDefault = defaultText === undefined || defaultText === '' ? '' : ` (default: ${defaultText})`
      return `- \`--${name}\` ${firstSentence(describe)}${byDefault}`
    })

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
  /** @type {Set<string>} */
  const known = new Set()
  const sections = ordered.flatMap(command => {
    const lines = linesOf(command, known)
    for (const name of Object.keys(command.options)) known.add(name)
    return lines.length === 0 ? [] : [`## ${command.name}\n\n${lines.join('\n')}\n`]
  })
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]]
  return `${before}${BEGIN}\n${sections.join('\n')}\n${END}${after}`
}
