import { planSchema } from '../../plan/plan-schema.js'
import { GOSSIP_OPTIONS } from './plan/gossip-options.js'
import { PARAMS } from './plan/schema-parts.js'

export { gossipOutcome as outcome } from './gossip-schema.js'

/** plan of a network that carries messages, as it stands in a result. */
export const plan = planSchema({ name: 'gossip', options: GOSSIP_OPTIONS }, PARAMS)
