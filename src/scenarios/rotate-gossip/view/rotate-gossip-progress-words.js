import { GOSSIP_WORDS } from '../../gossip/view/progress-words.js'
import { rotatingInWords } from './rotate-gossip-words.js'

/** @typedef {import('../plan/rotate-gossip-options.js').RotateGossipPlan} RotateGossipPlan */

/** ROTATE_GOSSIP_WORDS are how a run of rotate gossip is spoken of. @type {import('../../../report/view.js').ScenarioWords<import('../../gossip/gossip-types.js').NetworkResult>} */
export const ROTATE_GOSSIP_WORDS = {
  ...GOSSIP_WORDS,
  phases: {
    ...GOSSIP_WORDS.phases,
    publish: () => ['publishing, nodes rotate', 'published while nodes rotated']
  },
  setting: (/** @type {RotateGossipPlan} */ plan) => [...GOSSIP_WORDS.setting(plan), rotatingInWords(plan)]
}
