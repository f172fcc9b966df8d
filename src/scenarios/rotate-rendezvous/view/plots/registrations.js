import { largestOf } from '../../../../kit/lists.js'
import { grouped } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { INK, SERIES } from '../../../../kit/plots/theme.js'
import { secondsAxis } from '../../../../report/description/measured-time.js'
import { gapsSeries } from '../../../rotate/view/gaps.js'

/**
 * @typedef {import('../../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/**
 * registrationsPlot draws the registrations over time: those of living peers, those left by killed ones, and what the server counts.
 *
 * @param {RotateRendezvousResult} result
 * @returns {Plot[]}
 */
export function registrationsPlot(result) {
  const series = result.outcome.rotation?.series ?? []
  if (series.length < 2) return []
  const values = series.map(({ atMs, server, living, dead }) => ({
    at: Number((atMs / 1000).toFixed(2)),
    zero: 0,
    living,
    all: living + dead,
    server
  }))
  const known = values.filter(({ server }) => server !== null)
  const most = largestOf(values, ({ all }) => all)
  const area = {
    mark: /** @type {const} */ ('area'),
    values,
    look: { opacity: 0.45, interpolate: 'step-after' }
  }
  return [
    seriesPlot({
      id: 'registrations',
      title: 'Registrations over time',
      caption:
        'As the peers know them: of living ones, and on top of these what killed ones left and whose time to live is not over. The line is what the server counts itself.',
      description: `Registrations of living and of killed peers over time, ${grouped(most)} together at most.`,
      x: secondsAxis(/** @type {any} */ (result)),
      y: amount('Registrations'),
      series: [
        gapsSeries(/** @type {any} */ (result)),
        {
          ...area,
          label: 'of living peers',
          colour: SERIES[0],
          fields: { x: 'at', y: 'living', y2: 'zero' }
        },
        {
          ...area,
          label: 'on top, left by killed peers',
          colour: SERIES[1],
          fields: { x: 'at', y: 'all', y2: 'living' }
        },
        {
          label: known.length === 0 ? undefined : 'counted by the server',
          colour: INK,
          mark: 'line',
          values: known,
          fields: { x: 'at', y: 'server' },
          look: { strokeWidth: 1, interpolate: 'step-after' }
        }
      ]
    })
  ]
}
