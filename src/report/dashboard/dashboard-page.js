import { html } from '../../kit/html.js'
import { pageDocument } from '../page/document.js'
import { withPlots } from '../page/scripts.js'

const LIVE = new URL('./script/live.js', import.meta.url)

/**
 * dashboardPage is the page of what goes on. All of it is filled in by its script, from what it is told.
 *
 * @returns {string}
 */
export const dashboardPage = () =>
  pageDocument({
    title: 'libp2p-loadtest goes on',
    description: 'What goes on, while it goes on.',
    live: withPlots(LIVE),
    body: [
      html`<h1 id="head">Nothing was told yet.</h1>
<p class="when quiet" id="when"></p>
<noscript><p>This page is told what goes on, which needs its script. The terminal says the same.</p></noscript>
<div class="lead"><p id="says"></p></div>
<dl class="tiles" id="tiles"></dl>
<ul class="verdict" id="verdict"></ul>
<section id="course"><h2>Course</h2><p class="quiet">By seconds since the run began; the rate, times, CPU and memory are those of just now.</p><div class="plots" id="plots"></div><div class="scroll" tabindex="0"><table><thead><tr><th>Phase</th><th class="r">Took</th><th>Of it</th></tr></thead><tbody id="phases"></tbody></table></div></section>
<section id="figures" hidden><h2>Figures so far</h2><div class="scroll" tabindex="0"><table><thead><tr><th>Figure</th><th class="r">Value</th><th>Unit</th></tr></thead><tbody id="values"></tbody></table></div><p class="quiet">* says less than it seems; ≥: the true figure may be above it.</p></section>
<section id="study" hidden><h2>Runs</h2><div class="scroll" tabindex="0"><table><thead><tr><th class="r">#</th><th>Run</th><th>State</th></tr></thead><tbody id="runs"></tbody></table></div></section>
<footer class="quiet">Told by the run itself, from the records that <code>--jsonLines</code> has. It ends with the run; the page of its result is in its folder.</footer>
`
    ]
  })
