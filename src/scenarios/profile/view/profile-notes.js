import { GOSSIP_NOTES } from '../../gossip/view/gossip-notes.js'
import { allocatedInWords, heapFilesInWords, mostAllocated } from './allocations-view.js'
import { categoriesInWords, filesInWords, sampledInWords } from './words.js'

/**
 * @typedef {import('../profile-types.js').ProfileResult} ProfileResult
 * @typedef {import('../../../report/view.js').ScenarioNotes<import('../../gossip/gossip-types.js').NetworkResult>} ScenarioNotes
 */

/** @param {ProfileResult} result */
const closed = ({ plan: { publishers, loadModel }, outcome: { messages } }) =>
  publishers === 'every' && loadModel === 'closed' && messages.published > 0
    ? [
        'Nodes published as fast as this machine lets them: times and counts are the machine’s, not the protocol’s.'
      ]
    : []

/** @param {ProfileResult} result */
function hotSpots({ outcome: { profile } }) {
  if (profile === null) return []
  return [
    `CPU time by category, self (total) %: ${categoriesInWords(profile)}.`,
    `Sampled: ${sampledInWords(profile)}. Shares are of the busy time.`,
    ...filesInWords(profile)
  ]
}

/** @param {ProfileResult} result */
const allocated = ({ outcome: { allocations } }) =>
  allocations === undefined
    ? []
    : [
        `Allocations by category, self %: ${mostAllocated(allocations)}. ${allocatedInWords(allocations)}.`,
        ...heapFilesInWords(allocations)
      ]

/** What a profile is for: of each kind that was sampled the line by category. @param {ProfileResult} result */
const byCategory = result => [...hotSpots(result).slice(0, 1), ...allocated(result).slice(0, 1)]

/** PROFILE_NOTES are the lines about a result of the profile scenario. @type {ScenarioNotes} */
export const PROFILE_NOTES = {
  ...GOSSIP_NOTES,
  reading: (/** @type {ProfileResult} */ result) => [...closed(result), ...GOSSIP_NOTES.reading(result)],
  answer: byCategory,
  references: (/** @type {ProfileResult} */ result) => [
    ...hotSpots(result),
    ...allocated(result),
    ...GOSSIP_NOTES.references(result)
  ]
}
