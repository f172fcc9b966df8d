import { optionsIn, takenOf } from '../../../plan/option.js'
import { duration, wholeNumber } from '../../../plan/values.js'

/** @typedef {import('../../../plan/read-options.js').OptionTable} OptionTable */

/** ROTATION is the heading of what rotates, in --help. */
export const ROTATION = 'What rotates:'

/** MOST_AT_ONCE is how many of a kind there can be. */
const MOST_AT_ONCE = 10_000

/**
 * rotatingRows are the options of who stays and who comes and goes.
 *
 * @param {object} of
 * @param {string} of.one - of them: `node`
 * @param {number} of.least - how many must stay
 * @param {string} of.stay - what is said of those
 * @param {string} of.go - what is said of the others
 * @param {{ default: string, least: string }} of.every - from one kill to the next
 * @param {string} of.down - time, by default, until the place is taken
 * @returns {OptionTable}
 */
export const rotatingRows = ({ one, least, stay, go, every, down }) => ({
  stable: {
    group: ROTATION,
    default: 20,
    ...wholeNumber(least, MOST_AT_ONCE),
    ofCase: true,
    describe: `${one}s that stay${stay}`
  },
  ephemeral: {
    group: ROTATION,
    default: 10,
    ...wholeNumber(1, MOST_AT_ONCE),
    ofCase: true,
    describe: `${one}s that are killed in turn${go}; each time a new one, with a new identity, takes the place`
  },
  rotateEvery: {
    group: ROTATION,
    default: every.default,
    ...duration({ min: every.least, max: '24h' }),
    planKey: 'rotateEveryMs',
    ofCase: true,
    describe: 'time from one kill to the next'
  },
  downFor: {
    group: ROTATION,
    default: down,
    ...duration({ min: '100ms', max: '24h' }),
    planKey: 'downForMs',
    ofCase: true,
    describe: `time from a kill to the start of the ${one} that takes the place`
  }
})

/**
 * rotateTable gives the table of the options of a scenario in which some come and go: those of the scenario where all stay, with
 * defaults of their own, and what rotates. What is fixed stands first, as in its plans.
 *
 * @param {string} place - the command
 * @param {OptionTable} rotating - what rotates
 * @param {OptionTable} staying - of the scenario where all stay
 * @param {Parameters<typeof optionsIn>[2]} how
 * @returns {OptionTable}
 */
export function rotateTable(place, rotating, staying, how) {
  const options = optionsIn(place, staying, how)
  const taken = takenOf(options)
  const fixed = Object.entries(options).filter(([key]) => !Object.hasOwn(taken, key))
  return Object.freeze({ ...Object.fromEntries(fixed), ...rotating, ...taken })
}
