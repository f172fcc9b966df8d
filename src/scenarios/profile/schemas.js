import { takenOf } from '../../plan/option.js'
import { planSchema } from '../../plan/plan-schema.js'
import { PARAMS } from '../gossip/plan/schema-parts.js'
import { PROFILE_OPTIONS } from './plan/profile-options.js'

export { profileOutcome as outcome } from './profile-schema.js'

/** plan of a network whose processes are sampled, as it stands in a result. */
export const plan = planSchema({ name: 'profile', options: takenOf(PROFILE_OPTIONS) }, PARAMS)
