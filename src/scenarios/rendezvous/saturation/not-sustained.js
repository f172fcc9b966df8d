import { present } from '../../../kit/lists.js'
import { waitingGrows } from '../../../measure/waiting.js'

/**
 * @typedef {import('./load-point.js').LoadPoint} LoadPoint
 *
 * @typedef {{ code: 'ACHIEVED', share: number } | { code: 'SLOWER', figure: string, ms: number, lowestMs: number } |
 *   { code: 'WAITING', count: number }} NotSustained - `ACHIEVED`: this share of what was due and not under way at the end; `SLOWER`: than at the lowest rate;
 *   `WAITING`: operations waited in the last third of the time
 */

/** ACHIEVED_SHARE of the operations that were due must have succeeded within the time. */
export const ACHIEVED_SHARE = 0.97
/** SLOWER_FACTOR: a p50 above so many times that of the lowest rate is no longer carried. */
export const SLOWER_FACTOR = 10
/** LEAST_SLOW_MS: below it, timers and the turns of a busy machine explain any factor. */
export const LEAST_SLOW_MS = 10

/** MOST_UNDER_WAY: no larger share of what was due is forgiven for being under way in the end. */
const MOST_UNDER_WAY = 0.1

/**
 * notSustained says why a load was not sustained: response time rose without throughput.
 *
 * @param {LoadPoint} point
 * @param {LoadPoint | null} lowest - the trial at the lowest rate; null: this is it
 * @returns {NotSustained[]} none: it was
 */
export function notSustained(point, lowest) {
  const perSecond = point.due / (point.durationMs / 1000)
  const waiting = waitingGrows(point.waiting, perSecond)
  const expected = point.due - Math.min(MOST_UNDER_WAY * point.due, underWay(lowest ?? point, perSecond))
  return present([
    point.achieved < ACHIEVED_SHARE * expected &&
      /** @type {const} */ ({ code: 'ACHIEVED', share: point.achieved / expected }),
    ...slower(point, lowest),
    waiting !== null && /** @type {const} */ ({ code: 'WAITING', count: waiting })
  ])
}

/**
 * What is under way when the time is over could not succeed within it: that many operations, where each takes as long as at the
 * lowest rate (Little's law).
 *
 * @param {LoadPoint} lowest
 * @param {number} perSecond
 */
const underWay = ({ rt }, perSecond) => (perSecond * ((rt.p50 ?? rt.avg)?.ms ?? 0)) / 1000

/**
 * By p50: where operations queue, half of them wait. The p99 of a server that is held up now and then differs tenfold between trials of one
 * load.
 *
 * @param {LoadPoint} point
 * @param {LoadPoint | null} lowest
 * @returns {NotSustained[]}
 */
function slower({ rt }, lowest) {
  const [ms, lowestMs] = [rt.p50?.ms ?? 0, lowest?.rt.p50?.ms]
  if (lowestMs === undefined || ms <= Math.max(LEAST_SLOW_MS, SLOWER_FACTOR * lowestMs)) return []
  return [{ code: 'SLOWER', figure: 'p50', ms, lowestMs }]
}
