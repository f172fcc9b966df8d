import { resourceParts } from '../gossip/view/node-resources.js'
import { VIEW as OF_GOSSIP } from '../gossip/view.js'
import { rotationParts } from '../rotate/view/rotate-tables.js'
import { livesCsv, peersCsv, rotationCsv } from './view/csv.js'
import { rotateGossipInLine } from './view/rotate-gossip-in-line.js'
import { ROTATE_GOSSIP_NOTES } from './view/rotate-gossip-notes.js'
import { ROTATE_GOSSIP_WORDS } from './view/rotate-gossip-progress-words.js'
import { rotateGossipTables } from './view/rotate-gossip-tables.js'

/** @typedef {import('./rotate-gossip-types.js').RotateGossipResult} RotateGossipResult */

/** VIEW shows a network whose nodes rotated. @type {import('../../report/view.js').ScenarioView<import('../gossip/gossip-types.js').NetworkResult>} */
export const VIEW = {
  ...OF_GOSSIP,
  words: ROTATE_GOSSIP_WORDS,
  notes: ROTATE_GOSSIP_NOTES,
  parts: (/** @type {RotateGossipResult} */ result) => [
    ...rotationParts(result, rotateGossipTables),
    ...resourceParts(result)
  ],
  inLine: { ...OF_GOSSIP.inLine, came: rotateGossipInLine },
  csv: [
    { file: 'rotation.csv', render: rotationCsv },
    { file: 'lives.csv', render: livesCsv },
    { file: 'peers.csv', render: peersCsv },
    ...OF_GOSSIP.csv
  ],
  page: async () => (await import('./page.js')).PAGE
}
