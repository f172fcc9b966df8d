import { faultsCsv, operationsCsv, perSecondCsv, serverCsv } from '../../report/csv.js'
import { operationBlocks } from '../../report/operation-blocks.js'
import { operationCells } from '../../report/table.js'
import { memberParts } from './view/member-table.js'
import { operationFileHeadings, operationRows } from './view/operation-rows.js'
import { loadInLine, operationsInLine } from './view/operations-in-line.js'
import { operationTables } from './view/operations-side-by-side.js'
import { RENDEZVOUS_MATRIX } from './view/rendezvous-matrix.js'
import { RENDEZVOUS_NOTES } from './view/rendezvous-notes.js'
import { RENDEZVOUS_WORDS } from './view/rendezvous-words.js'
import { SERVER_AGAINST } from './view/server-against.js'
import { SERVER_GAUGES } from './view/server-gauges.js'
import { TARGET_SETTINGS } from './view/target-settings.js'

/** @typedef {import('../../result/types.js').Result} Result */

/** OPERATION_FILES are the figures of operations as CSV. @type {readonly import('../../report/view.js').ViewFile<import('../../result/types.js').Result>[]} */
export const OPERATION_FILES = [
  { file: 'operations.csv', render: operationsCsv },
  { file: 'per-second.csv', render: perSecondCsv },
  { file: 'server.csv', render: serverCsv }
]

/** VIEW shows operations at a rendezvous server. @type {import('../../report/view.js').ScenarioView<import('./rendezvous-types.js').OperationsResult>} */
export const VIEW = {
  words: RENDEZVOUS_WORDS,
  cells: operationCells,
  blocks: operationBlocks,
  fileHeadings: operationFileHeadings,
  fileRows: operationRows,
  notes: RENDEZVOUS_NOTES,
  parts: memberParts,
  inLine: { what: loadInLine, came: operationsInLine },
  settings: TARGET_SETTINGS,
  against: SERVER_AGAINST,
  beside: operationTables,
  started: SERVER_AGAINST.repeatedly,
  csv: [
    ...OPERATION_FILES,
    { file: 'faults.csv', render: faultsCsv, when: ({ outcome }) => outcome.faults.length > 0 }
  ],
  gauges: SERVER_GAUGES,
  matrix: RENDEZVOUS_MATRIX,
  page: async () => (await import('./page.js')).PAGE
}
