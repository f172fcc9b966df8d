import { html } from '../../src/kit/html.js'
import { tableOf } from '../../src/kit/html-table.js'
import { grouped, significant } from '../../src/kit/numbers.js'
import { around, logAxis } from '../../src/kit/plots/axes.js'
import { drawer } from '../../src/kit/plots/drawer.js'
import { loadRenderer } from '../../src/kit/plots/render.js'
import { seriesPlot } from '../../src/kit/plots/series-plot.js'
import { SERIES } from '../../src/kit/plots/theme.js'
import { pageDocument } from '../../src/report/page/document.js'

/**
 * @typedef {object} Curve - a figure over what becomes more
 * @property {string} title
 * @property {string} of
 * @property {readonly (readonly [x: number, y: number])[]} points
 */

const STYLE = /** @type {const} */ ({ colour: SERIES[0], mark: 'line' })

/** @param {Curve} curve @param {number} place */
const plotOf = ({ title, of, points }, place) =>
  seriesPlot({
    id: `growth-${place}`,
    title: `${title} over ${of}`,
    caption: 'Both axes are logarithmic: a straight line grows as a power.',
    description: points.map(([x, y]) => `${significant(y)} at ${grouped(x)}`).join(', '),
    x: logAxis(around(points.map(([x]) => x)), of),
    y: logAxis(around(points.map(([, y]) => y)), title),
    series: [
      {
        ...STYLE,
        values: points.map(([at, value]) => ({ at, value })),
        look: { point: { size: 40 } }
      }
    ]
  })

/**
 * growthPage is one page: the exponents, a plot of each figure, and all that was measured.
 *
 * @param {{ title: string, machine: string, table: { head: string[], rows: string[][] }, curves: readonly Curve[] }} growth
 * @returns {Promise<string>}
 */
export async function growthPage({ title, machine, table: { head, rows }, curves }) {
  const measured = curves.flatMap(({ title: figure, of, points }) =>
    points.map(([x, y]) => [`${figure} over ${of}`, grouped(x), significant(y)])
  )
  return pageDocument({
    title: 'Growth · libp2p-loadtest',
    description: title,
    body: [
      html`<h1>Growth</h1>\n<p class="when quiet">${machine}</p>\n<p>${title}</p>\n`,
      tableOf({ headings: head, rows }, { label: 'Exponents' }),
      await drawer(loadRenderer)(curves.map(plotOf)),
      html`<h2>Measured</h2>\n`,
      tableOf({ headings: ['Figure', 'At', 'Value'], rows: measured }, { label: 'Measured' })
    ]
  })
}
