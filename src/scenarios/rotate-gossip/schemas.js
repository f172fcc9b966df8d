import { takenOf } from '../../plan/option.js'
import { planSchema } from '../../plan/plan-schema.js'
import { PARAMS } from '../gossip/plan/schema-parts.js'
import { NAME } from './command.js'
import { ROTATE_GOSSIP_OPTIONS } from './plan/rotate-gossip-options.js'

export { rotateGossipOutcome as outcome } from './rotate-gossip-schema.js'

/** plan of a network whose nodes rotate, as it stands in a result. */
export const plan = planSchema({ name: NAME, options: takenOf(ROTATE_GOSSIP_OPTIONS) }, PARAMS)
