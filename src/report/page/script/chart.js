// Draws the charts of a page in the browser: lines, bars, heat maps, network graphs.
import { makeButton, makeElement, onResize } from './elements.js'
import {
  chooseTicks,
  findNearestValue,
  formatAxisNumber,
  formatPercentileName,
  formatShortNumber,
  joinSeries,
  listNeighbours
} from './values.js'

/**
 * @typedef {import('../../schema.js').Plot} Plot
 * @typedef {import('./figure.js').FigureBox} FigureBox
 */

const COLOURS = 6

/** Series with the same colour differ in their dashes. */
const DASHES = [undefined, [8, 4], [12, 3, 3, 3], [5, 2]]

/** colourOf is the name of the colour of a series. @param {number} of - its place */
const colourOf = of => `series-${(of % COLOURS) + 1}`

/** lineStyle is what a series looks like to uPlot; bars are drawn otherwise. @param {Plot} plot @param {Column} column @param {FigureBox['paint']} paint @returns {import('uplot').Series} */
function lineStyle({ kind, series = [] }, { of, part, values }, paint) {
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

/** Bars of several series stand beside each other where their ranges are the same, else over each other. @param {import('uplot')} chart @param {{ xs: number[], ranges: number[][], columns: Column[] }} bars @param {FigureBox['paint']} paint */
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
    const line = makeElement('i', { class: 'sign', 'aria-hidden': 'true' })
    const dashes = style === 'dotted' ? 'dotted' : of >= COLOURS ? 'dashed' : 'solid'
    line.style.borderTop = `2px ${dashes} var(--${colourOf(of)})`
    const sign = kind === 'bars' || style === 'points' ? dotOf(colourOf(of)) : line
    if (series.length < 2) return makeElement('span', {}, [sign, label])
    const press = makeButton([sign, label], () => {
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

/** seriesContent is what a plot of lines or bars draws. @param {Plot} plot @param {FigureBox['paint']} paint @returns {Content} */
function seriesContent(plot, paint) {
  const { kind, x = 'x', logY, nines, series = [], spans = [], marks = [] } = plot
  const joined = joinSeries(series, kind === 'bars')
  const { xs, ranges, columns } = joined
  // such as hops: each bar is around its number
  const areCounts =
    kind === 'bars' &&
    ranges.every(([from, to], i) => to - from < 1 && Math.abs(xs[i] - Math.round(xs[i])) < 1e-9)
  const headOf = (/** @type {number} */ place) => {
    const isRange = kind === 'bars' && !areCounts
    return `${x}: ${(isRange ? ranges[place] : [xs[place]]).map(formatShortNumber).join(' to ')}`
  }
  return {
    ...{ xs, columns, boxes: ranges },
    isWhole: areCounts || xs.every(Number.isInteger),
    full: areCounts ? [xs[0] - 1, Math.max(...xs) + 1] : wholeOf(plot, ranges.flat()),
    rangeOfY(min, max) {
      let [low, high] = [min ?? (logY ? 1 : 0), max ?? 1]
      for (const { y } of marks)
        if (y !== undefined && y <= 4 * high) [low, high] = [Math.min(low, y), Math.max(high, y)]
      if (logY) return [low / 1.15, high > low ? high * 1.15 : low * 2]
      // labels stand above the values
      const above = spans.length > 0 || marks.some(({ x }) => x !== undefined) ? 1.25 : 1.07
      return [Math.min(0, low * 1.05), high > 0 ? high * above : low < 0 ? 0 : 1]
    },
    draw: chart => kind === 'bars' && drawBars(chart, joined, paint),
    linesAt: (place, isShown) => [
      [nines ? formatPercentileName(xs[place]) : headOf(place)],
      ...series.flatMap(({ label }, of) => {
        const own = isShown(of) ? columns.filter(column => column.of === of) : []
        const [value, ...ends] = own.map(({ values }) => values[findNearestValue(values, place) ?? -1])
        if (value == null) return []
        const range = ends.flatMap(end => (end == null ? [] : formatShortNumber(end))).join(' to ')
        const text = `${label}: ${formatShortNumber(value)}${range && ` (${range})`}`
        return [/** @type {[string, string]} */ ([text, paint(colourOf(of))])]
      })
    ],
    legend: show => seriesLegend(plot, show)
  }
}

/** graphContent draws nodes and the links between them. @param {import('../../schema.js').Plot} plot @param {import('./figure.js').FigureBox['paint']} paint @returns {Content} */
function graphContent(plot, paint) {
  const { nodes = [], edges = [], y: title = 'Value' } = plot
  const neighbours = listNeighbours(plot)
  const values = nodes.flatMap(([, , value]) => value ?? [])
  const ends = [Math.min(...values), Math.max(...values)]
  const boxes = nodes.map(([x, y]) => [Number(x), Number(x), Number(y), Number(y)])
  /** @type {[number, number]} */
  const full = [-0.02, 1.02]
  /** @param {import('uplot')} chart @param {number | null} marked */
  function draw({ ctx, valToPos }, marked) {
    const positions = boxes.map(([x, , y]) => [valToPos(x, 'x', true), valToPos(y, 'y', true)])
    const links = (/** @type {readonly number[][]} */ pairs, /** @type {string} */ colour) => {
      ctx.strokeStyle = colour
      ctx.beginPath()
      for (const [[fromLeft, fromTop], [left, top]] of pairs.map(pair => pair.map(node => positions[node]))) {
        ctx.moveTo(fromLeft, fromTop)
        ctx.lineTo(left, top)
      }
      ctx.stroke()
    }
    const circle = (/** @type {number} */ node, /** @type {string} */ edge) => {
      const [left, top] = positions[node]
      ctx.beginPath()
      ctx.arc(left, top, (2.5 + 5 * Number(nodes[node][3] ?? 0)) * devicePixelRatio, 0, 2 * Math.PI)
      const value = nodes[node][2]
      ctx.fillStyle = paint(value === null ? 'quiet' : `heat-${chooseShade(value, ends, 2)}`)
      ctx.fill()
      ctx.strokeStyle = paint(edge)
      ctx.stroke()
    }
    ctx.lineWidth = devicePixelRatio
    ctx.globalAlpha = Math.max(0.08, Math.min(0.5, 150 / edges.length))
    links(edges, paint('quiet'))
    ctx.globalAlpha = 1
    for (const node of nodes.keys()) circle(node, 'paper')
    if (marked === null) return
    ctx.lineWidth = 1.5 * devicePixelRatio
    links(
      neighbours[marked].map(to => [marked, to]),
      paint('series-2')
    )
    for (const node of neighbours[marked]) circle(node, 'series-2')
    circle(marked, 'ink')
  }
  return {
    ...{ xs: full, full, boxes, draw, columns: [{ of: 0, part: 0, values: [null, null] }] },
    rangeOfY: () => full,
    linesAt(place) {
      const value = nodes[place][2]
      const label = value === null ? [] : [`${title}: ${formatShortNumber(value)}`]
      return [`Node ${place}`, ...label, `Links: ${neighbours[place].length}`].map(text => [text])
    },
    legend: () => (values.length === 0 ? [] : [makeHeatLegend(ends, plot.y)])
  }
}

/** chooseShade is the shade of a value between two others. @param {number} value @param {readonly number[]} ends @param {number} [first] - the lightest */
export const chooseShade = (value, [min, max], first = 1) =>
  max > min ? first + Math.round(((6 - first) * (value - min)) / (max - min)) : 3

/** makeHeatLegend shows what shades stand for. @param {readonly number[]} ends @param {string} [title] */
export const makeHeatLegend = ([min, max], title = '') =>
  makeElement('span', { class: 'scale' }, [
    formatShortNumber(min),
    makeElement('i', { class: 'shades', 'aria-hidden': 'true' }),
    `${formatShortNumber(max)} ${title}`.trim()
  ])

/** dotOf is the sign of a colour in a legend. @param {string} colour - name of a variable of the style sheet */
function dotOf(colour) {
  const dot = makeElement('i', { class: 'dot', 'aria-hidden': 'true' })
  dot.style.background = `var(--${colour})`
  return dot
}

/** Of a heat map: one slow operation, and one that failed. */
const DOTS = [
  ['heat-6', 'a single slow one', 'single slow ones'],
  ['failed', 'failed', 'failed']
]

/** heatContent is what a heat map draws. @param {import('../../schema.js').Plot} plot @param {import('./figure.js').FigureBox['paint']} paint @returns {Content} */
function heatContent({ x = 'x', y = 'y', logY, cells = [], dots = [] }, paint) {
  const boxes = [...cells, ...dots.map(([at, value]) => [at, at, value, value])]
  const [endsOfX, endsOfY] = [0, 2].map(at => boxes.flatMap(box => box.slice(at, at + 2)))
  const maxCount = Math.max(1, ...cells.map(([, , , , count]) => count))
  const dotAt = (/** @type {number} */ place) => DOTS[dots[place - cells.length][2] ? 1 : 0]
  /** @type {[number, number]} */
  const full = [Math.min(...endsOfX), Math.max(...endsOfX)]
  return {
    ...{ xs: full, full, columns: [{ of: 0, part: 0, values: [null, null] }] },
    boxes: boxes.map(box => box.slice(0, 4)),
    rangeOfY: () =>
      logY
        ? [Math.min(...endsOfY.filter(end => end > 0)) / 1.15, Math.max(...endsOfY) * 1.15]
        : [0, Math.max(...endsOfY) * 1.05],
    draw({ ctx, valToPos }) {
      for (const [place, [x0, x1, y0, y1, count]] of boxes.entries()) {
        const [left, right] = [x0, x1].map(x => Math.round(valToPos(x, 'x', true)))
        const [bottom, top] = [y0, y1].map(y => Math.round(valToPos(y, 'y', true)))
        ctx.beginPath()
        if (count === undefined) ctx.arc(left, top, 2.5 * devicePixelRatio, 0, 2 * Math.PI)
        else ctx.rect(left, top, Math.max(1, right - left), Math.max(1, bottom - top))
        ctx.fillStyle = paint(
          count === undefined
            ? dotAt(place)[0]
            : `heat-${chooseShade(Math.log(count), [0, Math.log(maxCount)])}`
        )
        ctx.fill()
      }
    },
    linesAt(place) {
      const [x0, x1, y0, y1, count] = boxes[place]
      const range = (/** @type {number} */ from, /** @type {number} */ to) =>
        from === to ? formatShortNumber(from) : `${formatShortNumber(from)} to ${formatShortNumber(to)}`
      const what = count === undefined ? dotAt(place)[1] : `Count: ${formatShortNumber(count)}`
      return [[`${x}: ${range(x0, x1)}`], [`${y}: ${range(y0, y1)}`], [what]]
    },
    legend: () => [
      makeHeatLegend([1, maxCount]),
      ...DOTS.filter(dot => dots.some((_, i) => dotAt(cells.length + i) === dot)).map(([colour, , text]) =>
        makeElement('span', {}, [dotOf(colour), text])
      )
    ]
  }
}

/**
 * Lines, bars, heat maps and graphs. uPlot draws their axes and lines, and has the cursor and the zoom; all else is drawn into its canvas.
 *
 * @typedef {import('./figure.js').Drawing} Drawing
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
 * @property {(min: number | null, max: number | null) => [number, number]} rangeOfY
 * @property {(chart: Chart, marked: number | null) => void} [draw] - what uPlot does not
 * @property {(place: number, isShown: (of: number) => boolean) => [text: string, colour?: string][]} linesAt
 * @property {(show: (of: number, isShown: boolean) => void) => HTMLElement[]} legend
 */

/** @type {Record<string, (plot: Plot, paint: FigureBox['paint']) => Content>} */
const CONTENTS = { lines: seriesContent, bars: seriesContent, heat: heatContent, graph: graphContent }

const FONT_SIZE = 11
const LETTER = 6.5
const HEIGHTS = { normal: 230, main: 280, graph: 420 }

/** A place of a certain height is found this near to it; a dot before the cell that it lies in. In CSS pixels. */
const NEAR = { place: 20, dot: 5 }

/** @param {Plot} plot @param {boolean} isX @param {FigureBox['paint']} paint @param {boolean} [isWhole] - x has whole numbers only @returns {import('uplot').Axis} */
function axisOf({ kind, logX, logY, nines, y = '' }, isX, paint, isWhole) {
  if (kind === 'graph') return { show: false }
  const line = { stroke: () => paint('grid'), width: 1 }
  const how = {
    log: isX ? logX : logY,
    nines: isX && nines,
    whole: isX ? isWhole : kind === 'bars' && !/%|share/i.test(y)
  }
  const texts = (/** @type {number[]} */ ticks) =>
    ticks.map(tick => (how.nines ? formatPercentileName(tick) : formatAxisNumber(tick, ticks[1] - ticks[0])))
  const widest = (/** @type {string[]} */ texts) => LETTER * Math.max(0, ...texts.map(({ length }) => length))
  return {
    ...{ stroke: () => paint('quiet'), font: `${FONT_SIZE}px system-ui, sans-serif`, gap: 4 },
    size: isX ? 26 : (_chart, texts) => Math.max(30, 12 + widest(texts ?? [])),
    grid: { ...line, show: !isX || how.nines },
    ticks: { ...line, size: 4, show: isX },
    splits({ bbox }, _axis, from, to) {
      const ticks = chooseTicks(from, to, how)
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

/** Shaded stretches and lines at values, each with its label where there is room. @param {Chart} chart @param {Plot} plot @param {FigureBox['paint']} paint */
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

/** @param {Plot} plot @param {() => Content} contentOf @param {FigureBox['paint']} paint @returns {Omit<import('uplot').Options, 'width' | 'hooks'>} */
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
        series === 0 ? at : (findNearestValue(contentOf().columns[series - 1].values, at) ?? at),
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
        range: (_chart, min, max) => contentOf().rangeOfY(min, max)
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
  let [next, minDistance] = [place, Infinity]
  for (const [i, [left, top]] of centres.entries()) {
    const [dx, dy] = [left - centres[place][0], top - centres[place][1]]
    const [along, aside] = right === 0 ? [-Math.sign(up) * dy, dx] : [Math.sign(right) * dx, dy]
    const far = along + 4 * Math.abs(aside)
    if (along > 0 && far < minDistance) [next, minDistance] = [i, far]
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
      let [nearest, minDistance] = [/** @type {number | null} */ (null), Infinity]
      for (const [place, box] of boxesOf().entries()) {
        const [x0, x1, y0, y1] = pixels(box)
        const aside = outside(clientX - left, x0, x1)
        const far =
          y0 === undefined
            ? aside
            : Math.hypot(aside, outside(clientY - top, y0, y1)) - (x0 === x1 ? NEAR.dot : 0)
        if (far < minDistance && (y0 === undefined || far < NEAR.place)) [nearest, minDistance] = [place, far]
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

/** drawChart draws lines, bars, a heat map or a graph. @param {FigureBox} room @param {Plot} plot @returns {Drawing} */
export function drawChart({ element, paint, zoomed }, plot) {
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
  onResize(element, width => drawn.setSize({ width, height: drawn.height }))

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
