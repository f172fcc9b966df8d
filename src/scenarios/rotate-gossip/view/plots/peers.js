import { significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { widerAxis } from '../../../gossip/view/plots/publish-time.js'
import { gapsSeries } from '../../../rotate/view/gaps.js'

/**
 * @typedef {import('../../rotate-gossip-types.js').RotateGossipResult} RotateGossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

const GROUPS = /** @type {const} */ (['stable', 'ephemeral'])

/**
 * peersPlot draws how many peers stable and ephemeral nodes were connected to over time.
 *
 * @param {RotateGossipResult} result
 * @returns {Plot[]}
 */
export function peersPlot(result) {
  const peers = result.outcome.rotation?.peers ?? []
  if (peers.length < 2) return []
  const series = GROUPS.flatMap((group, place) => {
    const values = peers.flatMap(({ atMs, [group]: spread }) =>
      spread === null
        ? []
        : [{ at: atMs / 1000, min: spread.min, avg: Number(spread.avg.toFixed(2)), max: spread.max }]
    )
    const own = { colour: SERIES[place], values }
    return /** @type {import('../../../../kit/plots/series-plot.js').Series[]} */ ([
      {
        ...own,
        label: `${group}: fewest to most`,
        mark: 'area',
        fields: { x: 'at', y: 'min', y2: 'max' },
        look: { opacity: 0.15, interpolate: 'step-after' }
      },
      {
        ...own,
        label: `${group}: average`,
        mark: 'line',
        fields: { x: 'at', y: 'avg' }
      }
    ])
  })
  const last = peers[peers.length - 1]
  return [
    seriesPlot({
      id: 'peers',
      title: 'Peers over time',
      caption:
        'That nodes are connected to: the average of each group, between the fewest and the most. A node that has just started has none.',
      description: `Connected peers of stable and ephemeral nodes over time; at the end ${significant(last.stable?.avg ?? 0)} and ${significant(last.ephemeral?.avg ?? 0)} on average.`,
      x: widerAxis(/** @type {any} */ (result), peers),
      y: amount('Peers'),
      series: [gapsSeries(result), ...series]
    })
  ]
}
