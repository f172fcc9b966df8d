import { VIEW as OF_OPERATIONS, OPERATION_FILES } from '../rendezvous/view.js'
import { peerLivesCsv, peerRotationCsv, registrationsCsv } from './view/csv.js'
import { rotatedInLine, rotatingInLine } from './view/in-line.js'
import { peerRotationParts } from './view/markdown.js'
import { ROTATING_PEERS_MATRIX } from './view/matrix.js'
import { ROTATING_PEERS_NOTES } from './view/notes.js'
import { ROTATING_PEERS_WORDS } from './view/progress-words.js'
import { peerCells } from './view/tables.js'

/** VIEW shows a rendezvous server whose peers rotated. @type {import('../../report/view.js').ScenarioView<import('../gossip/gossip-types.js').OperationsResult>} */
export const VIEW = Object.freeze({
  ...OF_OPERATIONS,
  words: ROTATING_PEERS_WORDS,
  cells: peerCells,
  notes: ROTATING_PEERS_NOTES,
  parts: peerRotationParts,
  inLine: { what: rotatingInLine, came: rotatedInLine },
  csv: [
    { file: 'rotation.csv', render: peerRotationCsv },
    { file: 'lives.csv', render: peerLivesCsv },
    { file: 'registrations.csv', render: registrationsCsv },
    ...OPERATION_FILES
  ],
  matrix: ROTATING_PEERS_MATRIX,
  page: async () => (await import('./page.js')).PAGE
})
