import { deliveriesLead } from '../../../gossip/view/page/lead.js'
import { mostInWords } from '../words.js'

/** @typedef {import('../../profile-types.js').ProfileResult} ProfileResult */

/**
 * profileLead says a result of the profile scenario as a person would.
 *
 * @param {ProfileResult} result
 * @returns {string[]}
 */
export function profileLead(result) {
  const { profile } = result.outcome
  const deliveries = deliveriesLead(/** @type {any} */ (result))
  return profile === null ? deliveries : [`Most CPU time went to ${mostInWords(profile)}.`, ...deliveries]
}
