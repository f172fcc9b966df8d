import { button, made, whenResized } from './dom.js'
import {
  axisNumber,
  joinedBars,
  joinedSeries,
  nearestValue,
  percentileName,
  shortNumber,
  ticksOf
} from './values.js'

/**
 * Lines, bars and heat maps, drawn by uPlot: it has the axes, the cursor and the zoom. Bars and cells are drawn into its canvas.
 *
 * @typedef {import('../../description/description.js').Plot} Plot
 * @typedef {import('./figure.js').Drawing} Drawing
 * @typedef {import('./figure.js').Room} Room
 * @typedef {import('uplot')} Chart
 *
 * @typedef {{ of: number, part: number, values: (number | null | undefined)[] }} Column - part: 1 and 2 are the ends of a band
 *
 * @typedef {object} Data
 * @property {number[]} xs
 * @property {number[][]} ranges - of bars and heat: where those at an x begin and end
 * @property {Column[]} columns
 * @property {[number, number]} full - the whole of x
 * @property {number[][]} items - of heat: [x0, x1, y0, y1, count, kind], by x and y; kind 1: slow, 2: failed
 */

const COLOURS = 6
const FONT = '11px system-ui, sans-serif'
const HEIGHTS = { normal: 230, main: 280 }

/** Bars of whole numbers, such as hops: each is around its number. @param {Pick<Data, 'xs' | 'ranges'>} data */
const areWhole = ({ xs, ranges }) =>
  ranges.length > 0 &&
  ranges.every(([from, to], i) => to - from < 1 && Math.abs(xs[i] - Math.round(xs[i])) < 1e-9)

/** @param {number} i */
const colourOf = i => `series-${(i % COLOURS) + 1}`

/** @param {string} hex @param {string} alpha */
const faint = (hex, alpha) => `${hex}${alpha}`

/** heatStep is the shade of a count, 1 to 6, by its logarithm. @param {number} count @param {number} most */
export const heatStep = (count, most) =>
  most <= 1 || count <= 0 ? 1 : 1 + Math.min(5, Math.floor((6 * Math.log(count)) / Math.log(most * 1.001)))

/** heatLegend shows what shades stand for. @param {string} least @param {string} most @param {string} title */
export const heatLegend = (least, most, title) =>
  made('span', { class: 'scale' }, [
    least,
    made('i', { class: 'shades', 'aria-hidden': 'true' }),
    `${most} ${title}`.trim()
  ])

/** @param {Plot} plot @returns {Data} */
function dataOf({ kind, series = [], cells = [], dots = [], spans = [], marks = [] }) {
  if (kind === 'heat') {
    const items = [
      ...cells.map(cell => [...cell.slice(0, 5), 0]),
      ...dots.map(([x, y, failed]) => [x, x, y, y, 1, failed ? 2 : 1])
    ].sort((a, b) => a[0] + a[1] - b[0] - b[1] || a[2] - b[2])
    const xs = [...new Set(items.map(([from, to]) => (from + to) / 2))]
    const ends = items.flatMap(item => item.slice(0, 2))
    return {
      ...{ xs, ranges: [], columns: [{ of: 0, part: 0, values: xs.map(() => null) }], items },
      full: [Math.min(...ends), Math.max(...ends)]
    }
  }
  const joined = kind === 'bars' ? joinedBars(series) : { ranges: [], ...joinedSeries(series) }
  if (areWhole(joined)) return { ...joined, items: [], full: [joined.xs[0] - 1, Math.max(...joined.xs) + 1] }
  const within = [
    ...(kind === 'bars' ? joined.ranges.flat() : joined.xs),
    ...spans.flatMap(({ from, to }) => [from, to]),
    ...marks.flatMap(({ x }) => x ?? [])
  ]
  const [from, to] = within.length === 0 ? [0, 1] : [Math.min(...within), Math.max(...within)]
  return { ...joined, items: [], full: to > from ? [from, to] : [from - 0.5, from + 0.5] }
}

/** How far y goes. @param {Plot} plot @param {Data} data @param {number | null} least @param {number | null} most @returns {[number, number]} */
function rangeOfY({ kind, logY, spans = [], marks = [] }, { items }, least, most) {
  if (kind === 'heat') {
    const ends = items.flatMap(([, , low, high]) => [low, high])
    return logY
      ? [Math.min(...ends.filter(y => y > 0)) / 1.15, Math.max(...ends) * 1.15]
      : [0, Math.max(...ends) * 1.05]
  }
  let [low, high] = [least ?? (logY ? 1 : 0), most ?? 1]
  for (const { y } of marks)
    if (y !== undefined && y <= 4 * high) [low, high] = [Math.min(low, y), Math.max(high, y)]
  if (logY) return [low / 1.15, high > low ? high * 1.15 : low * 2]
  // labels stand above the values
  const above = spans.length > 0 || marks.some(({ x }) => x !== undefined) ? 1.25 : 1.07
  return [Math.min(0, low * 1.05), high > 0 ? high * above : low < 0 ? 0 : 1]
}

/** What a series looks like. @param {Plot} plot @param {Column} column @param {Room['paint']} paint @returns {any} */
function seriesOf({ kind, series = [] }, { of, part, values }, paint) {
  const style = series[of]?.style
  const stroke = () => paint(colourOf(of))
  if (kind !== 'lines') return { paths: () => null, points: { show: false }, stroke }
  if (part > 0) return { width: 0, points: { show: false }, stroke }
  const isAlone = values.filter(value => value != null).length === 1
  const dash = style === 'dotted' ? [3, 4] : of >= COLOURS ? [8, 4] : undefined
  return {
    stroke,
    width: style === 'points' ? 0 : 1.75,
    ...(dash && { dash }),
    ...(style === 'area' && { fill: () => faint(paint(colourOf(of)), '33') }),
    ...(style === 'steps' && {
      paths: /** @type {any} */ (globalThis).uPlot.paths.stepped({ align: 1 })
    }),
    ...(style === 'points' && { paths: () => null }),
    points: { show: style === 'points' || isAlone, size: 6, fill: stroke }
  }
}

/** @param {Plot} plot @param {boolean} isX @param {Room['paint']} paint @param {boolean} isWhole - x has whole numbers only @returns {any} */
function axisOf({ kind, logX, logY, nines, y = '' }, isX, paint, isWhole) {
  const line = { stroke: () => paint('grid'), width: 1 }
  const isNines = isX && nines
  const whole = isX ? isWhole : kind === 'bars' && !/%|share/i.test(y)
  return {
    stroke: () => paint('quiet'),
    font: FONT,
    gap: 4,
    size: isX
      ? 26
      : (/** @type {Chart} */ _chart, /** @type {string[] | null} */ texts) =>
          Math.max(30, 12 + 6.5 * Math.max(0, ...(texts ?? []).map(({ length }) => length))),
    grid: { ...line, show: !isX || isNines },
    ticks: { ...line, size: 4, show: isX },
    splits: (
      /** @type {Chart} */ { bbox },
      /** @type {any} */ _axis,
      /** @type {number} */ from,
      /** @type {number} */ to
    ) => {
      const ticks = ticksOf(from, to, { log: isX ? logX : logY, nines: isNines, whole })
      if (!isX || isNines) return ticks
      // on a narrow plot each second one goes, until their texts have room
      const longest = Math.max(
        1,
        ...ticks.map(tick => 6.5 * axisNumber(tick, ticks[1] - ticks[0]).length + 12)
      )
      const every = Math.ceil((ticks.length * longest * devicePixelRatio) / Math.max(1, bbox.width))
      return ticks.filter((_, i) => i % every === 0)
    },
    filter: (/** @type {any} */ _chart, /** @type {number[]} */ splits) => splits,
    values: (/** @type {any} */ _chart, /** @type {number[]} */ splits) =>
      splits.map(tick => (isNines ? percentileName(tick) : axisNumber(tick, splits[1] - splits[0])))
  }
}

/** Shaded stretches and lines at values, each with its label where there is room. @param {Chart} chart @param {Plot} plot @param {Room['paint']} paint */
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
    ends[line] = from + width
    label(text, from + 3 * ratio, bbox.top + (line + 1) * 12 * ratio)
  }
  ctx.font = FONT.replace('11', String(11 * ratio))
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  for (const { from, to, label } of spans) {
    const [begin, end] = [from, to].map(x => inside(chart.valToPos(x, 'x', true)))
    if (end <= bbox.left || begin >= right) continue
    ctx.fillStyle = faint(paint('mind'), '26')
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

/** Bars of several series stand beside each other where their ranges are the same, else over each other. @param {Chart} chart @param {Data} data @param {Room['paint']} paint */
function drawBars(chart, { xs, ranges, columns }, paint) {
  const { ctx } = chart
  const shown = columns.filter((_, i) => chart.series[i + 1].show)
  const isShared = shown.every(({ values }) => values.filter(count => count != null).length > xs.length / 2)
  const zero = chart.valToPos(Math.max(0, chart.scales.y.min ?? 0) || (chart.scales.y.min ?? 0), 'y', true)
  for (const [at, { of, values }] of shown.entries())
    for (const [i, count] of values.entries()) {
      if (!count) continue
      const [from, to] = ranges[i].map(x => chart.valToPos(x, 'x', true))
      const part = isShared ? (to - from) / shown.length : to - from
      const left = isShared ? from + at * part : from
      const top = chart.valToPos(count, 'y', true)
      const gap = part > 4 * devicePixelRatio ? devicePixelRatio : 0
      ctx.fillStyle = faint(paint(colourOf(of)), isShared ? 'ff' : '88')
      ctx.fillRect(left, top, Math.max(1, part - gap), Math.max(1, zero - top))
    }
}

/** @param {Chart} chart @param {Data} data @param {Room['paint']} paint */
function drawHeat(chart, { items }, paint) {
  const { ctx } = chart
  const most = Math.max(...items.map(([, , , , count]) => count))
  for (const [x0, x1, y0, y1, count, kind] of items) {
    const [left, right] = [x0, x1].map(x => Math.round(chart.valToPos(x, 'x', true)))
    const [bottom, top] = [y0, y1].map(y => Math.round(chart.valToPos(y, 'y', true)))
    ctx.fillStyle = paint(kind === 2 ? 'failed' : kind === 1 ? 'heat-6' : `heat-${heatStep(count, most)}`)
    if (kind === 0) ctx.fillRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top))
    else {
      ctx.beginPath()
      ctx.arc(left, top, 2.5 * devicePixelRatio, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
}

/** @param {Plot} plot @param {(place: number, isShown: boolean) => void} show @param {Data} data */
function legendOf({ kind, title, y = '', series = [] }, show, { items }) {
  if (kind === 'heat') {
    const most = Math.max(...items.map(([, , , , count]) => count))
    const kinds = new Set(items.map(item => item[5]))
    const dot = (/** @type {string} */ name, /** @type {string} */ text) => {
      const mark = made('i', { class: 'dot', 'aria-hidden': 'true' })
      mark.style.background = `var(--${name})`
      return made('span', {}, [mark, text])
    }
    return [
      heatLegend('1', shortNumber(most), ''),
      ...(kinds.has(1) ? [dot('heat-6', 'single slow ones')] : []),
      ...(kinds.has(2) ? [dot('failed', 'failed')] : [])
    ]
  }
  // the heading names a single series already
  const isNamed = `${title} ${y}`.toLowerCase().includes(series[0]?.label.toLowerCase())
  if (series.length < 2 && (kind === 'bars' || isNamed)) return []
  return series.map(({ label, style }, i) => {
    const mark = made('i', {
      class: kind === 'bars' || style === 'points' ? 'dot' : 'sign',
      'aria-hidden': 'true'
    })
    if (mark.className === 'dot') mark.style.background = `var(--${colourOf(i)})`
    else
      mark.style.borderTop = `2px ${style === 'dotted' ? 'dotted' : i >= COLOURS ? 'dashed' : 'solid'} var(--${colourOf(i)})`
    if (series.length < 2) return made('span', {}, [mark, label])
    const press = button(
      [mark, label],
      () => {
        const isShown = press.getAttribute('aria-pressed') !== 'true'
        press.setAttribute('aria-pressed', String(isShown))
        show(i, isShown)
      },
      { 'aria-pressed': 'true', title: 'Show or hide' }
    )
    return press
  })
}

/** chart draws lines, bars or a heat map. @param {Room} room @param {Plot} plot @returns {Drawing} */
export function chart({ element, paint, zoomed }, plot) {
  let [shown, data] = [plot, dataOf(plot)]
  const isHeat = plot.kind === 'heat'
  const nameX = plot.nines ? percentileName : shortNumber
  const height = plot.main ? HEIGHTS.main : HEIGHTS.normal
  const clipped = (/** @type {(chart: Chart) => void} */ draw) => (/** @type {Chart} */ chart) => {
    const { ctx, bbox } = chart
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    draw(chart)
    ctx.restore()
  }
  const reset = () => drawn.setScale('x', { min: data.full[0], max: data.full[1] })
  const inView = (/** @type {number} */ x) =>
    x >= Number(drawn.scales.x.min) && x <= Number(drawn.scales.x.max)
  const aligned = () => {
    const positive = (/** @type {number | null | undefined} */ y) =>
      shown.logY && y != null && y <= 0 ? null : y
    return /** @type {any} */ ([data.xs, ...data.columns.map(({ values }) => values.map(positive))])
  }
  const bands = data.columns.flatMap(({ of, part }, i) =>
    part === 2
      ? [
          {
            series: /** @type {[number, number]} */ ([i + 1, i]),
            fill: () => faint(paint(colourOf(of)), '2e')
          }
        ]
      : []
  )
  /** @type {Chart} */
  const drawn = new /** @type {any} */ (globalThis).uPlot(
    {
      width: Math.max(1, element.clientWidth),
      height,
      padding: [10, 14, 0, 0],
      legend: { show: false },
      cursor: {
        y: isHeat,
        drag: { x: true, y: false, dist: 5 },
        points: { show: plot.kind === 'lines' },
        bind: { dblclick: () => () => null },
        dataIdx: (/** @type {Chart} */ _chart, /** @type {number} */ series, /** @type {number} */ at) =>
          series === 0 ? at : (nearestValue(data.columns[series - 1].values, at) ?? at),
        // what is pointed at in one plot is marked in all of the same axis
        sync: {
          key: `${plot.x} ${plot.nines}`,
          scales: ['x', null],
          filters: { pub: (/** @type {string} */ type) => !/down|up|click/.test(type) }
        }
      },
      scales: {
        x: {
          time: false,
          distr: plot.logX ? 3 : 1,
          range: (/** @type {any} */ _chart, /** @type {number} */ from, /** @type {number} */ to) => [
            from,
            to
          ]
        },
        y: {
          distr: plot.logY ? 3 : 1,
          range: (/** @type {any} */ _chart, /** @type {any} */ least, /** @type {any} */ most) =>
            rangeOfY(shown, data, least, most)
        }
      },
      axes: [true, false].map(isX =>
        axisOf(plot, isX, paint, areWhole(data) || data.xs.every(Number.isInteger))
      ),
      series: [{}, ...data.columns.map(column => seriesOf(plot, column, paint))],
      bands,
      hooks: {
        drawClear: [clipped(chart => isHeat || drawMarks(chart, { ...shown, marks: [] }, paint))],
        draw: [
          clipped(chart => {
            if (isHeat) drawHeat(chart, data, paint)
            if (plot.kind === 'bars') drawBars(chart, data, paint)
            drawMarks(chart, isHeat ? shown : { ...shown, spans: [] }, paint)
          })
        ],
        setScale: [
          (/** @type {Chart} */ { scales: { x } }, /** @type {string} */ key) =>
            key === 'x' && zoomed(x.min !== data.full[0] || x.max !== data.full[1])
        ]
      }
    },
    aligned(),
    element
  )
  reset()
  whenResized(element, width => drawn.setSize({ width, height }))

  const middle = (/** @type {number} */ place) => {
    if (!isHeat) return [data.xs[place], null]
    const [x0, x1, y0, y1] = data.items[place]
    return [(x0 + x1) / 2, shown.logY ? Math.sqrt(y0 * y1) : (y0 + y1) / 2]
  }
  const position = (/** @type {number} */ place) => {
    const [x, y] = middle(place)
    return [drawn.valToPos(Number(x), 'x'), y === null ? 12 : drawn.valToPos(y, 'y')]
  }
  const [overLeft, overTop] = [() => drawn.over.offsetLeft, () => drawn.over.offsetTop]
  /** @type {(place: number) => [string, string?][]} */
  const linesAt = place => {
    if (isHeat) {
      const [x0, x1, y0, y1, count, kind] = data.items[place]
      const range = (/** @type {number} */ from, /** @type {number} */ to) =>
        from === to ? shortNumber(from) : `${shortNumber(from)} to ${shortNumber(to)}`
      const what = kind === 2 ? 'failed' : kind === 1 ? 'a single slow one' : `Count: ${shortNumber(count)}`
      return [[`${shown.x ?? 'x'}: ${range(x0, x1)}`], [`${shown.y ?? 'y'}: ${range(y0, y1)}`], [what]]
    }
    const range = data.ranges[place]
    const x = plot.nines ? '' : `${shown.x ?? 'x'}: `
    const head = `${x}${range && !areWhole(data) ? range.map(nameX).join(' to ') : nameX(data.xs[place])}`
    const said = (shown.series ?? []).flatMap(({ label }, of) => {
      const columns = data.columns.flatMap((column, i) =>
        column.of === of && drawn.series[i + 1].show ? [column] : []
      )
      const values = columns.map(({ values }) => {
        const near = nearestValue(values, place)
        return near === null ? null : values[near]
      })
      if (values[0] == null) return []
      const [value, low, high] = values
      const ends = low == null || high == null ? '' : ` (${shortNumber(low)} to ${shortNumber(high)})`
      return [
        /** @type {[string, string]} */ ([`${label}: ${shortNumber(value)}${ends}`, paint(colourOf(of))])
      ]
    })
    return [[head], ...said]
  }
  const show = (/** @type {number} */ of, /** @type {boolean} */ isShown) => {
    for (const [i, column] of data.columns.entries())
      if (column.of === of) drawn.setSeries(i + 1, { show: isShown })
  }
  return {
    legend: legendOf(plot, show, data),
    find(left, top) {
      if (data.xs.length === 0) return null
      const at = left - overLeft()
      if (at < -4 || at > drawn.over.clientWidth + 4) return null
      const place = drawn.posToIdx(at)
      if (!isHeat) return place
      let [nearest, least] = [0, Infinity]
      for (const [i, [x0, x1, y0, y1]] of data.items.entries()) {
        const [x, y] = [drawn.posToVal(at, 'x'), drawn.posToVal(top - overTop(), 'y')]
        const isIn = x >= x0 && x <= x1 && y >= y0 && y <= y1
        const [itemLeft, itemTop] = position(i)
        const far = isIn ? 0 : 4 + Math.hypot(itemLeft - at, itemTop - (top - overTop()))
        if (far < least) [nearest, least] = [i, far]
      }
      return least < 40 ? nearest : null
    },
    step(place, right, up) {
      const count = isHeat ? data.items.length : data.xs.length
      const isShown = (/** @type {number} */ i) => inView(Number(middle(i)[0]))
      const places = Array.from({ length: count }, (_, i) => i).filter(isShown)
      const last = places.length - 1
      if (last < 0) return place ?? 0
      if (place === null) return right < 0 ? places[last] : places[0]
      const clamp = (/** @type {number} */ at) => places[Math.max(0, Math.min(last, at))]
      const at = places.indexOf(place)
      if (!isHeat || up !== 0) return clamp(at + (isHeat ? up : right || up * 10))
      // the item of the next column that lies at the same height
      const [x, y] = middle(place)
      const columns = [...new Set(places.map(i => Number(middle(i)[0])))]
      const column = columns[Math.max(0, Math.min(columns.length - 1, columns.indexOf(Number(x)) + right))]
      return places
        .filter(i => middle(i)[0] === column)
        .reduce((a, b) =>
          Math.abs(Number(middle(a)[1]) - Number(y)) <= Math.abs(Number(middle(b)[1]) - Number(y)) ? a : b
        )
    },
    point(place) {
      if (place === null) {
        drawn.setCursor({ left: -10, top: -10 })
        return null
      }
      const [left, top] = position(place)
      drawn.setCursor({ left, top: isHeat ? top : 1 }, false)
      return {
        left: left + overLeft(),
        top: isHeat ? top + overTop() : overTop(),
        lines: linesAt(place)
      }
    },
    reset,
    redraw: () => drawn.redraw(false, true),
    update(next) {
      const isWhole = drawn.scales.x.min === data.full[0] && drawn.scales.x.max === data.full[1]
      shown = next
      data = dataOf(next)
      drawn.setData(aligned(), false)
      if (isWhole) reset()
      else drawn.redraw(true, false)
    }
  }
}
