import { faultsCsv, operationsCsv, perSecondCsv, serverCsv } from '../../report/csv.js'
import { operationRows } from '../../report/operation-rows.js'
import { loadInLine, operationsInLine } from '../../report/operations-in-line.js'
import { RENDEZVOUS_MATRIX } from '../../report/rendezvous-matrix.js'
import { OPERATIONS, RENDEZVOUS_METRICS } from '../../report/rendezvous-metrics.js'
import { RENDEZVOUS_NOTES } from '../../report/rendezvous-notes.js'
import { RENDEZVOUS_WORDS } from '../../report/rendezvous-words.js'
import { SERVER_AGAINST } from '../../report/server-against.js'
import { operationCells } from '../../report/table.js'
import { TARGET_SETTINGS } from '../../report/target-settings.js'

/** OPERATION_FILES are the figures of operations as CSV. @type {readonly import('../../report/view.js').ViewFile[]} */
export const OPERATION_FILES = Object.freeze([
  { file: 'operations.csv', render: operationsCsv },
  { file: 'per-second.csv', render: perSecondCsv },
  { file: 'server.csv', render: serverCsv }
])

/** VIEW shows operations at a rendezvous server. @type {import('../../report/view.js').ScenarioView} */
export const VIEW = Object.freeze({
  words: RENDEZVOUS_WORDS,
  cells: operationCells,
  fileRows: operationRows,
  notes: RENDEZVOUS_NOTES,
  parts: () => [],
  inLine: { what: loadInLine, came: operationsInLine },
  settings: TARGET_SETTINGS,
  against: SERVER_AGAINST,
  csv: [
    ...OPERATION_FILES,
    { file: 'faults.csv', render: faultsCsv, when: ({ outcome }) => outcome.faults.length > 0 }
  ],
  metrics: [OPERATIONS, ...RENDEZVOUS_METRICS],
  matrix: RENDEZVOUS_MATRIX,
  page: async () => (await import('./page.js')).PAGE
})
