import { FROM_ZERO } from '../../kit/plots/axes.js'
import { SERIES } from '../../kit/plots/theme.js'

/** @typedef {import('./bins.js').Bin} Bin */

/**
 * histogramSpec draws bins as bars.
 *
 * @param {Bin[]} bins - at least one
 * @param {{ x: string, y: string, layers?: object[] }} how - titles of the axes, and what is drawn over them
 * @returns {import('../../kit/plots/theme.js').Spec}
 */
export const histogramSpec = (bins, { x, y, layers = [] }) => ({
  layer: [
    {
      data: { values: bins.filter(({ count }) => count > 0) },
      mark: { type: 'bar', color: SERIES[0], binSpacing: 1 },
      encoding: {
        x: { field: 'from', type: 'quantitative', bin: { binned: true } },
        x2: { field: 'to' },
        y: { field: 'count', type: 'quantitative' }
      }
    },
    ...layers
  ],
  encoding: {
    x: {
      type: 'quantitative',
      scale: { domain: [bins[0].from, bins[bins.length - 1].to], nice: false },
      axis: { title: x, format: ',~f', tickCount: 8 }
    },
    y: { type: 'quantitative', scale: FROM_ZERO, axis: { title: y, format: ',~f', tickCount: 5 } }
  }
})
