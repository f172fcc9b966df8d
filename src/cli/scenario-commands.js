import { SCENARIOS } from '../scenarios/index.js'
import { PRESETS, presetOptions } from '../scenarios/presets.js'
import { scenarioCommand } from './scenario-command.js'

/** @typedef {import('./commands.js').ListedCommand} ListedCommand */
/** @typedef {Pick<import('../scenarios/index.js').Entry, 'command' | 'options'>} Entry */

/** Presets are commands beside those of scenarios. @returns {[name: string, entry: Entry][]} */
const presetEntries = () =>
  Object.entries(PRESETS).map(([name, preset]) => [
    name,
    {
      command: preset.command,
      options: async () => presetOptions(await SCENARIOS[preset.scenario].options(), preset)
    }
  ])

/** SCENARIO_COMMANDS run scenarios. @type {readonly ListedCommand[]} */
export const SCENARIO_COMMANDS = [...Object.entries(SCENARIOS), ...presetEntries()].map(([name, entry]) => ({
  name,
  describe: entry.command.describe,
  async load() {
    const { words, ...text } = entry.command
    return {
      help: { ...text, options: await entry.options() },
      run: scenarioCommand(name, `${words} --help`.trimStart())
    }
  }
}))
