import { makePlan } from '../../../plan/plan.js'
import { objectiveProblem, secondsNeeded } from '../objective.js'
import { SATURATED } from '../saturated.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../plan/plan.js').Output} Output
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 *
 * @typedef {object} Load - of one trial
 * @property {number} perSecond - operations of all connections together, or messages of the whole network
 * @property {number | undefined} size - connections, or nodes; undefined: as many nodes as the topology has
 * @property {number} seconds - that they are due for, at least
 * @property {import('../objective.js').Objective | null} [objective] - that the trial is judged by; null: none
 */

/** @param {Plan | GossipPlan | undefined} plan @param {unknown} given @returns {Problem[]} */
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

/** @param {string} allowed @returns {Problem} */
const objectiveRefused = allowed => ({ flag: '--slo', value: '', allowed })

/**
 * loadPlan makes the plan of a trial: the options that were given, under a load of the open model, for as long as the percentiles of the
 * objective need.
 *
 * @param {string} scenario
 * @param {Record<string, unknown>} options - of the plan, as typed
 * @param {Load} load
 * @returns {{ plan?: any, output: Readonly<Output>, problems: Problem[] }}
 */
export function loadPlan(scenario, options, { perSecond, size, seconds, objective = null }) {
  const given = {
    ...SATURATED[scenario].sized(options, size),
    rate: `${perSecond}/s`,
    duration: `${seconds}s`
  }
  const made = /** @type {any} */ (makePlan(SATURATED[scenario].scenario, given))
  const { plan, output, problems = [] } = made
  const uneven = unevenProblems(plan, options.arrivals)
  const refused = [...problems, ...uneven]
  if (plan === undefined || refused.length > 0) return { output, problems: refused }
  const lack = objective && objectiveProblem(objective, plan)
  if (lack) return { output, problems: [objectiveRefused(lack)] }
  if (objective === null) return { plan, output, problems: [] }
  const needed = secondsNeeded(objective, plan)
  const tooLong = needed.problem === null ? [] : [objectiveRefused(needed.problem)]
  if (needed.seconds <= seconds) return { plan, output, problems: tooLong }
  const longer = loadPlan(scenario, options, { perSecond, size, seconds: needed.seconds, objective })
  return { ...longer, problems: [...tooLong, ...longer.problems] }
}

/**
 * heldLoad is loadPlan for options that were found right before.
 *
 * @param {string} scenario
 * @param {Record<string, unknown>} options
 * @param {Load} load
 * @throws {Error} when they are not any more
 */
export function heldLoad(scenario, options, load) {
  const { plan, problems } = loadPlan(scenario, options, load)
  if (plan !== undefined) return plan
  throw new Error(problems.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`).join('; '))
}
