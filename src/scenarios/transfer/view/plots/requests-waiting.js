import { counted } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { lineId, lineWords } from './line-words.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('./transfer-rows.js').Waiting} Waiting
 */

/**
 * requestsWaiting draw how many requests the provider let wait and had in progress, a panel for each way on each line.
 *
 * @param {readonly Waiting[]} waiting
 * @returns {Plot[]}
 */
export const requestsWaiting = waiting => waiting.filter(({ points }) => points.length > 0).map(panel)

/** @param {Waiting} waiting @returns {Plot} */
function panel({ way, points, ...line }) {
  const most = Math.max(...points.map(([, waits]) => waits))
  const series = (/** @type {1 | 2} */ column) =>
    points.map(point => ({ at: point[0], value: point[column] }))
  return seriesPlot({
    id: `waiting-${way}-${lineId(line)}`,
    title: `Requests waiting: ${way}, ${lineWords(line)}`,
    caption: 'At the provider, in the first repeat. Waiting ones are taken from peers in turn.',
    description: `Requests over time; at most ${counted(most, 'request')} waited, and ${counted(Math.max(...points.map(point => point[2])), 'request')} were in progress.`,
    x: amount('Time, ms'),
    y: amount('Requests'),
    series: [
      {
        label: 'waiting',
        colour: SERIES[1],
        mark: 'line',
        values: series(1),
        look: { interpolate: 'step-after' }
      },
      {
        label: 'in progress',
        colour: SERIES[0],
        mark: 'dashed',
        values: series(2),
        look: { interpolate: 'step-after' }
      }
    ]
  })
}
