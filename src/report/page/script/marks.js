import { said } from './chart.js'
import { csvButton, made } from './parts.js'

/**
 * @typedef {import('../../../kit/plots/asked-marks.js').Marks} Marks
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box
 */

/** A low bar is found by pointing above it: what is beside counts for more. */
const ASIDE = 3

/**
 * nearestTo is the place of the box that is nearest to a point; of those over one another the topmost.
 *
 * @param {readonly Box[]} boxes
 * @param {{ x: number, y: number }} point
 */
export function nearestTo(boxes, { x, y }) {
  let [place, least] = [-1, Infinity]
  for (const [i, { left, right, top, bottom }] of boxes.entries()) {
    const far = ASIDE * Math.max(left - x, 0, x - right) + Math.max(top - y, 0, y - bottom)
    if (far <= least) [place, least] = [i, far]
  }
  return place
}

/** rowText says what a mark stands for. @param {Marks} marks @param {number} place */
export const rowText = ({ headings, rows }, place) =>
  headings
    .map((heading, i) => [heading, rows[place][i]])
    .filter(([, cell]) => cell !== null)
    .map(([heading, cell]) => `${heading}: ${typeof cell === 'number' ? said(cell) : cell}`)
    .join(' · ')

/** Boxes of marks within their picture, so that they hold when the page is scrolled. @param {SVGSVGElement} svg @param {readonly Element[]} marks @returns {Box[]} */
function boxesOf(svg, marks) {
  const { left: x, top: y } = svg.getBoundingClientRect()
  return marks.map(mark => {
    const { left, right, top, bottom } = mark.getBoundingClientRect()
    return { left: left - x, right: right - x, top: top - y, bottom: bottom - y }
  })
}

/** @param {HTMLElement} figure @param {Marks} marks */
function pointable(figure, marks) {
  const frame = /** @type {HTMLElement} */ (figure.querySelector('.frame'))
  const at = made('li', { class: 'at' }, ['Point at the plot for values.'])
  const pictures = [...frame.querySelectorAll('svg')].map(svg => ({
    svg,
    drawn: [...svg.querySelectorAll('.asked > *')]
  }))
  // what is not as it was drawn would say what is not so
  if (pictures.some(({ drawn }) => drawn.length !== marks.rows.length)) return
  let now = -1
  /** @param {number} place */
  const point = place => {
    for (const { drawn } of pictures) {
      drawn[now]?.classList.remove('pointed')
      drawn[place].classList.add('pointed')
    }
    now = place
    at.textContent = rowText(marks, place)
  }
  for (const { svg, drawn } of pictures) {
    /** @type {Box[]} */
    let boxes = []
    svg.addEventListener('pointerenter', () => {
      boxes = boxesOf(svg, drawn)
    })
    svg.addEventListener('pointermove', ({ clientX, clientY }) => {
      const { left, top } = svg.getBoundingClientRect()
      const place = nearestTo(boxes, { x: clientX - left, y: clientY - top })
      if (place >= 0 && place !== now) point(place)
    })
  }
  frame.classList.add('live')
  frame.tabIndex = 0
  frame.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    point(Math.min(marks.rows.length - 1, Math.max(0, now + step)))
  })
  const name = figure.querySelector('figcaption b, figcaption h3')?.textContent ?? figure.id
  const csv = csvButton(name, () => [
    [...marks.headings],
    ...marks.rows.map(row => row.map(cell => cell ?? ''))
  ])
  const legend = figure.querySelector('ul.legend') ?? made('ul', { class: 'legend' })
  if (legend.parentElement === null) frame.before(legend)
  legend.append(at, made('li', { class: 'tool' }, [csv]))
}

/** marks lets people ask what bars, cells and dots stand for. */
export function marks() {
  for (const block of document.querySelectorAll('.plot > script.marks'))
    pointable(/** @type {HTMLElement} */ (block.parentElement), JSON.parse(block.textContent ?? ''))
}
