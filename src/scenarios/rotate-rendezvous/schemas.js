import { takenOf } from '../../plan/option.js'
import { planSchema } from '../../plan/plan-schema.js'
import { operationsOutcome } from '../rendezvous/outcome-schema.js'
import { NAME } from './command.js'
import { ROTATE_RENDEZVOUS_OPTIONS } from './plan/rotate-rendezvous-options.js'
import { rotateRendezvous } from './rotate-rendezvous-schema.js'

/** plan of peers that rotate at a rendezvous server, as it stands in a result. */
export const plan = planSchema({
  name: NAME,
  options: takenOf(ROTATE_RENDEZVOUS_OPTIONS)
})

/** outcome is what was measured of the server, and of its peers. */
export const outcome = operationsOutcome.extend({ rotation: rotateRendezvous })
