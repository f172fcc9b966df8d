import { button, made } from './dom.js'
import { dotOf } from './heat.js'
import { joinedSeries, nearestValue, percentileName, shortNumber } from './values.js'

/**
 * @typedef {import('../../description/description.js').Plot} Plot
 * @typedef {import('./chart.js').Column} Column
 * @typedef {import('./figure.js').Room} Room
 */

const COLOURS = 6

/** Series with the same colour differ in their dashes. */
const DASHES = [undefined, [8, 4], [12, 3, 3, 3], [5, 2]]

/** colourOf is the name of the colour of a series. @param {number} of - its place */
export const colourOf = of => `series-${(of % COLOURS) + 1}`

/** lineStyle is what a series looks like to uPlot; bars are drawn otherwise. @param {Plot} plot @param {Column} column @param {Room['paint']} paint @returns {import('uplot').Series} */
export function lineStyle({ kind, series = [] }, { of, part, values }, paint) {
  const style = series[of]?.style
  const stroke = () => paint(colourOf(of))
  if (kind !== 'lines') return { paths: () => null, points: { show: false }, stroke }
  if (part > 0) return { width: 0, points: { show: false }, stroke }
  const isAlone = values.filter(value => value != null).length === 1
  const dash = style === 'dotted' ? [3, 4] : DASHES[Math.floor(of / COLOURS) % DASHES.length]
  const { uPlot } = /** @type {any} */ (globalThis)
  return {
    ...{ stroke, width: style === 'points' ? 0 : 1.75 },
    ...(dash && { dash }),
    ...(style === 'area' && { fill: () => `${paint(colourOf(of))}33` }),
    ...(style === 'steps' && { paths: uPlot.paths.stepped({ align: 1 }) }),
    ...(style === 'points' && { paths: () => null }),
    points: { show: style === 'points' || isAlone, size: 6, fill: stroke }
  }
}

/** Bars of several series stand beside each other where their ranges are the same, else over each other. @param {import('uplot')} chart @param {{ xs: number[], ranges: number[][], columns: Column[] }} bars @param {Room['paint']} paint */
function drawBars(chart, { xs, ranges, columns }, paint) {
  const { ctx } = chart
  const shown = columns.filter((_, i) => chart.series[i + 1].show)
  const areBeside = shown.every(({ values }) => values.filter(count => count != null).length > xs.length / 2)
  const bottom = chart.valToPos(chart.scales.y.min ?? 0, 'y', true)
  const zero = Math.min(bottom, chart.scales.y.distr === 3 ? bottom : chart.valToPos(0, 'y', true))
  for (const [at, { of, values }] of shown.entries()) {
    ctx.fillStyle = `${paint(colourOf(of))}${areBeside ? 'ff' : '88'}`
    for (const [i, count] of values.entries()) {
      if (!count) continue
      const [from, to] = ranges[i].map(x => chart.valToPos(x, 'x', true))
      const width = areBeside ? (to - from) / shown.length : to - from
      const left = areBeside ? from + at * width : from
      const top = chart.valToPos(count, 'y', true)
      const gap = width > 4 * devicePixelRatio ? devicePixelRatio : 0
      ctx.fillRect(left, Math.min(top, zero), Math.max(1, width - gap), Math.max(1, Math.abs(zero - top)))
    }
  }
}

/** Buttons that show and hide series. @param {Plot} plot @param {(of: number, isShown: boolean) => void} show */
function seriesLegend({ kind, title, y = '', series = [] }, show) {
  // the heading names a single series already
  const isNamed = `${title} ${y}`.toLowerCase().includes(series[0]?.label.toLowerCase())
  if (series.length < 2 && (kind === 'bars' || isNamed)) return []
  return series.map(({ label, style }, of) => {
    const line = made('i', { class: 'sign', 'aria-hidden': 'true' })
    const dashes = style === 'dotted' ? 'dotted' : of >= COLOURS ? 'dashed' : 'solid'
    line.style.borderTop = `2px ${dashes} var(--${colourOf(of)})`
    const sign = kind === 'bars' || style === 'points' ? dotOf(colourOf(of)) : line
    if (series.length < 2) return made('span', {}, [sign, label])
    const press = button([sign, label], () => {
      const isShown = press.getAttribute('aria-pressed') !== 'true'
      press.setAttribute('aria-pressed', String(isShown))
      show(of, isShown)
    })
    press.setAttribute('aria-pressed', 'true')
    press.title = 'Show or hide'
    return press
  })
}

/** The whole of x, with what is shaded or marked. @param {Plot} plot @param {number[]} ends @returns {[number, number]} */
function wholeOf({ spans = [], marks = [] }, ends) {
  const within = [
    ...ends,
    ...spans.flatMap(({ from, to }) => [from, to]),
    ...marks.flatMap(({ x }) => x ?? [])
  ]
  if (within.length === 0) return [0, 1]
  const [from, to] = [Math.min(...within), Math.max(...within)]
  return to > from ? [from, to] : [from - 0.5, from + 0.5]
}

/** seriesContent is what a plot of lines or bars draws. @param {Plot} plot @param {Room['paint']} paint @returns {import('./chart.js').Content} */
export function seriesContent(plot, paint) {
  const { kind, x = 'x', logY, nines, series = [], spans = [], marks = [] } = plot
  const joined = joinedSeries(series, kind === 'bars')
  const { xs, ranges, columns } = joined
  // such as hops: each bar is around its number
  const areCounts =
    kind === 'bars' &&
    ranges.every(([from, to], i) => to - from < 1 && Math.abs(xs[i] - Math.round(xs[i])) < 1e-9)
  const headOf = (/** @type {number} */ place) => {
    const isRange = kind === 'bars' && !areCounts
    return `${x}: ${(isRange ? ranges[place] : [xs[place]]).map(shortNumber).join(' to ')}`
  }
  return {
    ...{ xs, columns, boxes: ranges },
    isWhole: areCounts || xs.every(Number.isInteger),
    full: areCounts ? [xs[0] - 1, Math.max(...xs) + 1] : wholeOf(plot, ranges.flat()),
    rangeOfY(least, most) {
      let [low, high] = [least ?? (logY ? 1 : 0), most ?? 1]
      for (const { y } of marks)
        if (y !== undefined && y <= 4 * high) [low, high] = [Math.min(low, y), Math.max(high, y)]
      if (logY) return [low / 1.15, high > low ? high * 1.15 : low * 2]
      // labels stand above the values
      const above = spans.length > 0 || marks.some(({ x }) => x !== undefined) ? 1.25 : 1.07
      return [Math.min(0, low * 1.05), high > 0 ? high * above : low < 0 ? 0 : 1]
    },
    draw: chart => kind === 'bars' && drawBars(chart, joined, paint),
    linesAt: (place, isShown) => [
      [nines ? percentileName(xs[place]) : headOf(place)],
      ...series.flatMap(({ label }, of) => {
        const own = isShown(of) ? columns.filter(column => column.of === of) : []
        const [value, ...ends] = own.map(({ values }) => values[nearestValue(values, place) ?? -1])
        if (value == null) return []
        const range = ends.flatMap(end => (end == null ? [] : shortNumber(end))).join(' to ')
        const text = `${label}: ${shortNumber(value)}${range && ` (${range})`}`
        return [/** @type {[string, string]} */ ([text, paint(colourOf(of))])]
      })
    ],
    legend: show => seriesLegend(plot, show)
  }
}
