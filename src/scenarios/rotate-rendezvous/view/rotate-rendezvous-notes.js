import { counted, significant } from '../../../kit/numbers.js'
import { operationsOf } from '../../../report/table.js'
import { RENDEZVOUS_NOTES } from '../../rendezvous/view/rendezvous-notes.js'
import { sentence } from '../../rotate/view/rotate-words.js'
import {
  cookieWords,
  duplicatesInWords,
  firstDiscoveryInWords,
  leftInWords,
  livesInWords,
  perMinuteInWords,
  registering,
  rotatingPeers,
  staleInWords,
  visibleInWords
} from './rotate-rendezvous-words.js'

/**
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../../report/view.js').ScenarioNotes<import('../../rendezvous/rendezvous-types.js').OperationsResult>} ScenarioNotes
 */

/** @param {RotateRendezvousResult} result */
function reading(result) {
  if (operationsOf(/** @type {any} */ (result)).length === 0) return []
  const { plan } = result
  return [
    `Response times in ms, open model: DISCOVER is due at ${significant(Number(plan.ratePerSecond))}/s from all places together, whatever the replies do, and counts from when it was due; REGISTER and CONNECT count from when they were sent. ${sentence(cookieWords(plan))}`
  ]
}

/** @param {RotateRendezvousResult} result */
function rotation({ plan, outcome: { rotation } }) {
  if (rotation === null) return []
  const perMinute = perMinuteInWords(rotation)
  return [
    `Rotated: ${rotatingPeers(plan)}; ${registering(plan)}. ${sentence(livesInWords(rotation))}`,
    sentence(firstDiscoveryInWords(rotation)),
    sentence(visibleInWords(rotation)),
    sentence(leftInWords(rotation)),
    sentence(staleInWords(rotation)),
    ...(rotation.discovered.withDuplicates.records === 0 ? [] : [sentence(duplicatesInWords(rotation))]),
    ...(perMinute === null ? [] : [`${perMinute}.`]),
    ...(rotation.cutOff === 0
      ? []
      : [
          `${counted(rotation.cutOff, 'operation was', 'operations were')} cut off by the kill of their peer: in no other figure.`
        ])
  ]
}

/** ROTATE_RENDEZVOUS_NOTES are the lines about a result of rotate rendezvous. @type {ScenarioNotes} */
export const ROTATE_RENDEZVOUS_NOTES = {
  ...RENDEZVOUS_NOTES,
  reading,
  references: (/** @type {RotateRendezvousResult} */ result) => [
    ...rotation(result),
    ...RENDEZVOUS_NOTES.references(result)
  ]
}
