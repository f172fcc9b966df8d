import { counted, grouped, significant } from '../../../kit/numbers.js'
import {
  livesInWords as livesOf,
  rotatingInWords as rotatingOf,
  sinceStartInWords
} from '../../rotate/view/rotate-words.js'

/**
 * @typedef {import('../rotate-gossip-types.js').RotateGossip} RotateGossip
 * @typedef {import('../plan/rotate-gossip-options.js').RotateGossipPlan} RotateGossipPlan
 */

/** rotatingInWords says what rotates. @param {RotateGossipPlan} plan */
export const rotatingInWords = plan => rotatingOf(plan, 'nodes')

/** livesInWords says how many nodes came and went. @param {RotateGossip} rotation */
export const livesInWords = ({ lives }) => livesOf(lives, 'node', 'anybody')

/** firstDeliveryInWords says how long new nodes took. @param {RotateGossip} rotation */
export const firstDeliveryInWords = ({ firstDelivery }) =>
  sinceStartInWords(firstDelivery, {
    one: 'node',
    what: 'first delivery',
    none: 'none of the new nodes received a message'
  })

/** duplicatesInWords says which receipts were second ones. @param {RotateGossip} rotation */
export function duplicatesInWords({ duplicates: { observations, afterRestart, again, tooLongAgo } }) {
  if (observations === 0) return 'no message was received'
  const unknown = tooLongAgo === 0 ? '' : `; ${grouped(tooLongAgo)} were of messages too long ago to tell`
  return `${grouped(afterRestart + again)} of ${counted(observations, 'receipt')} were duplicates: ${grouped(afterRestart)} by a node that took the place of the one that had the message, ${grouped(again)} by a node that had it itself${unknown}`
}

/** perMinuteInWords says how many deliveries came in a minute. @param {RotateGossip} rotation */
export const perMinuteInWords = ({ deliveriesPerMinute }) =>
  deliveriesPerMinute === null ? null : `${significant(deliveriesPerMinute)} deliveries per minute`
