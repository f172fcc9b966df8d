import { operationsAnswer } from './view/page/rendezvous-answer.js'
import { operationsLead } from './view/page/rendezvous-lead.js'
import { RENDEZVOUS_SECTIONS } from './view/page/rendezvous-sections.js'
import { operationDoubts, operationFailures } from './view/page/rendezvous-verdict.js'
import { rendezvousMatrixPlots } from './view/plots/rendezvous-matrix-plots.js'

/** PAGE is what the page of operations has of its own. @type {import('../../report/view.js').PageParts<import('../../result/types.js').Result>} */
export const PAGE = {
  lead: operationsLead,
  answer: operationsAnswer,
  failures: operationFailures,
  doubts: operationDoubts,
  sections: RENDEZVOUS_SECTIONS,
  matrixPlots: rendezvousMatrixPlots
}
