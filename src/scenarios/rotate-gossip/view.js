import { VIEW as OF_GOSSIP } from '../gossip/view.js'
import { livesCsv, peersCsv, rotationCsv } from './view/csv.js'
import { rotationInLine } from './view/in-line.js'
import { rotationParts } from './view/markdown.js'
import { ROTATION_NOTES } from './view/notes.js'
import { ROTATION_WORDS } from './view/progress-words.js'

/** VIEW shows a network whose nodes rotated. @type {import('../../report/view.js').ScenarioView<import('../gossip/gossip-types.js').NetworkResult>} */
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
