import { significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { publishAxis, publishColumns } from '../../../gossip/view/plots/publish-time.js'
import { gapsSeries } from '../../../rotate/view/gaps.js'

/**
 * @typedef {import('../../rotate-gossip-types.js').RotateGossipResult} RotateGossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/**
 * deliveriesPerMinutePlot draws how many expected deliveries came, as a rate over time.
 *
 * @param {RotateGossipResult} result
 * @returns {Plot[]}
 */
export function deliveriesPerMinutePlot(result) {
  const { timeline, rotation } = result.outcome
  if (rotation === null || rotation.deliveriesPerMinute === null || timeline.length < 2) return []
  const columns = publishColumns(/** @type {any} */ (result))
  const counts = Array(columns.count).fill(0)
  for (const { second, delivered } of timeline) if (second >= 0) counts[columns.of(second)] += delivered
  const values = counts.map((count, column) => {
    const { from, to } = columns.stretch(column)
    return { at: from, value: Math.round((count * 60) / (to - from)) }
  })
  return [
    seriesPlot({
      id: 'deliveries-per-minute',
      title: 'Deliveries per minute',
      caption:
        'Expected deliveries, by the time they came. They sink while a place is empty, and after it until the new node has settled.',
      description: `Expected deliveries per minute over time, ${significant(rotation.deliveriesPerMinute)} on average while messages were published.`,
      x: publishAxis(/** @type {any} */ (result)),
      y: amount('Deliveries per minute'),
      series: [
        gapsSeries(result),
        {
          label: 'deliveries',
          colour: SERIES[0],
          mark: 'line',
          values,
          look: { interpolate: 'step-after' }
        }
      ]
    })
  ]
}
