import { made } from './parts.js'

/**
 * @typedef {import('../../../kit/plots/plot-data.js').DataAxis} DataAxis
 * @typedef {import('../../../kit/plots/plot-data.js').DataSeries} DataSeries
 * @typedef {import('uplot')} Chart
 * @typedef {import('uplot').Options} Options
 * @typedef {(colour: string) => string} Paint - what a colour of the style sheet is in this theme
 */

const FONT = '11px system-ui, sans-serif'
const MOST_TICKS = 6

/** said writes a value with three digits. @param {number} value */
export function said(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

/** share writes nines as percent. @param {number} nines */
export function share(nines) {
  if (nines < 0.2) return said(100 - 100 * 10 ** -nines)
  return String(Number((100 - 100 * 10 ** -nines).toFixed(Math.max(1, Math.ceil(nines) - 1))))
}

/**
 * ticks are the numbers on an axis: those it came with, and others once they are out of sight.
 *
 * @param {number} from
 * @param {number} to
 * @param {DataAxis} axis
 */
export function ticks(from, to, { values = [], log = false }) {
  const within = values.filter(value => value >= from && value <= to)
  if (within.length > 1) return within
  if (log && to / from > 10) {
    const first = Math.ceil(Math.log10(from))
    return Array.from({ length: Math.floor(Math.log10(to)) - first + 1 }, (_, i) => 10 ** (first + i))
  }
  const rough = (to - from) / MOST_TICKS
  const decade = 10 ** Math.floor(Math.log10(rough))
  const step = decade * ([1, 2, 5].find(factor => factor * decade >= rough) ?? 10)
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12))
  )
}

/** paints gives what a colour of the style sheet is in this theme. @param {HTMLElement} within */
export function paints(within) {
  const probe = made('i', { hidden: '' })
  within.append(probe)
  return (/** @type {string} */ colour) => {
    probe.style.color = colour
    return getComputedStyle(probe).color
  }
}

/** faint is a colour that lets others through. @param {string} colour @param {number} opacity */
export const faint = (colour, opacity) => colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`)

/** yScale is how far a plot goes up. @param {DataAxis} axis @returns {any} */
export function yScale({ log = false, domain }) {
  if (domain !== null) return { distr: log ? 3 : 1, range: domain }
  return {
    range: (
      /** @type {Chart} */ _chart,
      /** @type {number | null} */ least,
      /** @type {number | null} */ most
    ) => [Math.min(0, (least ?? 0) * 1.05), Math.max(0, (most ?? 0) * 1.05) || 1]
  }
}

/** axisOf is an axis as uPlot has it. @param {DataAxis} axis @param {(colour: string) => string} paint @param {boolean} across @returns {any} */
export function axisOf(axis, paint, across) {
  const line = { stroke: () => paint('var(--grid)'), width: 1 }
  return {
    stroke: () => paint('var(--quiet)'),
    font: FONT,
    size: across ? 26 : 46,
    gap: 4,
    grid: across ? { show: axis.nines === true, ...line } : line,
    ticks: { ...line, size: 4, show: across },
    splits: (
      /** @type {any} */ _chart,
      /** @type {any} */ _axis,
      /** @type {number} */ from,
      /** @type {number} */ to
    ) => ticks(from, to, axis),
    filter: (/** @type {any} */ _chart, /** @type {number[]} */ splits) => splits,
    values: (/** @type {any} */ _chart, /** @type {number[]} */ splits) =>
      splits.map(axis.nines ? share : said)
  }
}

/** Paths of uPlot, which only a page has. */
const uPlots = () =>
  /** @type {{ uPlot: typeof import('uplot') }} */ (/** @type {unknown} */ (globalThis)).uPlot

/** @param {DataSeries} series @returns {object} none: straight from value to value */
function pathsOf({ points = false, stepped = false }) {
  if (points) return { paths: () => null }
  return stepped ? { paths: uPlots().paths.stepped?.({ align: 1 }) } : {}
}

/** seriesOf is a series as uPlot has it. @param {DataSeries} series @param {(colour: string) => string} paint @returns {any} */
export function seriesOf(series, paint) {
  const { label, colour, dash, filled = false, points = false } = series
  return {
    label,
    stroke: () => paint(colour),
    width: points ? 0 : 1.75,
    ...(dash && { dash: [...dash] }),
    ...(filled && { fill: () => faint(paint(colour), 0.2) }),
    ...pathsOf(series),
    points: { show: points, size: 7, fill: () => paint(colour) }
  }
}

/** areasOf are areas between series as uPlot has them, whose first series is x. @param {readonly DataSeries[]} series @param {(colour: string) => string} paint @returns {any[]} */
export const areasOf = (series, paint) =>
  series.flatMap(({ below, colour }, i) =>
    below ? [{ series: [i, i + 1], fill: () => faint(paint(colour), 0.2) }] : []
  )

/**
 * chartIn draws series over one another in a room whose width it takes, in the colours of the theme.
 *
 * @param {HTMLElement} room
 * @param {{ paint: Paint, height: number, x: DataAxis, y: DataAxis, across: Options['scales'], series: readonly DataSeries[], cursor: Options['cursor'], hooks: Options['hooks'] }} what -
 *   across: the scale of x
 * @param {import('uplot').AlignedData} [data]
 * @returns {Chart}
 */
export function chartIn(room, { paint, height, x, y, across, series, cursor, hooks }, data) {
  const chart = new (uPlots())(
    {
      width: Math.max(1, room.clientWidth),
      height,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, ...cursor },
      scales: { ...across, y: yScale(y) },
      axes: [axisOf(x, paint, true), axisOf(y, paint, false)],
      series: [{}, ...series.map(one => seriesOf(one, paint))],
      bands: areasOf(series, paint),
      hooks
    },
    data,
    room
  )
  new ResizeObserver(() => {
    if (room.clientWidth > 0 && room.clientWidth !== chart.width)
      chart.setSize({ width: room.clientWidth, height })
  }).observe(room)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chart.redraw(false, true))
  return chart
}
