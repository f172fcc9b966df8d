import { counted } from '../../../kit/numbers.js'
import { lookaheadNs } from '../../../network/links/link-properties.js'
import { linkSettingsOf } from '../../../network/simulated/link-settings.js'

/** With less there is next to nothing to do between two meetings, and processes only wait for one another. */
const LEAST_LOOKAHEAD_NS = 1e6

/**
 * whyTogether says why the nodes of a plan have to be in one process.
 *
 * @param {import('./gossip-plan.js').GossipPlan} plan
 * @returns {string | null} null: they need not
 */
export function whyTogether(plan) {
  if (plan.network !== 'simulated') return null
  const lookahead = lookaheadNs(linkSettingsOf(plan), plan.nodes)
  return lookahead < LEAST_LOOKAHEAD_NS
    ? `what nodes send can be there after ${lookahead / 1e6} ms already (--linkLatency less --linkJitter; at least 1 ms is needed)`
    : null
}

/**
 * processesOf gives how many processes hold the nodes of a plan: as many as it asks for, where they can be apart.
 *
 * @param {import('./gossip-plan.js').GossipPlan} plan
 */
export const processesOf = plan => (plan.workers > 1 && whyTogether(plan) !== null ? 1 : plan.workers)

/** heldIn says what holds the nodes of a plan. @param {import('./gossip-plan.js').GossipPlan} plan */
export const heldIn = plan =>
  plan.network === 'docker'
    ? counted(plan.workers, 'container')
    : counted(processesOf(plan), 'process', 'processes')
