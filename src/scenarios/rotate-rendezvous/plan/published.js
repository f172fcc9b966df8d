import { caseKeys } from '../../../plan/option.js'
import { PUBLISHED as OF_RENDEZVOUS } from '../../rendezvous/plan/published.js'
import { ROTATE_RENDEZVOUS_OPTIONS } from './rotate-rendezvous-options.js'

/** PUBLISHED says which plans are those of a published case. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = {
  rowFigures: OF_RENDEZVOUS.rowFigures,
  case: caseKeys(ROTATE_RENDEZVOUS_OPTIONS),
  rates: ['ratePerSecond'],
  reference: () => ({})
}
