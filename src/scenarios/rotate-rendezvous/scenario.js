import { RENDEZVOUS } from '../rendezvous/scenario.js'
import { COMMAND } from './command.js'
import { ROTATING_PEERS_FIGURES } from './figures.js'
import { NAMING } from './plan/naming.js'
import { PUBLISHED } from './plan/published.js'
import { RENDEZVOUS_ROTATION_KIND } from './plan/rendezvous-rotation-kind.js'

/** ROTATE_RENDEZVOUS kills and replaces peers of a rendezvous server while others discover. @type {import('../scenario.js').Scenario} */
export const ROTATE_RENDEZVOUS = Object.freeze({
  ...RENDEZVOUS,
  name: 'rotation-rendezvous',
  command: COMMAND,
  ...RENDEZVOUS_ROTATION_KIND,
  ...PUBLISHED,
  naming: NAMING,
  schemas: () => import('./schemas.js'),
  figures: ROTATING_PEERS_FIGURES,
  compared: null,
  run: async () => (await import('./run/rotation-rendezvous.js')).runRotationRendezvous,
  saturation: undefined,
  view: async () => (await import('./view.js')).VIEW
})
