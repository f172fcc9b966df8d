import { resourceParts } from '../gossip/view/node-resources.js'
import { VIEW as OF_GOSSIP } from '../gossip/view.js'
import { hotSpotsCsv } from './view/csv.js'
import { profileInLine } from './view/in-line.js'
import { hotSpotParts } from './view/markdown.js'
import { PROFILE_MATRIX } from './view/matrix.js'
import { PROFILE_NOTES } from './view/profile-notes.js'
import { PROFILE_WORDS } from './view/progress-words.js'

/** VIEW shows a network whose processes were sampled. @type {import('../../report/view.js').ScenarioView<import('../gossip/gossip-types.js').NetworkResult>} */
export const VIEW = {
  ...OF_GOSSIP,
  words: PROFILE_WORDS,
  notes: PROFILE_NOTES,
  parts: (/** @type {any} */ result) => [...hotSpotParts(result), ...resourceParts(result)],
  inLine: { ...OF_GOSSIP.inLine, came: profileInLine },
  csv: [{ file: 'hot-spots.csv', render: hotSpotsCsv }, ...OF_GOSSIP.csv],
  matrix: PROFILE_MATRIX,
  page: async () => (await import('./page.js')).PAGE
}
