import { chartIn, paints, said } from '../../page/script/chart.js'
import { made } from '../../page/script/parts.js'

/**
 * @typedef {import('./seen.js').Point} Point
 * @typedef {import('uplot')} Chart
 *
 * @typedef {object} Line
 * @property {string} label
 * @property {Exclude<keyof Point, 'at'>} key
 *
 * @typedef {object} Shown - a plot that goes on
 * @property {HTMLElement} element
 * @property {(points: readonly Point[]) => void} show
 */

const HEIGHT = 190
const COLOURS = ['var(--series-1)', 'var(--series-2)']

/** A legend that says values. @param {readonly Line[]} lines */
function linesLegend(lines) {
  const outputs = lines.map(() => made('output'))
  const items = lines.map(({ label }, i) => {
    const mark = made('i', { class: 'sign', 'aria-hidden': 'true' })
    mark.style.borderTop = `2px solid ${COLOURS[i]}`
    return made('li', {}, [mark, `${label} `, outputs[i]])
  })
  return {
    element: made('ul', { class: 'legend' }, items),
    /** @param {Point | undefined} point */
    tell(point) {
      for (const [i, { key }] of lines.entries()) {
        const value = point?.[key] ?? null
        outputs[i].textContent = value === null ? '' : said(value)
      }
    }
  }
}

/**
 * @param {HTMLElement} room
 * @param {string} title
 * @param {readonly Line[]} lines
 * @param {(place: number | null | undefined) => void} pointAt
 */
function linesChart(room, title, lines, pointAt) {
  const [x, y] = ['s', title].map(title => ({ title, domain: null }))
  return chartIn(room, {
    ...{ paint: paints(/** @type {HTMLElement} */ (room.parentElement)), height: HEIGHT, x, y },
    across: { x: { time: false, range: (_chart, from, to) => [from, to > from ? to : from + 1] } },
    series: lines.map(({ label }, i) => ({ label, colour: COLOURS[i], values: [] })),
    cursor: { sync: { key: 'time', scales: ['x', null] } },
    hooks: {
      setCursor: [({ cursor }) => pointAt(cursor.left == null || cursor.left < 0 ? null : cursor.idx)]
    }
  })
}

/**
 * linesOverTime is a plot of lines that grow.
 *
 * @param {{ title: string, series: readonly Line[] }} what
 * @returns {Shown}
 */
export function linesOverTime({ title, series: lines }) {
  const legend = linesLegend(lines)
  const room = made('div')
  const live = made('div', { class: 'live', role: 'group', 'aria-label': title }, [room])
  const element = made('figure', { class: 'plot', hidden: '' }, [
    made('figcaption', {}, [made('h3', {}, [title])]),
    legend.element,
    made('div', { class: 'frame' }, [live])
  ])
  /** @type {Chart | undefined} */
  let chart
  /** @type {readonly Point[]} */
  let drawn = []
  return {
    element,
    show(points) {
      drawn = points.filter(point => lines.some(({ key }) => point[key] !== null))
      element.hidden = drawn.length === 0
      if (drawn.length === 0) return
      // what is pointed at, or the latest
      chart ??= linesChart(room, title, lines, place =>
        legend.tell(place == null ? drawn.at(-1) : drawn[place])
      )
      chart.setData(
        /** @type {any} */ ([
          drawn.map(({ at }) => at),
          // nothing is said there: the line goes on
          ...lines.map(({ key }) => drawn.map(point => point[key] ?? undefined))
        ])
      )
      legend.tell(drawn.at(-1))
    }
  }
}
