import { counted, significant, spell } from '../../../kit/numbers.js'
import { RENDEZVOUS_WORDS } from '../../rendezvous/view/rendezvous-words.js'
import { cookieWords, rotatingPeers } from './words.js'

/** @typedef {import('../plan/rendezvous-rotation-plan.js').RendezvousRotationPlan} RendezvousRotationPlan */

/** ROTATING_PEERS_WORDS are how a run of the rotation-rendezvous scenario is spoken of. @type {import('../../../report/view.js').ScenarioWords<import('../../gossip/gossip-types.js').OperationsResult>} */
export const ROTATING_PEERS_WORDS = {
  ...RENDEZVOUS_WORDS,
  phases: {
    ...RENDEZVOUS_WORDS.phases,
    connect: ({ nClients }) => [
      'connecting and registering peers',
      `${counted(nClients, 'peer')} registered`
    ],
    measure: () => ['measuring, peers rotate', 'measured in rotation']
  },
  work: (/** @type {RendezvousRotationPlan} */ { durationMs, ratePerSecond }) =>
    `${spell(Number(durationMs))} of DISCOVER at ${significant(Number(ratePerSecond))}/s`,
  setting: (/** @type {RendezvousRotationPlan} */ plan) => [
    rotatingPeers(plan),
    cookieWords(plan),
    ...RENDEZVOUS_WORDS.setting(plan).slice(1)
  ]
}
