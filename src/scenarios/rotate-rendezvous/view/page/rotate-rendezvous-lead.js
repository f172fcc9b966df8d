import { operationsLead } from '../../../rendezvous/view/page/rendezvous-lead.js'
import { sentence } from '../../../rotate/view/rotate-words.js'
import {
  firstDiscoveryInWords,
  leftInWords,
  livesInWords,
  staleInWords,
  visibleInWords
} from '../rotate-rendezvous-words.js'

/**
 * rotateRendezvousLead says a result of rotate rendezvous as a person would.
 *
 * @param {import('../../rotate-rendezvous-types.js').RotateRendezvousResult} result
 * @returns {string[]}
 */
export function rotateRendezvousLead(result) {
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
