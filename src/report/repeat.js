import { planFlags, quoted } from '../plan/plan-flags.js'

/** PROGRAM is how the program is called in texts. */
export const PROGRAM = 'node index.js'

/**
 * rerunCommand runs the plan of a result again.
 *
 * @param {string} folder - of the run
 */
export const rerunCommand = folder => `${PROGRAM} rerun ${quoted(folder)}`

/**
 * reportCommand makes the views of a result again.
 *
 * @param {string} folder - of the run
 */
export const reportCommand = folder => `${PROGRAM} report ${quoted(folder)}`

/**
 * planCommand runs a plan without its result at hand.
 *
 * @param {import('../plan/plan.js').Plan} plan
 */
export const planCommand = plan => [PROGRAM, ...planFlags(plan)].join(' ')
