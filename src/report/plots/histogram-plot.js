import { askedMarks, askedName } from '../../kit/plots/asked-marks.js'
import { amount, span } from '../../kit/plots/axes.js'
import { legendOf, quantity, seriesLayer } from '../../kit/plots/series-plot.js'
import { SERIES } from '../../kit/plots/theme.js'

/**
 * @typedef {import('./bins.js').Bin} Bin
 * @typedef {import('../../kit/plots/theme.js').Plot} Plot
 */

/** @param {Bin[]} bins */
const counted = bins => bins.filter(({ count }) => count > 0)

/**
 * histogramPlot draws bins as bars.
 *
 * @param {Pick<Plot, 'id' | 'title' | 'caption' | 'description'> & {
 *   bins: Bin[], x: string, y: string, over?: import('../../kit/plots/series-plot.js').Series[]
 * }} plot - at least one bin; titles of the axes; what is drawn over the bars
 * @returns {Plot}
 */
export const histogramPlot = ({ bins, x, y, over = [], ...texts }) => ({
  ...texts,
  legend: legendOf(over),
  marks: askedMarks(counted(bins), {
    [`${x}, from`]: ({ from }) => from,
    to: ({ to }) => to,
    [y]: ({ count }) => count
  }),
  spec: {
    layer: [
      {
        name: askedName(),
        data: { values: counted(bins) },
        mark: { type: 'bar', color: SERIES[0], binSpacing: 1 },
        encoding: {
          x: quantity('from', { bin: { binned: true } }),
          x2: { field: 'to' },
          y: quantity('count')
        }
      },
      ...over.map(seriesLayer)
    ],
    encoding: {
      x: span([bins[0].from, bins[bins.length - 1].to], x),
      y: amount(y)
    }
  }
})
