import { whenResized } from './dom.js'
import { heatContent } from './heat.js'
import { colourOf, lineStyle, seriesContent } from './series.js'
import { axisNumber, nearestValue, percentileName, ticksOf } from './values.js'

/**
 * Lines, bars and heat maps. uPlot draws their axes and lines, and has the cursor and the zoom; bars and cells are drawn into its canvas.
 *
 * @typedef {import('../../description/description.js').Plot} Plot
 * @typedef {import('./figure.js').Drawing} Drawing
 * @typedef {import('./figure.js').Room} Room
 * @typedef {import('uplot')} Chart
 * @typedef {import('uplot').Options} Options
 *
 * @typedef {{ of: number, part: number, values: (number | null | undefined)[] }} Column - of a series; part: 1 and 2 are the ends of a band
 *
 * @typedef {Drawn & Pick<Plot, 'spans' | 'marks'>} Content - what a chart draws
 *
 * @typedef {object} Drawn
 * @property {number[]} xs - ascending
 * @property {Column[]} columns - on these xs
 * @property {[number, number]} full - the whole of x
 * @property {boolean} isWhole - x has whole numbers only
 * @property {[x: number, y: number | null][]} points - where each place is that can be pointed at; null: at any height
 * @property {(place: number, x: number, y: number) => boolean} [isIn] - a place has this point within it
 * @property {(least: number | null, most: number | null) => [number, number]} rangeOfY
 * @property {(chart: Chart) => void} draw - what uPlot does not
 * @property {(place: number, isShown: (of: number) => boolean) => [text: string, colour?: string][]} linesAt
 * @property {(show: (of: number, isShown: boolean) => void) => HTMLElement[]} legend
 */

const FONT = '11px system-ui, sans-serif'
const LETTER = 6.5
const HEIGHTS = { normal: 230, main: 280 }

/** A place is found this near to it, in CSS pixels. */
const NEAR = 40

/** @param {Plot} plot @param {boolean} isX @param {Room['paint']} paint @param {boolean} isWhole - x has whole numbers only @returns {import('uplot').Axis} */
function axisOf({ kind, logX, logY, nines, y = '' }, isX, paint, isWhole) {
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
    ...{ stroke: () => paint('quiet'), font: FONT, gap: 4 },
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

/** Shaded stretches and lines at values, each with its label where there is room. @param {Chart} chart @param {Pick<Plot, 'spans' | 'marks'>} marked @param {Room['paint']} paint */
function drawMarks(chart, { spans = [], marks = [] }, paint) {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  const right = bbox.left + bbox.width
  const inside = (/** @type {number} */ left) => Math.min(right, Math.max(bbox.left, left))
  /** @type {number[]} where the labels of each line of text end */
  const ends = []
  const label = (/** @type {string} */ text, /** @type {number} */ left, /** @type {number} */ top) => {
    ctx.fillStyle = paint('quiet')
    ctx.fillText(
      text,
      Math.max(bbox.left, Math.min(left, right - ctx.measureText(text).width - 2 * ratio)),
      top
    )
  }
  const labelAbove = (/** @type {string} */ text, /** @type {number} */ left) => {
    const width = ctx.measureText(text).width + 6 * ratio
    const from = Math.min(left, right - width)
    const free = ends.findIndex(end => end <= from)
    const line = free < 0 ? ends.length : free
    if (line >= MAX_LABEL_LINES) return
    ends[line] = from + width
    label(text, from + 3 * ratio, bbox.top + (line + 1) * 12 * ratio)
  }
  ctx.font = FONT.replace('11', String(11 * ratio))
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  for (const { from, to, label } of spans) {
    const [begin, end] = [from, to].map(x => inside(chart.valToPos(x, 'x', true)))
    if (end <= bbox.left || begin >= right) continue
    ctx.fillStyle = `${paint('mind')}26`
    ctx.fillRect(begin, bbox.top, Math.max(ratio, end - begin), bbox.height)
    labelAbove(label, begin)
  }
  ctx.strokeStyle = paint('quiet')
  ctx.lineWidth = ratio
  ctx.setLineDash([4 * ratio, 3 * ratio])
  for (const mark of marks) {
    const [left, top] = [mark.x, mark.y].map((at, i) =>
      at === undefined ? null : chart.valToPos(at, 'xy'[i], true)
    )
    ctx.beginPath()
    if (left !== null && left >= bbox.left && left <= right) {
      ctx.moveTo(left, bbox.top)
      ctx.lineTo(left, bbox.top + bbox.height)
      labelAbove(mark.label, left)
    }
    if (top !== null && top >= bbox.top && top <= bbox.top + bbox.height) {
      ctx.moveTo(bbox.left, top)
      ctx.lineTo(right, top)
      label(mark.label, right, top - 4 * ratio)
    }
    ctx.stroke()
  }
  ctx.setLineDash([])
}

/** Draws within the axes only. @param {(chart: Chart) => void} draw */
const clipped = draw => (/** @type {Chart} */ chart) => {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  draw(chart)
  ctx.restore()
}

/** The place that arrow keys lead to: aside to the next x at the same height, up and down at the same x. @param {Content['points']} points @param {number[]} places - in view @param {number} place @param {number} right @param {number} up */
function stepFrom(points, places, place, right, up) {
  const [x, y] = points[place]
  const xs = [...new Set(places.map(i => points[i][0]))]
  const next = xs[Math.max(0, Math.min(xs.length - 1, xs.indexOf(x) + right))]
  const column = places.filter(i => points[i][0] === next)
  if (right === 0)
    return column[Math.max(0, Math.min(column.length - 1, column.indexOf(place) + up))] ?? place
  const far = (/** @type {number} */ i) => Math.abs(Number(points[i][1]) - Number(y))
  return column.reduce((a, b) => (far(a) <= far(b) ? a : b))
}

/** @param {Plot} plot @param {() => Content} contentOf @param {Room} room @returns {Options} */
function optionsOf(plot, contentOf, { element, paint, zoomed }) {
  const isHeat = plot.kind === 'heat'
  const { columns, isWhole } = contentOf()
  return {
    ...{ width: Math.max(1, element.clientWidth), height: plot.main ? HEIGHTS.main : HEIGHTS.normal },
    ...{ padding: [10, 14, 0, 0], legend: { show: false } },
    cursor: {
      y: isHeat,
      drag: { x: true, y: false, dist: 5 },
      points: { show: plot.kind === 'lines' },
      bind: { dblclick: () => () => null },
      dataIdx: (_chart, series, at) =>
        series === 0 ? at : (nearestValue(contentOf().columns[series - 1].values, at) ?? at),
      // what is pointed at in one plot is marked in all of the same axis
      sync: {
        key: `${plot.x} ${plot.nines}`,
        scales: ['x', null],
        filters: { pub: type => !/down|up|click/.test(type) }
      }
    },
    scales: {
      x: { time: false, distr: plot.logX ? 3 : 1, range: (_chart, from, to) => [from, to] },
      y: { distr: plot.logY ? 3 : 1, range: (_chart, least, most) => contentOf().rangeOfY(least, most) }
    },
    axes: [axisOf(plot, true, paint, isWhole), axisOf(plot, false, paint, isWhole)],
    series: [{}, ...columns.map(column => lineStyle(plot, column, paint))],
    bands: columns.flatMap(({ of, part }, i) =>
      part === 2
        ? [{ series: /** @type {[number, number]} */ ([i + 1, i]), fill: () => `${paint(colourOf(of))}2e` }]
        : []
    ),
    hooks: {
      drawClear: [clipped(chart => isHeat || drawMarks(chart, { spans: contentOf().spans }, paint))],
      draw: [
        clipped(chart => {
          contentOf().draw(chart)
          drawMarks(chart, isHeat ? contentOf() : { marks: contentOf().marks }, paint)
        })
      ],
      setScale: [
        ({ scales: { x } }, key) => {
          const { full } = contentOf()
          if (key === 'x') zoomed(x.min !== full[0] || x.max !== full[1])
        }
      ]
    }
  }
}

/** chart draws lines, bars or a heat map. @param {Room} room @param {Plot} plot @returns {Drawing} */
export function chart(room, plot) {
  const { element, paint } = room
  /** @param {Plot} of @returns {Content} */
  const contentOf = of => {
    const { spans, marks } = of
    return { ...(of.kind === 'heat' ? heatContent : seriesContent)(of, paint), spans, marks }
  }
  let content = contentOf(plot)
  const aligned = () => {
    const drawable = (/** @type {number | null | undefined} */ y) =>
      plot.logY && y != null && y <= 0 ? null : y
    return /** @type {any} */ ([content.xs, ...content.columns.map(({ values }) => values.map(drawable))])
  }
  const { uPlot } = /** @type {{ uPlot: typeof import('uplot') }} */ (/** @type {unknown} */ (globalThis))
  const drawn = new uPlot(
    optionsOf(plot, () => content, room),
    aligned(),
    element
  )
  const reset = () => drawn.setScale('x', { min: content.full[0], max: content.full[1] })
  reset()
  whenResized(element, width => drawn.setSize({ width, height: drawn.height }))

  const seriesAt = (/** @type {number} */ of) =>
    content.columns.flatMap((column, i) => (column.of === of ? [i + 1] : []))
  const positionOf = (/** @type {number} */ place) => {
    const [x, y] = content.points[place]
    return [drawn.valToPos(x, 'x'), y === null ? 0 : drawn.valToPos(y, 'y')]
  }
  return {
    legend: content.legend((of, isShown) => {
      for (const series of seriesAt(of)) drawn.setSeries(series, { show: isShown })
    }),
    find(fromLeft, fromTop) {
      const [left, top] = [fromLeft - drawn.over.offsetLeft, fromTop - drawn.over.offsetTop]
      if (content.xs.length === 0 || left < -4 || left > drawn.over.clientWidth + 4) return null
      if (content.isIn === undefined) return drawn.posToIdx(left)
      const [x, y] = [drawn.posToVal(left, 'x'), drawn.posToVal(top, 'y')]
      let [nearest, least] = [/** @type {number | null} */ (null), NEAR]
      for (const place of content.points.keys()) {
        const [itsLeft, itsTop] = positionOf(place)
        // a dot upon a cell is found before the cell
        const far = content.isIn(place, x, y) ? 4 : 4 * Math.hypot(itsLeft - left, itsTop - top) + 1e-3
        if (far <= least) [nearest, least] = [place, far]
      }
      return nearest
    },
    step(place, right, up) {
      const { min, max } = drawn.scales.x
      const places = [...content.points.keys()].filter(
        i => content.points[i][0] >= Number(min) && content.points[i][0] <= Number(max)
      )
      if (places.length === 0) return place ?? 0
      if (place === null || !places.includes(place)) return (right < 0 ? places.at(-1) : places[0]) ?? 0
      return stepFrom(content.points, places, place, right, up)
    },
    point(place) {
      const [left, top] = place === null ? [-10, -10] : positionOf(place)
      drawn.setCursor({ left, top: content.isIn === undefined ? 1 : top }, false)
      if (place === null) return null
      const lines = content.linesAt(place, of => seriesAt(of).some(series => drawn.series[series].show))
      return { left: left + drawn.over.offsetLeft, top: top + drawn.over.offsetTop, lines }
    },
    reset,
    redraw: () => drawn.redraw(false, true),
    update(next) {
      const isWhole = drawn.scales.x.min === content.full[0] && drawn.scales.x.max === content.full[1]
      content = contentOf(next)
      drawn.setData(aligned(), false)
      if (isWhole) reset()
      else drawn.redraw(true, false)
    }
  }
}
