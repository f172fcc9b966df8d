import { significant } from '../../../../kit/numbers.js'
import { FROM_ZERO } from '../../../../kit/plots/axes.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { widerAxis } from '../../../../report/plots/publish-time.js'

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
  const y = { type: 'quantitative' }
  const last = values[values.length - 1]
  return [
    {
      id: 'mesh-degree',
      title: 'Mesh peers over time',
      caption: 'Of each node and topic: the average, between the fewest and the most.',
      description: `Mesh peers of nodes over time; at the end ${significant(last.avg)} on average, from ${last.min} to ${last.max}.`,
      legend: [
        { label: 'average', colour: SERIES[0], mark: 'line' },
        { label: 'fewest to most', colour: SERIES[0], mark: 'area' }
      ],
      spec: {
        data: { values },
        layer: [
          {
            mark: { type: 'area', color: SERIES[0], opacity: 0.2, interpolate: 'step-after' },
            encoding: { y: { field: 'min', ...y }, y2: { field: 'max' } }
          },
          { mark: { type: 'line', color: SERIES[0] }, encoding: { y: { field: 'avg', ...y } } }
        ],
        encoding: {
          x: { field: 'at', ...widerAxis(result, series) },
          y: {
            type: 'quantitative',
            scale: FROM_ZERO,
            axis: { title: 'Mesh peers', format: ',~f', tickCount: 5 }
          }
        }
      }
    }
  ]
}
