import { subStream } from '../../../kit/random.js'
import { latinSquare } from '../../../load/latin-square.js'

/**
 * orderOf says in which order the ways of a round take turns: complete Latin squares, so that none always stands behind the same other
 * one or always finds what another has warmed up.
 *
 * @param {Pick<import('../transfer-plan.js').TransferPlan, 'ways' | 'repeats' | 'seed'>} plan
 * @param {number} round - its number
 * @returns {import('./ways.js').Way[][]} a row for each repeat
 */
export function orderOf({ ways, repeats, seed }, round) {
  const random = subStream(seed, 'order of ways', round)
  return Array.from({ length: repeats / ways.length }, () => latinSquare(ways, random)).flat()
}
