import { ACHIEVED_SHARE, LEAST_SLOW_MS, SLOWER_FACTOR } from '../../load/not-sustained.js'
import { DIAGONAL_SHARE } from '../../load/saturation-grid.js'

/** SATURATION_RULES say how a grid is judged. */
export const SATURATION_RULES = Object.freeze([
  `Expected are r × c × duration operations; achieved are those that succeeded within the duration. A cell lies beyond the saturation diagonal when less than ${DIAGONAL_SHARE * 100} % of the expected ones were achieved.`,
  'The chosen cell has the largest c·r below the diagonal; of several the one with the lowest average response time.'
])

/**
 * searchRules say how a search decides.
 *
 * @param {number} tolerance - how far apart the two rates may end, as a share of the higher one
 */
export const searchRules = tolerance => [
  `A rate is not sustained when fewer than ${ACHIEVED_SHARE * 100} % of the operations due succeeded within the time (those under way in the end, up to a tenth, are not held against it), when p99 was above ${LEAST_SLOW_MS} ms and ${SLOWER_FACTOR} times that of the lowest rate, or when more and more operations waited.`,
  `The rate is doubled until one is not sustained, then the space between the two is halved until they are within ${tolerance * 100} % of one another. Both are repeated; where most repeats contradict the search, it goes on from there.`
]
