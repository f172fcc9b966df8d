import { significant } from '../../../../kit/numbers.js'
import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { amount } from '../../../../kit/plots/axes.js'
import { category, quantity } from '../../../../kit/plots/series-plot.js'
import { INK } from '../../../../kit/plots/theme.js'
import { colourOf, groupedBy, legendOfWays, waysOf } from './grouped-rows.js'
import { latencyWords, lineId, rateWords } from './line-words.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('./transfer-rows.js').TimedCase} TimedCase
 */

/**
 * secondsBars draw how long each way took at each latency, a panel for each limit: the median, with its interval where there is one.
 *
 * @param {readonly TimedCase[]} cases
 * @returns {Plot[]}
 */
export function secondsBars(cases) {
  const ways = waysOf(cases)
  return groupedBy(cases, ({ bytesPerSecond }) => bytesPerSecond).flatMap(ofOneLimit =>
    panel(ofOneLimit, ways)
  )
}

/** @param {readonly TimedCase[]} cases - of one limit @param {readonly string[]} ways @returns {Plot[]} none when nothing came */
function panel(cases, ways) {
  const bars = cases.flatMap(({ way, latencyMs, seconds: { median, low, high } }) =>
    median === null ? [] : [{ way, latency: latencyWords(latencyMs), median, low, high }]
  )
  if (bars.length === 0) return []
  const [{ bytesPerSecond }] = cases
  const limit = rateWords(bytesPerSecond)
  const hasInterval = bars.some(({ low }) => low !== null)
  return [
    {
      id: `seconds-${lineId({ latencyMs: 0, bytesPerSecond })}`,
      title: `Seconds by way: ${limit}`,
      caption: `Median of the repeats, by one-way latency.${hasInterval ? ' Lines: 95 % interval of the median.' : ''}`,
      description: `Seconds of ${bars.map(({ way, latency, median }) => `${way} at ${latency} ${significant(median)}`).join(', ')}.`,
      legend: legendOfWays(ways, 'area'),
      marks: askedMarks(bars, {
        way: ({ way }) => way,
        'Latency, one way': ({ latency }) => latency,
        'Median, s': ({ median }) => median,
        '95 % from': ({ low }) => low,
        to: ({ high }) => high
      }),
      spec: spec(bars, ways)
    }
  ]
}

/** @param {readonly { latency: string, low: number | null }[]} bars @param {readonly string[]} ways */
const spec = (bars, ways) => ({
  data: { values: bars },
  encoding: {
    x: {
      field: 'latency',
      type: 'ordinal',
      sort: [...new Set(bars.map(({ latency }) => latency))],
      axis: { title: 'Latency, one way', labelAngle: 0 }
    },
    xOffset: { field: 'way', type: 'nominal', scale: { domain: ways } }
  },
  layer: [
    {
      name: askedName(),
      mark: { type: 'bar' },
      encoding: {
        y: { field: 'median', ...amount('Seconds') },
        color: category(
          'way',
          ways,
          ways.map(way => colourOf(ways, way))
        )
      }
    },
    {
      data: { values: bars.filter(({ low }) => low !== null) },
      mark: { type: 'rule', color: INK, strokeWidth: 1 },
      encoding: { y: quantity('low'), y2: { field: 'high' } }
    }
  ]
})
