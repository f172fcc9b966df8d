import { present, sumOf } from '../../kit/lists.js'
import { cellValue } from '../../report/description/kinds.js'
import { caseText } from './row-table.js'

/**
 * Figures of rows over what the rows differ in.
 *
 * @typedef {import('../../report/description/description.js').Column} Column
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Series} Series
 * @typedef {import('./row-table.js').Line} Line
 * @typedef {import('./row-table.js').RowTable} RowTable
 *
 * @typedef {object} Axis - what figures are drawn over
 * @property {string} heading
 * @property {(line: Line) => number | null} at
 * @property {(line: Line) => string} group - lines that differ in nothing but this
 * @property {boolean} [isMeasured] - and no part of a plan
 *
 * @typedef {object} Fit - of a figure of a group of rows
 * @property {string} figure
 * @property {string} over
 * @property {string} group
 * @property {'logarithmic' | 'linear'} shape - over log₂ of the number, or over the number
 * @property {number} intercept
 * @property {number} slope
 * @property {number} rms
 * @property {number | null} r2
 */

/** Of fewer points no shape can be seen. */
const MIN_FITTED = 3
/** Over the others few rows differ. */
const MAX_AXES = 2
/** So many figures are drawn over measured ones. */
const MAX_OVER_MEASURED = 2
/** From this ratio of the largest to the smallest on an axis is logarithmic. */
const LOG_FROM = 20

/** @param {Line} line @param {string} heading */
function numberAt({ cells }, heading) {
  const value = cellValue(cells.get(heading) ?? null)
  return typeof value === 'number' ? value : null
}

/** @param {readonly (number | null)[]} values */
const distinct = values => new Set(values.filter(value => value !== null)).size

/**
 * axesOf are the numbers that rows differ in, and measured figures that others are drawn over.
 *
 * @param {RowTable} made
 * @returns {Axis[]}
 */
export function axesOf({ lines, cases, figures, measured }) {
  const groupBy =
    (/** @type {typeof cases} */ others) =>
    (/** @type {Line} */ { row, part }) =>
      [part, caseText(row, others, figures)].filter(text => text !== '').join(', ')
  const numbers = cases.filter(
    ({ column: [, kind], of }) =>
      kind !== 'text' && distinct(lines.map(({ row }) => asNumber(of(row.plan)))) > 1
  )
  const swept = [...cases].sort((a, b) => valuesOf(lines, b) - valuesOf(lines, a)).slice(1)
  return [
    ...numbers
      .map(each => ({
        heading: [figures.columns[each.option] ?? each.column[0]].flat()[0],
        at: (/** @type {Line} */ { row }) => asNumber(each.of(row.plan)),
        group: groupBy(cases.filter(other => other !== each))
      }))
      .map(axis => ({ axis, joined: joinedBy(axis, lines) }))
      .filter(({ joined }) => joined > 0)
      .sort((a, b) => b.joined - a.joined)
      .slice(0, MAX_AXES)
      .map(({ axis }) => axis),
    ...(figures.over ?? [])
      .filter(heading => measured.some(([known]) => known === heading))
      .map(heading => ({
        heading,
        at: (/** @type {Line} */ line) => numberAt(line, heading),
        isMeasured: true,
        group: groupBy(cases.filter(each => swept.includes(each)))
      }))
  ]
}

/** How many lines of a table an axis joins with others. @param {Axis} axis @param {readonly Line[]} lines */
function joinedBy({ at, group }, lines) {
  const measured = lines.filter(({ cells }) => cells.size > 0)
  return measured.filter(line =>
    measured.some(other => group(other) === group(line) && at(other) !== at(line))
  ).length
}

/** @param {string | number | null} value */
const asNumber = value => (typeof value === 'number' ? value : null)

/** @param {readonly Line[]} lines @param {import('./row-columns.js').CaseColumn} column */
const valuesOf = (lines, { of }) => new Set(lines.map(({ row }) => of(row.plan))).size

/** @param {RowTable} made @returns {Column[]} */
function drawnColumns({ measured, figures, lines }) {
  const numeric = measured.filter(
    ([heading, kind]) => kind !== 'text' && distinct(lines.map(line => numberAt(line, heading))) > 1
  )
  const { drawn, over = [] } = figures
  if (drawn !== undefined) return present(drawn.map(name => numeric.find(([heading]) => heading === name)))
  const kinds = /** @type {const} */ (['ms', 'perSecond', 'percent', 'MB', 's', 'number'])
  return kinds.flatMap(kind => {
    const same = numeric.filter(
      column =>
        column[1] === kind && !over.includes(column[0]) && !Object.values(figures.columns).includes(column[0])
    )
    const times = [/\bp50\b|median/i, /\bp99\b/].map(name => same.find(([heading]) => name.test(heading)))
    const found = present(times)
    return kind === 'ms' && found.length > 0 ? found : same.slice(0, 1)
  })
}

/**
 * rowPlots draw figures of rows over each number that the rows differ in: a line for those that differ in nothing else.
 *
 * @param {RowTable} made
 * @returns {{ plots: Plot[], fits: Fit[] }} `fits`: straight lines through figures, where there are points enough
 */
export function rowPlots(made) {
  /** @type {Fit[]} */
  const fits = []
  const columns = drawnColumns(made)
  const plots = axesOf(made).flatMap((axis, place) =>
    (axis.isMeasured ? columns.slice(0, MAX_OVER_MEASURED) : columns).flatMap(([heading, kind], i) => {
      if (heading === axis.heading) return []
      const series = seriesOf(made.lines, axis, heading)
      if (series.length === 0) return []
      const own = axis.isMeasured
        ? []
        : series.flatMap(each => fitsOf(each, { figure: heading, over: axis.heading }))
      fits.push(...own)
      const xs = series.flatMap(({ values }) => values.map(([x]) => Number(x)))
      return [
        {
          id: `${made.table.id}-${place + 1}-${i + 1}`,
          title: `${heading} over ${axis.heading}`,
          kind: /** @type {const} */ ('lines'),
          x: axis.heading,
          y: heading,
          ...(isWide(xs) && { logX: true }),
          ...(kind === 'ms' && { logY: true }),
          series: [...series, ...(series.length === 1 ? own.map(fit => fitSeries(fit, xs)) : [])]
        }
      ]
    })
  )
  return { plots, fits }
}

/** @param {readonly number[]} values */
const isWide = values => Math.min(...values) > 0 && Math.max(...values) >= LOG_FROM * Math.min(...values)

const POINTS = /** @type {const} */ ('points')

/** @param {readonly Line[]} lines @param {Axis} axis @param {string} heading @returns {Series[]} none where no line has two points */
function seriesOf(lines, axis, heading) {
  const points = lines.flatMap(line => {
    const [x, y] = [axis.at(line), numberAt(line, heading)]
    return x === null || y === null ? [] : [{ group: axis.group(line), value: [x, Number(y.toPrecision(5))] }]
  })
  if (distinct(points.map(({ value: [x] }) => x)) < 2) return []
  return [...new Set(points.map(({ group }) => group))].map(group => {
    const values = points
      .filter(point => point.group === group)
      .map(({ value }) => value)
      .sort(([a], [b]) => a - b)
    return { label: group === '' ? heading : group, ...(values.length === 1 && { style: POINTS }), values }
  })
}

/** @param {Series} series @param {{ figure: string, over: string }} of @returns {Fit[]} */
function fitsOf({ label, values }, { figure, over }) {
  const points = values.map(([x, y]) => ({ x: Number(x), y: Number(y) }))
  if (distinct(points.map(({ x }) => x)) < MIN_FITTED || points.some(({ x }) => x <= 0)) return []
  return /** @type {const} */ (['logarithmic', 'linear']).map(shape => {
    const { intercept, slope, rms, r2 } = leastSquares(
      points.map(({ x, y }) => ({ x: shape === 'linear' ? x : Math.log2(x), y }))
    )
    return { figure, over, group: label === figure ? '' : label, shape, intercept, slope, rms, r2 }
  })
}

/** @param {Fit} fit @param {readonly number[]} xs @returns {Series} */
function fitSeries({ shape, intercept, slope }, xs) {
  const [least, most] = [Math.min(...xs), Math.max(...xs)]
  const at = Array.from({ length: 25 }, (_, i) => least * (most / least) ** (i / 24))
  return {
    label: shape,
    style: 'dotted',
    values: at.map(x =>
      [x, intercept + slope * (shape === 'linear' ? x : Math.log2(x))].map(n => Number(n.toPrecision(5)))
    )
  }
}

/**
 * @typedef {object} FittedLine - y = intercept + slope · x
 * @property {number} slope
 * @property {number} intercept
 * @property {number[]} residuals - measured less fitted, of each point
 * @property {number} rms - root of the mean square of the residuals
 * @property {number | null} r2 - share of the variance of y that the line explains; null: y does not vary
 */

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {readonly number[]} values */
const squares = values => sumOf(values, value => value * value)

/**
 * leastSquares fits a line to points so that the squares of what is left are least (A.-M. Legendre, 1805).
 *
 * @param {readonly { x: number, y: number }[]} points - of at least two different x
 * @returns {FittedLine}
 */
export function leastSquares(points) {
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const slope =
    sumOf(points, ({ x, y }) => (x - meanX) * (y - meanY)) / squares(points.map(({ x }) => x - meanX))
  const intercept = meanY - slope * meanX
  const residuals = points.map(({ x, y }) => y - (intercept + slope * x))
  const [left, all] = [squares(residuals), squares(points.map(({ y }) => y - meanY))]
  return {
    slope,
    intercept,
    residuals,
    rms: Math.sqrt(left / points.length),
    r2: all === 0 ? null : 1 - left / all
  }
}
