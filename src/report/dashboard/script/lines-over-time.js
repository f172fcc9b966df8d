import { made } from '../../page/script/parts.js'
import { axisOf, paints, said, seriesOf, yScale } from '../../page/script/plots.js'

/**
 * @typedef {import('./seen.js').Point} Point
 * @typedef {import('uplot')} Chart
 *
 * @typedef {object} Shown - a plot that goes on
 * @property {HTMLElement} element
 * @property {(points: readonly Point[]) => void} show
 */

const HEIGHT = 190
const COLOURS = ['var(--series-1)', 'var(--series-2)']

/**
 * linesOverTime is a plot of lines that grow.
 *
 * @param {{ title: string, series: readonly { label: string, key: Exclude<keyof Point, 'at'> }[] }} what
 * @returns {Shown}
 */
export function linesOverTime({ title, series }) {
  const signs = series.map(({ label }, i) => {
    const mark = made('i', { class: 'sign', 'aria-hidden': 'true' })
    mark.style.borderTop = `2px solid ${COLOURS[i]}`
    const output = made('output')
    return { output, item: made('li', {}, [mark, `${label} `, output]) }
  })
  const room = made('div')
  const live = made('div', { class: 'live', role: 'group', 'aria-label': title }, [room])
  const element = made('figure', { class: 'plot', hidden: '' }, [
    made('figcaption', {}, [made('h3', {}, [title])]),
    made(
      'ul',
      { class: 'legend' },
      signs.map(({ item }) => item)
    ),
    made('div', { class: 'frame' }, [live])
  ])
  /** @type {Chart | undefined} */
  let chart
  /** @type {readonly Point[]} */
  let drawn = []

  /** What is pointed at, or the latest. @param {number | null} [place] */
  const tell = place => {
    const point = place == null ? drawn.at(-1) : drawn[place]
    for (const [i, { key }] of series.entries()) {
      const value = point?.[key] ?? null
      signs[i].output.textContent = value === null ? '' : said(value)
    }
  }

  const begun = () => {
    const paint = paints(live)
    const { uPlot } = /** @type {{ uPlot: typeof import('uplot') }} */ (/** @type {unknown} */ (globalThis))
    const [x, y] = ['s', title].map(title => ({ title, domain: null }))
    const drawing = new uPlot(
      {
        width: Math.max(1, room.clientWidth),
        height: HEIGHT,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, sync: { key: 'time', scales: ['x', null] } },
        scales: {
          x: { time: false, range: (_chart, from, to) => [from, to > from ? to : from + 1] },
          y: yScale(y)
        },
        axes: [axisOf(x, paint, true), axisOf(y, paint, false)],
        series: [
          {},
          ...series.map(({ label }, i) => ({
            ...seriesOf({ label, colour: COLOURS[i], values: [] }, paint),
            spanGaps: true
          }))
        ],
        hooks: {
          setCursor: [({ cursor }) => tell(cursor.left == null || cursor.left < 0 ? null : cursor.idx)]
        }
      },
      undefined,
      room
    )
    new ResizeObserver(() => {
      if (room.clientWidth > 0 && room.clientWidth !== drawing.width)
        drawing.setSize({ width: room.clientWidth, height: HEIGHT })
    }).observe(element)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawing.redraw(false, true))
    return drawing
  }

  return {
    element,
    show(points) {
      drawn = points.filter(point => series.some(({ key }) => point[key] !== null))
      element.hidden = drawn.length === 0
      if (drawn.length === 0) return
      chart ??= begun()
      chart.setData(
        /** @type {any} */ ([
          drawn.map(({ at }) => at),
          ...series.map(({ key }) => drawn.map(point => point[key]))
        ])
      )
      tell()
    }
  }
}
