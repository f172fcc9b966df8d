import { deliveriesAnswer } from './view/page/gossip-answer.js'
import { deliveriesLead } from './view/page/lead.js'
import { GOSSIP_SECTIONS } from './view/page/sections.js'
import { deliveryDoubts, deliveryFailures } from './view/page/verdict.js'
import { growthPlots } from './view/plots/growth-plots.js'
import { gossipOverlays } from './view/plots/matrix-overlays.js'
import { seriesOverlays } from './view/plots/series-overlays.js'

/** PAGE is what the page of a network has of its own. @type {import('../../report/view.js').PageParts<import('./gossip-types.js').GossipResult>} */
export const PAGE = {
  lead: deliveriesLead,
  answer: deliveriesAnswer,
  failures: deliveryFailures,
  doubts: deliveryDoubts,
  sections: GOSSIP_SECTIONS,
  matrixPlots: (table, results) => [...growthPlots(table, results), ...gossipOverlays(table, results)],
  seriesPlots: seriesOverlays
}
