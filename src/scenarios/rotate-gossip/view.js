import { livesCsv, peersCsv, rotationCsv } from '../../report/rotation/csv.js'
import { rotationInLine } from '../../report/rotation/in-line.js'
import { rotationParts } from '../../report/rotation/markdown.js'
import { ROTATION_NOTES } from '../../report/rotation/notes.js'
import { ROTATION_WORDS } from '../../report/rotation/progress-words.js'
import { VIEW as OF_GOSSIP } from '../gossip/view.js'

/** VIEW shows a network whose nodes rotated. @type {import('../../report/view.js').ScenarioView} */
export const VIEW = Object.freeze({
  ...OF_GOSSIP,
  words: ROTATION_WORDS,
  notes: ROTATION_NOTES,
  parts: rotationParts,
  inLine: { ...OF_GOSSIP.inLine, came: rotationInLine },
  csv: [
    { file: 'rotation.csv', render: rotationCsv },
    { file: 'lives.csv', render: livesCsv },
    { file: 'peers.csv', render: peersCsv },
    ...OF_GOSSIP.csv
  ],
  page: async () => (await import('./page.js')).PAGE
})
