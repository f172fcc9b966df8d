import { camelCase } from '../plan/option-text.js'
import { VALIDATION_OPTIONS } from '../studies/validation/plan/validation-options.js'

/** @typedef {Awaited<ReturnType<import('./commands.js').ListedCommand['load']>>} LoadedCommand */

/** @param {import('./arguments.js').Arguments} args */
const asksForValidation = ({ options }) =>
  Object.keys(options).some(
    name => Object.hasOwn(VALIDATION_OPTIONS, camelCase(name)) && !(name === 'resume' && 'runs' in options)
  )

/** Both go on by one option, which stays where it was. @param {LoadedCommand['help']['options']} options */
const withOwn = options =>
  Object.freeze({
    ...options,
    ...VALIDATION_OPTIONS,
    resume: { ...options.resume, describe: VALIDATION_OPTIONS.resume.describe }
  })

/**
 * withValidation gives the command of a network the options that run a plan on a real and on a simulated one, and say whether they agree.
 *
 * @param {LoadedCommand} loaded
 * @param {string} command - its words
 * @returns {LoadedCommand}
 */
export const withValidation = ({ help: { options, ...help }, run }, command) => ({
  help: { ...help, options: withOwn(options) },
  async run(args, surroundings) {
    if (!asksForValidation(args)) return run(args, surroundings)
    const { planValidation } = await import('../studies/validation/plan/plan-validation.js')
    const { runStudyCommand } = await import('./run-study-command.js')
    const made = await planValidation(args, surroundings)
    if ('cases' in made && made.cases !== undefined) {
      const { CASES_STUDY } = await import('../studies/validation/cases-study.js')
      const { timeWords } = await import('../studies/validation/plan/plan-cases.js')
      const { cases } = made
      return runStudyCommand(
        CASES_STUDY,
        made,
        { command, beginning: timeWords(cases), more: { cases } },
        surroundings
      )
    }
    const { VALIDATION_STUDY } = await import('../studies/validation/validation-study.js')
    return runStudyCommand(VALIDATION_STUDY, made, { command }, surroundings)
  }
})
