import { makePlanOf } from '../../scenarios.js'

/** @typedef {import('../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

/**
 * gossipPlanned makes the plan of valid options on a machine with four cores.
 *
 * @param {Record<string, unknown>} options - by flag name
 * @param {Parameters<typeof makePlanOf>[2]} [more]
 * @returns {Readonly<GossipPlan>}
 */
export function gossipPlanned(options, more = { cores: 4 }) {
  const { plan, problems } = makePlanOf('gossip', options, more)
  if (plan == null) throw new Error(JSON.stringify(problems))
  return /** @type {Readonly<GossipPlan>} */ (plan)
}
