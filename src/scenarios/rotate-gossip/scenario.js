import { GOSSIP } from '../gossip/scenario.js'
import { COMMAND, NAME } from './command.js'
import { ROTATE_GOSSIP_COMPARED } from './figures.js'
import { PUBLISHED } from './plan/published.js'
import { ROTATE_GOSSIP_KIND } from './plan/rotate-gossip-kind.js'

/** ROTATE_GOSSIP kills and replaces nodes of a gossipsub network that carries messages. @type {import('../scenario.js').Scenario} */
export const ROTATE_GOSSIP = {
  ...GOSSIP,
  name: NAME,
  command: COMMAND,
  ...ROTATE_GOSSIP_KIND,
  ...PUBLISHED,
  compared: ROTATE_GOSSIP_COMPARED,
  schemas: () => import('./schemas.js'),
  run: async () => (await import('./run/rotate-gossip.js')).runRotateGossip
}
