import { optionsIn, refusedOf, takenOf } from '../../../plan/option.js'
import { CLOSED_MODEL } from '../plan/conditions.js'
import { OPTIONS } from '../plan/options.js'

/** A trial holds a load, of the open model. */
const options = optionsIn('trial', OPTIONS, { never: [CLOSED_MODEL] })

/** NOT_IN_A_TRIAL are options of a run that a trial has no use for, and why. */
export const NOT_IN_A_TRIAL = refusedOf(options)

/** TRIAL_OPTIONS are those of a plan that a trial has a use for. */
export const TRIAL_OPTIONS = takenOf(options)
