import { amount } from '../../../kit/plots/axes.js'
import { seriesPlot } from '../../../kit/plots/series-plot.js'

/** @typedef {import('../../../kit/plots/theme.js').Plot} Plot */

const COLOURS = ['#1b6ca8', '#c8553d', '#3a7d44', '#7b5ea7', '#b8860b', '#555555']

/** @param {import('../perf-types.js').PerfResult} result @param {'upload' | 'download'} direction @returns {Plot[]} */
function rates({ outcome }, direction) {
  const rows = outcome.rows.filter(row => row.direction === direction)
  if (rows.length === 0) return []
  const title = direction === 'upload' ? 'Upload' : 'Download'
  const series = outcome.ways.flatMap(({ name }, index) => {
    const values = rows
      .filter(({ way }) => way === name)
      .map(({ streams, bytesPerSecond }) => ({
        at: streams,
        value: Number((bytesPerSecond.median / 1e6).toPrecision(4))
      }))
    const look = { label: name, colour: COLOURS[index % COLOURS.length] }
    return values.length === 0
      ? []
      : [
          { ...look, mark: /** @type {const} */ ('line'), values },
          { ...look, label: undefined, mark: /** @type {const} */ ('circle'), values }
        ]
  })
  return [
    seriesPlot({
      id: `rates-${direction}`,
      title: `${title} by the number of streams`,
      caption: 'Median of all repeats, MB a second.',
      description: `${title} rate of each way by the number of streams`,
      x: amount('streams'),
      y: amount('MB/s'),
      series
    })
  ]
}

/** perfPlots are rates by the number of streams. @param {import('../perf-types.js').PerfResult} result @returns {Plot[]} */
export const perfPlots = result => [...rates(result, 'upload'), ...rates(result, 'download')]
