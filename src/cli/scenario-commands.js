import { takenOf } from '../plan/option.js'
import { SCENARIOS } from '../scenarios/index.js'
import { PRESETS, presetOptions } from '../scenarios/presets.js'
import { scenarioCommand } from './scenario-command.js'

/**
 * @typedef {import('./commands.js').ListedCommand} ListedCommand
 *
 * @typedef {object} Row - a scenario among those of one command
 * @property {string} name
 * @property {string} [form] - the word behind the command's, where it runs several scenarios: `rotate gossip`
 * @property {Pick<import('../scenarios/index.js').Entry, 'command' | 'options'>} entry
 */

/** Presets are commands beside those of scenarios. @returns {[name: string, entry: Row['entry']][]} */
const presetEntries = () =>
  Object.entries(PRESETS).map(([name, preset]) => [
    name,
    {
      command: preset.command,
      options: async () => presetOptions(await SCENARIOS[preset.scenario].options(), preset)
    }
  ])

/** @returns {Map<string, Row[]>} by the first word of their command */
function byCommand() {
  /** @type {Map<string, Row[]>} */
  const rows = new Map()
  for (const [name, entry] of [...Object.entries(SCENARIOS), ...presetEntries()]) {
    const [command = '', form] = entry.command.words.split(' ')
    const key = command === '' ? name : command
    rows.set(key, [...(rows.get(key) ?? []), { name, form, entry }])
  }
  return rows
}

/** Each form has options of its own. @param {Row} row @param {Row[]} rows */
function otherForms(row, rows) {
  const words = rows.flatMap(({ entry }) => (entry === row.entry ? [] : entry.command.words))
  if (words.length === 0) return ''
  const others = words.map(other => `those of ${other}: ${other} --help`)
  return `These are the options of ${row.entry.command.words}; ${others.join('; ')}.\n`
}

/** @param {Row} row @param {Row[]} rows - of its command @returns {ReturnType<ListedCommand['load']>} */
async function loaded(row, rows) {
  const { name, entry } = row
  const { options: tableOf, command } = entry
  const options = takenOf(await tableOf())
  const { words, ...text } = command
  const run = scenarioCommand(name, `${words} --help`.trimStart())
  return { help: { ...text, epilogue: `${otherForms(row, rows)}${text.epilogue}`, options }, run }
}

/** @param {string} command @param {Row[]} rows @returns {import('./commands.js').Run} runs what the first word names */
const runNamed = (command, rows) => async (args, surroundings) => {
  const [what, ...words] = args.words
  const row = rows.find(({ form }) => form === what)
  if (row !== undefined) return (await loaded(row, rows)).run({ ...args, words }, surroundings)
  const { refuse } = await import('./refuse.js')
  const forms = rows.map(({ form }) => form)
  const allowed = `must be ${forms.join(' or ')}, as in ${command} ${forms[0]}`
  return refuse(command, [{ flag: 'scenario', value: what ?? '', allowed }], surroundings)
}

/** @param {string[]} texts - each begins with a capital */
const allOf = ([first, ...more]) =>
  [first, ...more.map(text => `${text.charAt(0).toLowerCase()}${text.slice(1)}`)].join('; ')

/** SCENARIO_COMMANDS run scenarios. What an option is for is decided by the form that is named. @type {readonly ListedCommand[]} */
export const SCENARIO_COMMANDS = [...byCommand()].map(([name, rows]) => ({
  name,
  describe: allOf(rows.map(({ entry }) => entry.command.describe)),
  words: rows[0].form === undefined ? undefined : `<${rows.map(({ form }) => form).join('|')}>`,
  async load(argv) {
    if (rows[0].form === undefined) return loaded(rows[0], rows)
    const named = rows.find(({ form = '' }) => argv.includes(form)) ?? rows[0]
    return { ...(await loaded(named, rows)), run: runNamed(name, rows) }
  }
}))
