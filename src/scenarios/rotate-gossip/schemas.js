import { takenOf } from '../../plan/option.js'
import { planSchema } from '../../plan/plan-schema.js'
import { PARAMS } from '../gossip/plan/schema-parts.js'
import { ROTATION_OPTIONS } from './plan/rotation-options.js'

export { rotationOutcome as outcome } from './rotation-schema.js'

/** plan of a network whose nodes rotate, as it stands in a result. */
export const plan = planSchema({ name: 'rotation', options: takenOf(ROTATION_OPTIONS) }, PARAMS)
