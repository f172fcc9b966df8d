import { sumOf } from '../../../kit/lists.js'
import { slopeChange } from '../../../measure/slope-change.js'

/**
 * @typedef {import('../../../measure/slope-change.js').SlopeChange} SlopeChange
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} Carried - operations that succeeded, or deliveries, since the beginning
 * @property {Point[]} points - at the end of each second
 * @property {SlopeChange | null} slope - where more or fewer came in a second, from then on
 */

/** A slope over fewer seconds is chance. */
const LEAST_SECONDS = 10

/**
 * carriedOverTime adds up what a run carried, second by second: its slope is what was carried in a second.
 *
 * @param {{ outcome: any }} result - of operations, or of messages
 * @returns {Carried}
 */
export function carriedOverTime({ outcome }) {
  const { timeline, perSecond = [], secondsPerPoint = 1 } = outcome
  /** @type {Map<number, number>} */
  const counts = new Map()
  const add = (/** @type {number} */ second, /** @type {number} */ count) =>
    counts.set(second, (counts.get(second) ?? 0) + count)
  if (timeline !== undefined) for (const { second, delivered } of timeline) add(second, delivered)
  else
    for (const { second, type, outcome, histogram } of perSecond)
      if (type !== 'CONNECT' && outcome === 'OK')
        add(
          second,
          sumOf(/** @type {[number, number][]} */ (histogram), ([, count]) => count)
        )
  let all = 0
  const points = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([second, count]) => {
      all += count
      return { x: second + secondsPerPoint, y: all }
    })
  return { points, slope: slopeChange(points, LEAST_SECONDS) }
}
