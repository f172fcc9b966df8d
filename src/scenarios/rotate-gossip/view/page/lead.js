import { deliveriesLead } from '../../../gossip/view/page/lead.js'
import { duplicatesInWords, firstDeliveryInWords, livesInWords } from '../words.js'

/**
 * rotationLead says a result of the rotation scenario as a person would.
 *
 * @param {import('../../../gossip/gossip-types.js').RotationResult} result
 * @returns {string[]}
 */
export function rotationLead(result) {
  const { rotation } = result.outcome
  const deliveries = deliveriesLead(/** @type {any} */ (result))
  if (rotation === null || result.outcome.messages.published === 0) return deliveries
  const duplicates = duplicatesInWords(rotation)
  return [
    ...deliveries,
    `Meanwhile ${livesInWords(rotation)}; ${firstDeliveryInWords(rotation)}.`,
    `${duplicates[0].toUpperCase()}${duplicates.slice(1)}.`
  ]
}
