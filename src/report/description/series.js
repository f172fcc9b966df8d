import { decodedHistogram } from '../../measure/encoded-histogram.js'
import { binnedToDraw } from './bins.js'
import { columnsUpTo } from './measured-time.js'
import { four } from './values.js'

/**
 * @typedef {import('./measured-time.js').Columns} Columns
 *
 * @typedef {object} Entry - times of one second
 * @property {number} second
 * @property {[number, number][]} histogram - value in µs and count
 * @property {boolean} [failed]
 *
 * @typedef {object} Cell - operations of one stretch of time and one range of response times
 * @property {number} from - s since the measurement began
 * @property {number} to
 * @property {number} leastMs
 * @property {number} mostMs
 * @property {number} count
 *
 * @typedef {object} Dot - the slowest of the few operations in a cell
 * @property {number} at - s, the middle of its stretch of time
 * @property {number} ms
 * @property {number} count - operations it stands for
 * @property {boolean} failed
 */

/** Rows of a plot for a tenfold response time. */
const ROWS_PER_DECADE = 12

/** Fewer operations in a cell are hard to see as an area. */
const FEW = 3

/** @param {number} ms */
const rowOf = ms => Math.floor(Math.log10(Math.max(ms, 0.001)) * ROWS_PER_DECADE + 1e-9)

/** @param {number} row */
const edge = row => 10 ** (row / ROWS_PER_DECADE)

/**
 * @typedef {Cell & { column: number, row: number, slowest: number }} Counted
 *
 * @param {readonly Entry[]} entries
 * @param {Columns} columns
 * @returns {Counted[]}
 */
function cellsOf(entries, columns) {
  /** @type {Map<string, Counted>} */
  const cells = new Map()
  for (const { second, histogram } of entries) {
    const column = columns.of(second)
    for (const [us, count] of histogram) {
      const [ms, row] = [us / 1000, rowOf(us / 1000)]
      const key = `${column} ${row}`
      const cell = cells.get(key) ?? {
        ...{ column, row, count: 0, slowest: 0 },
        ...{ ...columns.stretch(column), leastMs: edge(row), mostMs: edge(row + 1) }
      }
      cell.count += count
      cell.slowest = Math.max(cell.slowest, ms)
      cells.set(key, cell)
    }
  }
  return [...cells.values()]
}

/**
 * The row that each column's middle operation is in.
 *
 * @param {Counted[]} cells
 * @returns {Map<number, number>} by column
 */
function medianRows(cells) {
  const columns = new Map()
  for (const cell of cells) columns.set(cell.column, [...(columns.get(cell.column) ?? []), cell])
  return new Map(
    [...columns].map(([column, own]) => {
      const ascending = /** @type {Counted[]} */ (own).sort((a, b) => a.row - b.row)
      let left = ascending.reduce((sum, { count }) => sum + count, 0) / 2
      const middle = ascending.find(({ count }) => {
        left -= count
        return left <= 0
      })
      return [column, middle?.row ?? 0]
    })
  )
}

/** @param {Counted} cell @param {boolean} failed @returns {Dot} */
const dot = ({ from, to, slowest, count }, failed) => ({ at: (from + to) / 2, ms: slowest, count, failed })

/** @param {Counted} counted @returns {Cell} */
const area = ({ from, to, leastMs, mostMs, count }) => ({ from, to, leastMs, mostMs, count })

/**
 * timeCells counts times by when they ended and how long they were. Where only one or two of the slower ones fall into a cell,
 * they become a dot at the slowest, so that no outlier is lost; those that failed always do.
 *
 * @param {readonly Entry[]} entries
 * @param {Columns} columns
 * @returns {{ cells: Cell[], dots: Dot[] }}
 */
function timeCells(entries, columns) {
  const ok = cellsOf(
    entries.filter(entry => !entry.failed),
    columns
  )
  const failed = cellsOf(
    entries.filter(entry => entry.failed),
    columns
  )
  const medians = medianRows(ok)
  /** @param {Counted} cell */
  const isOutlier = ({ column, row, count }) => count < FEW && row > (medians.get(column) ?? 0)
  return {
    cells: ok.filter(cell => !isOutlier(cell)).map(area),
    dots: [...ok.filter(isOutlier).map(cell => dot(cell, false)), ...failed.map(cell => dot(cell, true))]
  }
}

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
 * @param {readonly Entry[]} entries - by second
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
