import { significant } from '../../../../kit/numbers.js'
import { FROM_ZERO } from '../../../../kit/plots/axes.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { GAPS_LEGEND, gapsLayer, gapsOf } from '../../../../report/plots/gaps.js'
import { widerAxis } from '../../../../report/plots/publish-time.js'

/**
 * @typedef {import('../../../gossip/gossip-types.js').RotationResult} RotationResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

const GROUPS = Object.freeze(/** @type {const} */ (['stable', 'ephemeral']))

/**
 * peersPlot draws how many peers stable and ephemeral nodes were connected to over time.
 *
 * @param {RotationResult} result
 * @returns {Plot[]}
 */
export function peersPlot(result) {
  const peers = result.outcome.rotation?.peers ?? []
  if (peers.length < 2) return []
  const y = { type: 'quantitative' }
  const layers = GROUPS.flatMap((group, place) => {
    const values = peers.flatMap(({ atMs, [group]: spread }) =>
      spread === null
        ? []
        : [{ at: atMs / 1000, min: spread.min, avg: Number(spread.avg.toFixed(2)), max: spread.max }]
    )
    const x = { field: 'at', type: 'quantitative' }
    return [
      {
        data: { values },
        mark: { type: 'area', color: SERIES[place], opacity: 0.15, interpolate: 'step-after' },
        encoding: { x, y: { field: 'min', ...y }, y2: { field: 'max' } }
      },
      {
        data: { values },
        mark: { type: 'line', color: SERIES[place] },
        encoding: { x, y: { field: 'avg', ...y } }
      }
    ]
  })
  const last = peers[peers.length - 1]
  return [
    {
      id: 'peers',
      title: 'Peers over time',
      caption:
        'That nodes are connected to: the average of each group, between the fewest and the most. A node that has just started has none.',
      description: `Connected peers of stable and ephemeral nodes over time; at the end ${significant(last.stable?.avg ?? 0)} and ${significant(last.ephemeral?.avg ?? 0)} on average.`,
      legend: [
        ...GROUPS.map((label, place) => ({
          label: `${label}: average, fewest to most`,
          colour: SERIES[place],
          mark: /** @type {const} */ ('line')
        })),
        GAPS_LEGEND
      ],
      spec: {
        layer: [gapsLayer(gapsOf(result)), ...layers],
        encoding: {
          x: widerAxis(/** @type {any} */ (result), peers),
          y: {
            type: 'quantitative',
            scale: FROM_ZERO,
            axis: { title: 'Peers', format: ',~f', tickCount: 5 }
          }
        }
      }
    }
  ]
}
