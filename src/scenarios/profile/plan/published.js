import { gossipCase, PUBLISHED as OF_GOSSIP } from '../../gossip/plan/published.js'
import { PROFILE_OPTIONS } from './profile-options.js'

/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = {
  rowFigures: {
    ...OF_GOSSIP.rowFigures,
    columns: {
      ...OF_GOSSIP.rowFigures?.columns,
      published: 'Messages',
      received: 'Delivered',
      seconds: 'Measured s'
    }
  },
  case: gossipCase(PROFILE_OPTIONS),
  rates: OF_GOSSIP.rates,
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    return { published: number, received: number, seconds: number }
  }
}
