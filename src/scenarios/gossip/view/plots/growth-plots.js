import { grouped, significant } from '../../../../kit/numbers.js'
import { around, FROM_ZERO, logTicks } from '../../../../kit/plots/axes.js'
import { INK, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { growths } from '../growth.js'

/**
 * @typedef {import('../growth.js').Growth} Growth
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

const STEPS = 60

const FITS = Object.freeze([
  { name: 'logarithmic', label: 'fitted to log N', colour: SERIES[0], dash: [1, 0], mark: 'line' },
  { name: 'linear', label: 'fitted to N', colour: SERIES[1], dash: [6, 4], mark: 'dashed' }
])

const byFit = Object.freeze({
  field: 'fit',
  type: 'nominal',
  scale: { domain: FITS.map(({ name }) => name), range: FITS.map(({ colour }) => colour) },
  legend: null
})

/** @type {import('../../../../kit/plots/theme.js').LegendEntry[]} */
const LEGEND = FITS.map(({ label, colour, mark }) => ({
  label,
  colour,
  mark: /** @type {'line' | 'dashed'} */ (mark)
}))

/** @param {Growth} growth */
function nodesAxis({ points }) {
  const [least, most] = around(points.map(({ nodes }) => nodes))
  return {
    field: 'nodes',
    type: 'quantitative',
    scale: { type: 'log', domain: [least, most], nice: false },
    axis: { title: 'Nodes', values: logTicks(least, most), format: ',~g' }
  }
}

/** @param {Growth} growth */
function fitted({ points, logarithmic, linear }) {
  const [least, most] = around(points.map(({ nodes }) => nodes))
  return Array.from({ length: STEPS + 1 }, (_, i) => least * (most / least) ** (i / STEPS)).flatMap(nodes => [
    { nodes, fit: 'logarithmic', value: logarithmic.intercept + logarithmic.slope * Math.log2(nodes) },
    { nodes, fit: 'linear', value: linear.intercept + linear.slope * nodes }
  ])
}

/** @param {Growth} growth */
const named = ({ points }) =>
  points.map(({ nodes, value }) => `${significant(value)} with ${grouped(nodes)} nodes`).join(', ')

/** @param {string} id @param {Growth} growth @returns {Plot} */
const measuredPlot = (id, growth) => ({
  id,
  title: `${growth.title} by nodes`,
  caption: `${growth.of}. Points are rows, lines are fitted by least squares to all of them.`,
  description: `${growth.title}: ${named(growth)}.`,
  legend: [{ label: 'measured', colour: INK, mark: 'circle' }, ...LEGEND],
  spec: {
    encoding: { x: nodesAxis(growth) },
    layer: [
      ...FITS.map(({ name, dash }) => ({
        data: { values: fitted(growth).filter(({ fit }) => fit === name) },
        mark: { type: 'line', strokeDash: dash },
        encoding: { y: { field: 'value', type: 'quantitative' }, color: byFit }
      })),
      {
        data: { values: growth.points },
        mark: { type: 'point', size: 44, color: INK, fill: INK, opacity: 1 },
        encoding: {
          y: {
            field: 'value',
            type: 'quantitative',
            scale: FROM_ZERO,
            axis: { title: growth.unit, format: ',~f', tickCount: 5 }
          }
        }
      }
    ]
  }
})

/** @param {string} id @param {Growth} growth @returns {Plot} */
function residualPlot(id, growth) {
  const { points, logarithmic, linear } = growth
  const values = points.flatMap(({ nodes }, place) => [
    { nodes, fit: 'logarithmic', value: logarithmic.residuals[place] },
    { nodes, fit: 'linear', value: linear.residuals[place] }
  ])
  return {
    id: `${id}-residuals`,
    title: `Residuals of both fits: ${growth.title.toLowerCase()}`,
    caption: 'Measured less fitted. A fit that has the right shape leaves points without one.',
    description: `Residuals of the logarithmic fit: ${logarithmic.residuals.map(value => significant(value)).join(', ')}; of the linear one: ${linear.residuals.map(value => significant(value)).join(', ')}.`,
    legend: LEGEND,
    spec: {
      encoding: { x: nodesAxis(growth) },
      layer: [
        {
          data: { values: [{ zero: 0 }] },
          mark: { type: 'rule', color: QUIET },
          encoding: { x: null, y: { field: 'zero', type: 'quantitative' } }
        },
        {
          data: { values },
          mark: { type: 'line', point: { size: 40 } },
          encoding: {
            y: {
              field: 'value',
              type: 'quantitative',
              axis: { title: `Measured less fitted, ${growth.unit}`, format: ',.3~r', tickCount: 5 }
            },
            color: byFit
          }
        }
      ]
    }
  }
}

/**
 * growthPlots draw how last hop and dissemination time grow with the number of nodes, each with what a logarithm and a line leave.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, GossipResult>} results - by row id
 * @returns {Plot[]}
 */
export const growthPlots = (table, results) =>
  growths(table, results).flatMap((growth, place) => {
    const id = `${table.id}-growth-${place}-${growth.id}`
    return [measuredPlot(id, growth), residualPlot(id, growth)]
  })
