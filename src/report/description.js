// Functions that build descriptions, the tables and plots made from a result: columns, histograms, time series, heat
// maps, overlays.
import { computeSum, findLargest, groupBy } from '../kit/collections.js'
import { MISSING_TEXT, roundUpStep } from '../kit/numbers.js'
import { decodeHistogram } from '../measure/distribution.js'
import { SAMPLE_MS } from '../measure/series.js'

/**
 * @typedef {import('./schema.js').Cell} Cell
 * @typedef {import('./schema.js').Column} Column
 * @typedef {import('./schema.js').DescribedTable} DescribedTable
 * @typedef {import('./schema.js').Summary} Summary
 */

/**
 * @template Row
 * @typedef {[heading: string, of: (row: Row) => Cell | undefined, kind: import('./schema.js').Kind, where?: 'wide']} ColumnOf
 */

/**
 * makeColumn is one that is made for each of several things.
 *
 * @template Row
 * @param {ColumnOf<Row>} parts
 * @returns {ColumnOf<Row>}
 */
export const makeColumn = (...parts) => parts

/**
 * makeTable has a row for each thing: what stands in a column is read by its function.
 *
 * @template Row
 * @param {string} id
 * @param {string} title
 * @param {readonly Row[]} rows
 * @param {readonly ColumnOf<Row>[]} columns - those in which nothing was measured are left out
 * @param {{ note?: string, terminal?: boolean, allColumns?: boolean }} [more] - `allColumns`: none is left out, for rows of several results
 *   stand under the same headings
 * @returns {DescribedTable}
 */
export function makeTable(id, title, rows, columns, { allColumns = false, ...more } = {}) {
  const cells = rows.map(row => columns.map(([, of]) => of(row) ?? null))
  const known = columns.map((_, i) => allColumns || rows.length === 0 || cells.some(row => row[i] !== null))
  return {
    id,
    title,
    columns: columns
      .filter((_, i) => known[i])
      .map(([heading, , kind, ...where]) => /** @type {Column} */ ([heading, kind, ...where])),
    rows: cells.map(row => row.filter((_, i) => known[i])),
    ...more
  }
}

/**
 * keepAllRowsForCsv has the CSV file of a table hold all of its rows, where a report has the first ones alone. What is written as JSON does not have them.
 *
 * @param {DescribedTable} whole
 * @param {number} maxRows - rows of a report
 * @returns {DescribedTable}
 */
export const keepAllRowsForCsv = ({ rows, ...whole }, maxRows) =>
  Object.defineProperty({ ...whole, rows: rows.slice(0, maxRows) }, 'inFull', { value: rows })

/**
 * makeFactsTable is a table of names and values; what was not measured is left out.
 *
 * @param {string} id
 * @param {string} title
 * @param {readonly (readonly [name: string, value: Cell | undefined, kind?: import('./schema.js').Kind])[]} rows - default kind: number.
 *   The unit stands in the name (`Warm-up, s`) or in the kind
 * @param {{ note?: string, terminal?: boolean }} [more]
 * @returns {DescribedTable}
 */
export const makeFactsTable = (id, title, rows, more = {}) => ({
  id,
  title,
  columns: [
    [title, 'text'],
    ['Value', 'text']
  ],
  rows: rows.flatMap(([name, value, kind = 'number']) => {
    if (value == null) return []
    const asIs =
      kind === 'text' || typeof value === 'string' || (typeof value === 'object' && 'kind' in value)
    return [[name, asIs ? value : { value, kind }]]
  }),
  ...more
})

/** makeTimeCell is a time of a summary, in ms. @param {{ ms: number, censored?: boolean } | number | null | undefined} time @returns {Cell} */
export const makeTimeCell = time =>
  time == null ? null : typeof time === 'number' ? time : time.censored ? { atLeast: time.ms } : time.ms

const TIMES = /** @type {const} */ ([
  ['Avg', 'avg'],
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p99.9', 'p999'],
  ['Max', 'max']
])

/**
 * makeTimesTable has a row for each distribution of times, in ms; those in which nothing was counted are left out.
 *
 * @param {readonly (readonly [name: string, summary: Partial<Summary> & { count: number } | null | undefined])[]} rows
 * @param {{ id?: string, title?: string, note?: string, terminal?: boolean }} [more]
 */
export const makeTimesTable = (rows, { id = 'response-times', title = 'Response times', ...more } = {}) =>
  makeTable(
    id,
    title,
    rows.flatMap(([name, summary]) => (summary && summary.count > 0 ? [{ name, summary }] : [])),
    [
      ['Time, ms', ({ name }) => name, 'text'],
      ['Count', ({ summary }) => summary.count, 'count'],
      ...TIMES.map(
        ([heading, key]) =>
          /** @type {ColumnOf<{ summary: Partial<Summary> }>} */ ([
            heading,
            ({ summary }) => makeTimeCell(summary[key]),
            'ms'
          ])
      )
    ],
    more
  )

/** toMegabytes are those of 1,000,000 bytes. @param {number | null | undefined} bytes */
export const toMegabytes = bytes => (bytes == null ? null : bytes / 1e6)

/** toPercent of a share. @param {number | null | undefined} share */
export const toPercent = share => (share == null ? null : 100 * share)

/** computePercent is what part of all it is, in %. @param {number} part @param {number} all */
export const computePercent = (part, all) => (all === 0 ? null : (100 * part) / all)

/**
 * roundToFourDigits rounds to four significant digits: more cannot be seen in a plot, and would make pages large.
 *
 * @type {{ (x: number): number, (x: number | null | undefined): number | null }}
 */
export const roundToFourDigits = (/** @type {any} */ x) =>
  x == null || !Number.isFinite(x) ? /** @type {any} */ (null) : Number(x.toPrecision(4))

/** makeSlug is a text as a part of an id. @param {string} text */
export const makeSlug = text =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/**
 * readSetting is something set other than its default, as a result tells it: with a reason, or its value alone.
 *
 * @param {unknown} setting
 * @returns {{ value: unknown, why: string | null }}
 */
export const readSetting = setting =>
  setting !== null && typeof setting === 'object' && 'value' in setting && 'why' in setting
    ? { value: setting.value, why: String(setting.why) }
    : { value: setting, why: null }

/** formatSetting writes its value. @param {unknown} value */
export const formatSetting = value => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

/**
 * makeSettingsTable lists what is set other than its default.
 *
 * @param {Readonly<Record<string, unknown>> | null | undefined} settings - by name
 * @param {{ id?: string, title?: string }} [of]
 */
export const makeSettingsTable = (
  settings,
  { id = 'settings', title = 'Settings other than the defaults of libp2p' } = {}
) =>
  makeTable(id, title, Object.entries(settings ?? {}), [
    ['Setting', ([name]) => name, 'text'],
    ['Value', ([, setting]) => formatSetting(readSetting(setting).value), 'text'],
    ['Why', ([, setting]) => readSetting(setting).why, 'text']
  ])

/**
 * formatShare writes a part as a percentage that reads 100 only when nothing is missing: `99.99` where rounding would hide a lost one.
 *
 * @param {number} part
 * @param {number} whole
 * @returns {string} `–` of nothing
 */
export function formatShare(part, whole) {
  if (whole === 0) return MISSING_TEXT
  if (part === whole) return '100'
  if (part === 0) return '0'
  const hundredths = Math.floor((part / whole) * 1e4)
  return hundredths === 0 ? '< 0.01' : (hundredths / 100).toFixed(2)
}

/**
 * @typedef {import('../measure/histogram.js').Histogram} Histogram
 *
 * @typedef {object} Bin
 * @property {number} from - ms
 * @property {number} to
 * @property {number} count
 *
 * @typedef {object} Bins
 * @property {Bin[]} bins - ascending, of equal width; empty where nothing was counted
 * @property {number} beyond - values larger than all of them
 */

const MAX_BINS = 50

/** Fewer show no shape. */
const MIN_BINS = 8

/** TAIL: a few values beyond this many times p90 would leave no room for the others. */
const TAIL = 3

/**
 * countValuesUpTo counts the values that are no larger than a limit.
 *
 * @param {Histogram} histogram
 * @param {number} us
 * @returns {number}
 */
export function countValuesUpTo(histogram, us) {
  let [low, high] = [0, histogram.count]
  while (low < high) {
    const rank = Math.ceil((low + high) / 2)
    // a quarter of a rank below it, so that no rounding leads to the next
    if (histogram.quantile((rank - 0.25) / histogram.count) <= us) low = rank
    else high = rank - 1
  }
  return low
}

/**
 * binHistogram counts the values of a histogram in bins of a round width.
 *
 * @param {Histogram} histogram
 * @param {number} [maxBins] - bins
 * @returns {Bins}
 */
export function binHistogram(histogram, maxBins = MAX_BINS) {
  if (histogram.count === 0) return { bins: [], beyond: 0 }
  const endMs = Math.max(0.001, Math.min(histogram.max, TAIL * histogram.quantile(0.9)) / 1000)
  const beginMs = histogram.quantile(0) / 1000
  const width = roundUpStep(Math.max(0.001, endMs - beginMs) / maxBins)
  const first = Math.floor(beginMs / width)
  const last = Math.max(first, Math.ceil(endMs / width - 1e-9) - 1)
  /** @param {number} place */
  const edge = place => Number((place * width).toPrecision(9))
  /** @type {Bin[]} */
  const bins = []
  let below = 0
  for (let place = first; place <= last; place++) {
    // each begins with its first value: what is on an edge belongs to the bin above, and the last one has its own end too
    const limit = edge(place + 1) * 1000 - (place === last ? 0 : 0.5)
    const upTo = countValuesUpTo(histogram, limit)
    bins.push({ from: edge(place), to: edge(place + 1), count: upTo - below })
    below = upTo
  }
  return { bins, beyond: histogram.count - below }
}

/**
 * binForPlot counts them in as many bins as there is something to see in: at most twice the square root of how many values there are.
 *
 * @param {Histogram} histogram
 */
export const binForPlot = histogram =>
  binHistogram(histogram, Math.min(MAX_BINS, Math.max(MIN_BINS, Math.ceil(2 * Math.sqrt(histogram.count)))))

/**
 * @typedef {import('./schema.js').Result} Result
 * @typedef {Pick<Result, 'outcome' | 'run'>} Measured
 *
 * @typedef {object} TimeColumns - equal stretches of the time of a measurement
 * @property {number} count
 * @property {(second: number) => number} of - the column that a second is in, from 0
 * @property {(column: number) => { from: number, to: number }} stretch - s
 */

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
const MAX_COLUMNS = 100

/**
 * computeMeasuredSeconds is how long a measurement lasted.
 *
 * @param {Measured} result
 * @returns {number} seconds
 */
export function computeMeasuredSeconds({ outcome: { measuredMs, perSecond, secondsPerPoint } }) {
  const last = findLargest(perSecond, ({ second }) => second)
  // a measurement that was made in several parts has time between them
  if (measuredMs > 1000 * last) return Math.max(0.1, measuredMs / 1000)
  return Math.max(1, last + secondsPerPoint)
}

/**
 * makeTimeColumns divides the time of a measurement.
 *
 * @param {Measured} result
 */
export const makeTimeColumns = result =>
  divideTime(computeMeasuredSeconds(result), result.outcome.secondsPerPoint)

/**
 * divideTime divides a time, so that there are not more columns than can be seen. What is left at its end belongs to the last
 * one. A column holds whole points: others would have one more or less by turns, and seem to swing.
 *
 * @param {number} end - s
 * @param {number} [point] - s that what is drawn is told of at once
 * @returns {TimeColumns}
 */
export function divideTime(end, point = 1) {
  const wide = STEPS.find(step => end / step <= MAX_COLUMNS) ?? Math.ceil(end / MAX_COLUMNS)
  const step = Math.ceil(wide / point) * point
  const count = Math.max(1, Math.round(end / step))
  return {
    count,
    of: second => Math.min(count - 1, Math.floor(second / step)),
    stretch: column => ({
      from: column * step,
      to: column === count - 1 ? Number(end.toFixed(3)) : (column + 1) * step
    })
  }
}

/**
 * findMeasurementStart is when the load did, in ms since the run began. Preparations may stand before it in the phase; the
 * first sample of the server ends a sample's length after it.
 *
 * @param {Measured} result
 */
export function findMeasurementStart({ outcome: { measuredMs, server }, run: { phases } }) {
  const phaseMs = phases.find(({ name }) => name === 'measure')?.startMs ?? 0
  const [first, second] = server?.series ?? []
  if (first === undefined || measuredMs < SAMPLE_MS) return phaseMs
  // all samples are of about the same length
  const sampleMs = second === undefined ? SAMPLE_MS : second.atMs - first.atMs
  return Math.max(phaseMs, first.atMs - sampleMs)
}

/**
 * @typedef {object} TimedEntry - times of one second
 * @property {number} second
 * @property {[number, number][]} histogram - value in µs and count
 * @property {boolean} [failed]
 *
 * @typedef {object} HeatCell - operations of one stretch of time and one range of response times
 * @property {number} column - of the stretch
 * @property {number} row - of the range
 * @property {number} count
 * @property {number} slowestMs
 */

/** Rows of a heat map for a tenfold response time. */
const ROWS_PER_DECADE = 12

/** Fewer operations in a cell are hard to see as an area. */
const FEW = 3

/**
 * @param {readonly TimedEntry[]} entries
 * @param {TimeColumns} columns
 * @returns {HeatCell[]} those with operations
 */
function cellsOf(entries, columns) {
  /** @type {Map<string, HeatCell>} */
  const cells = new Map()
  for (const { second, histogram } of entries) {
    const column = columns.of(second)
    for (const [us, count] of histogram) {
      const ms = us / 1000
      const row = Math.floor(Math.log10(Math.max(ms, 0.001)) * ROWS_PER_DECADE + 1e-9)
      const cell = cells.get(`${column} ${row}`) ?? { column, row, count: 0, slowestMs: 0 }
      cell.count += count
      cell.slowestMs = Math.max(cell.slowestMs, ms)
      cells.set(`${column} ${row}`, cell)
    }
  }
  return [...cells.values()]
}

/**
 * The row that each column's middle operation is in.
 *
 * @param {HeatCell[]} cells
 * @returns {Map<number, number>} by column
 */
const medianRows = cells =>
  new Map(
    groupBy(cells, ({ column }) => column).map(([column, own]) => {
      let left = computeSum(own, ({ count }) => count) / 2
      const middle = own
        .sort((a, b) => a.row - b.row)
        .find(({ count }) => {
          left -= count
          return left <= 0
        })
      return [column, middle?.row ?? 0]
    })
  )

/**
 * @typedef {import('./schema.js').Plot} Plot
 * @typedef {import('./schema.js').Series} Series
 */

/** keepPlotWithSeries is a plot of which there is something to draw. @param {Plot} plot @returns {Plot[]} */
export const keepPlotWithSeries = plot => (plot.series?.length === 0 ? [] : [plot])

/**
 * makeTimeSeries makes a series of each value that stands in rows over time.
 *
 * @template Row
 * @param {readonly Row[]} rows - ascending
 * @param {Record<string, (row: Row) => number | null | undefined>} values - by label
 * @param {(row: any) => number} [at] - seconds; default: `atMs`
 * @returns {Series[]}
 */
export const makeTimeSeries = (rows, values, at = ({ atMs }) => atMs / 1000) =>
  Object.entries(values).map(([label, of]) => ({
    label,
    values: rows.map(row => [Number(at(row).toFixed(3)), roundToFourDigits(of(row))])
  }))

/**
 * makeBandSeries is an average between the smallest and the largest.
 *
 * @template Row
 * @param {string} label
 * @param {readonly Row[]} rows
 * @param {(row: Row) => { avg: number | null, min: number | null, max: number | null } | null | undefined} of
 * @param {(row: any) => number} [at]
 * @returns {Series}
 */
export const makeBandSeries = (label, rows, of, at = ({ atMs }) => atMs / 1000) => ({
  label,
  values: rows.flatMap(row => {
    const value = of(row)
    return value
      ? [[at(row), roundToFourDigits(value.avg), roundToFourDigits(value.min), roundToFourDigits(value.max)]]
      : []
  })
})

/**
 * makeHistogramPlot draws how many values of a stored histogram (µs) lie in each range of ms; none where nothing was counted.
 *
 * @param {string | Histogram | null | undefined} histogram - encoded, or as it is
 * @param {Omit<Plot, 'kind' | 'series'>} plot
 * @returns {Plot[]}
 */
export function makeHistogramPlot(histogram, plot) {
  if (!histogram) return []
  const { bins, beyond } = binForPlot(typeof histogram === 'string' ? decodeHistogram(histogram) : histogram)
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
 * makeArrivalCurve says what share of all had come by a time, in ms.
 *
 * @param {string} label
 * @param {string | null | undefined} histogram - encoded, of those that came
 * @param {number} all - those that came and those that did not
 * @returns {Series[]}
 */
export function makeArrivalCurve(label, histogram, all) {
  if (!histogram) return []
  const times = decodeHistogram(histogram)
  if (times.count === 0) return []
  return [
    {
      label,
      values: SHARES.map(share => [
        roundToFourDigits(times.quantile(share) / 1000),
        roundToFourDigits((100 * share * times.count) / all)
      ])
    }
  ]
}

const NINES = Array.from({ length: 97 }, (_, i) => i / 16)

/**
 * makePercentileCurve is a curve of times (ms) over nines: 1 is p90, 2 is p99. It ends where one value is left.
 *
 * @param {string} label
 * @param {Histogram} times - in µs
 * @returns {Series[]}
 */
export function makePercentileCurve(label, times) {
  if (times.count === 0) return []
  const values = NINES.filter(n => 10 ** -n * times.count >= 1).map(n => [
    n,
    roundToFourDigits(times.quantile(1 - 10 ** -n) / 1000)
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
 * makeHeatPlot draws how many operations took how long at each time. Where only one or two of the slower ones fall into a cell, they become a dot
 * at the slowest, so that no outlier is lost; those that failed always do.
 *
 * @param {Omit<Plot, 'kind'>} plot
 * @param {readonly TimedEntry[]} entries - by second
 * @param {number} seconds - that were measured
 * @param {number} [secondsPerPoint]
 * @returns {Plot[]}
 */
export function makeHeatPlot(plot, entries, seconds, secondsPerPoint = 1) {
  if (entries.length === 0) return []
  const columns = divideTime(seconds, secondsPerPoint)
  const [answered, failed] = [false, true].map(isFailed =>
    cellsOf(
      entries.filter(entry => Boolean(entry.failed) === isFailed),
      columns
    )
  )
  const medians = medianRows(answered)
  const isOutlier = (/** @type {HeatCell} */ { column, row, count }) =>
    count < FEW && row > (medians.get(column) ?? 0)
  const edgeMs = (/** @type {number} */ row) => roundToFourDigits(10 ** (row / ROWS_PER_DECADE))
  const area = (/** @type {HeatCell} */ { column, row, count }) => {
    const { from, to } = columns.stretch(column)
    return [from, to, edgeMs(row), edgeMs(row + 1), count]
  }
  const dot = (/** @type {HeatCell} */ { column, slowestMs }, /** @type {0 | 1} */ isFailed) => {
    const { from, to } = columns.stretch(column)
    return [roundToFourDigits((from + to) / 2), roundToFourDigits(slowestMs), isFailed]
  }
  return [
    {
      logY: true,
      ...plot,
      kind: 'heat',
      cells: answered.filter(cell => !isOutlier(cell)).map(area),
      dots: [...answered.filter(isOutlier).map(cell => dot(cell, 0)), ...failed.map(cell => dot(cell, 1))]
    }
  ]
}

/**
 * @typedef {import('./schema.js').Description} Description
 * @typedef {{ label: string, description: Description }} DescribedRun
 */

/** More series cannot be told apart. */
const MAX_SERIES = 24
/** Points of all series of a plot together: a page stays small. */
const MAX_POINTS = 1600

/**
 * overlayPlots lays plots of several runs over each other: those that their descriptions call `compared`, as far as two runs have them. Labels
 * begin with the label of the run. Counts become shares, since runs have different numbers of values.
 *
 * @param {readonly DescribedRun[]} runs
 * @param {string} [prefix] - of the ids
 * @returns {Plot[]}
 */
export function overlayPlots(runs, prefix = 'runs-') {
  const compared = runs.flatMap(({ label, description }) =>
    description.plots
      .filter(({ compared, series = [] }) => compared === true && series.length > 0)
      .map(plot => ({ label, plot }))
  )
  return groupBy(compared, ({ plot }) => plot.id).flatMap(([id, same]) =>
    same.length < 2 ? [] : [laidOver(same, `${prefix}${id}`)]
  )
}

/** @param {{ label: string, plot: Plot }[]} runs @param {string} id @returns {Plot} */
function laidOver(runs, id) {
  const { spans, marks, main, compared, note, ...first } = runs[0].plot
  const isBars = first.kind === 'bars'
  const named = runs.flatMap(({ label, plot: { series = [] } }) =>
    series.map(each => ({ ...each, label: series.length === 1 ? label : `${label}: ${each.label}` }))
  )
  const drawn = isBars ? sharesOf(named) : named
  const shown = drawn.slice(0, MAX_SERIES)
  const left = drawn.length - shown.length
  const notes = [note, left > 0 && `${left} more are not drawn.`].filter(Boolean)
  return {
    ...first,
    id,
    ...(isBars && { kind: 'lines', y: 'Share, %' }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    series: shown.map(each => ({
      ...each,
      values: thinned(each.values, Math.floor(MAX_POINTS / shown.length))
    }))
  }
}

/** @param {Series['values']} values @param {number} maxPoints @returns {Series['values']} the first and the last are kept */
function thinned(values, maxPoints) {
  if (values.length <= maxPoints) return values
  const step = (values.length - 1) / (maxPoints - 1)
  return Array.from({ length: maxPoints }, (_, i) => values[Math.round(i * step)])
}

/** Counts are put into bars of the same width: the widest that any has. @param {Series[]} all @returns {Series[]} */
function sharesOf(all) {
  const widths = all
    .map(({ values }) => Math.max(0, ...values.map(([from, to]) => Number(to) - Number(from))))
    .filter(width => width > 0)
  const width = Math.max(...widths)
  const areSame = widths.every(each => Math.abs(each - width) < 1e-9 * width)
  return all.map(({ label, values }) => ({
    label,
    style: areSame && width < 1 ? 'line' : 'steps',
    values: asShares(areSame ? values : rebinned(values, width), areSame && width < 1)
  }))
}

/** @param {Series['values']} bars @param {boolean} atCentre - of a bar for each whole number @returns {Series['values']} steps end where no bar goes on */
function asShares(bars, atCentre) {
  const all = bars.reduce((sum, [, , count]) => sum + Number(count), 0)
  const at = (/** @type {number} */ x) => Number(x.toPrecision(6))
  return /** @type {number[][]} */ (bars).flatMap(([from, to, count], i) => {
    const share = Number(((100 * count) / all).toPrecision(4))
    if (atCentre) return [[at((from + to) / 2), share]]
    const goesOn = i + 1 < bars.length && Number(bars[i + 1][0]) <= to * (1 + 1e-9)
    return [[at(from), share], ...(goesOn ? [] : [[at(to), 0]])]
  })
}

/** @param {Series['values']} bars @param {number} width @returns {Series['values']} */
function rebinned(bars, width) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (const [from, to, count] of /** @type {number[][]} */ (bars)) {
    const [first, last] = [Math.floor(from / width + 1e-9), Math.ceil(to / width - 1e-9)]
    for (let place = first; place < Math.max(last, first + 1); place++) {
      const [left, right] = [Math.max(from, place * width), Math.min(to, (place + 1) * width)]
      const share = to > from ? Math.max(0, right - left) / (to - from) : 1
      counts.set(place, (counts.get(place) ?? 0) + share * count)
    }
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([place, count]) => [place * width, (place + 1) * width, count])
}
