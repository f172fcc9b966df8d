import { html } from '../../kit/html.js'
import { inWords } from '../../report/notes.js'
import { aboutSection, planSection } from '../../report/page/about.js'
import { figuresTable, warningsList } from '../../report/page/section-parts.js'
import { thresholdsTable } from '../../report/page/thresholds.js'
import { mind } from '../../report/page/verdict.js'
import { handshakeWarnings } from './measure/handshake-warnings.js'
import { perfResult } from './perf-types.js'
import { came } from './view/in-line.js'
import { PERF_NOTES } from './view/notes.js'
import { perfAnswer } from './view/perf-answer.js'
import { perfPlots } from './view/plots.js'

/** PAGE is what the page of a run that moves bytes has. @type {import('../../report/view.js').PageParts<any>} */
export const PAGE = {
  lead: result => [`${came(result)}.`],
  answer: result => perfAnswer(perfResult(result)),
  failures: result =>
    PERF_NOTES.failures(result).map(text => ({ tone: /** @type {const} */ ('bad'), text, to: 'figures' })),
  doubts: result =>
    handshakeWarnings(perfResult(result).outcome.handshakes).map(warning =>
      mind(`Doubtful: ${inWords(warning, result)}`, 'warnings')
    ),
  sections: [
    { id: 'figures', title: 'Figures', body: figuresTable },
    { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
    { id: 'warnings', title: 'Warnings', body: warningsList },
    { id: 'rates', title: 'Rates', body: (result, { draw }) => draw(perfPlots(perfResult(result))) },
    {
      id: 'generator',
      title: 'Both ends',
      body: () =>
        html`<p>Client and server are a process each; how much of a core they used stands in outcome.rows of result.json.</p>\n`
    },
    { id: 'plan', title: 'Repeat it', body: planSection },
    { id: 'about', title: 'About this run', body: aboutSection }
  ],
  matrixPlots: () => []
}
