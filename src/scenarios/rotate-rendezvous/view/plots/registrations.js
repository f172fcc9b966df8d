import { grouped } from '../../../../kit/numbers.js'
import { FROM_ZERO } from '../../../../kit/plots/axes.js'
import { INK, SERIES } from '../../../../kit/plots/theme.js'
import { GAPS_LEGEND, gapsLayer, gapsOf } from '../../../../report/plots/gaps.js'
import { secondsAxis } from '../../../../report/plots/measured-time.js'

/**
 * @typedef {import('../../../gossip/gossip-types.js').RendezvousRotationResult} RendezvousRotationResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/**
 * registrationsPlot draws the registrations over time: those of living peers, those left by killed ones, and what the server counts.
 *
 * @param {RendezvousRotationResult} result
 * @returns {Plot[]}
 */
export function registrationsPlot(result) {
  const series = result.outcome.rotation?.series ?? []
  if (series.length < 2) return []
  const values = series.map(({ atMs, server, living, dead }) => ({
    at: Number((atMs / 1000).toFixed(2)),
    living,
    all: living + dead,
    server
  }))
  const x = { field: 'at', type: 'quantitative' }
  const area = (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ color) => ({
    data: { values },
    mark: { type: 'area', color, opacity: 0.45, interpolate: 'step-after' },
    encoding: { x, y: { field: to, type: 'quantitative' }, y2: { field: from } }
  })
  const known = values.filter(({ server }) => server !== null)
  const most = values.reduce((sum, { all }) => Math.max(sum, all), 0)
  return [
    {
      id: 'registrations',
      title: 'Registrations over time',
      caption:
        'As the peers know them: of living ones, and on top of these what killed ones left and whose time to live is not over. The line is what the server counts itself.',
      description: `Registrations of living and of killed peers over time, ${grouped(most)} together at most.`,
      legend: [
        { label: 'of living peers', colour: SERIES[0], mark: 'area' },
        { label: 'left by killed peers', colour: SERIES[1], mark: 'area' },
        ...(known.length === 0
          ? []
          : [
              {
                label: 'counted by the server',
                colour: INK,
                mark: /** @type {const} */ ('line')
              }
            ]),
        GAPS_LEGEND
      ],
      spec: {
        layer: [
          gapsLayer(gapsOf(/** @type {any} */ (result))),
          {
            ...area('zero', 'living', SERIES[0]),
            data: { values: values.map(value => ({ ...value, zero: 0 })) }
          },
          area('living', 'all', SERIES[1]),
          {
            data: { values: known },
            mark: { type: 'line', color: INK, strokeWidth: 1, interpolate: 'step-after' },
            encoding: { x, y: { field: 'server', type: 'quantitative' } }
          }
        ],
        encoding: {
          x: secondsAxis(/** @type {any} */ (result)),
          y: {
            type: 'quantitative',
            scale: FROM_ZERO,
            axis: { title: 'Registrations', format: ',~f', tickCount: 5 }
          }
        }
      }
    }
  ]
}
