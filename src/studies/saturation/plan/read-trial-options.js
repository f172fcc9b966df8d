import { readCommandOptions } from '../../../plan/command-options.js'
import { defaultOf } from '../../../plan/schema-of.js'

/**
 * readTrialOptions reads the options of a command that tries loads. Defaults are written as they would be typed, and read like that.
 *
 * @param {import('../../../plan/read-options.js').OptionTable} table
 * @param {Record<string, unknown>} options - as typed
 * @returns {ReturnType<typeof readCommandOptions>}
 */
export function readTrialOptions(table, options) {
  const { own, problems } = readCommandOptions(table, options)
  const values = Object.entries(own).map(([key, value]) => {
    const option = table[key]
    return [key, option.default !== undefined && value === option.default ? defaultOf(option) : value]
  })
  return { own: Object.fromEntries(values), problems }
}
