import { made } from './dom.js'
import { shortNumber } from './values.js'

/**
 * @typedef {import('./chart.js').Drawn} Drawn
 * @typedef {import('./figure.js').Room} Room
 */

/** What an item of a heat map is: a cell, one slow operation, or one that failed. */
const [CELL, SLOW, FAILED] = [0, 1, 2]

/** heatStep is the shade of a count, 1 to 6, by its logarithm. @param {number} count @param {number} most */
export const heatStep = (count, most) =>
  most <= 1 || count <= 0 ? 1 : 1 + Math.min(5, Math.floor((6 * Math.log(count)) / Math.log(most * 1.001)))

/** heatLegend shows what shades stand for. @param {number} least @param {number} most @param {string} [title] */
export const heatLegend = (least, most, title = '') =>
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

/** heatContent is what a heat map draws. @param {import('../../description/description.js').Plot} plot @param {Room['paint']} paint @returns {Drawn} */
export function heatContent({ x = 'x', y = 'y', logY, cells = [], dots = [] }, paint) {
  const items = [
    ...cells.map(([x0, x1, y0, y1, count]) => [x0, x1, y0, y1, count, CELL]),
    ...dots.map(([at, value, failed]) => [at, at, value, value, 1, failed ? FAILED : SLOW])
  ].sort((a, b) => a[0] + a[1] - b[0] - b[1] || a[2] - b[2])
  const xs = [...new Set(items.map(([x0, x1]) => (x0 + x1) / 2))]
  const [endsOfX, endsOfY] = [0, 2].map(at => items.flatMap(item => item.slice(at, at + 2)))
  const most = Math.max(...items.map(([, , , , count]) => count))
  const has = (/** @type {number} */ kind) => items.some(item => item[5] === kind)
  return {
    ...{ xs, columns: [{ of: 0, part: 0, values: xs.map(() => null) }], isWhole: false },
    full: [Math.min(...endsOfX), Math.max(...endsOfX)],
    points: items.map(([x0, x1, y0, y1]) => [(x0 + x1) / 2, logY ? Math.sqrt(y0 * y1) : (y0 + y1) / 2]),
    isIn: (place, x, y) => {
      const [x0, x1, y0, y1] = items[place]
      return x >= x0 && x <= x1 && y >= y0 && y <= y1
    },
    rangeOfY: () =>
      logY
        ? [Math.min(...endsOfY.filter(end => end > 0)) / 1.15, Math.max(...endsOfY) * 1.15]
        : [0, Math.max(...endsOfY) * 1.05],
    draw(chart) {
      const { ctx } = chart
      for (const [x0, x1, y0, y1, count, kind] of items) {
        const [left, right] = [x0, x1].map(x => Math.round(chart.valToPos(x, 'x', true)))
        const [bottom, top] = [y0, y1].map(y => Math.round(chart.valToPos(y, 'y', true)))
        ctx.fillStyle = paint(
          kind === FAILED ? 'failed' : `heat-${kind === SLOW ? 6 : heatStep(count, most)}`
        )
        ctx.beginPath()
        if (kind === CELL) ctx.rect(left, top, Math.max(1, right - left), Math.max(1, bottom - top))
        else ctx.arc(left, top, 2.5 * devicePixelRatio, 0, 2 * Math.PI)
        ctx.fill()
      }
    },
    linesAt(place) {
      const [x0, x1, y0, y1, count, kind] = items[place]
      const range = (/** @type {number} */ from, /** @type {number} */ to) =>
        from === to ? shortNumber(from) : `${shortNumber(from)} to ${shortNumber(to)}`
      const what =
        kind === FAILED ? 'failed' : kind === SLOW ? 'a single slow one' : `Count: ${shortNumber(count)}`
      return [[`${x}: ${range(x0, x1)}`], [`${y}: ${range(y0, y1)}`], [what]]
    },
    legend: () => [
      heatLegend(1, most),
      ...(has(SLOW) ? [made('span', {}, [dotOf('heat-6'), 'single slow ones'])] : []),
      ...(has(FAILED) ? [made('span', {}, [dotOf('failed'), 'failed'])] : [])
    ]
  }
}
