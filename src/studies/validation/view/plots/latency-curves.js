import { significant } from '../../../../kit/numbers.js'
import { amount, SHARE_ARRIVED } from '../../../../kit/plots/axes.js'
import { quantity, seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'

/**
 * @typedef {import('../../result/observation.js').Observation} Observation
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {{ real: Observation[], simulated: Observation[] }} Observations
 * @typedef {{ at: number, percent: number, line: string }} Point
 */

/** SIDE_COLOURS tell real from simulated in every plot of a validation. */
export const SIDE_COLOURS = { real: SERIES[0], simulated: SERIES[1] }

const STEPS = 250

/** @param {readonly number[]} ascending @param {number} share */
const quantile = (ascending, share) =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]

/** @param {readonly number[]} ascending @param {string} line @returns {Point[]} */
const curve = (ascending, line) =>
  Array.from({ length: STEPS + 1 }, (_, step) => ({
    at: Number(quantile(ascending, step / STEPS).toPrecision(4)),
    percent: (100 * step) / STEPS,
    line
  }))

/** @param {readonly number[][]} all */
const pooled = all => all.flat().sort((a, b) => a - b)

/** @param {'real' | 'simulated'} side @param {Observation[]} runs @returns {import('../../../../kit/plots/series-plot.js').Series[]} */
const seriesOf = (side, runs) => {
  const all = runs.map(({ latencies }) => latencies)
  const line = {
    colour: SIDE_COLOURS[side],
    fields: { x: 'at', y: 'percent' },
    encoding: { detail: { field: 'line', type: 'nominal' }, order: quantity('percent') }
  }
  return [
    {
      ...line,
      mark: 'line',
      values: all.flatMap((latencies, run) => curve(latencies, `${side} ${run}`)),
      look: { interpolate: 'step-after', strokeWidth: 0.75, opacity: 0.45 }
    },
    {
      ...line,
      label: side,
      mark: side === 'simulated' ? 'dashed' : 'line',
      values: curve(pooled(all), side),
      look: { interpolate: 'step-after', strokeWidth: 2.5 }
    }
  ]
}

/**
 * latencyCurves draw the latencies of real and simulated runs over one another: each run thin, all of a side thick.
 *
 * @param {Observations} observations
 * @returns {Plot[]}
 */
export function latencyCurves({ real, simulated }) {
  if (real.length === 0 || simulated.length === 0) return []
  const middle = [real, simulated].map(side =>
    significant(quantile(pooled(side.map(({ latencies }) => latencies)), 0.5))
  )
  return [
    seriesPlot({
      id: 'latencies',
      title: 'Latency of deliveries',
      caption:
        'Share that had arrived, by the time since the publish call. Thin: a run; thick: all runs of a side.',
      description: `Cumulative distributions of the latency of ${real.length} real and ${simulated.length} simulated runs; medians ${middle[0]} and ${middle[1]} latencies of a link.`,
      x: amount('Latency, in L', { tickCount: 8 }),
      y: SHARE_ARRIVED,
      series: [...seriesOf('real', real), ...seriesOf('simulated', simulated)]
    })
  ]
}
