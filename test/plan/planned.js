import { makePlan } from '../scenarios.js'

/**
 * planned makes the plan of valid options on a machine with four cores.
 *
 * @param {Record<string, unknown>} options - by flag name
 * @returns {Readonly<import('../../src/scenarios/rendezvous/options.js').Plan>}
 */
export function planned(options) {
  const { plan, problems } = makePlan(options, { cores: 4 })
  if (plan == null) throw new Error(JSON.stringify(problems))
  return plan
}

/**
 * planOf is the plan of a row of a matrix of the rendezvous scenario.
 *
 * @param {{ plan: Readonly<import('../../src/scenarios/index.js').AnyPlan> }} row
 */
export const planOf = ({ plan }) =>
  /** @type {Readonly<import('../../src/scenarios/rendezvous/options.js').Plan>} */ (plan)
