import { caseKeys } from '../../../plan/option.js'
import { GOSSIP_OPTIONS } from './gossip-options.js'

/** Keys of a plan that are of a case and have no option of their own. */
const NO_OPTION = ['gossipsub', 'linkLatencies']

/** gossipCase gives the keys in which plans of a published case of a network agree. @param {import('../../../plan/read-options.js').OptionTable} options */
export const gossipCase = options => [...caseKeys(options), ...NO_OPTION]

/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = {
  rowFigures: {
    columns: {
      nodes: 'Nodes',
      topology: 'Topology',
      network: 'Network',
      rate: 'Rate/s',
      disseminationMs: 'Dissem. avg ms',
      received: ['Delivered', 'Expected'],
      published: 'Messages',
      seconds: 'Measured s',
      lost: ['Lost messages', 'Messages']
    },
    drawn: ['Last hop avg', 'Dissem. avg ms', 'Latency p50 ms', 'Latency p99 ms', 'MDR %'],
    over: ['Degree avg']
  },
  case: gossipCase(GOSSIP_OPTIONS),
  rates: ['ratePerSecond', 'intervalMs'],
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const ofAll = z.tuple([number, number], { error: 'must be two numbers: how many, and of how many' })
    // of a study that published how many it expected, or not
    return {
      disseminationMs: number,
      received: z.union([ofAll, number]),
      lost: ofAll,
      published: number,
      seconds: number
    }
  }
}
