import { grouped } from '../../../kit/numbers.js'
import { GOSSIP_NOTES } from '../../gossip/view/gossip-notes.js'
import { sentence } from '../../rotate/view/rotate-words.js'
import {
  duplicatesInWords,
  firstDeliveryInWords,
  livesInWords,
  perMinuteInWords,
  rotatingInWords
} from './rotate-gossip-words.js'

/**
 * @typedef {import('../rotate-gossip-types.js').RotateGossipResult} RotateGossipResult
 * @typedef {import('../../../report/view.js').ScenarioNotes<import('../../gossip/gossip-types.js').NetworkResult>} ScenarioNotes
 */

/** @param {RotateGossipResult} result */
function rotation({ plan, outcome: { rotation } }) {
  if (rotation === null) return []
  const { joining, leaving, earlier, gone } = rotation.apart
  const perMinute = perMinuteInWords(rotation)
  return [
    `Rotated: ${rotatingInWords(plan)}. ${sentence(livesInWords(rotation))}`,
    sentence(firstDeliveryInWords(rotation)),
    ...(perMinute === null ? [] : [`${perMinute} were expected and came.`]),
    `Apart from these: ${grouped(joining.delivered)} of ${grouped(joining.expected)} to nodes that were starting, ${grouped(leaving.delivered)} of ${grouped(leaving.expected)} to nodes about to be killed, ${grouped(earlier.delivered)} of messages published before the receiver was there${gone.delivered === 0 ? '' : `, ${grouped(gone.delivered)} to nodes that were killed late`}.`,
    sentence(duplicatesInWords(rotation))
  ]
}

/** ROTATE_GOSSIP_NOTES are the lines about a result of rotate gossip. @type {ScenarioNotes} */
export const ROTATE_GOSSIP_NOTES = {
  ...GOSSIP_NOTES,
  references: (/** @type {RotateGossipResult} */ result) => [
    ...rotation(result),
    ...GOSSIP_NOTES.references(result)
  ]
}
