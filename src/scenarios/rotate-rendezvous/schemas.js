import { takenOf } from '../../plan/option.js'
import { planSchema } from '../../plan/plan-schema.js'
import { operationsOutcome } from '../rendezvous/outcome-schema.js'
import { RENDEZVOUS_ROTATION_OPTIONS } from './plan/rendezvous-rotation-options.js'
import { rendezvousRotation } from './rendezvous-rotation-schema.js'

/** plan of peers that rotate at a rendezvous server, as it stands in a result. */
export const plan = planSchema({ name: 'rotation-rendezvous', options: takenOf(RENDEZVOUS_ROTATION_OPTIONS) })

/** outcome is what was measured of the server, and of its peers. */
export const outcome = operationsOutcome.extend({ rotation: rendezvousRotation })
