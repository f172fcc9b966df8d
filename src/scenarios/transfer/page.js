import { aboutSection, planSection } from '../../report/page/about.js'
import { figuresTable, warningsList } from '../../report/page/section-parts.js'
import { thresholdsTable } from '../../report/page/thresholds.js'
import { verdictSection } from './view/page/verdict-section.js'
import { transfersInLine, workWords } from './view/transfer-words.js'

/** @typedef {import('./transfer-types.js').TransferResult} TransferResult */

/** @type {readonly import('../../report/page/section.js').Section<any>[]} */
const SECTIONS = [
  { id: 'figures', title: 'Figures', body: figuresTable },
  { id: 'limits', title: 'What limited each way', body: verdictSection },
  { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
  { id: 'warnings', title: 'Warnings', body: warningsList },
  { id: 'plan', title: 'Repeat it', body: planSection },
  { id: 'about', title: 'About this run', body: aboutSection }
]

/** @param {TransferResult} result @returns {import('../../report/page/verdict.js').Statement[]} */
const failures = ({ outcome: { transfers } }) => {
  const failed = transfers.filter(({ outcome }) => outcome !== 'OK').length
  return failed === 0
    ? []
    : [{ tone: 'bad', text: `${failed} of ${transfers.length} transfers failed.`, to: 'figures' }]
}

/** PAGE is what the page of transfers has. @type {import('../../report/view.js').PageParts<any>} */
export const PAGE = Object.freeze({
  lead: (/** @type {TransferResult} */ result) => [
    `${workWords(result.plan)}.`,
    `${transfersInLine(result)}.`
  ],
  failures,
  doubts: () => [],
  sections: SECTIONS,
  matrixPlots: () => []
})
