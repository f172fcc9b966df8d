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

/** handOf gives the hand that one of them falls to. @param {number} index @param {number} hands */
export const handOf = (index, hands) => index % hands
