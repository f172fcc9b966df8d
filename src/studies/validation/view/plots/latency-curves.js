import { significant } from '../../../../kit/numbers.js'
import { SERIES } from '../../../../kit/plots/theme.js'

/**
 * @typedef {import('../../result/observation.js').Observation} Observation
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {{ real: Observation[], simulated: Observation[] }} Observations
 * @typedef {{ at: number, percent: number, line: string }} Point
 */

/** SIDE_COLOURS tell real from simulated in every plot of a validation. */
export const SIDE_COLOURS = Object.freeze({ real: SERIES[0], simulated: SERIES[1] })

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

const x = Object.freeze({
  field: 'at',
  type: 'quantitative',
  scale: { zero: true, nice: true },
  axis: { title: 'Latency, in L', format: ',~f', tickCount: 8 }
})
const y = Object.freeze({
  field: 'percent',
  type: 'quantitative',
  scale: { domain: [0, 100] },
  axis: { title: 'Arrived, %', format: ',~f', tickCount: 5 }
})

/** @param {Point[]} values @param {Record<string, unknown>} mark */
const lines = (values, mark) => ({
  data: { values },
  mark: { type: 'line', interpolate: 'step-after', ...mark },
  encoding: {
    x,
    y,
    detail: { field: 'line', type: 'nominal' },
    order: { field: 'percent', type: 'quantitative' }
  }
})

/** @param {'real' | 'simulated'} side @param {Observation[]} runs */
const layersOf = (side, runs) => {
  const all = runs.map(({ latencies }) => latencies)
  const color = SIDE_COLOURS[side]
  return [
    lines(
      all.flatMap((latencies, run) => curve(latencies, `${side} ${run}`)),
      { color, strokeWidth: 0.75, opacity: 0.45 }
    ),
    lines(curve(pooled(all), side), {
      color,
      strokeWidth: 2.5,
      ...(side === 'simulated' ? { strokeDash: [5, 3] } : {})
    })
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
    {
      id: 'latencies',
      title: 'Latency of deliveries',
      caption:
        'Share that had arrived, by the time since the publish call. Thin: a run; thick: all runs of a side.',
      description: `Cumulative distributions of the latency of ${real.length} real and ${simulated.length} simulated runs; medians ${middle[0]} and ${middle[1]} latencies of a link.`,
      legend: [
        { label: 'real', colour: SIDE_COLOURS.real, mark: 'line' },
        { label: 'simulated', colour: SIDE_COLOURS.simulated, mark: 'dashed' }
      ],
      spec: { layer: [...layersOf('real', real), ...layersOf('simulated', simulated)] }
    }
  ]
}
