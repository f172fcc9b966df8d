import { COMMAND } from './command.js'
import { GOSSIP_COMPARED, GOSSIP_FIGURES } from './figures.js'
import { filled } from './filled.js'
import { NETWORK_GAUGES } from './network-gauges.js'
import { estimateMs } from './plan/estimate.js'
import { GOSSIP_KIND } from './plan/gossip-kind.js'
import { NAMING } from './plan/naming.js'
import { PUBLISHED } from './plan/published.js'
import { scaled } from './plan/scaled.js'

/** GOSSIP publishes messages in a gossipsub network. @type {import('../scenario.js').ComparableScenario} */
export const GOSSIP = {
  name: 'gossip',
  command: COMMAND,
  ...GOSSIP_KIND,
  ...PUBLISHED,
  naming: NAMING,
  estimateMs,
  scaled,
  schemas: () => import('./schemas.js'),
  filled,
  figures: GOSSIP_FIGURES,
  compared: GOSSIP_COMPARED,
  gauges: NETWORK_GAUGES,
  differences: async () => (await import('../profile/describe.js')).DIFFERENCES,
  endless: (/** @type {import('./plan/gossip-plan.js').GossipPlan} */ { messages, durationMs }) =>
    messages === null && durationMs === null,
  run: async () => (await import('./run/gossip.js')).runGossip,
  describe: () => import('./describe.js')
}
