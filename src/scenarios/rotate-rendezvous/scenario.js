import { RENDEZVOUS } from '../rendezvous/scenario.js'
import { COMMAND, NAME } from './command.js'
import { ROTATE_RENDEZVOUS_COMPARED, ROTATE_RENDEZVOUS_FIGURES } from './figures.js'
import { NAMING } from './plan/naming.js'
import { PUBLISHED } from './plan/published.js'
import { ROTATE_RENDEZVOUS_KIND } from './plan/rotate-rendezvous-kind.js'

/** ROTATE_RENDEZVOUS kills and replaces peers of a rendezvous server while others discover. @type {import('../scenario.js').Scenario} */
export const ROTATE_RENDEZVOUS = {
  ...RENDEZVOUS,
  name: NAME,
  command: COMMAND,
  ...ROTATE_RENDEZVOUS_KIND,
  ...PUBLISHED,
  naming: NAMING,
  schemas: () => import('./schemas.js'),
  figures: ROTATE_RENDEZVOUS_FIGURES,
  compared: ROTATE_RENDEZVOUS_COMPARED,
  run: async () => (await import('./run/rotate-rendezvous.js')).runRotateRendezvous,
  describe: () => import('../rendezvous/describe.js')
}
