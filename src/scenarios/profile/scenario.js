import { GOSSIP } from '../gossip/scenario.js'
import { COMMAND } from './command.js'
import { PROFILE_COMPARED } from './figures.js'
import { PROFILE_KIND } from './plan/profile-kind.js'
import { PROFILE_OPTIONS } from './plan/profile-options.js'
import { PUBLISHED } from './plan/published.js'

/** @typedef {import('./plan/profile-options.js').ProfilePlan} ProfilePlan */

/** What was added to its plans since it was first run. */
const ADDED_TO_PLAN = { profiled: PROFILE_OPTIONS.profile.added }

/** PROFILE samples the processes of a gossipsub network while it carries messages. @type {import('../scenario.js').Scenario} */
export const PROFILE = {
  ...GOSSIP,
  name: 'profile',
  command: COMMAND,
  ...PROFILE_KIND,
  ...PUBLISHED,
  endless: (/** @type {ProfilePlan} */ { messages, durationMs }) => messages === null && durationMs === null,
  filled: document =>
    GOSSIP.filled({ ...document, plan: document.plan && { ...ADDED_TO_PLAN, ...document.plan } }),
  compared: PROFILE_COMPARED,
  differences: async () => (await import('./describe-differences.js')).DIFFERENCES,
  schemas: () => import('./schemas.js'),
  run: async () => (await import('./run/profile.js')).runProfile
}
