import { subStream } from '../../../kit/random.js'
import { balancedOrders, rowsOf } from '../../../load/latin-square.js'

/** So many repeats at least, where nobody says how many. */
const FEW_REPEATS = 4

/**
 * usualRepeats is how many repeats there are where nobody says how many: the orders of the ways are balanced.
 *
 * @param {number} ways
 */
export const usualRepeats = ways => rowsOf(ways) * Math.ceil(FEW_REPEATS / rowsOf(ways))

/**
 * orderOf says in which order the ways of a round take turns: complete Latin squares, so that none always finds what another has warmed
 * up; with an odd number of ways every second square is the one before it, mirrored.
 *
 * @param {Pick<import('../transfer-plan.js').TransferPlan, 'ways' | 'repeats' | 'seed'>} plan
 * @param {number} round - its number
 * @returns {import('./ways.js').Way[][]} a row for each repeat
 */
export function orderOf({ ways, repeats, seed }, round) {
  const random = subStream(seed, 'order of ways', round)
  const sets = Math.ceil(repeats / rowsOf(ways.length))
  return Array.from({ length: sets }, () => balancedOrders(ways, random))
    .flat()
    .slice(0, repeats)
}
