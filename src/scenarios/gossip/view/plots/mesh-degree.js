import { significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { widerAxis } from './publish-time.js'

/**
 * meshDegreePlot draws how many mesh peers nodes had over time.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/plots/theme.js').Plot[]}
 */
export function meshDegreePlot(result) {
  const { series } = result.outcome.mesh
  if (series.length < 2) return []
  const values = series.map(({ atMs, min, avg, max }) => ({
    at: Number((atMs / 1000).toFixed(2)),
    min,
    avg: Number(avg.toFixed(2)),
    max
  }))
  const last = values[values.length - 1]
  return [
    seriesPlot({
      id: 'mesh-degree',
      title: 'Mesh peers over time',
      caption: 'Of each node and topic: the average, between the fewest and the most.',
      description: `Mesh peers of nodes over time; at the end ${significant(last.avg)} on average, from ${last.min} to ${last.max}.`,
      x: widerAxis(result, series),
      y: amount('Mesh peers'),
      series: [
        {
          label: 'fewest to most',
          colour: SERIES[0],
          mark: 'area',
          values,
          fields: { x: 'at', y: 'min', y2: 'max' },
          look: { interpolate: 'step-after' }
        },
        { label: 'average', colour: SERIES[0], mark: 'line', values, fields: { x: 'at', y: 'avg' } }
      ]
    })
  ]
}
