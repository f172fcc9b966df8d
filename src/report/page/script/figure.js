// A plot on a page in the browser, with its legend, switches and table of values.

import { chooseShade, drawChart, makeHeatLegend } from './chart.js'
import { makeButton, makeCsvButton, makeElement, makeElementDrawing, makeTableElement } from './elements.js'
import { clampPlace, formatPlotCell, formatShortNumber, listFrames, listPlotRows } from './values.js'

const ROW = 19

/** Narrower frames are not drawn, as a share of the width. */
const MIN_SHARE = 0.0008

/**
 * flame draws frames of a flame graph, the root above. A frame that is pressed takes the whole width.
 *
 * @param {FigureBox} room
 * @param {import('../../schema.js').Plot} plot
 * @returns {Drawing}
 */
function flame({ element, zoomed }, { root = { name: '', value: 0 }, y = 'Value' }) {
  const frames = listFrames(root)
  const categories = [...new Set(frames.flatMap(({ frame }) => frame.category ?? []))]
  const lookOf = (/** @type {string | undefined} */ category) =>
    category === undefined ? 'w0' : `w${(categories.indexOf(category) % 6) + 1}`
  const boxes = frames.map(({ frame, depth }) => {
    const box = makeElement('div', { class: lookOf(frame.category) }, [frame.name])
    box.style.top = `${depth * ROW}px`
    return box
  })
  const inner = makeElement('div', { class: 'frames' }, boxes)
  inner.style.height = `${(Math.max(...frames.map(({ depth }) => depth)) + 1) * ROW}px`
  element.append(inner)
  function show(/** @type {{ from: number, to: number }} */ view) {
    const width = view.to - view.from
    zoomed(width < 1)
    for (const [i, box] of boxes.entries()) {
      const [from, to] = [frames[i].from, frames[i].to].map(at =>
        Math.max(0, Math.min(1, (at - view.from) / width))
      )
      box.hidden = to - from < MIN_SHARE
      box.style.left = `${100 * from}%`
      box.style.width = `calc(${100 * (to - from)}% - 1px)`
    }
  }
  const whole = { from: 0, to: 1 }
  show(whole)
  return {
    legend: categories.map(category =>
      makeElement('span', {}, [
        makeElement('i', { class: `dot ${lookOf(category)}`, 'aria-hidden': 'true' }),
        category
      ])
    ),
    ...makeElementDrawing(element, boxes, place => {
      const { name, value, self, category } = frames[place].frame
      const share = (100 * value) / (root.value || 1)
      return [
        name,
        `${y}: ${formatShortNumber(value)} (${formatShortNumber(share)} %)`,
        ...(self === undefined ? [] : [`Self: ${formatShortNumber(self)}`]),
        ...(category === undefined ? [] : [category])
      ].map(text => [text])
    }),
    step(place, right, up) {
      if (place === null) return 0
      const { depth, parent } = frames[place]
      if (up > 0) return Math.max(0, parent)
      // down to the widest, aside to the next at this depth
      const places = [...frames.keys()].filter(
        i => !boxes[i].hidden && (up < 0 ? frames[i].parent === place : frames[i].depth === depth)
      )
      if (up < 0) return places.sort((a, b) => frames[b].frame.value - frames[a].frame.value)[0] ?? place
      return places[clampPlace(places.indexOf(place) + right, places.length)] ?? place
    },
    press: place => show(frames[place]),
    reset: () => show(whole)
  }
}

/** With more columns, cells are too narrow for a text. */
const MAX_TEXT_COLUMNS = 14

/**
 * grid draws a value for each row and column: numbers in shades, other values in colours of their own.
 *
 * @param {FigureBox} room
 * @param {import('../../schema.js').Plot} plot
 * @returns {Drawing}
 */
function grid({ element }, { x = '', grid = { columns: [], rows: [], values: [] } }) {
  const { columns, rows } = grid
  const values = grid.values.flat()
  const numbers = values.filter(value => typeof value === 'number')
  const ends = [Math.min(...numbers), Math.max(...numbers)]
  const words = [...new Set(values.filter(value => typeof value === 'string'))]
  const isShort = columns.length > MAX_TEXT_COLUMNS
  const lookOf = (/** @type {string | number | null} */ value) => {
    if (value === null) return ''
    return typeof value === 'string' ? `w${(words.indexOf(value) % 6) + 1}` : `h${chooseShade(value, ends)}`
  }
  const cells = values.map(value =>
    makeElement('td', { class: lookOf(value) }, isShort ? [] : [formatPlotCell(value)])
  )
  const table = makeTableElement(
    [x, ...columns.map(column => (isShort ? '' : column))],
    rows.map((row, i) => [
      makeElement('th', { scope: 'row' }, [row]),
      ...cells.slice(i * columns.length, (i + 1) * columns.length)
    ])
  )
  table.className = isShort ? 'cells short' : 'cells'
  element.append(makeElement('div', { class: 'scroll' }, [table]))
  const at = (/** @type {number} */ place) => [Math.floor(place / columns.length), place % columns.length]
  return {
    legend: numbers.length === 0 ? [] : [makeHeatLegend(ends)],
    ...makeElementDrawing(element, cells, place => {
      const [row, column] = at(place)
      return [[`${rows[row]}, ${columns[column]}`], [formatPlotCell(values[place])]]
    }),
    step(place, right, up) {
      if (place === null) return 0
      const [row, column] = at(place)
      return clampPlace(row - up, rows.length) * columns.length + clampPlace(column + right, columns.length)
    }
  }
}

/**
 * @typedef {import('../../schema.js').Plot} Plot
 *
 * @typedef {{ left: number, top: number, lines: (readonly [text: string, colour?: string])[] }} Tip - in CSS pixels of the room
 *
 * @typedef {object} Drawing - a plot in its room
 * @property {HTMLElement[]} legend
 * @property {(at: MouseEvent) => number | null} find - place of what is pointed at
 * @property {(place: number | null, right: number, up: number) => number} step - the place that arrow keys lead to
 * @property {(place: number | null) => Tip | null} point - marks a place and says what is there
 * @property {(place: number) => void} [press]
 * @property {() => void} [reset] - shows all of it again
 * @property {() => void} [redraw] - in the colours of the theme
 * @property {(plot: Plot) => void} [update] - shows other values of the same series
 *
 * @typedef {object} FigureBox
 * @property {HTMLElement} element
 * @property {(colour: string) => string} paint - a colour of the style sheet, by the name of its variable
 * @property {(isZoomed: boolean) => void} zoomed
 */

/** @type {Record<Plot['kind'], (box: FigureBox, plot: Plot) => Drawing>} */
const DRAW = { lines: drawChart, bars: drawChart, heat: drawChart, graph: drawChart, grid, flame }

/** @type {Readonly<Record<string, [right: number, up: number]>>} */
const STEPS = {
  ...{ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] },
  ...{ Home: [-1e6, 0], End: [1e6, 0], PageUp: [-10, 0], PageDown: [10, 0] }
}

const MAX_ROWS = 200

/** Of more series, those that come first are said. */
const MAX_LINES = 11

/** The values of a plot, for who cannot see it. They are written when they are asked for. @param {() => Plot} plotOf */
function valuesOf(plotOf) {
  const element = makeElement('details', {}, [makeElement('summary', {}, ['Values'])])
  element.addEventListener('toggle', () => {
    if (!element.open) return
    const { headings, rows } = listPlotRows(plotOf())
    const cells = rows
      .slice(0, MAX_ROWS)
      .map(row =>
        row.map((cell, i) =>
          makeElement('td', typeof rows[0][i] === 'number' ? { class: 'r' } : {}, [formatPlotCell(cell)])
        )
      )
    const label = `${plotOf().title}, values`
    element.replaceChildren(
      element.children[0],
      makeElement('div', { class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': label }, [
        makeTableElement(headings, cells)
      ])
    )
    const more = `The first ${MAX_ROWS} of ${rows.length} rows; the CSV file has all.`
    if (rows.length > MAX_ROWS) element.append(makeElement('p', { class: 'quiet' }, [more]))
  })
  return element
}

/** The sign of a series in its colour. @param {string} colour */
function signOf(colour) {
  const sign = makeElement('i', { class: 'dot' })
  sign.style.background = colour
  return sign
}

/** Says what is at a place, beside it and above it where there is room. @param {HTMLElement} live @param {HTMLElement} tip @param {Tip | null} tooltip */
function showTip(live, tip, tooltip) {
  tip.classList.toggle('shown', tooltip !== null)
  if (tooltip === null) return
  const { left, top, lines } = tooltip
  const more = lines.length > MAX_LINES ? [[`and ${lines.length - MAX_LINES} more`]] : []
  tip.replaceChildren(
    ...[...lines.slice(0, MAX_LINES), ...more].map(([text, colour]) =>
      makeElement('div', {}, [...(colour ? [signOf(colour)] : []), text])
    )
  )
  const beside = left > live.clientWidth / 2 ? left - tip.offsetWidth - 12 : left + 12
  tip.style.left = `${Math.max(0, Math.min(live.clientWidth - tip.offsetWidth, beside))}px`
  const above = top - tip.offsetHeight - 8
  tip.style.top = `${live.getBoundingClientRect().top + above > 0 ? above : top + 24}px`
}

/**
 * drawFigure draws a plot in its figure, with all that can be asked of it.
 *
 * @param {HTMLElement} figure
 * @param {Plot} plot
 */
export function drawFigure(figure, plot) {
  let shown = plot
  const box = makeElement('div', { class: 'room' })
  const tip = makeElement('div', { class: 'tip', role: 'status' })
  const how = `${plot.title}. Arrow keys move to values${plot.kind === 'flame' ? ', Enter enlarges a frame' : ''}, Escape shows all.`
  const live = makeElement('div', { class: 'live', role: 'group', tabindex: '0', 'aria-label': how }, [
    box,
    tip
  ])
  const legend = makeElement('div', { class: 'legend' })
  const reset = () => drawing.reset?.()
  const whole = makeButton(['Show all'], reset)
  whole.hidden = true
  const csv = makeCsvButton(plot.id, () => {
    const { headings, rows } = listPlotRows(shown)
    return [headings, ...rows]
  })
  figure.append(
    legend,
    ...(plot.y === undefined || plot.kind === 'graph' ? [] : [makeElement('small', {}, [plot.y])]),
    live,
    ...(plot.x === undefined || plot.kind === 'grid' ? [] : [makeElement('small', { class: 'r' }, [plot.x])]),
    makeElement('div', { class: 'tools' }, [whole, csv, valuesOf(() => shown)])
  )
  const drawing = DRAW[plot.kind](
    {
      element: box,
      paint: name => getComputedStyle(figure).getPropertyValue(`--${name}`).trim(),
      zoomed: isZoomed => {
        whole.hidden = !isZoomed
      }
    },
    plot
  )
  legend.append(...drawing.legend)
  legend.hidden = drawing.legend.length === 0
  follow(live, box, drawing, place => showTip(live, tip, drawing.point(place)))
  for (const media of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(media).addEventListener('change', () => drawing.redraw?.())
  return {
    /** update shows other values; false: the plot must be drawn anew. @param {Plot} next */
    update(next) {
      if (drawing.update === undefined || lookOf(next) !== lookOf(shown)) return false
      shown = next
      drawing.update(next)
      return true
    }
  }
}

/** Tells what is pointed at, by pointer and by keys. @param {HTMLElement} live @param {HTMLElement} box @param {Drawing} drawing @param {(place: number | null) => void} show */
function follow(live, box, drawing, show) {
  /** @type {number | null} */
  let place = null
  const tell = (/** @type {number | null} */ to) => {
    place = to
    show(to)
  }
  const press = () => place !== null && drawing.press?.(place)
  for (const event of /** @type {const} */ (['pointermove', 'pointerdown']))
    live.addEventListener(event, moved => tell(drawing.find(moved)))
  for (const event of ['pointerleave', 'blur']) live.addEventListener(event, () => tell(null))
  box.addEventListener('click', press)
  box.addEventListener('dblclick', () => drawing.reset?.())
  live.addEventListener('keydown', event => {
    const step = STEPS[event.key]
    if (step !== undefined) tell(drawing.step(place, ...step))
    else if (event.key === 'Enter') press()
    else if (event.key === 'Escape') drawing.reset?.()
    else return
    event.preventDefault()
  })
}

/** All of a plot but its values. @param {Plot} plot */
const lookOf = ({ kind, x, y, series = [] }) =>
  JSON.stringify([kind, x, y, series.map(({ label, style, values }) => [label, style, values[0]?.length])])
