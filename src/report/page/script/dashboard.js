// The browser script of the live dashboard, which redraws the page with each update from the run.
import { contentsHtml, figureHtml, placePlots, tablesHtml, topHtml } from '../parts.js'
import { equipTables } from './elements.js'
import { drawFigure } from './figure.js'

/**
 * @typedef {import('../../schema.js').Plot} Plot
 * @typedef {import('../../page.js').DashboardState} DashboardState
 */

/** @param {string} id */
const part = id => /** @type {HTMLElement} */ (document.getElementById(id))

/** @type {Map<string, string>} what was written into each part */
const written = new Map()

/** Writes a part anew where its text has changed: what a person has opened or scrolled stays so. @param {string} id @param {unknown} content */
function write(id, content) {
  const text = String(content)
  if (written.get(id) === text) return
  written.set(id, text)
  const scrolled = [...part(id).querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft)
  const opened = [...part(id).querySelectorAll('.table:has(> details[open])')].map(({ id }) => id)
  part(id).innerHTML = text
  for (const [i, box] of [...part(id).querySelectorAll('.scroll')].entries())
    box.scrollLeft = scrolled[i] ?? 0
  for (const table of opened) document.querySelector(`#${table} > details`)?.setAttribute('open', '')
}

/** @type {Map<string, { figure: HTMLElement, drawn: ReturnType<typeof drawFigure> }>} */
const figures = new Map()

/** Draws plots into a part; those that are there already only get other values. @param {string} id @param {readonly Plot[]} plots */
function draw(id, plots) {
  const box = part(id)
  for (const plot of plots) {
    if (figures.get(plot.id)?.drawn.update(plot)) continue
    const old = figures.get(plot.id)?.figure
    const template = document.createElement('template')
    template.innerHTML = String(figureHtml(plot))
    const figure = /** @type {HTMLElement} */ (template.content.firstElementChild)
    if (old === undefined) box.append(figure)
    else old.replaceWith(figure)
    figures.set(plot.id, { figure, drawn: drawFigure(figure, plot) })
  }
  const ids = new Set(plots.map(plot => plot.id))
  for (const figure of [...box.children])
    if (!ids.has(figure.id)) {
      figure.remove()
      figures.delete(figure.id)
    }
}

/** @param {DashboardState} state */
function show({ description, head, over }) {
  const { title, tables } = description
  const { main, below } = placePlots(description.plots)
  const [first, ...rest] = tablesHtml(tables)
  document.title = `${title} · libp2p-loadtest`
  write('_top', topHtml(description, head))
  write('_contents', contentsHtml(description))
  write('_first', first ?? '')
  write('_rest', rest.filter(table => table !== null).join(''))
  draw('_main', main)
  draw('_plots', below)
  if (over) equipTables(tables)
}

/** @type {DashboardState | undefined} that is not shown yet */
let latest

function showLatest() {
  if (latest !== undefined) show(latest)
  latest = undefined
}

const source = new EventSource('records')
source.addEventListener('message', ({ data }) => {
  // however many states come, one is drawn in each frame
  if (latest === undefined) requestAnimationFrame(showLatest)
  latest = JSON.parse(data)
  if (latest?.over) source.close()
  part('_lost').hidden = true
})
source.addEventListener('error', () => {
  part('_lost').hidden = source.readyState === EventSource.CLOSED
})
