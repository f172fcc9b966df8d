import { html } from '../../kit/html.js'
import { dataBlock, htmlDocument } from './document.js'
import { contentsHtml, figureHtml, layoutHtml, placedPlots, tablesHtml, topHtml } from './parts.js'

/**
 * @typedef {import('../description/description.js').Description} Description
 *
 * @typedef {object} PageHead - what a description does not hold
 * @property {string} [id] - of the run or study
 * @property {string} [when] - when, how long and on what it ran: one line
 * @property {import('./parts.js').Statement[]} [statements] - whether it is complete, and holds its thresholds
 * @property {string} [command] - that repeats it
 * @property {import('./parts.js').Links} [links] - pages of runs that tables name
 * @property {readonly string[]} [files] - beside the page
 * @property {string} [version] - of this program
 */

const SCRIPT = new URL('./script/main.js', import.meta.url)

/** @param {PageHead} head */
const footerHtml = ({ files = [], version = '' }) =>
  html`<footer class="quiet">${files.map((file, i) => html`${i === 0 ? '' : ' · '}<a href="${file}">${file}</a>`)}${files.length === 0 ? '' : ' · '}What each figure means: docs/metrics.md of libp2p-loadtest ${version}</footer>\n`

/**
 * descriptionPage is the page of a run or a study: one HTML file that needs no network. Its tables are read without a script; its script draws
 * the plots.
 *
 * @param {Description} description
 * @param {{ head?: PageHead }} [how]
 * @returns {string}
 */
export function descriptionPage(description, { head = {} } = {}) {
  const { title, headline, tables } = description
  const { main, below } = placedPlots(description.plots)
  const plots = [...main, ...below]
  const { id, command, links } = head
  const [first, ...rest] = tablesHtml(tables, links)
  const body = layoutHtml({
    top: topHtml(description, head),
    main: main.map(figureHtml),
    contents: contentsHtml({ tables, plots }, command !== undefined),
    first,
    plots:
      below.length === 0
        ? null
        : html`<section><h2>Plots</h2>
<noscript><p class="quiet">Plots are drawn by the script of this page, which does not run here.</p></noscript>
<div class="plots">
${below.map(figureHtml)}</div></section>
`,
    rest: [
      ...rest,
      command === undefined
        ? null
        : html`<section id="_repeat"><h2>Repeat</h2>
<pre tabindex="0"><code>${command}</code></pre>
</section>
`
    ]
  })
  return htmlDocument({
    title: `${id ?? title} · libp2p-loadtest`,
    summary: headline,
    body: html`${body}${footerHtml(head)}${dataBlock('_data', { tables, plots })}`,
    script: SCRIPT
  })
}
