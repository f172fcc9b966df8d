import { made, whenResized } from './dom.js'
import { heatLegend } from './heat.js'
import { neighboursOf, shortNumber } from './values.js'

const MAX_HEIGHT = 460
const PADDING = 14

/** A shorter drag is a click. */
const LEAST_DRAG = 8

/**
 * graph draws nodes and the links between them.
 *
 * @param {import('./figure.js').Room} room
 * @param {import('../../description/description.js').Plot} plot
 * @returns {import('./figure.js').Drawing}
 */
export function graph({ element, paint, zoomed }, plot) {
  const { nodes = [], edges = [], y: title = '' } = plot
  const neighbours = neighboursOf(plot)
  const values = nodes.flatMap(([, , value]) => value ?? [])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const canvas = made('canvas')
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  const band = made('div', { class: 'u-select band', hidden: '' })
  element.append(canvas, band)
  const whole = { left: 0, top: 0, size: 1 }
  let [view, width, height] = [whole, 0, 0]
  /** @type {number | null} */
  let marked = null

  const scale = () => (Math.min(width, height) - 2 * PADDING) / view.size
  const origin = () => [(width - view.size * scale()) / 2, (height - view.size * scale()) / 2]
  const positionOf = (/** @type {number} */ node) => {
    const [x, y] = nodes[node].map(Number)
    const [left, top] = origin()
    return [left + (x - view.left) * scale(), top + (y - view.top) * scale()]
  }
  const radiusOf = (/** @type {number} */ node) => 2.5 + 5 * Number(nodes[node][3] ?? 0)
  const colourOf = (/** @type {number | null} */ value) =>
    value === null
      ? 'quiet'
      : `heat-${most > least ? 2 + Math.round((4 * (value - least)) / (most - least)) : 4}`

  function draw() {
    width = element.clientWidth
    height = Math.min(MAX_HEIGHT, Math.max(240, width))
    const ratio = devicePixelRatio
    Object.assign(canvas, { width: width * ratio, height: height * ratio })
    canvas.style.height = `${height}px`
    ctx.scale(ratio, ratio)
    const positions = nodes.map((_, i) => positionOf(i))
    const line = (
      /** @type {readonly number[][]} */ pairs,
      /** @type {string} */ colour,
      /** @type {number} */ alpha
    ) => {
      ctx.beginPath()
      for (const [a, b] of pairs) {
        if (!positions[a] || !positions[b]) continue
        ctx.moveTo(positions[a][0], positions[a][1])
        ctx.lineTo(positions[b][0], positions[b][1])
      }
      ctx.globalAlpha = alpha
      ctx.strokeStyle = paint(colour)
      ctx.stroke()
      ctx.globalAlpha = 1
    }
    line(edges, 'quiet', Math.max(0.08, Math.min(0.5, 150 / edges.length)))
    for (const [i, [left, top]] of positions.entries()) {
      ctx.beginPath()
      ctx.arc(left, top, radiusOf(i), 0, 2 * Math.PI)
      ctx.fillStyle = paint(colourOf(nodes[i][2]))
      ctx.fill()
      ctx.strokeStyle = paint('paper')
      ctx.stroke()
    }
    if (marked === null) return
    const from = marked
    ctx.lineWidth = 1.5
    line(
      neighbours[from].map(to => [from, to]),
      'series-2',
      1
    )
    for (const node of [...neighbours[from], from]) {
      ctx.beginPath()
      ctx.arc(positions[node][0], positions[node][1], radiusOf(node) + 1, 0, 2 * Math.PI)
      ctx.strokeStyle = paint(node === from ? 'ink' : 'series-2')
      ctx.stroke()
    }
  }
  const show = (/** @type {typeof whole} */ next) => {
    view = next
    zoomed(view !== whole)
    draw()
  }

  /** @type {[number, number] | null} */
  let began = null
  const pointed = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const { left, top } = element.getBoundingClientRect()
    return /** @type {[number, number]} */ ([clientX - left, clientY - top])
  }
  canvas.addEventListener('pointerdown', event => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return
    began = pointed(event)
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener('pointermove', event => {
    if (began === null) return
    const [left, top] = pointed(event)
    band.hidden = Math.hypot(left - began[0], top - began[1]) < LEAST_DRAG
    const box = {
      left: Math.min(left, began[0]),
      top: Math.min(top, began[1]),
      width: Math.abs(left - began[0]),
      height: Math.abs(top - began[1])
    }
    for (const [name, pixels] of Object.entries(box)) band.style.setProperty(name, `${pixels}px`)
  })
  canvas.addEventListener('pointerup', event => {
    if (began === null) return
    const [[left, top], [fromLeft, fromTop]] = [pointed(event), began]
    began = null
    if (band.hidden) return
    band.hidden = true
    const [x, y] = origin()
    const size = Math.max(Math.abs(left - fromLeft), Math.abs(top - fromTop)) / scale()
    const middle = [
      view.left + ((left + fromLeft) / 2 - x) / scale(),
      view.top + ((top + fromTop) / 2 - y) / scale()
    ]
    show({ left: middle[0] - size / 2, top: middle[1] - size / 2, size: Math.max(size, 1e-3) })
  })
  whenResized(element, draw)
  draw()

  const orders = [0, 1].map(axis =>
    nodes.map((_, i) => i).sort((a, b) => Number(nodes[a][axis]) - Number(nodes[b][axis]))
  )
  return {
    legend: values.length === 0 ? [] : [heatLegend(least, most, title)],
    find(left, top) {
      let [nearest, close] = [/** @type {number | null} */ (null), 24]
      for (const i of nodes.keys()) {
        const [x, y] = positionOf(i)
        const far = Math.hypot(x - left, y - top)
        if (far < close) [nearest, close] = [i, far]
      }
      return nearest
    },
    step(place, right, up) {
      const order = orders[right === 0 ? 1 : 0]
      if (place === null) return order[0]
      return order[Math.max(0, Math.min(order.length - 1, order.indexOf(place) + (right || -up)))]
    },
    point(place) {
      marked = place
      draw()
      if (place === null) return null
      const [left, top] = positionOf(place)
      const value = nodes[place][2]
      return {
        ...{ left, top },
        lines: [
          [`Node ${place}`],
          ...(value === null
            ? []
            : [/** @type {[string]} */ ([`${title === '' ? 'Value' : title}: ${shortNumber(value)}`])]),
          [`Links: ${neighbours[place].length}`]
        ]
      }
    },
    reset: () => show(whole),
    redraw: draw
  }
}
