import { caseKeys } from '../../../plan/option.js'
import { GOSSIP_OPTIONS } from './gossip-options.js'

/** Keys of a plan that are of a case and have no option of their own. */
const NO_OPTION = ['gossipsub', 'linkLatencies']

/** gossipCase gives the keys in which plans of a published case of a network agree. @param {import('../../../plan/read-options.js').OptionTable} options */
export const gossipCase = options => [...caseKeys(options), ...NO_OPTION]

/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = {
  case: gossipCase(GOSSIP_OPTIONS),
  rates: ['ratePerSecond', 'intervalMs'],
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const ofAll = z.tuple([number, number], { error: 'must be two numbers: how many, and of how many' })
    return { disseminationMs: number, received: ofAll, lost: ofAll }
  }
}
