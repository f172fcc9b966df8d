import { counted, significant, spell } from '../../../kit/numbers.js'
import { RENDEZVOUS_WORDS } from '../../rendezvous/view/rendezvous-words.js'
import { cookieWords, rotatingPeers } from './rotate-rendezvous-words.js'

/** @typedef {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan */

/** ROTATE_RENDEZVOUS_WORDS are how a run of rotate rendezvous is spoken of. @type {import('../../../report/view.js').ScenarioWords<import('../../rendezvous/rendezvous-types.js').OperationsResult>} */
export const ROTATE_RENDEZVOUS_WORDS = {
  ...RENDEZVOUS_WORDS,
  phases: {
    ...RENDEZVOUS_WORDS.phases,
    connect: ({ nClients }) => [
      'connecting and registering peers',
      `${counted(nClients, 'peer')} registered`
    ],
    measure: () => ['measuring, peers rotate', 'measured in rotation']
  },
  work: (/** @type {RotateRendezvousPlan} */ { durationMs, ratePerSecond }) =>
    `${spell(Number(durationMs))} of DISCOVER at ${significant(Number(ratePerSecond))}/s`,
  setting: (/** @type {RotateRendezvousPlan} */ plan) => [
    rotatingPeers(plan),
    cookieWords(plan),
    ...RENDEZVOUS_WORDS.setting(plan).slice(1)
  ]
}
