import { GOSSIP_WORDS } from '../../gossip/view/progress-words.js'
import { SAMPLING_INTERVAL_MICROS } from '../plan/profile-options.js'
import { intervalInWords } from './words.js'

/** @typedef {import('../plan/profile-options.js').ProfilePlan} ProfilePlan */

/** PROFILE_WORDS are how a run of the profile scenario is spoken of. @type {import('../../../report/view.js').ScenarioWords<import('../../gossip/gossip-types.js').NetworkResult>} */
export const PROFILE_WORDS = {
  ...GOSSIP_WORDS,
  phases: {
    ...GOSSIP_WORDS.phases,
    publish: () => ['publishing, sampled', 'published and sampled']
  },
  setting: (/** @type {ProfilePlan} */ plan) => [
    ...GOSSIP_WORDS.setting(plan),
    `all workers sampled each ${intervalInWords(SAMPLING_INTERVAL_MICROS)}`
  ]
}
