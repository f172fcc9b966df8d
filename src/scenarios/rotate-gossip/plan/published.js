import { gossipCase, PUBLISHED as OF_GOSSIP } from '../../gossip/plan/published.js'
import { ROTATE_GOSSIP_OPTIONS } from './rotate-gossip-options.js'

/** PUBLISHED says which plans are those of a published case. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = {
  rowFigures: OF_GOSSIP.rowFigures,
  case: gossipCase(ROTATE_GOSSIP_OPTIONS),
  rates: ['ratePerSecond'],
  reference: () => ({})
}
