import { QUIET } from '../../../kit/plots/theme.js'

/**
 * @typedef {{ slot: number, startedMs: number | null, killedMs: number | null }} Life
 * @typedef {{ outcome: { rotation: { lives: { listed: readonly Life[] } } | null, measuredMs: number } }} Rotated - a result of either kind
 * @typedef {{ from: number, to: number }} Gap - s since publishing began
 */

/**
 * gapsOf are the times in which the place of a node was empty: from its kill to the start of the one that took it.
 *
 * @param {Rotated} result
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

/**
 * gapsSeries marks the times in which places were empty.
 *
 * @param {Rotated} result
 * @returns {import('../../../kit/plots/series-plot.js').Series}
 */
export const gapsSeries = result => ({
  label: 'a place is empty',
  colour: QUIET,
  mark: 'area',
  values: gapsOf(result),
  fields: { x: 'from', x2: 'to' },
  look: { type: 'rect', opacity: 0.15 }
})
