import { operationsLead } from '../../../rendezvous/view/page/rendezvous-lead.js'
import { firstDiscoveryInWords, leftInWords, livesInWords, staleInWords, visibleInWords } from '../words.js'

/** @param {string} text */
const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}.`

/**
 * rotatingPeersLead says a result of the rotation-rendezvous scenario as a person would.
 *
 * @param {import('../../../gossip/gossip-types.js').RendezvousRotationResult} result
 * @returns {string[]}
 */
export function rotatingPeersLead(result) {
  const { rotation, operations } = result.outcome
  if (rotation === null || operations.DISCOVER === undefined) return ['No operation was measured.']
  const only = {
    ...result,
    outcome: { ...result.outcome, operations: { DISCOVER: operations.DISCOVER } }
  }
  return [
    ...operationsLead(/** @type {any} */ (only)),
    `Meanwhile ${livesInWords(rotation)}; ${firstDiscoveryInWords(rotation)}.`,
    sentence(visibleInWords(rotation)),
    sentence(leftInWords(rotation)),
    sentence(staleInWords(rotation))
  ]
}
