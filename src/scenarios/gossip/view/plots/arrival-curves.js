import { grouped } from '../../../../kit/numbers.js'
import { around, logMs } from '../../../../kit/plots/axes.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { withHistogram } from '../../../../report/plots/with-histogram.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {{ ms: number, percent: number, line: string }} Point
 */

/** The smallest time that is counted. */
const LEAST_MS = 0.001

const STEPS = 200
const SHARES = [...Array.from({ length: STEPS }, (_, i) => i / STEPS), 0.998, 0.999, 1]

const LINES = Object.freeze([
  { line: 'deliveries', label: 'deliveries: latency', colour: SERIES[0] },
  { line: 'messages', label: 'messages that had reached everyone: dissemination time', colour: SERIES[1] }
])

/**
 * The share of all that had come by a time. What never came is in the whole: the curve ends below 100 %.
 *
 * @param {string} base64
 * @param {number} all - also what never came
 * @param {string} line
 * @returns {Point[]}
 */
const curve = (base64, all, line) =>
  withHistogram(base64, histogram =>
    histogram.count === 0
      ? []
      : SHARES.map(share => ({
          ms: Math.max(LEAST_MS, histogram.quantile(share) / 1000),
          percent: Number(((100 * share * histogram.count) / all).toFixed(3)),
          line
        }))
  )

/**
 * arrivalPoints are the curves of deliveries and of messages.
 *
 * @param {GossipResult} result
 * @returns {Point[]}
 */
export const arrivalPoints = ({ outcome: { latency, dissemination } }) => [
  ...curve(latency.histogram, latency.all.count, 'deliveries'),
  ...curve(dissemination.histogram, dissemination.all.count, 'messages')
]

/**
 * arrivalCurves draw the cumulative distributions of latency and dissemination time.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function arrivalCurves(result) {
  const points = arrivalPoints(result)
  if (points.length === 0) return []
  const lines = LINES.filter(({ line }) => points.some(point => point.line === line))
  const { delivered, expected } = result.outcome.delivery
  return [
    {
      id: 'arrivals',
      title: 'What had arrived by when',
      caption: `Share of all that was expected, by the time since the publish call.${delivered < expected ? ' What never came keeps the curves below 100 %.' : ''}`,
      description: `Cumulative distribution of the latency of ${grouped(delivered)} deliveries, and of the time until messages had reached everyone.`,
      legend: lines.map(({ label, colour }) => ({ label, colour, mark: /** @type {const} */ ('line') })),
      spec: {
        data: { values: points },
        mark: { type: 'line' },
        encoding: {
          x: { field: 'ms', type: 'quantitative', ...axisOf(points) },
          y: {
            field: 'percent',
            type: 'quantitative',
            scale: { domain: [0, 100] },
            axis: { title: 'Arrived, %', format: ',~f', tickCount: 5 }
          },
          color: {
            field: 'line',
            type: 'nominal',
            scale: { domain: lines.map(({ line }) => line), range: lines.map(({ colour }) => colour) },
            legend: null
          },
          order: { field: 'percent', type: 'quantitative' }
        }
      }
    }
  ]
}

/** @param {Point[]} points */
const axisOf = points => logMs(around(points.map(({ ms }) => ms)), 'Time since the publish call, ms')
