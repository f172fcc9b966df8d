import { addedSince } from '../../plan/option.js'
import { COMMAND } from './command.js'
import { TRANSFER_COMPARED, TRANSFER_FIGURES } from './figures.js'
import { TRANSFER_KIND } from './plan/transfer-kind.js'

/** What was added to the plan since it was first written, with what the program did before. */
const ADDED_TO_PLAN = addedSince(TRANSFER_KIND.options)

/** TRANSFER moves files between libp2p peers and by HTTP. @type {import('../scenario.js').Scenario} */
export const TRANSFER = {
  name: 'transfer',
  command: COMMAND,
  ...TRANSFER_KIND,
  rowFigures: { columns: { size: 'File MB' } },
  schemas: () => import('./transfer-schema.js'),
  filled: document => ({ ...document, plan: document.plan && { ...ADDED_TO_PLAN, ...document.plan } }),
  figures: TRANSFER_FIGURES,
  compared: TRANSFER_COMPARED,
  run: async () => (await import('./run/transfer-run.js')).runTransfer,
  describe: () => import('./describe.js')
}
