import { columnsUpTo, secondsAxisTo } from '../../../../report/plots/measured-time.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 */

const TITLE = 'Time since publishing began, s'

/**
 * publishSeconds is how long messages were published and awaited.
 *
 * @param {GossipResult} result
 * @returns {number} s
 */
export function publishSeconds({ outcome: { measuredMs, timeline } }) {
  const last = timeline[timeline.length - 1]
  return Math.max(1, measuredMs / 1000, last === undefined ? 0 : last.second + 1)
}

/**
 * publishColumns divide that time.
 *
 * @param {GossipResult} result
 */
export const publishColumns = result => columnsUpTo(publishSeconds(result))

/**
 * publishAxis is the axis of all plots over that time.
 *
 * @param {GossipResult} result
 */
export const publishAxis = result => secondsAxisTo(publishSeconds(result), TITLE)

/**
 * widerAxis is one that begins with the first of some moments, where that is before publishing began.
 *
 * @param {GossipResult} result
 * @param {readonly { atMs: number }[]} series - ascending
 */
export const widerAxis = (result, series) =>
  secondsAxisTo(
    Math.max(publishSeconds(result), (series.at(-1)?.atMs ?? 0) / 1000),
    TITLE,
    Math.min(0, (series[0]?.atMs ?? 0) / 1000)
  )
