import { GOSSIP } from '../gossip/scenario.js'
import { COMMAND } from './command.js'
import { PUBLISHED } from './plan/published.js'
import { ROTATION_KIND } from './plan/rotation-kind.js'

/** ROTATE_GOSSIP kills and replaces nodes of a gossipsub network that carries messages. @type {import('../scenario.js').Scenario} */
export const ROTATE_GOSSIP = Object.freeze({
  ...GOSSIP,
  name: 'rotation',
  command: COMMAND,
  ...ROTATION_KIND,
  ...PUBLISHED,
  compared: null,
  schemas: () => import('./schemas.js'),
  run: async () => (await import('./run/rotation.js')).runRotation,
  saturation: undefined,
  view: async () => (await import('./view.js')).VIEW
})
