import { gossipCase } from '../../gossip/plan/published.js'
import { ROTATION_OPTIONS } from './rotation-options.js'

/** PUBLISHED says which plans are those of a published case. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = Object.freeze({
  case: gossipCase(ROTATION_OPTIONS),
  rates: ['ratePerSecond'],
  reference: () => ({})
})
