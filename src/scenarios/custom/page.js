import { aboutSection, planSection } from '../../report/page/about.js'
import { doubtParts } from '../../report/page/generator.js'
import { figuresTable, together, warningsList } from '../../report/page/section-parts.js'
import { thresholdsTable } from '../../report/page/thresholds.js'
import { latenessPlots } from '../../report/plots/lateness.js'
import { responseTimeMaps } from '../../report/plots/response-time-map.js'
import { operationsInLine } from '../rendezvous/view/operations-in-line.js'
import { outcomesTable } from '../rendezvous/view/page/outcomes.js'
import { operationsAnswer } from '../rendezvous/view/page/rendezvous-answer.js'
import { operationDoubts, operationFailures } from '../rendezvous/view/page/rendezvous-verdict.js'
import { failuresPlot } from '../rendezvous/view/plots/failures.js'
import { percentileCurve } from '../rendezvous/view/plots/percentile-curve.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../report/page/section.js').Section<Result>} Section
 */

/** @type {readonly Section[]} */
const SECTIONS = [
  { id: 'figures', title: 'Figures', body: figuresTable },
  { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
  { id: 'warnings', title: 'Warnings', body: warningsList },
  {
    id: 'response-times',
    title: 'Response times',
    body: (result, { draw }) => draw([...percentileCurve(result), ...responseTimeMaps(result)])
  },
  {
    id: 'outcomes',
    title: 'Outcomes',
    body: async (result, { draw }) => together([outcomesTable(result), await draw(failuresPlot(result))])
  },
  {
    id: 'generator',
    title: 'Load generator',
    body: async (result, { draw }) => together([...doubtParts(result), await draw(latenessPlots(result))])
  },
  { id: 'plan', title: 'Repeat it', body: planSection },
  { id: 'about', title: 'About this run', body: aboutSection }
]

/** PAGE is what the page of a run of a user's own scenario has. @type {import('../../report/view.js').PageParts<Result>} */
export const PAGE = {
  lead: result => [`${operationsInLine(result)}.`],
  answer: operationsAnswer,
  failures: operationFailures,
  doubts: operationDoubts,
  sections: SECTIONS,
  matrixPlots: () => []
}
