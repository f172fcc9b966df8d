/**
 * sharesOf splits a total into whole parts that differ by at most one and lose nothing to rounding.
 *
 * @param {number} total
 * @param {number} parts
 * @returns {number[]}
 */
export const sharesOf = (total, parts) =>
  Array.from({ length: parts }, (_, i) => Math.floor(total / parts) + (i < total % parts ? 1 : 0))

/**
 * dealt gives the indices that fall to one of several hands, dealt like cards.
 *
 * @param {number} total
 * @param {number} hand - from 0
 * @param {number} hands
 * @returns {number[]}
 */
export const dealt = (total, hand, hands) =>
  Array.from({ length: Math.ceil(Math.max(0, total - hand) / hands) }, (_, i) => hand + i * hands)

/**
 * handOf gives the hand that one of them falls to when they are dealt back and forth (0, 1, 1, 0, 0, 1 …), so that none gets the better one of each
 * round: in a network that grew, earlier nodes have more neighbours.
 *
 * @param {number} index
 * @param {number} hands
 */
export function handOf(index, hands) {
  const round = Math.floor(index / hands)
  const seat = index % hands
  return round % 2 === 0 ? seat : hands - 1 - seat
}
