import { PUBLISHED as OF_GOSSIP } from '../../gossip/plan/published.js'

/** PUBLISHED says which plans are those of a published case. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = Object.freeze({
  case: [...OF_GOSSIP.case, 'stable', 'ephemeral', 'rotateEveryMs', 'downForMs', 'dials', 'settleMs'],
  rates: ['ratePerSecond'],
  reference: () => ({})
})
