import { planSchema } from '../../plan/plan-schema.js'
import { OPTIONS } from './plan/options.js'

export { operationsOutcome as outcome } from './outcome-schema.js'

/** plan of operations at a rendezvous server, as it stands in a result. */
export const plan = planSchema({ name: 'rendezvous', options: OPTIONS })
