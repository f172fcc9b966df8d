import { made } from './dom.js'
import { shortNumber } from './values.js'

/** shadeOf is the shade of a value between two others. @param {number} value @param {readonly number[]} ends @param {number} [first] - the lightest */
export const shadeOf = (value, [least, most], first = 1) =>
  most > least ? first + Math.round(((6 - first) * (value - least)) / (most - least)) : 3

/** heatLegend shows what shades stand for. @param {readonly number[]} ends @param {string} [title] */
export const heatLegend = ([least, most], title = '') =>
  made('span', { class: 'scale' }, [
    shortNumber(least),
    made('i', { class: 'shades', 'aria-hidden': 'true' }),
    `${shortNumber(most)} ${title}`.trim()
  ])

/** dotOf is the sign of a colour in a legend. @param {string} colour - name of a variable of the style sheet */
export function dotOf(colour) {
  const dot = made('i', { class: 'dot', 'aria-hidden': 'true' })
  dot.style.background = `var(--${colour})`
  return dot
}

/** Of a heat map: one slow operation, and one that failed. */
const DOTS = [
  ['heat-6', 'a single slow one', 'single slow ones'],
  ['failed', 'failed', 'failed']
]

/** heatContent is what a heat map draws. @param {import('../../description/description.js').Plot} plot @param {import('./figure.js').Room['paint']} paint @returns {import('./chart.js').Content} */
export function heatContent({ x = 'x', y = 'y', logY, cells = [], dots = [] }, paint) {
  const boxes = [...cells, ...dots.map(([at, value]) => [at, at, value, value])]
  const [endsOfX, endsOfY] = [0, 2].map(at => boxes.flatMap(box => box.slice(at, at + 2)))
  const most = Math.max(1, ...cells.map(([, , , , count]) => count))
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
          count === undefined ? dotAt(place)[0] : `heat-${shadeOf(Math.log(count), [0, Math.log(most)])}`
        )
        ctx.fill()
      }
    },
    linesAt(place) {
      const [x0, x1, y0, y1, count] = boxes[place]
      const range = (/** @type {number} */ from, /** @type {number} */ to) =>
        from === to ? shortNumber(from) : `${shortNumber(from)} to ${shortNumber(to)}`
      const what = count === undefined ? dotAt(place)[1] : `Count: ${shortNumber(count)}`
      return [[`${x}: ${range(x0, x1)}`], [`${y}: ${range(y0, y1)}`], [what]]
    },
    legend: () => [
      heatLegend([1, most]),
      ...DOTS.filter(dot => dots.some((_, i) => dotAt(cells.length + i) === dot)).map(([colour, , text]) =>
        made('span', {}, [dotOf(colour), text])
      )
    ]
  }
}
