import { PAGE as OF_GOSSIP } from '../gossip/page.js'
import { gossipOverlays } from '../gossip/view/plots/matrix-overlays.js'
import { rotateGossipAnswer } from './view/page/rotate-gossip-answer.js'
import { rotateGossipLead } from './view/page/rotate-gossip-lead.js'
import { ROTATE_GOSSIP_SECTIONS } from './view/page/rotate-gossip-sections.js'

/** PAGE is what the page of rotating nodes has of its own. @type {import('../../report/view.js').PageParts<import('../gossip/gossip-types.js').NetworkResult>} */
export const PAGE = {
  ...OF_GOSSIP,
  lead: rotateGossipLead,
  answer: result => rotateGossipAnswer(/** @type {any} */ (result)),
  sections: ROTATE_GOSSIP_SECTIONS,
  matrixPlots: gossipOverlays
}
