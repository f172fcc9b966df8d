import { makePlan } from '../plan.js'

/**
 * @typedef {import('../plan.js').Plan} Plan
 * @typedef {import('../plan.js').Output} Output
 * @typedef {import('../read-options.js').Problem} Problem
 *
 * @typedef {object} Load - of one trial
 * @property {number} perSecond - operations, of all connections together
 * @property {number} connections
 * @property {number} seconds - that they are due for
 */

/**
 * What is otherwise here than in a single run: the server holds the same registrations from the first to the last operation, so that
 * no load is measured on a store that grows with it.
 */
const DEFAULTS = Object.freeze({ registerMode: 'refresh' })

/** @param {Plan | undefined} plan @param {unknown} given @returns {Problem[]} */
const unevenProblems = (plan, given) =>
  plan === undefined || typeof plan.arrivals === 'string'
    ? []
    : [
        {
          flag: '--arrivals',
          value: String(given),
          allowed: 'must be constant or poisson here: a load is held, not changed'
        }
      ]

/**
 * loadPlan makes the plan of a trial: the options that were given, under a load of the open model.
 *
 * @param {Record<string, unknown>} options - of the plan, as typed
 * @param {Load} load
 * @returns {{ plan?: Readonly<Plan>, output: Readonly<Output>, problems: Problem[] }}
 */
export function loadPlan(options, { perSecond, connections, seconds }) {
  const given = {
    ...(options['register-mode'] === undefined ? DEFAULTS : {}),
    ...options,
    rate: `${perSecond}/s`,
    nClients: connections,
    duration: `${seconds}s`
  }
  const { plan, output, problems = [] } = makePlan(given)
  const uneven = unevenProblems(plan, options.arrivals)
  return { plan: uneven.length > 0 ? undefined : plan, output, problems: [...problems, ...uneven] }
}
