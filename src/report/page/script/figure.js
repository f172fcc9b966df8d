import { chart } from './chart.js'
import { button, csvButton, made, tableOf } from './dom.js'
import { flame } from './flame.js'
import { grid } from './grid.js'
import { plotRows, textOf } from './values.js'

/**
 * @typedef {import('../../description/description.js').Plot} Plot
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
 * @typedef {object} Room
 * @property {HTMLElement} element
 * @property {(colour: string) => string} paint - a colour of the style sheet, by the name of its variable
 * @property {(isZoomed: boolean) => void} zoomed
 */

/** @type {Record<Plot['kind'], (room: Room, plot: Plot) => Drawing>} */
const DRAW = { lines: chart, bars: chart, heat: chart, graph: chart, grid, flame }

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
  const element = made('details', {}, [made('summary', {}, ['Values'])])
  element.addEventListener('toggle', () => {
    if (!element.open) return
    const { headings, rows } = plotRows(plotOf())
    const cells = rows
      .slice(0, MAX_ROWS)
      .map(row =>
        row.map((cell, i) => made('td', typeof rows[0][i] === 'number' ? { class: 'r' } : {}, [textOf(cell)]))
      )
    const label = `${plotOf().title}, values`
    element.replaceChildren(
      element.children[0],
      made('div', { class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': label }, [
        tableOf(headings, cells)
      ])
    )
    const more = `The first ${MAX_ROWS} of ${rows.length} rows; the CSV file has all.`
    if (rows.length > MAX_ROWS) element.append(made('p', { class: 'quiet' }, [more]))
  })
  return element
}

/** The sign of a series in its colour. @param {string} colour */
function signOf(colour) {
  const sign = made('i', { class: 'dot' })
  sign.style.background = colour
  return sign
}

/** Says what is at a place, beside it and above it where there is room. @param {HTMLElement} live @param {HTMLElement} tip @param {Tip | null} said */
function showTip(live, tip, said) {
  tip.classList.toggle('shown', said !== null)
  if (said === null) return
  const { left, top, lines } = said
  const more = lines.length > MAX_LINES ? [[`and ${lines.length - MAX_LINES} more`]] : []
  tip.replaceChildren(
    ...[...lines.slice(0, MAX_LINES), ...more].map(([text, colour]) =>
      made('div', {}, [...(colour ? [signOf(colour)] : []), text])
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
  const box = made('div', { class: 'room' })
  const tip = made('div', { class: 'tip', role: 'status' })
  const how = `${plot.title}. Arrow keys move to values${plot.kind === 'flame' ? ', Enter enlarges a frame' : ''}, Escape shows all.`
  const live = made('div', { class: 'live', role: 'group', tabindex: '0', 'aria-label': how }, [box, tip])
  const legend = made('div', { class: 'legend' })
  const reset = () => drawing.reset?.()
  const whole = button(['Show all'], reset)
  whole.hidden = true
  const csv = csvButton(plot.id, () => {
    const { headings, rows } = plotRows(shown)
    return [headings, ...rows]
  })
  figure.append(
    legend,
    ...(plot.y === undefined || plot.kind === 'graph' ? [] : [made('small', {}, [plot.y])]),
    live,
    ...(plot.x === undefined || plot.kind === 'grid' ? [] : [made('small', { class: 'r' }, [plot.x])]),
    made('div', { class: 'tools' }, [whole, csv, valuesOf(() => shown)])
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
