import { button, made } from './parts.js'

/**
 * @typedef {object} Frame - of a flame graph, as it was drawn
 * @property {SVGGElement} group
 * @property {SVGRectElement} rect
 * @property {SVGTextElement} text
 * @property {string} said
 * @property {string} name
 * @property {number} from - share of the width
 * @property {number} to
 * @property {number} depth
 */

/** As flame-graph.js writes them. */
const [LETTER, PADDING, GAP, LEAST_LETTERS] = [6.7, 4, 0.5, 3]
const ENOUGH = 1e-6

/** @param {string} name @param {number} width */
function cutTo(name, width) {
  const letters = [...name]
  const room = Math.floor((width - 2 * PADDING) / LETTER)
  if (letters.length <= room) return name
  return room < LEAST_LETTERS ? '' : `${letters.slice(0, room - 1).join('')}…`
}

/** @param {SVGSVGElement} svg @returns {Frame[]} */
function framesOf(svg) {
  const whole = svg.viewBox.baseVal.width
  return [...svg.querySelectorAll('g')].flatMap(group => {
    const rect = group.querySelector('rect')
    if (rect === null) return []
    const [x, y, width] = [rect.x, rect.y, rect.width].map(({ baseVal }) => baseVal.value)
    const text = group.querySelector('text') ?? document.createElementNS(svg.namespaceURI ?? '', 'text')
    text.setAttribute('y', String(y + 13))
    group.append(text)
    const said = group.querySelector('title')?.textContent ?? ''
    return [
      {
        ...{ group, rect, text: /** @type {SVGTextElement} */ (text), said, name: said.split(' · ')[0] },
        ...{ from: x / whole, to: (x + width + GAP) / whole, depth: y }
      }
    ]
  })
}

/**
 * covered is the share of the width that any of some frames takes.
 *
 * @param {readonly { from: number, to: number }[]} frames
 */
export function covered(frames) {
  let [sum, end] = [0, 0]
  for (const { from, to } of [...frames].sort((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(end, from))
    end = Math.max(end, to)
  }
  return Math.min(1, sum)
}

/** Makes a part of the width as wide as the whole. @param {SVGSVGElement} svg @param {readonly Frame[]} frames @param {{ from: number, to: number }} part */
function zoomed(svg, frames, { from, to }) {
  const whole = svg.viewBox.baseVal.width
  for (const frame of frames) {
    const [left, right] = [frame.from, frame.to].map(
      at => Math.min(1, Math.max(0, (at - from) / (to - from))) * whole
    )
    const isSeen = right - left > ENOUGH * whole
    frame.group.setAttribute('display', isSeen ? 'inline' : 'none')
    if (!isSeen) continue
    frame.rect.setAttribute('x', String(left))
    frame.rect.setAttribute('width', String(Math.max(0.3, right - left - GAP)))
    frame.text.setAttribute('x', String(left + PADDING))
    frame.text.textContent = cutTo(frame.name, right - left)
  }
}

/** @param {Element} figure */
function askable(figure) {
  const pictures = [...figure.querySelectorAll('svg')]
    .filter(svg => svg.querySelector('g') !== null)
    .map(svg => ({ svg, frames: framesOf(svg) }))
  const whole = button('Show all of it', () => zoom({ from: 0, to: 1 }), { hidden: '' })
  const found = made('output')
  const field = made('input', {
    type: 'search',
    placeholder: 'Search for a function or package',
    'aria-label': 'Search'
  })
  /** @param {{ from: number, to: number }} part */
  const zoom = part => {
    whole.hidden = part.to - part.from > 1 - 0.001
    for (const { svg, frames } of pictures) zoomed(svg, frames, part)
  }
  field.addEventListener('input', () => {
    const term = field.value.trim().toLowerCase()
    const isFound = (/** @type {Frame} */ { said }) =>
      said.split(' · ').slice(0, -1).join(' ').toLowerCase().includes(term)
    for (const { frames } of pictures)
      for (const frame of frames)
        frame.group.setAttribute('opacity', term === '' || isFound(frame) ? '1' : '0.25')
    const share = covered(pictures[0].frames.filter(isFound))
    found.textContent = term === '' ? '' : `${(100 * share).toFixed(1)} % of it is in what was found`
  })
  for (const { frames } of pictures)
    for (const frame of frames) {
      frame.group.setAttribute('tabindex', '0')
      frame.group.addEventListener('click', () => zoom(frame))
      frame.group.addEventListener('keydown', event => {
        if (event.key === 'Enter') zoom(frame)
      })
    }
  figure.querySelector('.frame')?.before(made('p', { class: 'tools' }, [field, whole, found]))
}

/** flames lets people zoom into flame graphs, and search them. */
export function flames() {
  for (const figure of document.querySelectorAll('.plot.flame')) askable(figure)
}
