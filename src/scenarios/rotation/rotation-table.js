import { optionsIn, takenOf } from '../../plan/option.js'

/**
 * rotationTable gives the table of the options of a scenario in which some come and go: those of the scenario where all stay, with
 * defaults of their own, and what rotates. What is fixed stands first, as in its plans.
 *
 * @param {string} place - the command
 * @param {import('../../plan/read-options.js').OptionTable} rotating - what rotates
 * @param {import('../../plan/read-options.js').OptionTable} staying - of the scenario where all stay
 * @param {Parameters<typeof optionsIn>[2]} how
 * @returns {import('../../plan/read-options.js').OptionTable}
 */
export function rotationTable(place, rotating, staying, how) {
  const options = optionsIn(place, staying, how)
  const taken = takenOf(options)
  const fixed = Object.entries(options).filter(([key]) => !Object.hasOwn(taken, key))
  return Object.freeze({ ...Object.fromEntries(fixed), ...rotating, ...taken })
}
