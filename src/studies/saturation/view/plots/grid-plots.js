import { capital, grouped } from '../../../../kit/numbers.js'
import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
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
 * @typedef {object} Drawn - a figure of the cells of a grid against another one, a line for each number of connections or nodes
 * @property {string} id
 * @property {string} title
 * @property {string} x - of its axis
 * @property {string} y
 * @property {(cell: Cell) => number | null} at
 * @property {(cell: Cell) => number | null} msOf
 * @property {string} [note] - stands in the caption
 *
 * @typedef {ReturnType<typeof measuredCells>[number]} Cell
 * @typedef {import('../../result/saturation-document.js').GridState} GridState
 * @typedef {import('../../../../scenarios/saturation.js').Face} Face
 */

/** @param {Face} face */
const offeredRate = face => `Rate offered, ${face.what} per second`

/** @param {GridState} grid @param {Face} face @param {Drawn} drawn @returns {Plot[]} */
function cellPlot(grid, face, { id, title, x, y, at, msOf, note = '' }) {
  const values = measuredCells(grid.cells).flatMap(cell => {
    const [across, ms] = [at(cell), msOf(cell)]
    if (across === null || ms === null || !(across > 0 && ms > 0)) return []
    return [
      {
        size: grouped(cell.size),
        rate: cell.ratePerSecond,
        across: Number(across.toPrecision(4)),
        ms: Number(ms.toPrecision(4)),
        beyond: cell.beyond
      }
    ]
  })
  if (values.length === 0) return []
  const names = sizesOf(grid).map(n => grouped(n))
  const colours = names.map((_, i) => SERIES[i % SERIES.length])
  const shapes = names.map((_, i) => SHAPES[i % SHAPES.length])
  return [
    {
      id,
      title,
      caption: `Each mark is a cell; a line joins those with as many ${face.many}. Hollow: not kept up with, beyond the saturation diagonal.${note}`,
      description: `${title}, of ${values.length} cells, for ${names.join(', ')} ${face.many}.`,
      legend: names.map((name, i) => ({
        label: i === 0 ? `${name} ${name === '1' ? face.one : face.many}` : name,
        colour: colours[i],
        mark: shapes[i]
      })),
      marks: askedMarks(values, {
        [capital(face.many)]: ({ size }) => size,
        [offeredRate(face)]: ({ rate }) => rate,
        [x]: ({ across }) => across,
        [y]: ({ ms }) => ms,
        'kept up with': ({ beyond }) => (beyond ? 'no' : 'yes')
      }),
      spec: {
        data: { values },
        encoding: {
          x: { field: 'across', ...amount(x, { tickCount: 6 }) },
          y: { field: 'ms', ...logAxis(around(values.map(({ ms }) => ms)), y) },
          color: category('size', names, colours)
        },
        layer: [
          { mark: { type: 'line' }, encoding: { order: quantity('rate') } },
          {
            name: askedName(),
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

/**
 * gridPlots draw the time of cells against their throughput, and p50 and p99 against the rate that was offered.
 *
 * @param {GridState} grid
 * @param {Face} face
 * @returns {Plot[]}
 */
export function gridPlots(grid, face) {
  const offered = {
    x: offeredRate(face),
    at: (/** @type {Cell} */ { trial }) => trial.perSecond
  }
  return [
    ...cellPlot(grid, face, {
      id: 'latency-throughput',
      title: `Average ${face.timeName} against throughput`,
      x: `Throughput, ${face.throughputName}`,
      y: `Average ${face.timeName}, ms`,
      at: ({ point }) => face.throughputOf(point),
      msOf: ({ avgMs }) => avgMs
    }),
    ...cellPlot(grid, face, {
      ...offered,
      id: 'p50-rate',
      title: `p50 of the ${face.timeName} over the rate offered`,
      y: `p50 of the ${face.timeName}, ms`,
      msOf: ({ point }) => point.rt.p50?.ms ?? null
    }),
    ...cellPlot(grid, face, {
      ...offered,
      id: 'p99-rate',
      title: `p99 of the ${face.timeName} over the rate offered`,
      y: `p99 of the ${face.timeName}, ms`,
      msOf: ({ point }) => face.tailOf(point),
      note: ` p99: ${face.tailWords}.`
    })
  ]
}
