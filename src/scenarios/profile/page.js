import { PAGE as OF_GOSSIP } from '../gossip/page.js'
import { gossipOverlays } from '../gossip/view/plots/matrix-overlays.js'
import { profileLead } from './view/page/lead.js'
import { profileAnswer } from './view/page/profile-answer.js'
import { PROFILE_SECTIONS } from './view/page/sections.js'

/** PAGE is what the page of a profile has of its own. @type {import('../../report/view.js').PageParts<import('../gossip/gossip-types.js').NetworkResult>} */
export const PAGE = {
  ...OF_GOSSIP,
  lead: profileLead,
  answer: result => profileAnswer(/** @type {any} */ (result)),
  sections: PROFILE_SECTIONS,
  matrixPlots: gossipOverlays
}
