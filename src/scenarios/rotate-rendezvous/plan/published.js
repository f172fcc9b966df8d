import { caseKeys } from '../../../plan/option.js'
import { RENDEZVOUS_ROTATION_OPTIONS } from './rendezvous-rotation-options.js'

/** PUBLISHED says which plans are those of a published case. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = Object.freeze({
  case: caseKeys(RENDEZVOUS_ROTATION_OPTIONS),
  rates: ['ratePerSecond'],
  reference: () => ({})
})
