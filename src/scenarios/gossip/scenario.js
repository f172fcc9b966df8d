import { GOSSIP_KIND } from '../../plan/gossip/gossip-kind.js'
import { GOSSIP_METRICS } from '../../result/thresholds/gossip-metrics.js'
import { COMMAND } from './command.js'
import { filled } from './filled.js'
import { estimateMs } from './plan/estimate.js'
import { NAMING } from './plan/naming.js'
import { PUBLISHED } from './plan/published.js'
import { scaled } from './plan/scaled.js'

/** GOSSIP publishes messages in a gossipsub network. @type {import('../scenario.js').Scenario} */
export const GOSSIP = Object.freeze({
  name: 'gossip',
  command: COMMAND,
  ...GOSSIP_KIND,
  ...PUBLISHED,
  naming: NAMING,
  estimateMs,
  scaled,
  endless: () => false,
  schemas: () => import('./schemas.js'),
  filled,
  metrics: GOSSIP_METRICS,
  run: async () => (await import('../gossip.js')).runGossip,
  view: async () => (await import('./view.js')).VIEW
})
