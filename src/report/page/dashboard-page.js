import { html } from '../../kit/html.js'
import { htmlDocument } from './document.js'
import { layoutHtml } from './parts.js'

const SCRIPT = new URL('./script/dashboard.js', import.meta.url)

/** dashboardPage is the page of a run or a study while it goes on: its script fills it with each state that the feed sends. @returns {string} */
export const dashboardPage = () =>
  htmlDocument({
    title: 'libp2p-loadtest',
    summary: 'Progress of a run',
    script: SCRIPT,
    live: true,
    body: html`${layoutHtml({
      top: html`<div id="_top" aria-live="off"><h1>Waiting for the first figures</h1></div>
<p class="bad" id="_lost" role="alert" hidden>The run does not answer. It may have ended.</p>
<noscript><p>This page needs its script. The terminal shows the same progress.</p></noscript>
`,
      main: html`<div id="_main"></div>`,
      contents: html`<span id="_contents"></span>`,
      first: html`<div id="_first"></div>\n`,
      plots: html`<div class="plots" id="_plots"></div>\n`,
      rest: html`<div class="tables" id="_rest"></div>\n`
    })}<footer class="quiet">This page ends with the run. The report is then in the run's folder.</footer>
`
  })
