import { heatLegend, shadeOf } from './heat.js'
import { neighboursOf, shortNumber } from './values.js'

/** graphContent draws nodes and the links between them. @param {import('../../description/description.js').Plot} plot @param {import('./figure.js').Room['paint']} paint @returns {import('./chart.js').Content} */
export function graphContent(plot, paint) {
  const { nodes = [], edges = [], y: title = 'Value' } = plot
  const neighbours = neighboursOf(plot)
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
      ctx.fillStyle = paint(value === null ? 'quiet' : `heat-${shadeOf(value, ends, 2)}`)
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
      const said = value === null ? [] : [`${title}: ${shortNumber(value)}`]
      return [`Node ${place}`, ...said, `Links: ${neighbours[place].length}`].map(text => [text])
    },
    legend: () => (values.length === 0 ? [] : [heatLegend(ends, plot.y)])
  }
}
