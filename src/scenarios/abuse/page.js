import { aboutSection, planSection } from '../../report/page/about.js'
import { latenessTable } from '../../report/page/lateness.js'
import { figuresTable, warningsList } from '../../report/page/section-parts.js'
import { thresholdsTable } from '../../report/page/thresholds.js'
import { abuseResult } from './abuse-types.js'
import { abuseAnswer } from './view/abuse-answer.js'
import { came } from './view/in-line.js'
import { ABUSE_NOTES } from './view/notes.js'
import { abusePlots } from './view/plots.js'

/** PAGE is what the page of a run with hostile peers has. @type {import('../../report/view.js').PageParts<any>} */
export const PAGE = {
  lead: result => [`${came(result)}.`],
  answer: result => abuseAnswer(abuseResult(result)),
  failures: result =>
    ABUSE_NOTES.failures(result).map(text => ({ tone: /** @type {const} */ ('mind'), text, to: 'figures' })),
  doubts: () => [],
  sections: [
    { id: 'figures', title: 'Figures', body: figuresTable },
    { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
    { id: 'warnings', title: 'Warnings', body: warningsList },
    {
      id: 'stretches',
      title: 'Stretches',
      body: (result, { draw }) => draw(abusePlots(abuseResult(result)))
    },
    { id: 'generator', title: 'The machine', body: latenessTable },
    { id: 'plan', title: 'Repeat it', body: planSection },
    { id: 'about', title: 'About this run', body: aboutSection }
  ],
  matrixPlots: () => []
}
