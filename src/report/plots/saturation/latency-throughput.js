import { isBeyond } from '../../../load/saturation-grid.js'
import { measuredCells } from '../../../result/saturation/measured-cells.js'
import { grouped } from '../../numbers.js'
import { around, FROM_ZERO, logMs } from '../axes.js'
import { PAPER, SERIES } from '../theme.js'

/**
 * @typedef {import('../theme.js').Plot} Plot
 * @typedef {import('../theme.js').Shape} Shape
 */

/** @type {readonly Shape[]} */
const SHAPES = Object.freeze(['circle', 'square', 'triangle-up', 'diamond', 'triangle-down', 'cross'])

/**
 * latencyThroughputPlot draws the average latency against the throughput of each cell, a line for each number of connections.
 *
 * @param {import('../../../result/saturation/saturation-document.js').GridState} grid
 * @returns {Plot[]}
 */
export function latencyThroughputPlot(grid) {
  const values = measuredCells(grid.cells)
    .filter(({ avgMs, achieved }) => avgMs !== null && avgMs > 0 && achieved > 0)
    .map(cell => ({
      connections: grouped(cell.connections),
      rate: cell.ratePerSecond,
      throughput: Number(((cell.achieved * 1000) / cell.point.durationMs).toPrecision(4)),
      ms: Number(cell.avgMs?.toPrecision(4)),
      beyond: isBeyond(cell)
    }))
  if (values.length === 0) return []
  const names = grid.connections.map(grouped)
  const colours = names.map((_, i) => SERIES[i % SERIES.length])
  const shapes = names.map((_, i) => SHAPES[i % SHAPES.length])
  const nominal = (/** @type {readonly string[]} */ range) => ({
    field: 'connections',
    type: 'nominal',
    scale: { domain: names, range },
    legend: null
  })
  return [
    {
      id: 'latency-throughput',
      title: 'Average latency against throughput',
      caption:
        'Each mark is a cell; a line joins those with as many connections. Hollow: beyond the saturation diagonal.',
      description: `Average response time and throughput of ${values.length} cells, for ${names.join(', ')} connections.`,
      legend: names.map((name, i) => ({
        label: i === 0 ? `${name} ${name === '1' ? 'connection' : 'connections'}` : name,
        colour: colours[i],
        mark: shapes[i]
      })),
      spec: {
        data: { values },
        encoding: {
          x: {
            field: 'throughput',
            type: 'quantitative',
            scale: FROM_ZERO,
            axis: { title: 'Throughput, operations per second', format: ',~f', tickCount: 6 }
          },
          y: {
            field: 'ms',
            type: 'quantitative',
            ...logMs(around(values.map(({ ms }) => ms)), 'Average response time, ms')
          },
          color: nominal(colours)
        },
        layer: [
          { mark: { type: 'line' }, encoding: { order: { field: 'rate', type: 'quantitative' } } },
          {
            mark: { type: 'point', size: 50, strokeWidth: 1.75, opacity: 1 },
            encoding: {
              shape: nominal(shapes),
              fill: { condition: { test: 'datum.beyond', value: PAPER }, ...nominal(colours) }
            }
          }
        ]
      }
    }
  ]
}
