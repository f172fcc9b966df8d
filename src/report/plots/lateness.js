import { largestOf } from '../../kit/lists.js'
import { significant } from '../../kit/numbers.js'
import { amount } from '../../kit/plots/axes.js'
import { seriesPlot } from '../../kit/plots/series-plot.js'
import { QUIET, SERIES } from '../../kit/plots/theme.js'
import { measuredSeconds, measurementBegan, secondsAxis } from './measured-time.js'

/**
 * @typedef {import('../../result/types.js').Lateness} Lateness
 * @typedef {Lateness['series'][number]} Point
 */

/**
 * latenessPlots draw over time who waited for a core, and by how much sleeps were too long.
 *
 * @param {Pick<import('../../result/types.js').Result, 'outcome' | 'run'>} result
 * @returns {import('../../kit/plots/theme.js').Plot[]} none where that was not watched
 */
export function latenessPlots(result) {
  const { lateness } = result.run
  if (lateness === undefined || lateness.series.length < 2) return []
  const began = measurementBegan(result)
  const end = measuredSeconds(result)
  /** @param {(point: Point) => number | null} of */
  const values = of =>
    lateness.series.flatMap(point => {
      const value = of(point)
      const at = Number(Math.min(end, Math.max(0, (point.atMs - began) / 1000)).toFixed(2))
      return value === null ? [] : [{ at, value: Number(value.toPrecision(3)) }]
    })
  const hiccups = values(({ hiccupMs }) => hiccupMs)
  return [
    ...waitedPlot(result, lateness, values),
    seriesPlot({
      id: 'hiccups',
      title: 'Hiccups of the machine',
      caption:
        'By how much the worst short sleep in each second was too long, of a thread that does nothing else.',
      description: `The longest hiccup in each second, ${significant(largestOf(hiccups, ({ value }) => value))} ms at most.`,
      x: secondsAxis(result),
      y: amount('Longest hiccup, ms'),
      series: [{ label: 'longest in a second', colour: SERIES[1], mark: 'line', values: hiccups }]
    })
  ]
}

/**
 * @param {Pick<import('../../result/types.js').Result, 'outcome' | 'run'>} result
 * @param {Lateness} lateness
 * @param {(of: (point: Point) => number | null) => { at: number, value: number }[]} values
 */
function waitedPlot(result, { processes }, values) {
  const own = processes.map(({ name }, i) => ({
    label: name,
    colour: SERIES[i % SERIES.length],
    mark: /** @type {const} */ ('line'),
    values: values(point => point.processes[i]?.waitedPercent ?? null)
  }))
  const pressure = values(({ pressurePercent }) => pressurePercent)
  const series = [
    ...own,
    {
      label: 'anything on the machine',
      colour: QUIET,
      mark: /** @type {const} */ ('dotted'),
      values: pressure
    }
  ].filter(({ values }) => values.length > 0)
  if (series.length === 0) return []
  const most = largestOf(
    series.flatMap(({ values }) => values),
    ({ value }) => value
  )
  return [
    seriesPlot({
      id: 'core-waits',
      title: 'Waiting for a core',
      caption: 'Share of each second in which a process was ready to run and had no core.',
      description: `Share of the time that each process waited for a core, ${significant(most)} % at most.`,
      x: secondsAxis(result),
      y: amount('Waiting, % of the time'),
      series
    })
  ]
}
