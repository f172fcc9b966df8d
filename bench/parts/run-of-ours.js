import { ROOT } from './checkout.js'
import { timedRun } from './timed-run.js'

/**
 * runOfOurs is a run as a user makes it, in a process of its own, of which nothing is left.
 *
 * @param {readonly string[]} args
 * @returns {Promise<any>} its outcome
 * @throws {Error} it is not complete
 */
export const runOfOurs = async args => (await timedRun(ROOT, args)).document.outcome
