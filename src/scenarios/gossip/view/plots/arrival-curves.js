import { grouped } from '../../../../kit/numbers.js'
import { around, logAxis, SHARE_ARRIVED } from '../../../../kit/plots/axes.js'
import { quantity, seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {{ ms: number, percent: number }} Point
 * @typedef {{ label: string, colour: string, values: Point[] }} Curve
 */

/** The smallest time that is counted. */
const LEAST_MS = 0.001

const STEPS = 200
const SHARES = [...Array.from({ length: STEPS }, (_, i) => i / STEPS), 0.998, 0.999, 1]

/**
 * arrivedBy is the share of all that had come by a time. What never came is in the whole: the curve ends below 100 %.
 *
 * @param {string} base64 - histogram of times
 * @param {number} all - also what never came
 * @returns {Point[]}
 */
export function arrivedBy(base64, all) {
  const histogram = decodedHistogram(base64)
  if (histogram.count === 0) return []
  return SHARES.map(share => ({
    ms: Math.max(LEAST_MS, histogram.quantile(share) / 1000),
    percent: Number(((100 * share * histogram.count) / all).toFixed(3))
  }))
}

/**
 * arrivalPlot draws curves of what had arrived by when.
 *
 * @param {Pick<Plot, 'id' | 'title' | 'caption' | 'description'> & { curves: Curve[], x: string }} plot - x: title of the axis
 * @returns {Plot}
 */
export const arrivalPlot = ({ curves, x, ...texts }) =>
  seriesPlot({
    ...texts,
    x: logAxis(around(curves.flatMap(({ values }) => values.map(({ ms }) => ms))), x),
    y: SHARE_ARRIVED,
    series: curves.map(curve => ({
      ...curve,
      mark: 'line',
      fields: { x: 'ms', y: 'percent' },
      encoding: { order: quantity('percent') }
    }))
  })

/**
 * arrivalPoints are the curves of deliveries and of messages; none of what never came at all.
 *
 * @param {GossipResult} result
 * @returns {Curve[]}
 */
export const arrivalPoints = ({ outcome: { latency, dissemination } }) =>
  [
    {
      label: 'deliveries: latency',
      colour: SERIES[0],
      values: arrivedBy(latency.histogram, latency.all.count)
    },
    {
      label: 'messages that had reached everyone: dissemination time',
      colour: SERIES[1],
      values: arrivedBy(dissemination.histogram, dissemination.all.count)
    }
  ].filter(({ values }) => values.length > 0)

/**
 * arrivalCurves draw the cumulative distributions of latency and dissemination time.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function arrivalCurves(result) {
  const curves = arrivalPoints(result)
  if (curves.length === 0) return []
  const { delivered, expected } = result.outcome.delivery
  return [
    arrivalPlot({
      id: 'arrivals',
      title: 'What had arrived by when',
      caption: `Share of all that was expected, by the time since the publish call.${delivered < expected ? ' What never came keeps the curves below 100 %.' : ''}`,
      description: `Cumulative distribution of the latency of ${grouped(delivered)} deliveries, and of the time until messages had reached everyone.`,
      curves,
      x: 'Time since the publish call, ms'
    })
  ]
}
