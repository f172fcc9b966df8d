import { counted, MISSING } from '../../../kit/numbers.js'
import { share } from '../../../report/share.js'
import { figure } from '../../../report/table.js'
import { topologyText } from '../plan/topology-text.js'
import { isSimulated } from './is-simulated.js'
import { GOSSIP_WORDS } from './progress-words.js'

/** @typedef {import('../gossip-types.js').GossipResult} GossipResult */

/**
 * settingInLine says in a line what was run.
 *
 * @param {Pick<GossipResult, 'plan'>} result
 */
export const settingInLine = ({ plan }) =>
  `${GOSSIP_WORDS.work(plan)}, ${counted(plan.nodes, 'node')}${isSimulated(plan) ? ', simulated' : ''}, ${topologyText(plan.topology)}`

/**
 * figuresInLine says in a line what came of it.
 *
 * @param {GossipResult} result
 */
export function figuresInLine({ outcome: { delivery, latency, dissemination } }) {
  if (delivery.expected === 0) return MISSING
  const times = Object.entries({ latency, dissemination }).map(
    ([name, { all }]) => `${name} p50 ${figure(all.p50)} ms, p99 ${figure(all.p99)} ms`
  )
  return [`MDR ${share(delivery.delivered, delivery.expected)} %`, ...times].join('; ')
}
