import { PAGE as OF_OPERATIONS } from '../rendezvous/page.js'
import { rotateRendezvousAnswer } from './view/page/rotate-rendezvous-answer.js'
import { rotateRendezvousLead } from './view/page/rotate-rendezvous-lead.js'
import { ROTATE_RENDEZVOUS_SECTIONS } from './view/page/rotate-rendezvous-sections.js'

/** PAGE is what the page of rotating peers has of its own. @type {import('../../report/view.js').PageParts<import('../rendezvous/rendezvous-types.js').OperationsResult>} */
export const PAGE = {
  ...OF_OPERATIONS,
  lead: rotateRendezvousLead,
  answer: result => rotateRendezvousAnswer(/** @type {any} */ (result)),
  sections: ROTATE_RENDEZVOUS_SECTIONS,
  matrixPlots: () => []
}
