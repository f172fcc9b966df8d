import { QUIET } from '../../kit/plots/theme.js'

/**
 * @typedef {import('../../scenarios/gossip/gossip-types.js').RotationResult} RotationResult
 * @typedef {{ from: number, to: number }} Gap - s since publishing began
 */

/**
 * gapsOf are the times in which the place of a node was empty: from its kill to the start of the one that took it.
 *
 * @param {RotationResult} result
 * @returns {Gap[]}
 */
export function gapsOf({ outcome: { rotation, measuredMs } }) {
  const lives = rotation?.lives.listed ?? []
  return lives.flatMap(({ slot, killedMs }) => {
    if (killedMs === null) return []
    const next = lives.find(
      life => life.slot === slot && life.startedMs !== null && life.startedMs > killedMs
    )
    return [{ from: killedMs / 1000, to: (next?.startedMs ?? measuredMs) / 1000 }]
  })
}

/** GAPS_LEGEND is their entry in a legend. */
export const GAPS_LEGEND = Object.freeze({
  label: 'a place is empty',
  colour: QUIET,
  mark: /** @type {const} */ ('area')
})

/**
 * gapsLayer draws them behind a plot over time.
 *
 * @param {Gap[]} gaps
 */
export const gapsLayer = gaps => ({
  data: { values: gaps },
  mark: { type: 'rect', color: QUIET, opacity: 0.15 },
  encoding: { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } }
})
