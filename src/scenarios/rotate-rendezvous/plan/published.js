import { caseKeys } from '../../../plan/option.js'
import { ROTATE_RENDEZVOUS_OPTIONS } from './rotate-rendezvous-options.js'

/** PUBLISHED says which plans are those of a published case. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = {
  case: caseKeys(ROTATE_RENDEZVOUS_OPTIONS),
  rates: ['ratePerSecond'],
  reference: () => ({})
}
