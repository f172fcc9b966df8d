import { whenResized } from './dom.js'
import { graphContent } from './graph.js'
import { heatContent } from './heat.js'
import { colourOf, lineStyle, seriesContent } from './series.js'
import { axisNumber, nearestValue, percentileName, ticksOf } from './values.js'

/**
 * Lines, bars, heat maps and graphs. uPlot draws their axes and lines, and has the cursor and the zoom; all else is drawn into its canvas.
 *
 * @typedef {import('../../description/description.js').Plot} Plot
 * @typedef {import('./figure.js').Drawing} Drawing
 * @typedef {import('./figure.js').Room} Room
 * @typedef {import('uplot')} Chart
 *
 * @typedef {{ of: number, part: number, values: (number | null | undefined)[] }} Column - of a series; part: 1 and 2 are the ends of a band
 *
 * @typedef {object} Content - what a chart draws
 * @property {number[]} xs - ascending
 * @property {Column[]} columns - on these xs
 * @property {[number, number]} full - the whole of x
 * @property {boolean} [isWhole] - x has whole numbers only
 * @property {number[][]} boxes - each place that can be pointed at: [x0, x1, y0, y1], or [x0, x1] of any height
 * @property {(least: number | null, most: number | null) => [number, number]} rangeOfY
 * @property {(chart: Chart, marked: number | null) => void} [draw] - what uPlot does not
 * @property {(place: number, isShown: (of: number) => boolean) => [text: string, colour?: string][]} linesAt
 * @property {(show: (of: number, isShown: boolean) => void) => HTMLElement[]} legend
 */

/** @type {Record<string, (plot: Plot, paint: Room['paint']) => Content>} */
const CONTENTS = { lines: seriesContent, bars: seriesContent, heat: heatContent, graph: graphContent }

const FONT_SIZE = 11
const LETTER = 6.5
const HEIGHTS = { normal: 230, main: 280, graph: 420 }

/** A place of a certain height is found this near to it; a dot before the cell that it lies in. In CSS pixels. */
const NEAR = { place: 20, dot: 5 }

/** @param {Plot} plot @param {boolean} isX @param {Room['paint']} paint @param {boolean} [isWhole] - x has whole numbers only @returns {import('uplot').Axis} */
function axisOf({ kind, logX, logY, nines, y = '' }, isX, paint, isWhole) {
  if (kind === 'graph') return { show: false }
  const line = { stroke: () => paint('grid'), width: 1 }
  const how = {
    log: isX ? logX : logY,
    nines: isX && nines,
    whole: isX ? isWhole : kind === 'bars' && !/%|share/i.test(y)
  }
  const texts = (/** @type {number[]} */ ticks) =>
    ticks.map(tick => (how.nines ? percentileName(tick) : axisNumber(tick, ticks[1] - ticks[0])))
  const widest = (/** @type {string[]} */ texts) => LETTER * Math.max(0, ...texts.map(({ length }) => length))
  return {
    ...{ stroke: () => paint('quiet'), font: `${FONT_SIZE}px system-ui, sans-serif`, gap: 4 },
    size: isX ? 26 : (_chart, texts) => Math.max(30, 12 + widest(texts ?? [])),
    grid: { ...line, show: !isX || how.nines },
    ticks: { ...line, size: 4, show: isX },
    splits({ bbox }, _axis, from, to) {
      const ticks = ticksOf(from, to, how)
      // on a narrow plot each second one goes, until their texts have room
      const needed = ticks.length * (widest(texts(ticks)) + 12) * devicePixelRatio
      const every = isX && !how.nines ? Math.ceil(needed / Math.max(1, bbox.width)) : 1
      return ticks.filter((_, i) => i % every === 0)
    },
    filter: (_chart, splits) => splits,
    values: (_chart, splits) => texts(splits)
  }
}

/** Labels above one another; more would hide what is drawn. */
const MAX_LABEL_LINES = 3

/** Shaded stretches and lines at values, each with its label where there is room. @param {Chart} chart @param {Plot} plot @param {Room['paint']} paint */
function drawMarks({ ctx, bbox: { left, top, width, height }, valToPos }, { spans = [], marks = [] }, paint) {
  const [ratio, right] = [devicePixelRatio, left + width]
  const at = (/** @type {number} */ x) => valToPos(x, 'x', true)
  /** @type {number[]} where the labels of each line of text end */
  const ends = []
  const label = (/** @type {string} */ text, /** @type {number} */ from, to = from) => {
    const size = ctx.measureText(text).width + 6 * ratio
    const begin = Math.max(left, Math.min(from, right - size))
    const free = ends.findIndex(end => end <= begin)
    const line = free < 0 ? ends.length : free
    if (to < left || from > right || line >= MAX_LABEL_LINES) return
    ends[line] = begin + size
    ctx.fillText(text, begin + 3 * ratio, top + (line + 1) * 12 * ratio)
  }
  ctx.font = `${FONT_SIZE * ratio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.fillStyle = `${paint('mind')}26`
  for (const { from, to } of spans) ctx.fillRect(at(from), top, Math.max(ratio, at(to) - at(from)), height)
  ctx.fillStyle = ctx.strokeStyle = paint('quiet')
  for (const { from, to, label: text } of spans) label(text, at(from), at(to))
  ctx.lineWidth = ratio
  ctx.setLineDash([4 * ratio, 3 * ratio])
  ctx.beginPath()
  for (const { x, y, label: text } of marks) {
    if (x !== undefined) {
      ctx.moveTo(at(x), top)
      ctx.lineTo(at(x), top + height)
      label(text, at(x))
    }
    if (y !== undefined) {
      const above = valToPos(y, 'y', true)
      ctx.moveTo(left, above)
      ctx.lineTo(right, above)
      ctx.fillText(text, right - ctx.measureText(text).width - 2 * ratio, above - 4 * ratio)
    }
  }
  ctx.stroke()
}

/** @param {Plot} plot @param {() => Content} contentOf @param {Room['paint']} paint @returns {Omit<import('uplot').Options, 'width' | 'hooks'>} */
function optionsOf(plot, contentOf, paint) {
  const { columns, isWhole } = contentOf()
  const isGraph = plot.kind === 'graph'
  return {
    height: HEIGHTS[isGraph ? 'graph' : plot.main ? 'main' : 'normal'],
    ...{ padding: [10, 14, 0, 0], legend: { show: false } },
    cursor: {
      ...{ x: !isGraph, y: plot.kind === 'heat', points: { show: plot.kind === 'lines' } },
      drag: { x: true, y: isGraph, dist: 5 },
      bind: { dblclick: () => () => null },
      dataIdx: (_chart, series, at) =>
        series === 0 ? at : (nearestValue(contentOf().columns[series - 1].values, at) ?? at),
      // what is pointed at in one plot is marked in all of the same axis
      sync: {
        key: `${plot.x} ${plot.nines}`,
        scales: ['x', null],
        filters: { pub: type => !isGraph && !/down|up|click/.test(type) }
      }
    },
    scales: {
      x: { time: false, distr: plot.logX ? 3 : 1, range: (_chart, from, to) => [from, to] },
      y: {
        ...{ distr: plot.logY ? 3 : 1, dir: isGraph ? -1 : 1 },
        range: (_chart, least, most) => contentOf().rangeOfY(least, most)
      }
    },
    axes: [true, false].map(isX => axisOf(plot, isX, paint, isWhole)),
    series: [{}, ...columns.map(column => lineStyle(plot, column, paint))],
    bands: columns.flatMap(({ of, part }, i) =>
      part === 2 ? { series: [i + 1, i], fill: () => `${paint(colourOf(of))}2e` } : []
    )
  }
}

/** The place that is next to another one in a direction; what lies aside of it counts as further. @param {number[][]} centres @param {number} place @param {number} right @param {number} up */
function nextTo(centres, place, right, up) {
  let [next, least] = [place, Infinity]
  for (const [i, [left, top]] of centres.entries()) {
    const [dx, dy] = [left - centres[place][0], top - centres[place][1]]
    const [along, aside] = right === 0 ? [-Math.sign(up) * dy, dx] : [Math.sign(right) * dx, dy]
    const far = along + 4 * Math.abs(aside)
    if (along > 0 && far < least) [next, least] = [i, far]
  }
  return next
}

/** How far a value lies outside of two others. @param {number} at @param {number} a @param {number} b */
const outside = (at, a, b) => Math.max(0, Math.min(a, b) - at, at - Math.max(a, b))

/** placesOf finds places by pointer and by keys. @param {Chart} drawn @param {() => number[][]} boxesOf @returns {Pick<Drawing, 'find' | 'step'> & { centreOf: (box: number[]) => number[] }} */
function placesOf(drawn, boxesOf) {
  const pixels = (/** @type {number[]} */ box) =>
    box.map((value, i) => drawn.valToPos(value, i < 2 ? 'x' : 'y'))
  const centreOf = (/** @type {number[]} */ box) => {
    const [x0, x1, y0 = 0, y1 = y0] = pixels(box)
    return [(x0 + x1) / 2, (y0 + y1) / 2]
  }
  return {
    centreOf,
    find({ clientX, clientY }) {
      const { left, top } = drawn.over.getBoundingClientRect()
      let [nearest, least] = [/** @type {number | null} */ (null), Infinity]
      for (const [place, box] of boxesOf().entries()) {
        const [x0, x1, y0, y1] = pixels(box)
        const aside = outside(clientX - left, x0, x1)
        const far =
          y0 === undefined
            ? aside
            : Math.hypot(aside, outside(clientY - top, y0, y1)) - (x0 === x1 ? NEAR.dot : 0)
        if (far < least && (y0 === undefined || far < NEAR.place)) [nearest, least] = [place, far]
      }
      return nearest
    },
    step(place, right, up) {
      const centres = boxesOf().map(centreOf)
      const isIn = (/** @type {number[]} */ [left]) => left > -0.5 && left < drawn.over.clientWidth + 0.5
      const inView = centres.flatMap((centre, i) => (isIn(centre) ? i : []))
      if (inView.length === 0) return place ?? 0
      let at = inView.indexOf(place ?? -1)
      if (at < 0) return (right < 0 ? inView.at(-1) : inView[0]) ?? 0
      const among = inView.map(i => centres[i])
      for (let left = Math.abs(right || up); left > 0; left--) {
        const next = nextTo(among, at, right, up)
        if (next === at) break
        at = next
      }
      return inView[at]
    }
  }
}

/** chart draws lines, bars, a heat map or a graph. @param {Room} room @param {Plot} plot @returns {Drawing} */
export function chart({ element, paint, zoomed }, plot) {
  const { uPlot } = /** @type {{ uPlot: typeof import('uplot') }} */ (/** @type {unknown} */ (globalThis))
  let [shown, content] = [plot, CONTENTS[plot.kind](plot, paint)]
  /** @type {number | null} */
  let marked = null
  const isAll = (/** @type {Chart} */ { scales: { x } }) =>
    x.min === content.full[0] && x.max === content.full[1]
  // what is not above zero has no place on a logarithmic axis
  const aligned = () =>
    /** @type {any} */ ([
      content.xs,
      ...content.columns.map(({ values }) => values.map(y => (plot.logY && y != null && y <= 0 ? null : y)))
    ])
  /** Draws within the axes only. @param {Chart} chart */
  function draw(chart) {
    const { ctx, bbox } = chart
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    content.draw?.(chart, marked)
    drawMarks(chart, shown, paint)
    ctx.restore()
  }
  const options = {
    ...optionsOf(plot, () => content, paint),
    ...{ width: Math.max(1, element.clientWidth) },
    hooks: { draw: [draw], setScale: [(/** @type {Chart} */ chart) => zoomed(!isAll(chart))] }
  }
  const drawn = new uPlot(options, aligned(), element)
  const reset = () => drawn.setScale('x', { min: content.full[0], max: content.full[1] })
  reset()
  whenResized(element, width => drawn.setSize({ width, height: drawn.height }))

  const { centreOf, ...places } = placesOf(drawn, () => content.boxes)
  const seriesAt = (/** @type {number} */ of) =>
    content.columns.flatMap((column, i) => (column.of === of ? i + 1 : []))
  return {
    legend: content.legend((of, isShown) => {
      for (const series of seriesAt(of)) drawn.setSeries(series, { show: isShown })
    }),
    ...places,
    point(place) {
      marked = place
      const [left, top] = place === null ? [-10, -10] : centreOf(content.boxes[place])
      drawn.setCursor({ left, top: top || 1 }, false)
      if (plot.kind === 'graph') drawn.redraw(false)
      if (place === null) return null
      const lines = content.linesAt(place, of => seriesAt(of).some(series => drawn.series[series].show))
      return { left: left + drawn.over.offsetLeft, top: top + drawn.over.offsetTop, lines }
    },
    reset,
    redraw: () => drawn.redraw(false, true),
    update(next) {
      const wasAll = isAll(drawn)
      ;[shown, content] = [next, CONTENTS[next.kind](next, paint)]
      drawn.setData(aligned(), false)
      if (wasAll) reset()
      else drawn.redraw(true, false)
    }
  }
}
