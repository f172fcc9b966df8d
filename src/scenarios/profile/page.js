import { profileLead } from '../../report/page/profile/lead.js'
import { PROFILE_SECTIONS } from '../../report/page/profile/sections.js'
import { gossipOverlays } from '../../report/plots/gossip/matrix-overlays.js'
import { PAGE as OF_GOSSIP } from '../gossip/page.js'

/** PAGE is what the page of a profile has of its own. @type {import('../../report/view.js').PageParts} */
export const PAGE = Object.freeze({
  ...OF_GOSSIP,
  lead: profileLead,
  sections: PROFILE_SECTIONS,
  matrixPlots: gossipOverlays
})
