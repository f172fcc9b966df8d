import { rotationLead } from '../../report/page/rotation/lead.js'
import { ROTATION_SECTIONS } from '../../report/page/rotation/sections.js'
import { gossipOverlays } from '../../report/plots/gossip/matrix-overlays.js'
import { PAGE as OF_GOSSIP } from '../gossip/page.js'

/** PAGE is what the page of rotating nodes has of its own. @type {import('../../report/view.js').PageParts} */
export const PAGE = Object.freeze({
  ...OF_GOSSIP,
  lead: rotationLead,
  sections: ROTATION_SECTIONS,
  matrixPlots: gossipOverlays
})
