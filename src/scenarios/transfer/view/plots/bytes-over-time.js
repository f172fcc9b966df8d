import { significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { colourOf, groupedBy, legendOfWays, waysOf } from './grouped-rows.js'
import { lineId, lineWords } from './line-words.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('./transfer-rows.js').Grown} Grown
 */

/**
 * bytesOverTime draw how transfers grew, a panel for each line. A line for each transfer that has a curve.
 *
 * @param {readonly Grown[]} transfers
 * @returns {Plot[]}
 */
export function bytesOverTime(transfers) {
  const drawn = transfers.filter(({ curve }) => curve != null && curve.length > 0)
  const ways = waysOf(drawn)
  return groupedBy(drawn, lineId).map(ofOneLine => panel(ofOneLine, ways))
}

/** @param {readonly Grown[]} transfers - of one line @param {readonly string[]} ways @returns {Plot} */
function panel(transfers, ways) {
  const [line] = transfers
  const ends = transfers.map(({ way, curve = [] }) => ({ way, end: (curve ?? [])[(curve ?? []).length - 1] }))
  return {
    ...seriesPlot({
      id: `bytes-${lineId(line)}`,
      title: `Bytes over time: ${lineWords(line)}`,
      caption: 'What was stored since the request, in the first repeat.',
      description: `${ends.map(({ way, end: [ms, bytes] }) => `${way} had ${significant(bytes / 1e6)} MB after ${significant(ms)} ms`).join(', ')}.`,
      x: amount('Time since the request, ms'),
      y: amount('Stored, MB'),
      series: transfers.map(({ way, curve }) => ({
        colour: colourOf(ways, way),
        mark: 'line',
        values: [
          { at: 0, value: 0 },
          ...(curve ?? []).map(([at, bytes]) => ({ at, value: Number((bytes / 1e6).toPrecision(6)) }))
        ],
        look: { interpolate: 'step-after' }
      }))
    }),
    legend: legendOfWays(waysOf(transfers), 'line').map(entry => ({
      ...entry,
      colour: colourOf(ways, entry.label)
    }))
  }
}
