import { deliveriesLead } from '../../../gossip/view/page/lead.js'
import { sentence } from '../../../rotate/view/rotate-words.js'
import { duplicatesInWords, firstDeliveryInWords, livesInWords } from '../rotate-gossip-words.js'

/**
 * rotateGossipLead says a result of rotate gossip as a person would.
 *
 * @param {import('../../rotate-gossip-types.js').RotateGossipResult} result
 * @returns {string[]}
 */
export function rotateGossipLead(result) {
  const { rotation } = result.outcome
  const deliveries = deliveriesLead(/** @type {any} */ (result))
  if (rotation === null || result.outcome.messages.published === 0) return deliveries
  return [
    ...deliveries,
    `Meanwhile ${livesInWords(rotation)}; ${firstDeliveryInWords(rotation)}.`,
    sentence(duplicatesInWords(rotation))
  ]
}
