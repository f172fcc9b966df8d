import { COMMAND } from './command.js'
import { OPERATIONS_COMPARED, RENDEZVOUS_FIGURES } from './figures.js'
import { filled } from './filled.js'
import { estimateMs, fixedMs } from './plan/estimate.js'
import { NAMING } from './plan/naming.js'
import { PUBLISHED } from './plan/published.js'
import { RENDEZVOUS_KIND } from './plan/rendezvous-kind.js'
import { sameParts } from './plan/same-parts.js'
import { scaled } from './plan/scaled.js'
import { SERVER_GAUGES } from './server-gauges.js'

/** RENDEZVOUS sends operations to a rendezvous server. @type {import('../scenario.js').ComparableScenario} */
export const RENDEZVOUS = {
  name: 'rendezvous',
  command: COMMAND,
  ...RENDEZVOUS_KIND,
  ...PUBLISHED,
  naming: NAMING,
  estimateMs,
  fixedMs,
  sameParts,
  scaled,
  schemas: () => import('./schemas.js'),
  filled,
  figures: RENDEZVOUS_FIGURES,
  compared: OPERATIONS_COMPARED,
  gauges: SERVER_GAUGES,
  merged: async () => (await import('./measure/merged-result.js')).mergedResult,
  differences: async () => (await import('../profile/describe.js')).DIFFERENCES,
  run: async () => (await import('./run/rendezvous.js')).runRendezvous,
  describe: () => import('./describe.js')
}
