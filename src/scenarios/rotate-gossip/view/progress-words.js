import { GOSSIP_WORDS } from '../../gossip/view/progress-words.js'
import { rotatingInWords } from './words.js'

/** @typedef {import('../../gossip/plan/gossip-plan.js').RotationPlan} RotationPlan */

/** ROTATION_WORDS are how a run of the rotation scenario is spoken of. @type {import('../../../report/view.js').ScenarioWords<import('../../gossip/gossip-types.js').NetworkResult>} */
export const ROTATION_WORDS = {
  ...GOSSIP_WORDS,
  phases: {
    ...GOSSIP_WORDS.phases,
    publish: () => ['publishing, nodes rotate', 'published while nodes rotated']
  },
  setting: (/** @type {RotationPlan} */ plan) => [...GOSSIP_WORDS.setting(plan), rotatingInWords(plan)]
}
