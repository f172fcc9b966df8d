import { PAGE as OF_OPERATIONS } from '../rendezvous/page.js'
import { rotatingPeersLead } from './view/page/lead.js'
import { ROTATING_PEERS_SECTIONS } from './view/page/sections.js'

/** PAGE is what the page of rotating peers has of its own. @type {import('../../report/view.js').PageParts<import('../gossip/gossip-types.js').OperationsResult>} */
export const PAGE = Object.freeze({
  ...OF_OPERATIONS,
  lead: rotatingPeersLead,
  sections: ROTATING_PEERS_SECTIONS,
  matrixPlots: () => []
})
