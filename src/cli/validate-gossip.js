import { planValidation } from '../studies/validation/plan/plan-validation.js'
import { VALIDATION_STUDY } from '../studies/validation/validation-study.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * validateGossip runs a plan on a real and on a simulated network, and says whether they agree.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export const validateGossip = async (args, surroundings) =>
  runStudyCommand(
    VALIDATION_STUDY,
    await planValidation(args, surroundings),
    { command: 'gossip' },
    surroundings
  )
