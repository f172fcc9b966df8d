import { significant } from '../../../../kit/numbers.js'
import { around, logAxis } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { QUIET } from '../../../../kit/plots/theme.js'
import { rateWords as inWords } from '../../../../kit/rate-words.js'
import { modelGoodput } from '../../../../measure/transfer-limit.js'
import { colourOf, groupedBy, shapeOf, waysOf } from './grouped-rows.js'
import { rateWords } from './line-words.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('./transfer-rows.js').RatedCase} RatedCase
 * @typedef {{ roundTripMs: number, megabytes: number }} Point
 */

const STEPS = 60

/**
 * goodputPlot draws goodput over the measured round trip, and what line and window let through beside it.
 *
 * @param {readonly RatedCase[]} cases
 * @returns {Plot[]}
 */
export function goodputPlot(cases) {
  const points = cases.flatMap(({ way, roundTripMs, goodput: { median } }) =>
    roundTripMs === null || roundTripMs <= 0 || median === null
      ? []
      : [{ way, roundTripMs, megabytes: median / 1e6 }]
  )
  if (points.length === 0) return []
  const trips = around(points.map(({ roundTripMs }) => roundTripMs))
  const models = modelCurves(cases, trips)
  const most = Math.max(...points.map(({ megabytes }) => megabytes))
  // what the model lets through beyond anything that was measured is of no interest
  const drawn = models.map(model => ({
    ...model,
    values: model.values.filter(({ megabytes }) => megabytes <= 20 * most)
  }))
  const rates = around(
    [...points, ...drawn.flatMap(({ values }) => values)].map(({ megabytes }) => megabytes)
  )
  const ways = waysOf(points)
  return [
    seriesPlot({
      id: 'goodput',
      title: 'Goodput over the round trip',
      caption:
        'A point for each way and line: the median of the repeats. Lines: what line and window let through, min(line, window ÷ round trip).',
      description: `Goodput in MB/s: ${points.map(({ way, roundTripMs, megabytes }) => `${way} ${significant(megabytes)} at a round trip of ${significant(roundTripMs)} ms`).join(', ')}.`,
      x: logAxis(trips, 'Round trip, ms'),
      y: logAxis(rates, 'Goodput, MB/s'),
      series: [
        ...drawn.map(({ label, values }, i) => ({
          label,
          colour: QUIET,
          mark: i % 2 === 0 ? /** @type {const} */ ('dashed') : /** @type {const} */ ('dotted'),
          values,
          fields: { x: 'roundTripMs', y: 'megabytes' }
        })),
        ...ways.map(way => ({
          label: way,
          colour: colourOf(ways, way),
          mark: shapeOf(ways, way),
          values: points.filter(point => point.way === way),
          fields: { x: 'roundTripMs', y: 'megabytes' },
          look: { size: 60 }
        }))
      ]
    })
  ]
}

/** A curve for each line and window there is. @param {readonly RatedCase[]} cases @param {[number, number]} trips */
function modelCurves(cases, trips) {
  const limits = groupedBy(cases, ({ bytesPerSecond, windowBytes }) => `${bytesPerSecond} ${windowBytes}`)
  return limits.flatMap(([{ bytesPerSecond, windowBytes }]) => {
    if (bytesPerSecond === null && windowBytes === null) return []
    const parts = [
      ...(bytesPerSecond === null ? [] : [`line of ${rateWords(bytesPerSecond)}`]),
      ...(windowBytes === null ? [] : [`window of ${inWords(windowBytes / 2 ** 20)} MiB`])
    ]
    return [{ label: parts.join(', '), values: modelPoints({ bytesPerSecond, windowBytes }, trips) }]
  })
}

/** @param {Pick<RatedCase, 'bytesPerSecond' | 'windowBytes'>} limits @param {[number, number]} trips @returns {Point[]} */
const modelPoints = ({ bytesPerSecond, windowBytes }, [least, most]) =>
  Array.from({ length: STEPS + 1 }, (_, step) => least * (most / least) ** (step / STEPS)).flatMap(
    roundTripMs => {
      const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond: bytesPerSecond })
      return model.bytesPerSecond === null
        ? []
        : [
            {
              roundTripMs: Number(roundTripMs.toPrecision(5)),
              megabytes: Number((model.bytesPerSecond / 1e6).toPrecision(5))
            }
          ]
    }
  )
