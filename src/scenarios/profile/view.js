import { PROFILE_MATRIX } from '../../report/gossip/matrix-profile.js'
import { hotSpotsCsv } from '../../report/profile/csv.js'
import { profileInLine } from '../../report/profile/in-line.js'
import { hotSpotParts } from '../../report/profile/markdown.js'
import { PROFILE_NOTES } from '../../report/profile/notes.js'
import { PROFILE_WORDS } from '../../report/profile/progress-words.js'
import { VIEW as OF_GOSSIP } from '../gossip/view.js'

/** VIEW shows a network whose processes were sampled. @type {import('../../report/view.js').ScenarioView} */
export const VIEW = Object.freeze({
  ...OF_GOSSIP,
  words: PROFILE_WORDS,
  notes: PROFILE_NOTES,
  parts: hotSpotParts,
  inLine: { ...OF_GOSSIP.inLine, came: profileInLine },
  csv: [{ file: 'hot-spots.csv', render: hotSpotsCsv }, ...OF_GOSSIP.csv],
  matrix: PROFILE_MATRIX,
  page: async () => (await import('./page.js')).PAGE
})
