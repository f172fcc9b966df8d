import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** AXE finds what keeps people with disabilities from a page. */
export const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** overflow: elements that stick out of the page, and how far it scrolls sideways. Runs in the browser. */
export function overflow() {
  const room = document.documentElement.clientWidth
  const outside = [...document.querySelectorAll('main *')].filter(element => {
    if (element.closest('.scroll, .contents, .uplot, .frames, .tip') && !element.matches('.scroll'))
      return false
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && (left < -0.5 || right > room + 0.5)
  })
  return [
    document.documentElement.scrollWidth - room,
    ...outside.map(({ outerHTML }) => outerHTML.slice(0, 80))
  ]
}

/** drawn: what was drawn of each plot: distinct colours of its canvas, or elements. Runs in the browser. */
export function drawn() {
  return [...document.querySelectorAll('.plot')].map(({ id }) => {
    const plot = /** @type {HTMLElement} */ (document.getElementById(id))
    const canvas = plot.querySelector('canvas')
    if (canvas === null) return { id, marks: plot.querySelectorAll('.room td, .frames > div').length }
    const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
      0,
      0,
      canvas.width,
      canvas.height
    )
    const colours = new Set()
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 0) colours.add(`${data[i]},${data[i + 1]},${data[i + 2]}`)
    return { id, marks: colours.size }
  })
}
