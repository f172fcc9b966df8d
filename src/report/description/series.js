import { decodedHistogram } from '../../measure/encoded-histogram.js'
import { binnedToDraw } from './bins.js'
import { columnsUpTo } from './measured-time.js'
import { timeCells } from './time-cells.js'
import { four } from './values.js'

/**
 * Series of plots, from what results hold. Numbers have four significant digits: more cannot be seen, and would make pages large.
 *
 * @typedef {import('./description.js').Plot} Plot
 * @typedef {import('./description.js').Series} Series
 * @typedef {import('../../measure/histogram.js').Histogram} Histogram
 */

/** drawn is a plot of which there is something to draw. @param {Plot} plot @returns {Plot[]} */
export const drawn = plot => (plot.series?.length === 0 ? [] : [plot])

/**
 * overTime makes a series of each value that stands in rows over time.
 *
 * @template Row
 * @param {readonly Row[]} rows - ascending
 * @param {Record<string, (row: Row) => number | null | undefined>} values - by label
 * @param {(row: any) => number} [at] - seconds; default: `atMs`
 * @returns {Series[]}
 */
export const overTime = (rows, values, at = ({ atMs }) => atMs / 1000) =>
  Object.entries(values).map(([label, of]) => ({
    label,
    values: rows.map(row => [Number(at(row).toFixed(3)), four(of(row))])
  }))

/**
 * band is an average between the smallest and the largest.
 *
 * @template Row
 * @param {string} label
 * @param {readonly Row[]} rows
 * @param {(row: Row) => { avg: number | null, min: number | null, max: number | null } | null | undefined} of
 * @param {(row: any) => number} [at]
 * @returns {Series}
 */
export const band = (label, rows, of, at = ({ atMs }) => atMs / 1000) => ({
  label,
  values: rows.flatMap(row => {
    const value = of(row)
    return value ? [[at(row), four(value.avg), four(value.min), four(value.max)]] : []
  })
})

/**
 * histogramPlot draws how many values of a stored histogram (µs) lie in each range of ms; none where nothing was counted.
 *
 * @param {string | Histogram | null | undefined} histogram - encoded, or as it is
 * @param {Omit<Plot, 'kind' | 'series'>} plot
 * @returns {Plot[]}
 */
export function histogramPlot(histogram, plot) {
  if (!histogram) return []
  const { bins, beyond } = binnedToDraw(
    typeof histogram === 'string' ? decodedHistogram(histogram) : histogram
  )
  if (bins.length === 0) return []
  const note = [plot.note, beyond > 0 ? `${beyond} took longer than drawn.` : ''].filter(Boolean).join(' ')
  return [
    {
      ...plot,
      ...(note !== '' && { note }),
      kind: 'bars',
      series: [{ label: plot.y ?? 'Count', values: bins.map(({ from, to, count }) => [from, to, count]) }]
    }
  ]
}

const SHARES = [...Array.from({ length: 200 }, (_, i) => i / 200), 0.998, 0.999, 1]

/**
 * arrived says what share of all had come by a time, in ms.
 *
 * @param {string} label
 * @param {string | null | undefined} histogram - encoded, of those that came
 * @param {number} all - those that came and those that did not
 * @returns {Series[]}
 */
export function arrived(label, histogram, all) {
  if (!histogram) return []
  const times = decodedHistogram(histogram)
  if (times.count === 0) return []
  return [
    {
      label,
      values: SHARES.map(share => [
        four(times.quantile(share) / 1000),
        four((100 * share * times.count) / all)
      ])
    }
  ]
}

const NINES = Array.from({ length: 97 }, (_, i) => i / 16)

/**
 * percentiles is a curve of times (ms) over nines: 1 is p90, 2 is p99. It ends where one value is left.
 *
 * @param {string} label
 * @param {Histogram} times - in µs
 * @returns {Series[]}
 */
export function percentiles(label, times) {
  if (times.count === 0) return []
  const values = NINES.filter(n => 10 ** -n * times.count >= 1).map(n => [
    n,
    four(times.quantile(1 - 10 ** -n) / 1000)
  ])
  return [
    {
      label,
      values: values.filter(
        ([, ms], i) =>
          i === 0 || i === values.length - 1 || ms !== values[i - 1][1] || ms !== values[i + 1][1]
      )
    }
  ]
}

/**
 * heatPlot draws how many took how long at each time; what few took lies out of it as dots.
 *
 * @param {Omit<Plot, 'kind'>} plot
 * @param {readonly import('./time-cells.js').Entry[]} entries - by second
 * @param {number} seconds - that were measured
 * @param {number} [secondsPerPoint]
 * @returns {Plot[]}
 */
export function heatPlot(plot, entries, seconds, secondsPerPoint = 1) {
  if (entries.length === 0) return []
  const { cells, dots } = timeCells(entries, columnsUpTo(seconds, secondsPerPoint))
  const number = (/** @type {number} */ x) => four(x) ?? 0
  return [
    {
      logY: true,
      ...plot,
      kind: 'heat',
      cells: cells.map(cell => [cell.from, cell.to, number(cell.leastMs), number(cell.mostMs), cell.count]),
      dots: dots.map(dot => [number(dot.at), number(dot.ms), dot.failed ? 1 : 0])
    }
  ]
}
