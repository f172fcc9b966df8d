import { Html, html } from '../html.js'
import { askedBlocks } from './asked-marks.js'
import { LOOKS } from './theme.js'

/**
 * @typedef {import('./theme.js').Plot} Plot
 * @typedef {import('./theme.js').LegendEntry} LegendEntry
 * @typedef {import('./render.js').Render} Render
 *
 * @typedef {(plots: Plot[]) => Promise<Html | null>} Draw - null: there is none
 */

/** How a sign of a legend is drawn, in a box of 18 × 12. @type {Record<LegendEntry['mark'], string>} */
const MARKS = {
  line: 'M0 6H18',
  dashed: 'M0 6H7M11 6H18',
  dotted: 'M0 6H2M5 6H7M10 6H12M15 6H17',
  failed: 'M6 3L12 9M6 9L12 3',
  area: 'M3 0H15V12H3Z',
  circle: 'M9 3A3 3 0 1 1 9 9A3 3 0 1 1 9 3Z',
  square: 'M6 3H12V9H6Z',
  'triangle-up': 'M9 2L13 9H5Z',
  'triangle-down': 'M9 10L5 3H13Z',
  diamond: 'M9 1.5L12.5 6L9 10.5L5.5 6Z',
  cross: 'M7.5 2H10.5V4.5H13V7.5H10.5V10H7.5V7.5H5V4.5H7.5Z'
}

const STROKED = new Set(['line', 'dashed', 'dotted', 'failed'])

/** legendEntry shows a sign of a legend with its name. @param {LegendEntry} entry */
export function legendEntry({ label, colour, mark }) {
  const paint = STROKED.has(mark)
    ? html`fill="none" stroke="${colour}" stroke-width="2"`
    : html`fill="${colour}"`
  return html`<li><svg viewBox="0 0 18 12" aria-hidden="true"><path d="${MARKS[mark]}" ${paint}/></svg>${label}</li>`
}

/**
 * accessible names a picture for who cannot see it.
 *
 * @param {string} svg
 * @param {{ id: string, title: string, description: string }} texts
 */
export function accessible(svg, { id, title, description }) {
  const size = /viewBox="[^"]*"/.exec(svg)?.[0] ?? ''
  const head = html`<svg xmlns="http://www.w3.org/2000/svg" ${new Html(size)} role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>`
  return new Html(svg.replace(/<svg [^>]*>/, () => String(head)))
}

/** @param {Render} render @param {Plot} plot */
async function figure(render, { id, title, caption, description, legend, spec, ...asked }) {
  const drawn = []
  for (const [name, look] of Object.entries(LOOKS)) {
    const svg = await render(spec, look)
    drawn.push(
      html`<div class="${name}">${accessible(svg, { id: `${id}-${name}`, title, description })}</div>\n`
    )
  }
  return html`<figure class="plot" id="${id}">
<figcaption><h3>${title}</h3><p>${caption}</p></figcaption>
<ul class="legend">${legend.map(legendEntry)}</ul>
<div class="frame">
${drawn}</div>
${askedBlocks(asked)}</figure>
`
}

/**
 * drawer draws plots beside and under each other. Vega is loaded when the first is drawn.
 *
 * @param {() => Promise<Render>} loadRenderer
 * @returns {Draw}
 */
export function drawer(loadRenderer) {
  /** @type {Promise<Render> | undefined} */
  let loading
  return async plots => {
    if (plots.length === 0) return null
    loading ??= loadRenderer()
    const render = await loading
    const figures = []
    for (const plot of plots) figures.push(await figure(render, plot))
    return html`<div class="plots">\n${figures}</div>\n`
  }
}
