import { studentT } from './student-t.js'

/**
 * @typedef {object} Seen - what a comparison could have seen
 * @property {number} change - the smallest that shows, as a share: 0.09 is 9 %
 * @property {number} pairs - it was seen with
 * @property {{ pairs: number, change: number } | null} more - pairs that would show a smaller one; null: none that can be looked at
 */

/** How wide an interval is, as pairs scatter by 1. @param {number} pairs */
const halfWidth = pairs => studentT(pairs - 1) / Math.sqrt(pairs)

/**
 * smallestShown is about the change that so many pairs show, where the logarithms of their ratios scatter by so much: half the width of
 * Student's interval.
 *
 * @param {number} pairs - at least 2
 * @param {number} scatter - standard deviation
 * @returns {number} as a share
 */
export const smallestShown = (pairs, scatter) => Math.expm1(halfWidth(pairs) * scatter)

/**
 * seenIn says what an interval could have shown: a change smaller than half its width leaves no change at all inside. With more pairs
 * it becomes narrower as Student's interval does, t(n − 1) ÷ √n.
 *
 * @param {{ low: number, high: number }} interval - of a ratio
 * @param {number} pairs - at least 2
 * @param {{ wanted: number, most: number }} of - `wanted`: change that is to show, as a share; `most`: pairs there can be
 * @returns {Seen | null} null: nothing bounds the interval
 */
export function seenIn({ low, high }, pairs, { wanted, most }) {
  if (!(low > 0) || !Number.isFinite(high)) return null
  const scatter = Math.log(high / low) / 2 / halfWidth(pairs)
  const change = smallestShown(pairs, scatter)
  if (change <= wanted || pairs >= most) return { change, pairs, more: null }
  let enough = pairs + 1
  while (enough < most && smallestShown(enough, scatter) > wanted) enough++
  return { change, pairs, more: { pairs: enough, change: smallestShown(enough, scatter) } }
}
