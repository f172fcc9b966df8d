import { deliveriesLead } from '../../report/page/gossip/lead.js'
import { GOSSIP_SECTIONS } from '../../report/page/gossip/sections.js'
import { deliveryDoubts, deliveryFailures } from '../../report/page/gossip/verdict.js'
import { growthPlots } from '../../report/plots/gossip/growth-plots.js'
import { gossipOverlays } from '../../report/plots/gossip/matrix-overlays.js'

/** PAGE is what the page of a network has of its own. @type {import('../../report/view.js').PageParts} */
export const PAGE = Object.freeze({
  lead: deliveriesLead,
  failures: deliveryFailures,
  doubts: deliveryDoubts,
  sections: GOSSIP_SECTIONS,
  matrixPlots: (table, results) => [...growthPlots(table, results), ...gossipOverlays(table, results)]
})
