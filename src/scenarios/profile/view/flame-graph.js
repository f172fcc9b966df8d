import { html } from '../../../kit/html.js'
import { CATEGORIES } from '../measure/category.js'

/**
 * @typedef {import('../measure/folded.js').FoldedCall} FoldedCall
 * @typedef {import('../measure/category.js').Category} Category
 *
 * @typedef {object} Box - a call as drawn
 * @property {FoldedCall} call
 * @property {number} x
 * @property {number} y
 * @property {number} width
 *
 * @typedef {{ category: Category, colour: string }} FlameLegendEntry
 */

const ROW = 18
const GAP = 0.5
const PADDING = 4
const FONT_SIZE = 11
/** Letters of one width, so that what fits is known without a browser. */
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
const LETTER = 6.7
const LEAST_WIDTH = 0.3
const LEAST_LETTERS = 3

/** Letters on the boxes are dark on both papers, since the boxes are light on both. */
const LETTERS = 'var(--flame-ink, #16191d)'

/**
 * All have 7:1 or more with the letters on them.
 *
 * @type {Readonly<Record<Category, string>>}
 */
const LIGHT = {
  signature: '#f4917c',
  'key handling': '#f4b183',
  encryption: '#e8c547',
  hashing: '#d9d56b',
  muxer: '#6cc5b0',
  gossipsub: '#7fb2e5',
  protobuf: '#b5a3e0',
  socket: '#8fca72',
  events: '#e3a1c9',
  libp2p: '#a9cbe8',
  'load generator': '#e58fb0',
  gc: '#c9a27e',
  runtime: '#b9c0c9',
  idle: '#e3e6ea',
  other: '#d0cdc6'
}

/** categoryColour is the colour of a category, on light and on dark paper. @param {Category} category */
export const categoryColour = category =>
  `var(--flame-${category.replaceAll(' ', '-')}, ${LIGHT[category] ?? LIGHT.other})`

/** @param {number} x */
const tenth = x => Math.round(x * 10) / 10

/** @param {number} ms */
const time = ms => `${ms >= 100 ? ms.toFixed(0) : ms.toFixed(1)} ms`

/** @param {number} part @param {number} whole */
const share = (part, whole) => `${whole === 0 ? '0.0' : ((100 * part) / whole).toFixed(1)} %`

/**
 * boxes lays the tree out from the top: each call as wide as it was long, beneath its caller.
 *
 * @param {FoldedCall} root
 * @param {number} width
 */
function boxes(root, width) {
  const scale = root.totalMs === 0 ? 0 : width / root.totalMs
  /** @type {Box[]} */
  const placed = []
  /** @param {FoldedCall} call @param {number} left @param {number} depth */
  const place = (call, left, depth) => {
    const box = { call, x: left, y: depth * ROW, width: call.totalMs * scale }
    if (box.width < LEAST_WIDTH) return
    placed.push(box)
    let x = left
    for (const child of call.children) {
      place(child, x, depth + 1)
      x += child.totalMs * scale
    }
  }
  place(root, 0, 0)
  return placed
}

/** @param {string} text @param {number} width @returns {string} empty where nothing that says something has room */
function cut(text, width) {
  const letters = [...text]
  const room = Math.floor((width - 2 * PADDING) / LETTER)
  if (letters.length <= room) return text
  return room < LEAST_LETTERS ? '' : `${letters.slice(0, room - 1).join('')}…`
}

/** @param {FoldedCall} call @param {FoldedCall} root @param {typeof time} write */
function tooltip({ name, package: from, category, selfMs, totalMs }, root, write) {
  const where = name === from ? '' : ` · ${from}`
  return `${name}${where} · ${category} · ${write(totalMs)} (${share(totalMs, root.totalMs)}), itself ${write(selfMs)} (${share(selfMs, root.totalMs)})`
}

/** @param {Box} box @param {FoldedCall} root @param {typeof time} write */
function drawn({ call, x, y, width }, root, write) {
  const label = cut(call.name, width)
  const text = label && html`<text x="${tenth(x + PADDING)}" y="${y + 13}">${label}</text>`
  return html`<g><title>${tooltip(call, root, write)}</title><rect x="${tenth(x)}" y="${y}" width="${tenth(Math.max(width - GAP, LEAST_WIDTH))}" height="${ROW - 1}" fill="${categoryColour(call.category)}"/>${text}</g>
`
}

/**
 * flameGraph draws a tree of calls from the top: callers above what they call, each as wide as its share of the time. What
 * a call did itself is where nothing stands beneath it. There is no script in it; pointing at a call names it, with its
 * times. Colours are CSS variables, `--flame-<category>` and `--flame-ink`, with values that suit light and dark paper.
 *
 * @param {FoldedCall} root
 * @param {object} texts
 * @param {string} texts.id - unique on the page
 * @param {string} texts.title - for who cannot see it
 * @param {string} texts.description
 * @param {typeof time} [texts.write] - of an amount; default: it is a time
 * @param {number} [texts.width] - in units of about a pixel; letters keep their size in these
 * @returns {string} SVG; empty when no time was sampled
 */
export function flameGraph(root, { id, title, description, write = time, width = 1200 }) {
  const placed = boxes(root, width)
  if (placed.length === 0) return ''
  const height = Math.max(...placed.map(({ y }) => y)) + ROW
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d" font-size="${FONT_SIZE}" font-family="${FONT}" fill="${LETTERS}"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>
${placed.map(box => drawn(box, root, write))}</svg>
`)
}

/** @param {FoldedCall} call @returns {Category[]} */
const categoriesIn = call => [call.category, ...call.children.flatMap(categoriesIn)]

/**
 * flameLegend says which colour stands for what, for the categories that are in a tree; the root is of none.
 *
 * @param {FoldedCall} root
 * @returns {FlameLegendEntry[]} in the order of CATEGORIES
 */
export function flameLegend(root) {
  const present = new Set(root.children.flatMap(categoriesIn))
  return CATEGORIES.filter(category => present.has(category)).map(category => ({
    category,
    colour: categoryColour(category)
  }))
}
