import { PAGE as OF_GOSSIP } from '../gossip/page.js'
import { gossipOverlays } from '../gossip/view/plots/matrix-overlays.js'
import { profileLead } from './view/page/lead.js'
import { PROFILE_SECTIONS } from './view/page/sections.js'

/** PAGE is what the page of a profile has of its own. @type {import('../../report/view.js').PageParts<import('../gossip/gossip-types.js').NetworkResult>} */
export const PAGE = {
  ...OF_GOSSIP,
  lead: profileLead,
  sections: PROFILE_SECTIONS,
  matrixPlots: gossipOverlays
}
