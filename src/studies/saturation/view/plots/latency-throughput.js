import { grouped } from '../../../../kit/numbers.js'
import { amount, around, logAxis } from '../../../../kit/plots/axes.js'
import { category, quantity } from '../../../../kit/plots/series-plot.js'
import { PAPER, SERIES, SHAPES } from '../../../../kit/plots/theme.js'
import { measuredCells } from '../../result/measured-cells.js'
import { sizesOf } from '../../result/saturation-document.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../../../kit/plots/theme.js').Shape} Shape
 */

/**
 * latencyThroughputPlot draws the average time against the throughput of each cell, a line for each number of connections or nodes.
 *
 * @param {import('../../result/saturation-document.js').GridState} grid
 * @param {import('../../../../scenarios/saturation.js').Face} face
 * @returns {Plot[]}
 */
export function latencyThroughputPlot(grid, face) {
  const values = measuredCells(grid.cells)
    .filter(({ avgMs, achieved }) => avgMs !== null && avgMs > 0 && achieved > 0)
    .map(cell => ({
      size: grouped(cell.size),
      rate: cell.ratePerSecond,
      throughput: Number(face.throughputOf(cell.point).toPrecision(4)),
      ms: Number(cell.avgMs?.toPrecision(4)),
      beyond: cell.beyond
    }))
  if (values.length === 0) return []
  const names = sizesOf(grid).map(n => grouped(n))
  const colours = names.map((_, i) => SERIES[i % SERIES.length])
  const shapes = names.map((_, i) => SHAPES[i % SHAPES.length])
  return [
    {
      id: 'latency-throughput',
      title: `Average ${face.timeName} against throughput`,
      caption: `Each mark is a cell; a line joins those with as many ${face.many}. Hollow: beyond the saturation diagonal.`,
      description: `Average ${face.timeName} and throughput of ${values.length} cells, for ${names.join(', ')} ${face.many}.`,
      legend: names.map((name, i) => ({
        label: i === 0 ? `${name} ${name === '1' ? face.one : face.many}` : name,
        colour: colours[i],
        mark: shapes[i]
      })),
      spec: {
        data: { values },
        encoding: {
          x: {
            field: 'throughput',
            ...amount(`Throughput, ${face.throughputName}`, { tickCount: 6 })
          },
          y: {
            field: 'ms',
            ...logAxis(around(values.map(({ ms }) => ms)), `Average ${face.timeName}, ms`)
          },
          color: category('size', names, colours)
        },
        layer: [
          { mark: { type: 'line' }, encoding: { order: quantity('rate') } },
          {
            mark: { type: 'point', size: 50, strokeWidth: 1.75, opacity: 1 },
            encoding: {
              shape: category('size', names, shapes),
              fill: { condition: { test: 'datum.beyond', value: PAPER }, ...category('size', names, colours) }
            }
          }
        ]
      }
    }
  ]
}
