import { addedSince } from '../../plan/option.js'
import { COMMAND } from './command.js'
import { TRANSFER_COMPARED, TRANSFER_FIGURES } from './figures.js'
import { TRANSFER_KIND } from './plan/transfer-kind.js'
import { movesFiles } from './plan/ways.js'
import { transferPlan } from './transfer-plan.js'

/** What was added to the plan since it was first written, with what the program did before. */
const { linkLossShare, network, transport, ...ADDED_TO_FILES } = addedSince(TRANSFER_KIND.options)

/** @param {Record<string, any>} document */
const filled = ({ plan, ...document }) => ({
  ...document,
  plan: plan && {
    ...{ linkLossShare, network, transport },
    ...((plan.measures === undefined || movesFiles(plan)) && ADDED_TO_FILES),
    ...plan
  }
})

/** TRANSFER moves files, and zeros, between libp2p peers and by what they are compared with. @type {import('../scenario.js').Scenario} */
export const TRANSFER = {
  name: 'transfer',
  command: COMMAND,
  ...TRANSFER_KIND,
  naming: {
    short: new Set(['size', 'streams']),
    inShort(plan, own) {
      const { sizeBytes, streams = [], measures } = transferPlan(plan)
      if (measures.includes('files')) return own.has('size') ? [`size=${sizeBytes}`] : []
      return [`size${sizeBytes}`, `s${streams.join('_')}`]
    }
  },
  rowFigures: { columns: { size: 'File MB' } },
  schemas: () => import('./transfer-schema.js'),
  filled,
  figures: TRANSFER_FIGURES,
  compared: TRANSFER_COMPARED,
  run: async () => (await import('./run/transfer-run.js')).runTransfer,
  describe: () => import('./describe.js')
}
