import { html } from '../html.js'
import { askedBlocks } from './asked-marks.js'
import { accessible, legendEntry } from './drawer.js'

/**
 * @typedef {import('./theme.js').Plot} Plot
 * @typedef {import('./render.js').Render} Render
 * @typedef {import('../html.js').Html} Html
 */

const COLUMNS = 'display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1rem 1.25rem'
const LOOK = { width: 290, height: 160 }

/** @param {Render} render @param {Plot} plot */
async function small(render, { id, title, caption, description, spec, ...asked }) {
  const svg = accessible(await render(spec, LOOK), { id, title, description })
  return html`<figure class="plot" style="display:block;margin:0" id="${id}"><figcaption><small><b>${title}</b> ${caption}</small></figcaption><div class="frame">${svg}</div>${askedBlocks(asked)}</figure>\n`
}

/**
 * smallMultiples shows plots of the same axes side by side, under one legend.
 *
 * @param {() => Promise<Render>} loadRenderer
 * @param {readonly Plot[]} plots
 * @param {Plot['legend']} legend
 * @returns {Promise<Html | null>} null: there is none
 */
export async function smallMultiples(loadRenderer, plots, legend) {
  if (plots.length === 0) return null
  const render = await loadRenderer()
  const figures = []
  for (const plot of plots) figures.push(await small(render, plot))
  return html`<ul class="legend">${legend.map(legendEntry)}</ul>\n<div style="${COLUMNS}">\n${figures}</div>\n`
}
