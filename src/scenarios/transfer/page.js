import { aboutSection, planSection } from '../../report/page/about.js'
import { figuresTable, warningsList } from '../../report/page/section-parts.js'
import { thresholdsTable } from '../../report/page/thresholds.js'
import { transferAnswer } from './view/page/transfer-answer.js'
import { verdictSection } from './view/page/verdict-section.js'
import { blockLives } from './view/plots/block-lives.js'
import { bytesOverTime } from './view/plots/bytes-over-time.js'
import { goodputPlot } from './view/plots/goodput-plot.js'
import { waysOf } from './view/plots/grouped-rows.js'
import { requestsWaiting } from './view/plots/requests-waiting.js'
import { secondsBars } from './view/plots/seconds-bars.js'
import { transfersInLine, workWords } from './view/transfer-words.js'

/**
 * @typedef {import('./transfer-types.js').TransferResult} TransferResult
 * @typedef {import('../../report/page/section.js').SectionTools} Tools
 */

/** Curves of more transfers at once hide one another. */
const MOST_CURVES = 8

/** @param {(outcome: TransferResult['outcome']) => import('../../kit/plots/theme.js').Plot[]} plots */
const drawn =
  plots =>
  (/** @type {TransferResult} */ { outcome }, /** @type {Tools} */ { draw }) =>
    draw(plots(outcome))

/** The round trip of loopback is that of two busy processes. @param {TransferResult['outcome']['cases']} cases */
const farCases = cases => cases.filter(({ latencyMs }) => latencyMs > 0)

/** A way has the same colour as in other plots: they come in the same order. @param {TransferResult['outcome']} outcome */
const firstOnes = ({ transfers, cases }) => {
  const ways = waysOf(cases)
  return transfers
    .filter(({ repeat, requestor, file }) => repeat === 0 && requestor === 0 && file < MOST_CURVES)
    .toSorted((a, b) => ways.indexOf(a.way) - ways.indexOf(b.way))
}

/** @type {readonly import('../../report/page/section.js').Section<any>[]} */
const SECTIONS = [
  { id: 'figures', title: 'Figures', body: figuresTable },
  { id: 'seconds', title: 'Seconds by way', body: drawn(({ cases }) => secondsBars(cases)) },
  {
    id: 'goodput',
    title: 'Goodput and round trips',
    body: drawn(({ cases }) => goodputPlot(farCases(cases)))
  },
  { id: 'limits', title: 'What limited each way', body: verdictSection },
  {
    id: 'bytes',
    title: 'Bytes over time',
    body: drawn(outcome => bytesOverTime(firstOnes(outcome)))
  },
  { id: 'waiting', title: 'Requests waiting', body: drawn(({ waiting }) => requestsWaiting(waiting)) },
  {
    id: 'block-lives',
    title: 'Lives of blocks',
    body: drawn(({ blockTimes }) => blockLives(blockTimes ?? []))
  },
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
export const PAGE = {
  lead: (/** @type {TransferResult} */ result) => [
    `${workWords(result.plan)}.`,
    `${transfersInLine(result)}.`
  ],
  answer: transferAnswer,
  failures,
  doubts: () => [],
  sections: SECTIONS,
  matrixPlots: () => []
}
