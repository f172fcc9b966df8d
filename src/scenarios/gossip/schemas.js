import { z } from 'zod'
import { planSchema } from '../../plan/plan-schema.js'
import { GOSSIP_OPTIONS } from './plan/gossip-options.js'
import { gossipsubShape, topicScoreShape } from './plan/gossipsub-params.js'
import { shapeOf } from './plan/network-file.js'
import { PARAMS } from './plan/schema-parts.js'

export { outcome } from './gossip-schema.js'

/** plan of a network that carries messages, as it stands in a result. */
export const plan = planSchema({ name: 'gossip', options: GOSSIP_OPTIONS }, PARAMS)

/** files are those that options name, as JSON Schemas by name. */
export const files = async () => {
  const shape = shapeOf(z, { gossipsub: gossipsubShape(z), score: topicScoreShape(z) })
  return {
    network: { title: 'Network file of gossip --networkFile', ...z.toJSONSchema(shape, { io: 'input' }) }
  }
}
