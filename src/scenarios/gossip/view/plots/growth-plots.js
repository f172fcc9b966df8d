import { grouped, significant } from '../../../../kit/numbers.js'
import { amount, around, logAxis } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { INK, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { growths } from '../growth.js'

/**
 * @typedef {import('../growth.js').Growth} Growth
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

const STEPS = 60

const FITS = /** @type {const} */ ([
  {
    fit: 'logarithmic',
    sign: { label: 'fitted to log N', colour: SERIES[0], mark: 'line' },
    of: Math.log2
  },
  {
    fit: 'linear',
    sign: { label: 'fitted to N', colour: SERIES[1], mark: 'dashed' },
    of: (/** @type {number} */ nodes) => nodes
  }
])

/** @param {Growth} growth */
function nodesAxis({ points }) {
  return logAxis(around(points.map(({ nodes }) => nodes)), 'Nodes')
}

/** @param {Growth} growth */
const named = ({ points }) =>
  points.map(({ nodes, value }) => `${significant(value)} with ${grouped(nodes)} nodes`).join(', ')

const FIELDS = { x: 'nodes', y: 'value' }

/** @param {string} id @param {Growth} growth @returns {Plot} */
function measuredPlot(id, growth) {
  const [least, most] = around(growth.points.map(({ nodes }) => nodes))
  const along = Array.from({ length: STEPS + 1 }, (_, i) => least * (most / least) ** (i / STEPS))
  return seriesPlot({
    id,
    title: `${growth.title} by nodes`,
    caption: `${growth.of}. Points are rows, lines are fitted by least squares to all of them.`,
    description: `${growth.title}: ${named(growth)}.`,
    x: nodesAxis(growth),
    y: amount(growth.unit),
    series: [
      ...FITS.map(({ fit, sign, of }) => ({
        ...sign,
        values: along.map(nodes => ({
          nodes,
          value: growth[fit].intercept + growth[fit].slope * of(nodes)
        })),
        fields: FIELDS
      })),
      {
        label: 'measured',
        colour: INK,
        mark: 'circle',
        values: growth.points,
        fields: FIELDS,
        look: { size: 44 }
      }
    ]
  })
}

/** @param {string} id @param {Growth} growth @returns {Plot} */
function residualPlot(id, growth) {
  const [logarithmic, linear] = FITS.map(({ fit }) =>
    growth[fit].residuals.map(value => significant(value)).join(', ')
  )
  return seriesPlot({
    id: `${id}-residuals`,
    title: `Residuals of both fits: ${growth.title.toLowerCase()}`,
    caption: 'Measured less fitted. A fit that has the right shape leaves points without one.',
    description: `Residuals of the logarithmic fit: ${logarithmic}; of the linear one: ${linear}.`,
    x: nodesAxis(growth),
    y: {
      type: 'quantitative',
      axis: { title: `Measured less fitted, ${growth.unit}`, format: ',.3~r', tickCount: 5 }
    },
    series: [
      {
        label: 'as fitted',
        colour: QUIET,
        mark: 'line',
        values: [{ zero: 0 }],
        fields: { y: 'zero' },
        look: { type: 'rule' },
        encoding: { x: null }
      },
      ...FITS.map(({ fit, sign }) => ({
        ...sign,
        values: growth.points.map(({ nodes }, place) => ({
          nodes,
          value: growth[fit].residuals[place]
        })),
        fields: FIELDS,
        look: { point: { size: 40 } }
      }))
    ]
  })
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
