import { spell } from '../../../kit/numbers.js'
import { MOST_P99_MS } from '../../../scenarios/gossip/measure/not-carried.js'
import { ACHIEVED_SHARE, LEAST_SLOW_MS, SLOWER_FACTOR } from '../search/not-sustained.js'
import { DIAGONAL_SHARE } from '../search/saturation-grid.js'

/** SATURATION_RULES say how a grid is judged. */
export const SATURATION_RULES = Object.freeze([
  `Expected are r × c × duration operations; achieved are those that succeeded within the duration. A cell lies beyond the saturation diagonal when less than ${DIAGONAL_SHARE * 100} % of the expected ones were achieved.`,
  'The chosen cell has the largest c·r below the diagonal; of several the one with the lowest average response time.'
])

/** @param {number} tolerance */
const searching = tolerance =>
  `The rate is doubled until one is not sustained, then the space between the two is halved until they are within ${tolerance * 100} % of one another. Both are repeated; where most repeats contradict the search, it goes on from there.`

/**
 * searchRules say how a search decides.
 *
 * @param {number} tolerance - how far apart the two rates may end, as a share of the higher one
 */
export const searchRules = tolerance => [
  `A rate is not sustained when fewer than ${ACHIEVED_SHARE * 100} % of the operations due succeeded within the time (those under way in the end, up to a tenth, are not held against it), when p99 was above ${LEAST_SLOW_MS} ms and ${SLOWER_FACTOR} times that of the lowest rate, or when more and more operations waited.`,
  searching(tolerance)
]

/** @param {number} inTimeMs */
const carried = inTimeMs =>
  `A load is carried when all messages were published and reached every subscriber, p99 of dissemination (of fewer than 100 messages the slowest) was below ${spell(inTimeMs)}, the backlog did not grow all the while, and no process was more than 90 % busy. Of a simulated network deliveries under way stand for the backlog, and how busy the process was says nothing.`

/**
 * gossipRules say how a grid of a gossip network is judged.
 *
 * @param {number} [inTimeMs] - within which a message is to reach everyone
 */
export const gossipRules = (inTimeMs = MOST_P99_MS) => [
  `Expected are r × duration messages; achieved are those that reached every subscriber within ${spell(inTimeMs)}. Load is the deliveries due per second: r × (n − 1), where all nodes subscribe. A cell lies beyond the saturation diagonal when its load was not carried.`,
  carried(inTimeMs),
  'The chosen cell has the largest load below the diagonal; of several the one with the lowest average dissemination time.'
]

/**
 * gossipSearchRules say how a search in a gossip network decides.
 *
 * @param {number} tolerance - how far apart the two rates may end, as a share of the higher one
 * @param {number} [inTimeMs] - within which a message is to reach everyone
 */
export const gossipSearchRules = (tolerance, inTimeMs = MOST_P99_MS) => [
  carried(inTimeMs),
  searching(tolerance)
]
