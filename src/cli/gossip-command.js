import { camelCase } from '../plan/camel-case.js'
import { VALIDATION_OPTIONS } from '../studies/validation/plan/validation-options.js'

/** @typedef {Awaited<ReturnType<import('./commands.js').ListedCommand['load']>>} LoadedCommand */

/** @param {import('./arguments.js').Arguments} args */
const asksForValidation = ({ options }) =>
  Object.keys(options).some(name => Object.hasOwn(VALIDATION_OPTIONS, camelCase(name)))

/**
 * withValidation gives the command of a network the options that validate the simulated one.
 *
 * @param {LoadedCommand} command
 * @returns {LoadedCommand}
 */
export const withValidation = ({ help, run }) => ({
  help: { ...help, options: Object.freeze({ ...help.options, ...VALIDATION_OPTIONS }) },
  async run(args, surroundings) {
    if (!asksForValidation(args)) return run(args, surroundings)
    const { validateGossip } = await import('./validate-gossip.js')
    return validateGossip(args, surroundings)
  }
})
