import { safeInNames } from '../../../plan/case-name.js'
import { GOSSIP_OPTIONS } from './gossip-options.js'
import { writePublishers } from './publishers-option.js'

/** @typedef {import('./gossip-plan.js').GossipPlan} GossipPlan */

/** @param {GossipPlan} plan */
const pace = ({ publishers, ratePerSecond, intervalMs }) =>
  publishers === 'every'
    ? `each${intervalMs.min}-${intervalMs.max}ms`
    : `${typeof publishers === 'object' ? `${safeInNames(writePublishers(publishers))}-` : ''}rate${ratePerSecond ?? 'auto'}`

/** NAMING of the cases of networks that carry messages. @type {import('../../../plan/case-name.js').Naming} */
export const NAMING = {
  short: new Set(['nodes', 'topology', 'publishers', 'rate', 'interval', 'messages', 'duration']),
  inShort: (/** @type {GossipPlan} */ plan) => [
    `n${plan.nodes}`,
    safeInNames(GOSSIP_OPTIONS.topology.write?.(plan.topology) ?? plan.topology.kind),
    pace(plan),
    plan.messages === null ? `${plan.durationMs}ms` : `msgs${plan.messages}`
  ]
}
