import { COMMAND } from './command.js'
import { TRANSFER_FIGURES } from './figures.js'
import { TRANSFER_KIND } from './plan/transfer-kind.js'

/** TRANSFER moves files between libp2p peers and by HTTP. @type {import('../scenario.js').Scenario} */
export const TRANSFER = {
  name: 'transfer',
  command: COMMAND,
  ...TRANSFER_KIND,
  naming: { short: new Set(), inShort: () => [] },
  scaled: () => ({}),
  endless: () => false,
  case: [],
  rates: [],
  reference: () => ({}),
  schemas: () => import('./schemas.js'),
  filled: document => document,
  figures: TRANSFER_FIGURES,
  compared: null,
  run: async () => (await import('./run/transfer.js')).runTransfer,
  view: async () => (await import('./view.js')).VIEW
}
