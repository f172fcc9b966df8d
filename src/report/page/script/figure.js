import { chart } from './chart.js'
import { button, csvButton, made } from './dom.js'
import { flame } from './flame.js'
import { graph } from './graph.js'
import { grid } from './grid.js'
import { plotRows, shortNumber } from './values.js'

/**
 * @typedef {import('../../description/description.js').Plot} Plot
 *
 * @typedef {{ left: number, top: number, lines: (readonly [text: string, colour?: string])[] }} Tip - in CSS pixels of the room
 *
 * @typedef {object} Drawing - a plot in its room
 * @property {HTMLElement[]} legend
 * @property {(left: number, top: number) => number | null} find - place of what is drawn at a point
 * @property {(place: number | null, right: number, up: number) => number} step - the place that arrow keys lead to
 * @property {(place: number | null) => Tip | null} point - marks a place and says what is there
 * @property {(place: number) => void} [press]
 * @property {() => void} [reset] - shows all of it again
 * @property {() => void} redraw - in the colours of the theme
 * @property {(plot: Plot) => void} [update] - shows other values of the same series
 *
 * @typedef {object} Room
 * @property {HTMLElement} element
 * @property {(colour: string) => string} paint - a colour of the style sheet, by the name of its variable
 * @property {(isZoomed: boolean) => void} zoomed
 */

/** @type {Record<Plot['kind'], (room: Room, plot: Plot) => Drawing>} */
const DRAW = { lines: chart, bars: chart, heat: chart, grid, graph, flame }

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
    const { title } = plotOf()
    const { headings, rows } = plotRows(plotOf())
    const texts = rows
      .slice(0, MAX_ROWS)
      .map(row =>
        row.map(cell => (typeof cell === 'number' ? shortNumber(cell) : cell === null ? '–' : cell))
      )
    const table = made('table', {}, [
      made('thead', {}, [
        made(
          'tr',
          {},
          headings.map(heading => made('th', { scope: 'col' }, [heading]))
        )
      ]),
      made(
        'tbody',
        {},
        texts.map(row =>
          made(
            'tr',
            {},
            row.map((text, i) => made('td', typeof rows[0][i] === 'number' ? { class: 'r' } : {}, [text]))
          )
        )
      )
    ])
    const box = made(
      'div',
      { class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': `${title}, values` },
      [table]
    )
    const more =
      rows.length > MAX_ROWS ? [`The first ${MAX_ROWS} of ${rows.length} rows; the CSV file has all.`] : []
    element.replaceChildren(
      element.children[0],
      box,
      ...more.map(text => made('p', { class: 'quiet' }, [text]))
    )
  })
  return element
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
  const whole = button('Show all', () => drawing.reset?.(), { hidden: '' })
  const values = valuesOf(() => shown)
  figure.append(
    legend,
    ...(plot.y === undefined || plot.kind === 'graph' ? [] : [made('small', {}, [plot.y])]),
    live,
    ...(plot.x === undefined || plot.kind === 'grid' ? [] : [made('small', { class: 'r' }, [plot.x])]),
    made('div', { class: 'tools' }, [whole, csvButton(plot.id, () => rowsWithHeadings(shown)), values])
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

  /** @type {number | null} */
  let place = null
  const tell = (/** @type {number | null} */ to) => {
    place = to
    const said = drawing.point(place)
    tip.classList.toggle('shown', said !== null)
    if (said === null) return
    const hidden = said.lines.length - MAX_LINES
    const more = hidden > 0 ? [/** @type {const} */ ([`and ${hidden} more`])] : []
    tip.replaceChildren(
      ...[...said.lines.slice(0, MAX_LINES), ...more].map(([text, colour]) => {
        const mark = made('i', { class: 'dot' })
        if (colour) mark.style.background = colour
        return made('div', {}, [...(colour ? [mark] : []), text])
      })
    )
    // beside the point, where there is room
    const room = live.clientWidth - tip.offsetWidth
    const beside = said.left > live.clientWidth / 2 ? said.left - tip.offsetWidth - 12 : said.left + 12
    tip.style.left = `${Math.max(0, Math.min(room, beside))}px`
    // above the point, where that is in view
    const above = said.top - tip.offsetHeight - 8
    tip.style.top = `${live.getBoundingClientRect().top + above > 0 ? above : said.top + 24}px`
  }
  const at = (/** @type {MouseEvent} */ { clientX, clientY }) => {
    const { left, top } = box.getBoundingClientRect()
    return drawing.find(clientX - left, clientY - top)
  }
  for (const event of /** @type {const} */ (['pointermove', 'pointerdown']))
    live.addEventListener(event, moved => tell(at(moved)))
  live.addEventListener('pointerleave', () => tell(null))
  live.addEventListener('blur', () => tell(null))
  box.addEventListener('click', clicked => {
    const pressed = at(clicked)
    if (pressed !== null) drawing.press?.(pressed)
  })
  box.addEventListener('dblclick', () => drawing.reset?.())
  live.addEventListener('keydown', event => {
    const step = STEPS[event.key]
    if (step !== undefined) tell(drawing.step(place, ...step))
    else if (event.key === 'Enter' && place !== null) drawing.press?.(place)
    else if (event.key === 'Escape') drawing.reset?.()
    else return
    event.preventDefault()
  })
  for (const media of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(media).addEventListener('change', () => drawing.redraw())
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

/** @param {Plot} plot */
const rowsWithHeadings = plot => {
  const { headings, rows } = plotRows(plot)
  return [headings, ...rows]
}

/** All of a plot but its values. @param {Plot} plot */
const lookOf = ({ kind, x, y, series = [] }) =>
  JSON.stringify([kind, x, y, series.map(({ label, style, values }) => [label, style, values[0]?.length])])
