import { VIEW as OF_OPERATIONS, OPERATION_FILES } from '../rendezvous/view.js'
import { rotationParts } from '../rotate/view/rotate-tables.js'
import { peerLivesCsv, peerRotationCsv, registrationsCsv } from './view/csv.js'
import { rotateRendezvousInLine, rotatingInLine } from './view/rotate-rendezvous-in-line.js'
import { ROTATE_RENDEZVOUS_MATRIX } from './view/rotate-rendezvous-matrix.js'
import { ROTATE_RENDEZVOUS_NOTES } from './view/rotate-rendezvous-notes.js'
import { ROTATE_RENDEZVOUS_WORDS } from './view/rotate-rendezvous-progress-words.js'
import { peerCells, rotateRendezvousTables } from './view/rotate-rendezvous-tables.js'

/** @typedef {import('./rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult */

/** VIEW shows a rendezvous server whose peers rotated. @type {import('../../report/view.js').ScenarioView<import('../rendezvous/rendezvous-types.js').OperationsResult>} */
export const VIEW = {
  ...OF_OPERATIONS,
  words: ROTATE_RENDEZVOUS_WORDS,
  cells: peerCells,
  notes: ROTATE_RENDEZVOUS_NOTES,
  parts: (/** @type {RotateRendezvousResult} */ result) => rotationParts(result, rotateRendezvousTables),
  inLine: { what: rotatingInLine, came: rotateRendezvousInLine },
  csv: [
    { file: 'rotation.csv', render: peerRotationCsv },
    { file: 'lives.csv', render: peerLivesCsv },
    { file: 'registrations.csv', render: registrationsCsv },
    ...OPERATION_FILES
  ],
  matrix: ROTATE_RENDEZVOUS_MATRIX,
  page: async () => (await import('./page.js')).PAGE
}
